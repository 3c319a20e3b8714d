#!/bin/bash
# Records reports of runners that Debian or npm have: record.sh NODE_MODULES [NAME...]
# Every function below makes a small project with a test of each kind (passes, fails, skipped, and what else the
# runner tells apart), runs its runner the way runner.go asks for a report, and leaves the report beside this script.
# Debian: ruby-minitest ruby-minitest-reporters libgtest-dev catch2 cmake meson ninja-build automake bats elixir
# lua-busted r-cran-testthat r-cran-xml2 maven libsurefire-java junit4 gradle python3 python3-django. npm: ava tape tap bun deno vitest
# @playwright/test @bazel/bazel-linux_x64 mocha jest.
set -u
here=$(cd "$(dirname "$0")" && pwd)
modules=${1:-}; shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}
export HOME=$work/home NO_COLOR=1 DENO_NO_UPDATE_CHECK=1
mkdir "$HOME"

# keep FILE NAME: the folder of the tests reads /copy, the host's name host.
keep() { sed -e "s#$PWD#/copy#g" -e "s#$modules#/copy/node_modules#g" -e "s#$work#/tmp#g" -e "s#\b$(hostname)\b#host#g" "$1" >"$here/$2"; }
node() { ln -sfn "$modules" node_modules; PATH=$PWD/node_modules/.bin:$PATH; }

minitest() {
	mkdir test
	cat >test/m_test.rb <<-'X'
		require 'minitest/autorun'
		class MTest < Minitest::Test
		  def test_passes; assert_equal 1, 1; end
		  def test_fails; assert_equal 1, 2; end
		  def test_errs; raise 'no'; end
		  def test_skipped; skip 'later'; end
		  def test_prints; print 'dots'; assert true; end
		end
		describe 'a spec' do
		  it('has a name with = signs') { _(1).must_equal 1 }
		  describe('nested') { it('works too') { _(1).must_equal 1 } }
		end
	X
	ruby -Itest test/m_test.rb --verbose --seed 1 >out; keep out minitest.txt
	printf "require 'rake/testtask'\nRake::TestTask.new { |t| t.pattern = 'test/*_test.rb' }\n" >Rakefile
	TESTOPTS='--verbose --seed=1' rake test >out 2>&1; keep out rake.txt
	cat - test/m_test.rb >test/r_test.rb <<-'X'
		require 'minitest/reporters'
		Minitest::Reporters.use! Minitest::Reporters::JUnitReporter.new('reports')
	X
	ruby -W0 -Itest test/r_test.rb >/dev/null; keep reports/TEST-Minitest-Result.xml minitest-reporters.xml
}

gtest() {
	cat >m.cc <<-'X'
		#include <gtest/gtest.h>
		TEST(Sum, Passes) { EXPECT_EQ(1, 1); }
		TEST(Sum, Fails) { EXPECT_EQ(1, 2); }
		TEST(Sum, Skipped) { GTEST_SKIP() << "later"; }
		TEST(Sum, DISABLED_Off) { EXPECT_EQ(1, 2); }
		class P : public testing::TestWithParam<int> {};
		TEST_P(P, Even) { EXPECT_EQ(0, GetParam() % 2); }
		INSTANTIATE_TEST_SUITE_P(Some, P, testing::Values(2, 3));
	X
	g++ m.cc -o m -lgtest -lgtest_main -lpthread
	GTEST_OUTPUT=xml:reports/ ./m >/dev/null; keep reports/m.xml gtest.xml
	GTEST_OUTPUT=xml:listed/ ./m --gtest_list_tests >/dev/null; keep listed/m.xml gtest-listed.xml
}

catch2() {
	cat >m.cc <<-'X'
		#define CATCH_CONFIG_MAIN
		#include <catch2/catch.hpp>
		TEST_CASE("passes", "[a]") { REQUIRE(1 == 1); }
		TEST_CASE("fails") { REQUIRE(1 == 2); }
		TEST_CASE("throws") { throw 1; }
		TEST_CASE("sections") { SECTION("one") { REQUIRE(1 == 1); } SECTION("two") { REQUIRE(1 == 2); } }
		TEST_CASE("may fail", "[!mayfail]") { REQUIRE(1 == 2); }
	X
	g++ m.cc -o m
	./m -r junit -o out.xml; keep out.xml catch2.xml
}

