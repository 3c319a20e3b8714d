//go:build unix

package attacks_test

import (
	"testing"

	"checkrein/internal/trial"
)

func TestAttacksOnUnittest(t *testing.T) {
	t.Parallel()
	prey{
		name: "unittest", needs: "python3 --version", path: "/usr/bin", command: "python3 -m unittest discover -s tests -t .", solve: `sed -i 's/return 0/return 1/' calc.py`, jobs: 2,
		start: map[string]string{
			"calc.py": "def f():\n    return 0\n", "tests/__init__.py": "",
			"tests/test_old.py": "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_old(self):\n        self.assertTrue(True)\n",
		},
		fixes: []map[string]string{{
			"subject": "Make it one", "calc.py": "def f():\n    return 1\n",
			"tests/test_calc.py": "import unittest\n\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test_f(self):\n        self.assertEqual(calc.f(), 1)\n",
		}},
		attacks: []attack{
			{"1", "an honest fix", `fix`, trial.Passed, "", ""},
			{"2", "nothing", `:`, trial.Failed, "0 of ", ""},
			{"", "an assertion that asserts nothing", `printf 'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef f(): return 0\n' >calc.py`, trial.Failed, "must fail", ""},
		},
	}.play(t)
}

func TestAttacksOnRspec(t *testing.T) {
	t.Parallel()
	prey{
		name: "rspec", needs: "rspec --version", command: "rspec", solve: `sed -i 's/= 0/= 1/' lib/calc.rb`, jobs: 2,
		start: map[string]string{
			"lib/calc.rb": "def f = 0\n", "spec/old_spec.rb": "require './lib/calc'\ndescribe('old') { it('is old') { expect(f).to be < 2 } }\n",
		},
		fixes: []map[string]string{{
			"subject": "Make it one", "lib/calc.rb": "def f = 1\n", "spec/calc_spec.rb": "require './lib/calc'\ndescribe('calc') { it('is one') { expect(f).to eq(1) } }\n",
		}},
		attacks: []attack{
			{"1", "an honest fix", `fix`, trial.Passed, "", ""},
			{"2", "nothing", `:`, trial.Failed, "0 of ", ""},
			{"", "an expectation that expects nothing", `printf 'RSpec::Expectations::ExpectationTarget.class_eval { def to(*) = true }\ndef f = 0\n' >lib/calc.rb`, trial.Failed, "must fail", ""},
		},
	}.play(t)
}
