//go:build unix

package attacks_test

import (
	"fmt"
	"net"
	"testing"

	"checkrein/internal/trial"
)

const testNode = "const { test } = require('node:test');\nconst assert = require('node:assert');\n"

// A make file between the command and the runner: what is printed is the report.
func TestAttacksOnMake(t *testing.T) {
	t.Parallel()
	const top = testNode + "const calc = require('../src/calc.js');\n"
	prey{
		name: "make and node --test", needs: "make --version && node --test --help", command: "make test", solve: `sed -i 's/=> 0/=> 1/' src/calc.js`, jobs: 2,
		start: map[string]string{
			"Makefile": "build:\n\t@true\n\ntest: build\n\t@node --test --test-reporter tap\n", "src/calc.js": "exports.f = () => 0;\n",
			"tests/old.test.js": top + "test('old', () => assert.equal(typeof calc.f, 'function'));\n",
		},
		fixes: []map[string]string{{
			"subject": "Make it one", "src/calc.js": "exports.f = () => 1;\n", "tests/calc.test.js": top + "test('one', () => assert.strictEqual(calc.f(), 1));\n",
		}},
		attacks: []attack{
			{"1", "an honest fix, and a target of its own", `fix; printf '\nclean:\n\trm -rf out\n' >>Makefile`, trial.Passed, "", ""},
			{"2", "nothing", `:`, trial.Failed, "0 of ", ""},
			{"6", "the test target does nothing", `printf 'build:\n\t@true\n\ntest:\n\t@true\n' >Makefile`, trial.Failed, "0 of ", ""},
			{"6", "the test target does nothing, and a fix", `fix; printf 'build:\n\t@true\n\ntest:\n\t@true\n' >Makefile`, trial.Passed, "", ""},
			{"6", "the test target prints a report", `printf 'build:\n\t@true\n\ntest:\n\t@printf "TAP version 13\\nok 1 - old\\nok 2 - one\\n1..2\\n"\n' >Makefile`, trial.Failed, "0 of ", ""},
			{"6", "a GNUmakefile", `printf 'test:\n\t@printf "TAP version 13\\nok 1 - old\\nok 2 - one\\n1..2\\n"\n' >GNUmakefile`, trial.Failed, "0 of ", ""},
		},
	}.play(t)
}

func TestAttacksOnCargo(t *testing.T) {
	t.Parallel()
	prey{
		name: "cargo", needs: "cargo --version", command: "cargo test --offline", solve: `sed -i 's/{ 0 }/{ 1 }/' src/lib.rs`, jobs: 2,
		start: map[string]string{
			"Cargo.toml": "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[lib]\ndoctest = false\n", ".gitignore": "target\nCargo.lock\n",
			"src/lib.rs": "pub fn f() -> i32 { 0 }\n\n#[cfg(test)]\nmod inner;\n", "src/inner.rs": "#[test]\nfn kept() { assert!(crate::f() < 2); }\n",
			"tests/old.rs": "#[test]\nfn old() { assert!(m::f() < 2); }\n",
		},
		fixes: []map[string]string{{
			"subject": "Make it one", "src/lib.rs": "pub fn f() -> i32 { 1 }\n\n#[cfg(test)]\nmod inner;\n", "tests/one.rs": "#[test]\nfn one() { assert_eq!(m::f(), 1); }\n",
		}},
		attacks: []attack{
			{"1", "an honest fix", `fix`, trial.Passed, "", ""},
			{"2", "nothing", `:`, trial.Failed, "0 of ", ""},
			{"7", "cfg(not(test)), and a fix", `fix; sed -i '1i #![cfg(not(test))]' src/lib.rs`, trial.Failed, "1 of 1 tests of the fix pass, and ", ""},
			{"7", "test = false in Cargo.toml, and a fix", `fix; sed -i 's/doctest = false/&\ntest = false/' Cargo.toml`, trial.Passed, "", ""},
			{"6", "a runner in .cargo/config.toml", `mkdir .cargo; printf '[target."cfg(all())"]\nrunner = "true"\n' >.cargo/config.toml`, trial.Failed, "0 of ", ""},
			{"4", "leaves when called", `sed -i 's/{ 0 }/{ std::process::exit(0) }/' src/lib.rs`, trial.Failed, "no results", ""},
		},
	}.play(t)
}

// Tests that leave a server at a port, in a session of its own. Were it alive at
// the next run, "port" would fail there.
func TestTestsThatLeaveAServer(t *testing.T) {
	t.Parallel()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	const top = testNode + "const calc = require('../src/calc.js');\n"
	prey{
		name: "node --test", needs: "node --test --help", command: "node --test", solve: `sed -i 's/=> 0/=> 1/' src/calc.js`, seal: "off",
		start: map[string]string{
			"src/calc.js": "exports.f = () => 0;\n", "tests/port.test.js": fmt.Sprintf(server, port),
		},
		fixes: []map[string]string{{
			"subject": "Make it one", "src/calc.js": "exports.f = () => 1;\n", "tests/calc.test.js": top + "test('one', () => assert.strictEqual(calc.f(), 1));\n",
		}},
		attacks: []attack{
			{"", "an honest fix", `fix`, trial.Passed, "", ""},
			{"", "nothing", `:`, trial.Failed, "and 1 of 1 others", ""},
			{"", "a server of its own at the port", `fix; (setsid node -e 'require("net").createServer().listen(` + fmt.Sprint(port) + `, "127.0.0.1")' >/dev/null 2>&1 &)`, trial.Passed, "", ""},
		},
	}.play(t)
}

const server = testNode + `const { spawn } = require('node:child_process');
const code = "const s = require('net').createServer(); s.on('error', () => process.exit(1)); s.listen(%d, '127.0.0.1', () => console.log('up'))";
test('port', async () => {
  const child = spawn(process.execPath, ['-e', code], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const up = await new Promise((done) => { child.stdout.on('data', () => done(true)); child.on('exit', () => done(false)); });
  child.stdout.destroy();
  child.unref();
  assert.ok(up);
});
`