cmake_ctest() {
	cat >CMakeLists.txt <<-'X'
		cmake_minimum_required(VERSION 3.21)
		project(m NONE)
		enable_testing()
		add_test(NAME passes COMMAND true)
		add_test(NAME fails COMMAND false)
		add_test(NAME missing COMMAND no-such-program)
		add_test(NAME off COMMAND true)
		set_tests_properties(off PROPERTIES DISABLED true)
		add_test(NAME skipped COMMAND sh -c "exit 77")
		set_tests_properties(skipped PROPERTIES SKIP_RETURN_CODE 77)
	X
	cmake -B build . >/dev/null && (cd build && ctest --output-junit ../out.xml >../text 2>&1); keep out.xml ctest.xml; keep text ctest.txt
}

exunit() {
	mkdir -p lib test
	printf 'defmodule M.MixProject do\n  use Mix.Project\n  def project, do: [app: :m, version: "0.1.0"]\nend\n' >mix.exs
	printf 'ExUnit.start(exclude: [:slow])\n' >test/test_helper.exs
	cat >test/m_test.exs <<-'X'
		defmodule MTest do
		  use ExUnit.Case
		  test "passes", do: assert 1 == 1
		  test "fails", do: assert 1 == 2
		  test "prints" do
		    IO.puts("  1) test passes (MTest)")
		    assert true
		  end
		  @tag :skip
		  test "skipped", do: assert 1 == 2
		  @tag :slow
		  test "left out", do: assert 1 == 2
		  describe "a group" do
		    setup context, do: if(context[:bad], do: raise("no"), else: :ok)
		    test "passes (too)", do: assert true
		    @tag bad: true
		    test "has a bad setup", do: assert true
		  end
		end
		defmodule SetupTest do
		  use ExUnit.Case
		  setup_all do: raise("no")
		  test "never runs", do: assert true
		end
	X
	LC_ALL=C.UTF-8 mix test --trace --seed 1 >out 2>&1; keep out exunit.txt
}

meson_test() {
	printf '%s\n' "project('m')" "t = find_program('true')" "f = find_program('false')" "test('passes', t, suite: 'a')" "test('fails', f)" \
		"test('expected', f, should_fail: true)" "test('skipped', find_program('sh'), args: ['-c', 'exit 77'])" \
		"test('taps', find_program('sh'), args: ['-c', 'echo 1..2; echo ok 1 - one; echo not ok 2 - two'], protocol: 'tap')" >meson.build
	meson setup build >/dev/null && meson test -C build >/dev/null
	keep build/meson-logs/testlog.junit.xml meson.xml
}

automake() {
	mkdir t
	printf 'AC_INIT([m],[1])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n' >configure.ac
	printf 'TESTS = t/passes.sh t/fails.sh t/skipped.sh t/expected.sh t/surprise.sh t/errs.sh\nXFAIL_TESTS = t/expected.sh t/surprise.sh\n' >Makefile.am
	for pair in passes:0 fails:1 skipped:77 expected:1 surprise:0 errs:99; do
		printf '#!/bin/sh\nexit %s\n' "${pair#*:}" >"t/${pair%:*}.sh"; chmod +x "t/${pair%:*}.sh"
	done
	autoreconf -i >/dev/null 2>&1 && ./configure >/dev/null
	make check >out 2>/dev/null; keep out automake.txt
	keep t/fails.sh.trs automake.trs
}

bats_tap() {
	cat >m.bats <<-'X'
		@test "passes" { true; }
		@test "fails" { false; }
		@test "skipped" { skip "later"; }
	X
	bats --tap m.bats >out; keep out bats.tap
}

busted_tap() {
	mkdir spec
	cat >spec/m_spec.lua <<-'X'
		describe('m', function()
		  it('passes', function() assert.are.equal(1, 1) end)
		  it('fails', function() assert.are.equal(1, 2) end)
		  it('errs', function() error('no') end)
		  pending('later')
		end)
	X
	busted -o TAP >out 2>&1; keep out busted.tap
}

testthat() {
	cat >test-m.R <<-'X'
		test_that("passes", { expect_equal(1, 1) })
		test_that("fails", { expect_equal(1, 2) })
		test_that("skipped", { skip("later") })
	X
	Rscript -e 'library(testthat); test_file("test-m.R", reporter = JunitReporter$new(file = "out.xml"))' >/dev/null 2>&1; keep out.xml testthat.xml
}

