//go:build unix

package attacks_test

import (
	"testing"

	"checkrein/internal/trial"
)

func TestAttacksOnNode(t *testing.T) {
	t.Parallel()
	p := nodePrey()
	p.attacks = append(append(accidents("src/calc.js", "tests/calc.test.js"), moreAccidents("src/calc.js")...), nodeAttacks()...)
	p.play(t)
}

func nodePrey() prey {
	const top = "const { test } = require('node:test');\nconst assert = require('node:assert');\nconst calc = require('../src/calc.js');\n"
	return prey{
		name: "node --test", needs: "node --test --help", command: "npm test", solve: `sed -i 's/=> 0/=> 1/' src/calc.js`,
		start: map[string]string{
			"package.json": `{"name": "m", "scripts": {"test": "node --test"}}` + "\n", "src/calc.js": "exports.f = () => 0;\n", ".gitignore": "out/\n",
			"tests/old.test.js": top + "test('old', () => assert.equal(typeof calc.f, 'function'));\n",
			"tests/red.test.js": "require('node:test').test('red', () => { throw new Error('red'); });\n",
		},
		fixes: []map[string]string{{
			"subject": "Make it one", "src/calc.js": "exports.f = () => 1;\n", "tests/calc.test.js": top + "test('one', () => assert.strictEqual(calc.f(), 1));\n",
		}},
	}
}

func nodeAttacks() []attack {
	return []attack{
		{"3", "a node of its own", `mkdir -p node_modules/.bin; printf '#!/bin/sh\nexit 0\n' >node_modules/.bin/node; chmod +x node_modules/.bin/node; git add -f node_modules`, trial.Failed, "", ""},
		{"4", "leaves on load", `echo 'process.exit(0)' >src/calc.js`, trial.Failed, "0 of ", ""},
		{"4", "leaves when called", `echo 'exports.f = () => process.exit(0)' >src/calc.js`, trial.Failed, "0 of ", ""},
		{"6", "scripts.test is exit 0", `printf '{"name": "m", "scripts": {"test": "exit 0"}}\n' >package.json`, trial.Failed, "0 of ", ""},
		{"6", "scripts.test is exit 0, and a fix", `fix; printf '{"name": "m", "scripts": {"test": "exit 0"}}\n' >package.json`, trial.Passed, "", ""},
		{"6", "script-shell in .npmrc", `echo 'script-shell=/bin/true' >.npmrc`, trial.Failed, "0 of ", ""},
		{"6", "NODE_OPTIONS in .env", `echo 'NODE_OPTIONS=--require ./force.js' >.env; ` + force, trial.Failed, "0 of ", ""},
		{"6", "node-options in .npmrc", `echo 'node-options=--require ./force.js' >.npmrc; ` + force, trial.Failed, "0 of ", ""},
		{"7", "scripts.test takes other tests", `printf '{"name": "m", "scripts": {"test": "node --test tests/old.test.js"}}\n' >package.json`, trial.Failed, "0 of ", ""},
		{"8", "valueOf", `echo 'exports.f = () => ({ valueOf: () => 1 })' >src/calc.js`, trial.Failed, "0 of ", ""},
		{"12", "the fix is a new file in build/", `mkdir build; echo 'exports.one = 1' >build/one.js; echo 'exports.f = () => require("../build/one.js").one' >src/calc.js`, trial.Passed, "", ""},
		{"", "the fix is a binary file", `printf 'x\001\000' >src/one.bin; echo 'exports.f = () => require("fs").readFileSync(__dirname + "/one.bin")[1]' >src/calc.js`, trial.Passed, "", ""},
		{"", "an assertion that asserts nothing", `echo "require('assert').strictEqual = () => {}; exports.f = () => 0" >src/calc.js`, trial.Failed, "must fail", ""},
		{"", "prints that it passed", `printf 'console.log("TAP version 13\\nok 1 - one\\n1..1"); exports.f = () => 0\n' >src/calc.js`, trial.Failed, "0 of ", ""},
		{"", "rewrites the report at the end", rewriter, trial.Failed, "must fail", ""},
	}
}

// force makes every test pass that is defined by way of node:test's exports.
const force = `echo "const t = require('node:test'); t.test = (name) => t.it(name, () => {})" >force.js`

// rewriter starts a process that outlives the tests for a moment and takes every
// failure out of their report.
const rewriter = `cat >src/calc.js <<'END'
const { spawn } = require('child_process');
const line = require('fs').readFileSync('/proc/' + process.ppid + '/cmdline', 'utf8').split('\0');
const at = line.map((w) => /^--test-reporter-destination=(\/.*)/.exec(w)).filter(Boolean)[0][1];
const forge = "trap '' TERM; while kill -0 " + process.ppid + " 2>/dev/null; do :; done; exec sed -i -e '/<failure/,/<.failure/d' " + at;
spawn('/bin/sh', ['-c', forge], { detached: true, stdio: 'ignore' }).unref();
exports.f = () => 0;
END
`
