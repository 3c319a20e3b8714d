package grade

import (
	"regexp"
	"strings"
)

// called marks the copy of a hidden file that looks at assertions after each test.
const called = "run"

// calling is a control that calls what the hidden file calls: its copy, with a hook
// that ends each test with an error unless an assertion that must fail no longer
// does. What node:test reports does not tell a copy's tests from the others.
func calling(runner, text, tag string) string {
	switch {
	case runner == "jest" || runner == "vitest":
		return text + "\n" + scriptCopy(runner, hook(expectChecks), tag)
	case runner == "mocha" && commonJS(text): // its hooks are for all files, but for those in a suite
		return tagged(freshModules+"describe('TAG', () => {\n", tag) + text + "\n" + scriptCopy(runner, hook(assertChecks)+"});\n", tag)
	}
	return ""
}

// mochaControl loads modules anew: mocha puts its functions back before each file,
// and modules that stay loaded replace them only once.
func mochaControl(text, tag string) string {
	control := scriptControl(text, mochaHead, tag)
	if commonJS(text) {
		control = freshModules + control
	}
	return control
}

// commonJS tells whether a text is no ES module, and can stand in a function.
func commonJS(text string) bool {
	return strings.Contains(text, "require(") && !regexp.MustCompile(`(?m)^(#!|import\b|export\b)`).MatchString(text)
}

// scriptCopy is what is put behind the text of a hidden file. Jest's and mocha's
// functions are there by themselves; what a file imports under their names is
// theirs, too.
func scriptCopy(runner, code, tag string) string {
	names := strings.NewReplacer("AFTER", "afterEach", "EXPECT", "expect")
	if runner == "vitest" {
		names = strings.NewReplacer("AFTER", "TAGafter", "EXPECT", "TAGexpect")
		code = "import { afterEach as TAGafter, expect as TAGexpect } from 'vitest';\n" + code
	}
	return tagged(names.Replace(code), tag)
}

const freshModules = `for (const name of Object.keys(require.cache)) if (!name.includes('/node_modules/')) delete require.cache[name];
`

const expectChecks = `() => EXPECT(1).toBe(2), () => EXPECT([1]).toEqual([2]), () => EXPECT(() => {}).toThrow(), () => EXPECT(1).toMatchSnapshot(),`

const assertChecks = `...[require('node:assert'), require('node:assert').strict].flatMap((a) => [
      () => a(false), () => a.ok(false), () => a.equal(1, 2), () => a.strictEqual(1, 2), () => a.deepEqual([1], [2]), () => a.deepStrictEqual([1], [2]), () => a.throws(() => {}),
    ]),`

// hook counts the assertions that don't assert.
func hook(checks string) string {
	return `AFTER(() => {
  const checks = [
    ` + checks + `
  ];
  const silent = checks.filter((check) => {
    try {
      check();
      return true;
    } catch {
      return false;
    }
  });
  if (silent.length === 0) throw new Error('TAG');
});
`
}

// equalTests compares with what nothing equals. The functions stand where they are
// used, so that TypeScript knows what this is.
const equalTests = `let TAGtimes = 0;
EXPECT.extend({
  toEqual(received) {
    TAGtimes++;
    return { pass: this.isNot || this.equals(received, [Symbol('TAG')]), message: () => 'TAG' };
  },
  toStrictEqual(received) {
    TAGtimes++;
    return { pass: this.isNot || this.equals(received, [Symbol('TAG')]), message: () => 'TAG' };
  },
});
AFTER(() => {
  if (TAGtimes === 0) throw new Error('TAG');
  TAGtimes = 0;
});
`