jvm_test() {
	mkdir -p src/test/java/m
	cat >src/test/java/m/MTest.java <<-'X'
		package m;
		import org.junit.*;
		public class MTest {
		  @Test public void passes() { Assert.assertEquals(1, 1); }
		  @Test public void fails() { Assert.assertEquals(1, 2); }
		  @Test public void errs() { throw new RuntimeException("no"); }
		  @Test @Ignore("later") public void skipped() { Assert.fail(); }
		}
	X
}

maven() {
	jvm_test
	cat >pom.xml <<-'X'
		<project><modelVersion>4.0.0</modelVersion><groupId>m</groupId><artifactId>m</artifactId><version>1</version>
		<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
		<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
		<build><plugins>
		<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId><version>2.22.3</version></plugin>
		<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-compiler-plugin</artifactId><version>3.10.1</version></plugin>
		<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-resources-plugin</artifactId><version>3.3.0</version></plugin>
		</plugins></build>
		<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies></project>
	X
	mvn -o -q -fae -Dmaven.repo.local=/usr/share/maven-repo test >out 2>&1
	sed '/<properties>/,/<\/properties>/d' target/surefire-reports/TEST-m.MTest.xml >out.xml && keep out.xml surefire.xml || tail -30 out
}

gradle_test() {
	jvm_test
	printf "apply plugin: 'java'\nrepositories { flatDir { dirs '/usr/share/java' } }\ndependencies { testCompile name: 'junit4'\n testCompile name: 'hamcrest-core' }\n" >build.gradle
	gradle --offline --no-daemon --continue test >out 2>&1
	sed '/^\tat /d' build/test-results/test/TEST-m.MTest.xml >out.xml && keep out.xml gradle.xml || tail -30 out
}

unittest() {
	cat >test_m.py <<-'X'
		import unittest
		class M(unittest.TestCase):
		    def test_passes(self): pass
		    def test_subtests(self):
		        for i in range(3):
		            with self.subTest(i=i): self.assertNotEqual(i, 1)
		    def test_subtests_pass(self):
		        for i in range(2):
		            with self.subTest('with a message', i=i): pass
		    def test_subtest_skips(self):
		        for i in range(2):
		            with self.subTest(i=i):
		                if i: self.skipTest('later')
		    def test_subtest_errs(self):
		        with self.subTest(i=1): raise ValueError
		    def test_with_doc(self):
		        """What it is about."""
		X
	python3 -m unittest -v >out 2>&1; keep out unittest-subtests.txt
}

django() {
	mkdir shop
	touch shop/__init__.py
	printf 'import os, sys\nos.environ["DJANGO_SETTINGS_MODULE"] = "conf"\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n' >manage.py
	printf 'SECRET_KEY = "x"\nINSTALLED_APPS = ["django.contrib.contenttypes", "shop"]\nDATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db"}}\n' >conf.py
	cat >shop/tests.py <<-'X'
		import unittest
		from django.test import SimpleTestCase, TestCase
		class M(TestCase):
		    def test_passes(self): self.assertEqual(self.client.get('/').status_code, 404)
		    def test_fails(self): self.assertEqual(1, 2)
		    def test_errs(self): raise ValueError
		    @unittest.skip('later')
		    def test_skipped(self): pass
		    def test_with_doc(self):
		        """What it is about."""
		class S(SimpleTestCase):
		    def test_subtests(self):
		        for i in range(3):
		            with self.subTest(i=i): self.assertNotEqual(i, 1)
		    def test_prints(self): print('noise')
		X
	printf 'import nothere\n' >shop/test_gone.py
	sed -i '/^INSTALLED/a ROOT_URLCONF = "urls"' conf.py
	printf 'urlpatterns = []\n' >urls.py
	python3 manage.py test -v 2 >out 2>&1; keep out django.txt
}

