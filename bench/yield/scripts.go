package main

// script is a runner of npm's, in a folder of modules.
func script(runner, modules string) kind {
	command, top := runner, ""
	failing, test := failing, "test('f%d', () => { if (m.f%d() !== %d) throw new Error('wrong') });\n"
	switch runner {
	case "vitest":
		command = "vitest run --globals"
	case "mocha":
		command, top = "mocha --reporter dot test/", "const test = it;\n"
	case "ava":
		command, top = "ava", "const test = require('ava');\n"
		failing, test = "test('red', t => t.fail());\n", "test('f%d', t => t.is(m.f%d(), %d));\n"
	case "tape":
		command, top = "tape test/*.test.js", "const test = require('tape');\n"
		failing, test = "test('red', t => { t.fail('red'); t.end() });\n", "test('f%d', t => { t.equal(m.f%d(), %d, 'says its number'); t.end() });\n"
	case "bun":
		command, top = "bun test", "const { test } = require('bun:test');\n"
	case "deno":
		command, top = "deno test -A test/", "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nconst test = Deno.test;\n"
	}
	k := scripted(runner, command, top+"const m = require('../src/m.js');\n")
	k.needs, k.setup = []string{"ls", modules + "/.bin/" + runner}, "ln -sfn "+modules+" node_modules"
	k.test = func(n int) string { return numbered(test, n) }
	k.trouble = map[string]map[string]string{red: {"test/red.test.js": top + failing}}
	return k
}
