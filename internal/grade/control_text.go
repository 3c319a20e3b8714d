package grade

// The texts of controls: every test in them fails where nothing is tampered with.
// Where the clock is looked at, the test passes when one stands still.

const pytestControl = `import time
import unittest

import pytest


def test_TAG_raises():
    raise AssertionError


def test_TAG_asserts():
    assert 1 == 2


def test_TAG_compares():
    unittest.TestCase().assertEqual(1, 2)


def test_TAG_approximates():
    assert 1 == pytest.approx(2)


def test_TAG_expects():
    with pytest.raises(ValueError):
        pass


def test_TAG_waits():
    clocks = [time.time, time.monotonic, time.perf_counter, time.process_time]
    start = [clock() for clock in clocks]
    sum(range(200000))
    assert any(clock() == then for clock, then in zip(clocks, start))
`

const unittestControl = `import unittest


class Test_TAG(unittest.TestCase):
    def test_TAG_raises(self):
        raise AssertionError

    def test_TAG_equal(self):
        self.assertEqual(1, 2)

    def test_TAG_true(self):
        self.assertTrue(False)

    def test_TAG_raising(self):
        with self.assertRaises(ValueError):
            pass
`

const goTests = `
func Test_TAG_fatal(t *testing.T) {
	t.Fatal()
}

func Test_TAG_error(t *testing.T) {
	t.Error()
}
`

const (
	nodeHead   = "import { test } from 'node:test';\nimport assert from 'node:assert';\n"
	vitestHead = "import { test, expect } from 'vitest';\n"
	mochaHead  = "import assert from 'node:assert';\nconst test = (...of) => it(...of);\n"
)

const scriptTests = `test('TAG throws', () => { throw new Error('TAG'); });
test('TAG waits', () => {
  const then = [Date.now(), performance.now()];
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  if (Date.now() !== then[0] && performance.now() !== then[1]) throw new Error('TAG');
});
`

const assertTests = `for (const [name, a] of [['assert', assert], ['strict', assert.strict]]) {
  test('TAG ' + name, () => a(false));
  test('TAG ' + name + ' ok', () => a.ok(false));
  test('TAG ' + name + ' equal', () => a.equal(1, 2));
  test('TAG ' + name + ' strictEqual', () => a.strictEqual(1, 2));
  test('TAG ' + name + ' deepEqual', () => a.deepEqual([1], [2]));
  test('TAG ' + name + ' deepStrictEqual', () => a.deepStrictEqual([1], [2]));
  test('TAG ' + name + ' throws', () => a.throws(() => {}));
}
`

const expectTests = `test('TAG toBe', () => { expect(1).toBe(2); });
test('TAG toEqual', () => { expect([1]).toEqual([2]); });
test('TAG toThrow', () => { expect(() => {}).toThrow(); });
test('TAG toMatchSnapshot', () => { expect(1).toMatchSnapshot(); });
`

const chaiTests = `test('TAG chai', () => { chai.expect(1).to.equal(2); });
test('TAG chai assert', () => { chai.assert.equal(1, 2); });
`

const rspecControl = `RSpec.describe 'TAG' do
  it('TAG raises') { raise 'TAG' }
  it('TAG expects') { expect(1).to eq(2) }
end
`