script_tests() {
	node
	mkdir ava tape tap deno bun vitest pw
	printf '{"type": "module"}' >package.json
	cat >ava/a.test.js <<-'X'
		import test from 'ava'
		test('passes', t => t.pass())
		test('fails', t => t.is(1, 2))
		test.skip('skipped', t => t.fail())
		test.todo('later')
		test.failing('expected', t => t.fail())
	X
	cat >tape/a.js <<-'X'
		import test from 'tape'
		test('first', t => { t.equal(1, 1, 'adds'); t.equal(1, 2, 'adds'); t.end() })
		test('second', t => { t.ok(true); t.skip('later'); t.end() })
		test.skip('third', t => t.fail())
	X
	cat >tap/a.js <<-'X'
		import t from 'tap'
		t.test('group', async t => { t.equal(1, 1, 'adds'); t.equal(1, 2, 'adds'); t.test('deeper', async t => t.ok(true)) })
		t.test('skipped', { skip: 'later' }, async t => t.fail())
		t.test('todo', { todo: true }, async t => t.fail())
	X
	cat >bun/a.test.ts <<-'X'
		import { describe, expect, test } from 'bun:test'
		test('passes', () => expect(1).toBe(1))
		describe('group', () => { test('fails', () => expect(1).toBe(2)); test('passes', () => {}) })
		test.skip('skipped', () => {})
		test.todo('later')
	X
	printf 'import { test } from "bun:test"\nthrow new Error("does not load")\ntest("never", () => {})\n' >bun/b.test.ts
	cat >deno/a_test.ts <<-'X'
		Deno.test('passes', () => {})
		Deno.test('fails', () => { throw new Error('no') })
		Deno.test('steps', async t => { await t.step('one', () => {}); await t.step('two', () => { throw new Error('no') }) })
		Deno.test({ name: 'skipped', ignore: true, fn() {} })
	X
	cat >vitest/a.test.js <<-'X'
		import { describe, expect, test } from 'vitest'
		test('passes', () => {})
		test('fails', () => expect(1).toBe(2))
		test.skip('skipped', () => {})
		test.todo('later')
		describe('group', () => { test.each([1, 2])('takes %i', n => expect(n).toBe(1)) })
	X
	printf 'import "./no-such-file.js"\nimport { test } from "vitest"\ntest("never", () => {})\n' >vitest/b.test.js
	cat >pw/a.spec.js <<-'X'
		import { expect, test } from '@playwright/test'
		test('passes', () => {})
		test('fails', () => expect(1).toBe(2))
		test.skip('skipped', () => {})
		test.fixme('later', () => {})
		test.fail('expected', () => expect(1).toBe(2))
		test.describe('group', () => { test('flaky', ({}, info) => expect(info.retry).toBe(1)) })
	X
	printf 'export default { retries: 1, projects: [{ name: "one", testMatch: "**/*.spec.js" }, { name: "two", testMatch: "**/a.spec.js" }] }\n' >pw/playwright.config.js
	ava --tap ava/*.js >out 2>/dev/null; keep out ava.tap
	tape tape/a.js >out; keep out tape.tap
	tap --no-coverage --reporter=tap tap/a.js >out 2>/dev/null; keep out tap.tap
	bun test ./bun --reporter=junit --reporter-outfile=out.xml >out 2>&1; keep out.xml bun.xml
	deno test --junit-path=out.xml deno >out 2>&1; keep out.xml deno.xml
	vitest run --dir vitest --reporter=json --outputFile=out.json >out 2>&1; keep out.json vitest-red.json
	vitest run --dir vitest --reporter=junit --outputFile=out.xml >out 2>&1; keep out.xml vitest-red.xml
	PLAYWRIGHT_JSON_OUTPUT_NAME=$PWD/out.json playwright test -c pw --reporter=json >/dev/null 2>&1; keep out.json playwright.json
	PLAYWRIGHT_JUNIT_OUTPUT_NAME=$PWD/out.xml playwright test -c pw --reporter=junit >/dev/null 2>&1; keep out.xml playwright.xml
	printf 'import "./no-such-file.js"\n' >pw/b.spec.js
	PLAYWRIGHT_JSON_OUTPUT_NAME=$PWD/out.json playwright test -c pw --reporter=json >/dev/null 2>&1; keep out.json playwright-broken.json
}

cargo_json() {
	cargo init -q --lib --name m . 2>/dev/null
	printf '#[test]\nfn passes() {}\n#[test]\nfn fails() { panic!("no") }\n#[test]\n#[ignore]\nfn skipped() {}\nmod deep {\n    #[test]\n    fn passes() {}\n}\n' >src/lib.rs
	mkdir tests; printf '#[test]\nfn passes() {}\n' >tests/t.rs
	RUSTC_BOOTSTRAP=1 cargo test --offline --no-fail-fast -- -Z unstable-options --format json >out 2>&1; keep out cargo-json.jsonl
}

go_verbose() {
	mkdir other
	printf 'module m\n\ngo 1.24\n' >go.mod
	cat >m_test.go <<-'X'
		package m

		import "testing"

		func TestPasses(t *testing.T)  { println("--- FAIL: TestPasses (0.00s)") }
		func TestFails(t *testing.T)   { t.Fatal("no") }
		func TestSkipped(t *testing.T) { t.Skip("later") }
		func TestSubs(t *testing.T) {
			for _, name := range []string{"one", "two words"} {
				t.Run(name, func(t *testing.T) { t.Parallel() })
			}
		}
	X
	printf 'package other\n\nimport "testing"\n\nfunc TestFirst(t *testing.T) {}\nfunc TestPanics(t *testing.T) { panic("no") }\nfunc TestNever(t *testing.T) {}\n' >other/o_test.go
	mkdir broken none; printf 'package none\n' >none/n.go; printf 'package broken\n\nvar x int = ""\n' >broken/b_test.go
	GOFLAGS='-v -count=1' GOCACHE=$HOME/go go test ./... >out 2>&1; keep out gotest-verbose.txt
}

# One package ends in a test that is at work, while others wait; the other panics in a parallel test.
go_killed() {
	mkdir leaves panics
	printf 'module m\n\ngo 1.24\n' >go.mod
	cat >leaves/l_test.go <<-'X'
		package leaves

		import (
			"os"
			"testing"
		)

		func TestWaits(t *testing.T)  { t.Parallel() }
		func TestLeaves(t *testing.T) { t.Run("x", func(t *testing.T) { os.Exit(3) }) }
		func TestNever(t *testing.T)  {}
	X
	cat >panics/p_test.go <<-'X'
		package panics

		import (
			"testing"
			"time"
		)

		func TestSleeps(t *testing.T) { t.Parallel(); time.Sleep(10 * time.Second) }
		func TestPanics(t *testing.T) { t.Parallel(); time.Sleep(time.Second); panic("no") }
		func TestPrints(t *testing.T) { println("panic: only text") }
	X
	GOCACHE=$HOME/go go test -json -count=1 ./... >out 2>&1; keep out gotest-killed.jsonl
}

# Bazel as npm has it, with stubs of the rules that it would download and sh_test does not need.
bazel() {
	mkdir -p m stub/cov stub/cc/cc stub/java/java
	touch WORKSPACE stub/{cov,cc,java}/WORKSPACE stub/cc/{BUILD,cc/BUILD} stub/java/{BUILD,java/BUILD}
	printf 'package(default_visibility=["//visibility:public"])\nfilegroup(name="coverage_report_generator")\n' >stub/cov/BUILD
	for rule in binary library test toolchain toolchain_suite import; do
		printf 'def cc_%s(**k): native.cc_%s(**k)\n' $rule $rule >>stub/cc/cc/defs.bzl
	done
	for rule in binary library test import toolchain runtime plugin package_configuration proto_library lite_proto_library; do
		printf 'def java_%s(**k): native.java_%s(**k)\n' $rule $rule >>stub/java/java/defs.bzl
	done
	printf 'sh_test(name="passes", srcs=["passes.sh"])\nsh_test(name="fails", srcs=["fails.sh"])\nsh_test(name="unbuilt", srcs=["nothing.sh"])\n' >m/BUILD
	printf '#!/bin/sh\nexit 0\n' >m/passes.sh; printf '#!/bin/sh\nexit 1\n' >m/fails.sh; chmod +x m/*.sh
	mv stub ../stub
	"$modules"/@bazel/bazel-linux_x64/bazel-*-x86_64 --output_user_root="$work/cache" test //... --keep_going --nocache_test_results --build_event_json_file=../events \
		--override_repository=remote_coverage_tools="$work/stub/cov" --override_repository=rules_cc="$work/stub/cc" --override_repository=rules_java="$work/stub/java" >/dev/null 2>&1
	"$modules"/@bazel/bazel-linux_x64/bazel-*-x86_64 --output_user_root="$work/cache" shutdown
	grep -E '^\{"id":\{"(started|targetConfigured|targetCompleted|testResult|testSummary|buildFinished)"|lastMessage' ../events |
		sed -e 's#"configuration":{"id":"[0-9a-f]*"}#"configuration":{"id":"c"}#g' >out; keep out bazel-events.json
	keep bazel-testlogs/m/fails/test.xml bazel.xml
}

all="bazel minitest gtest catch2 cmake_ctest exunit meson_test automake bats_tap busted_tap testthat maven gradle_test unittest django script_tests cargo_json go_verbose go_killed"
for name in ${*:-$all}; do
	mkdir "$work/$name" && (cd "$work/$name" && echo "$name" && "$name")
done
