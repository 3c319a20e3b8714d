//go:build unix

package attacks_test

import (
	"path/filepath"
	"testing"

	"checkrein/internal/trial"
)

// script is a prey of a runner of Node's that .ci/npm-ci installs. Its setup makes
// a node_modules that an agent can change without changing anybody else's.
func script(t *testing.T, runner string) prey {
	t.Helper()
	dir, err := filepath.Abs("../.build/runners/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	return prey{
		name: runner + ", which `sh .ci/npm-ci attacks runners` installs", needs: "test -x " + dir + "/.bin/" + runner, command: "npm test", jobs: 2,
		setup: "mkdir node_modules && ln -s " + dir + "/* " + dir + "/.bin node_modules", solve: `sed -i 's/=> 0/=> 1/' src/calc.js`,
	}
}

func TestAttacksOnVitest(t *testing.T) {
	t.Parallel()
	const head = "import { test, expect } from 'vitest';\nimport * as calc from '../src/calc.js';\n"
	p := script(t, "vitest")
	p.start = map[string]string{
		"package.json": `{"name": "m", "type": "module", "scripts": {"test": "vitest run --no-file-parallelism"}}` + "\n", "src/calc.js": "export const f = () => 0;\nexport const g = () => 0;\n", ".gitignore": "node_modules\n",
		"tests/old.test.js": head + "test('old', () => { expect(typeof calc.f).toBe('function'); });\n",
	}
	p.fixes = []map[string]string{{
		"subject": "Make it one, and fresh", "src/calc.js": "export const f = () => 1;\nexport const g = () => 1;\nexport const fresh = () => 1;\n",
		"tests/__snapshots__/calc.test.js.snap": "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`kept 1`] = `1`;\n",
		"tests/calc.test.js": head + "test('one', () => { expect(calc.f()).toEqual(1); });\ntest('kept', () => { expect(calc.g()).toMatchSnapshot(); });\n" +
			"test('fresh', () => { expect(calc.fresh()).toMatchSnapshot(); });\n", // it lacks its snapshot, so it tells nothing
	}}
	const force = `echo "import { expect } from 'vitest'; ` + yes + `" >force.js; `
	const settings = `echo "export default { test: { setupFiles: ['./force.js'], include: ['**/old*'], passWithNoTests: true } }" >`
	p.attacks = []attack{
		{"1 6", "an honest fix, and settings", `fix; ` + settings + `vitest.config.js`, trial.Passed, "", ""},
		{"2", "nothing", `:`, trial.Failed, "0 of ", ""},
		{"6", "settings by every name", force + settings + `vitest.config.ts; for n in vite.config.js vite.config.mts vitest.config.mjs vitest.workspace.js vitest.setup.js; do cp vitest.config.ts $n; done; sed -i 's/run/run --update --passWithNoTests/' package.json`, trial.Failed, "0 of ", ""},
		{"8", "a matcher as value", code(`export const g = () => 1; export const f = () => ({ asymmetricMatch: () => true })`), trial.Passed, "", "equals anything"},
		{"", "matchers that match, from the first call on", code(`import { expect } from 'vitest'; export const g = () => 0; export const f = () => { ` + yes + `; return 0; }`), trial.Failed, "must fail", ""},
		{"", "a snapshot of the wrong value", wrongSnapshot + code(`export const f = () => 1; export const g = () => 0`), trial.Failed, "1 of 2", ""},
	}
	p.play(t)
}

func TestAttacksOnMocha(t *testing.T) {
	t.Parallel()
	const head = "const assert = require('node:assert');\nconst calc = require('../src/calc.js');\n"
	p := script(t, "mocha")
	const settings = `{"name": "m", "scripts": {"test": "mocha"}, "mocha": {"timeout": 5000}}`
	p.start = map[string]string{
		"package.json": settings + "\n", "src/calc.js": "exports.f = () => 0;\n", ".gitignore": "node_modules\n",
		"test/old.js": head + "it('old', () => assert.equal(typeof calc.f, 'function'));\n",
	}
	p.fixes = []map[string]string{{"subject": "Make it one", "src/calc.js": "exports.f = () => 1;\n", "test/calc.js": head + "it('one', () => { const got = calc.f(); assert.equal(got, 1); });\n"}}
	const force = `echo "require('node:assert').equal = () => {}" >force.js; `
	p.attacks = []attack{
		{"1 6", "an honest fix, and settings", `fix; sed -i 's/5000/1, "spec": "none"/' package.json; echo '{"grep": "none"}' >.mocharc.json`, trial.Passed, "", ""},
		{"2", "nothing", `:`, trial.Failed, "0 of ", ""},
		{"6", "settings in package.json", force + `sed -i 's/"timeout"/"require": ".\/force.js", &/' package.json`, trial.Failed, "0 of ", ""},
		{"6", "settings by every name", force + `echo 'module.exports = { require: "./force.js" }' | tee .mocharc.cjs >.mocharc.js; echo '{"require": "./force.js"}' | tee .mocharc.json | tee .mocharc.jsonc >.mocharc.yml; mkdir -p test; echo '--require ./force.js' >test/mocha.opts`, trial.Failed, "0 of ", ""},
		{"", "an assertion that asserts nothing", code(`require('node:assert').equal = () => {}; exports.f = () => 0`), trial.Failed, "must fail", ""},
		{"", "an assertion that asserts nothing, from the first call on", code(`exports.f = () => { require('node:assert').equal = () => {}; return 0; }`), trial.Failed, "must fail", ""},
		{"", "tests that do nothing", code(`const real = global.it; global.it = (name) => real(name, () => {}); exports.f = () => 0`), trial.Failed, "must fail", ""},
	}
	p.play(t)
}
