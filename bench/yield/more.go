package main

import (
	"fmt"
	"strings"
)

// numbered is a template with a number in each of its places.
func numbered(template string, n int) string {
	return strings.ReplaceAll(template, "%d", fmt.Sprint(n))
}

// of makes a kind of templates.
func of(runner, command string, needs []string, function, test string) kind {
	return kind{
		runner: runner, command: command, needs: needs, troubles: []string{none, red},
		function: func(n int) string { return numbered(function, n) },
		test:     func(n int) string { return numbered(test, n) },
	}
}

func minitest() kind {
	k := of("minitest", "rake test", []string{"ruby", "-e", "require 'minitest'; require 'rake'"}, "def M.f%d\n  %d\nend\n", "  def test_f%d; assert_equal %d, M.f%d; end\n")
	const top = "require 'minitest/autorun'\nrequire './lib/m'\n"
	k.fixed = map[string]string{"Rakefile": "require 'rake/testtask'\nRake::TestTask.new { |t| t.pattern = 'test/*_test.rb' }\n"}
	k.source, k.tests, k.head, k.tail = "lib/m.rb", "test/m_test.rb", [2]string{"module M\nend\n", top + "class MTest < Minitest::Test\n"}, "end\n"
	k.trouble = map[string]map[string]string{red: {"test/red_test.rb": top + "class RedTest < Minitest::Test\n  def test_red; flunk; end\nend\n"}}
	return k
}

func exunit() kind {
	k := of("ExUnit", "mix test", []string{"mix", "--version"}, "  def f%d, do: %d\n", "  test \"f%d\", do: assert M.f%d() == %d\n")
	k.fixed = map[string]string{
		"mix.exs":              "defmodule M.MixProject do\n  use Mix.Project\n  def project, do: [app: :m, version: \"0.1.0\"]\nend\n",
		"test/test_helper.exs": "ExUnit.start()\n", ".gitignore": "_build\n",
	}
	// Mix compiles what is newer; the module ends where a file of its own begins.
	k.source, k.tests, k.head = "lib/m.ex", "test/m_test.exs", [2]string{"defmodule M do\n", "defmodule MTest do\n  use ExUnit.Case\n"}
	k.close, k.tail = "end\n", "end\n"
	k.trouble = map[string]map[string]string{red: {"test/red_test.exs": "defmodule RedTest do\n  use ExUnit.Case\n  test \"red\", do: assert 1 == 2\nend\n"}}
	return k
}

func bats() kind {
	k := of("bats", "bats test", []string{"bats", "--version"}, "f%d() { echo %d; }\n", "@test \"f%d\" { . lib/m.sh; [ \"$(f%d)\" = %d ]; }\n")
	k.source, k.tests, k.head = "lib/m.sh", "test/m.bats", [2]string{"# functions\n", ""}
	k.trouble = map[string]map[string]string{red: {"test/red.bats": "@test \"red\" { false; }\n"}}
	return k
}

// gtest is started below make, which knows nothing of reports.
func gtest() kind {
	k := of("GoogleTest below make", "make test", []string{"ls", "/usr/include/gtest/gtest.h"}, "inline int f%d() { return %d; }\n", "TEST(M, F%d) { EXPECT_EQ(%d, f%d()); }\n")
	k.fixed = map[string]string{
		"Makefile":   "test: build/m_test\n\t./build/m_test\nbuild/m_test: src/m.h $(wildcard tests/*.cc)\n\tmkdir -p build && g++ -o $@ tests/*.cc -lgtest -lgtest_main -lpthread\n",
		".gitignore": "build\n",
	}
	k.source, k.tests, k.head = "src/m.h", "tests/m_test.cc", [2]string{"#pragma once\n", "#include <gtest/gtest.h>\n#include \"../src/m.h\"\n"}
	k.trouble = map[string]map[string]string{red: {"tests/red_test.cc": "#include <gtest/gtest.h>\nTEST(Red, Red) { FAIL(); }\n"}}
	return k
}

func goBelowMake() kind {
	k := goTest()
	k.runner, k.command, k.troubles = "go below make", "make test", []string{none, red, panics}
	k.fixed = map[string]string{"go.mod": k.fixed["go.mod"], "Makefile": "test:\n\tgo vet ./... && go test ./...\n"}
	return k
}
