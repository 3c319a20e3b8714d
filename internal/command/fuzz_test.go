package command_test

import (
	"strings"
	"testing"

	"checkrein/internal/command"
)

// all asks every question about a text.
func all(text string) (answers [4]bool) {
	_, loosens := command.Loosens(text, guarded())
	return [4]bool{command.Waits(text), command.Commits(text), command.Reads(text), loosens}
}

func FuzzAll(f *testing.F) {
	for _, text := range []string{
		"sleep 5; wait", `bash -c "sleep 5" && git commit -m "x"`, "cat <<EOF | sh\n$(sleep 1)\nEOF\n", "case x in (a|b) sleep 1;; esac",
		"a=(1 2); for ((i=0;i<3;i++)); do sleep ${x:-`wait`}; done", "[[ a < b && (c) ]] || checkrein guard allow 2>&1", "$'\\x41' $((1+2)) <(ls) @(a|b)",
		"X=$X$X; eval $X; find . -exec sleep 1 \\;", "f() { sleep 1; }; function g { wait; }", "((", "$(((", "<<<", "<<", "`\\`", "${${${",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first := all(text)
		if again := all(text); again != first {
			t.Errorf("%q: %v, then %v", text, first, again)
		}
		// What is quoted is data, whatever it says.
		quoted := "echo '" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		if len(quoted) < 60_000 && (command.Waits(quoted) || command.Commits(quoted) || !command.Reads(quoted)) {
			t.Errorf("%q is no data", quoted)
		}
	})
}

// TestHostile: text made to be slow or deep is answered all the same. What is
// slow by design, not by the machine, ends in the time limit of go test.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"parentheses":   strings.Repeat("(", 60_000) + "sleep 5",
		"substitutions": strings.Repeat("$(", 30_000) + "sleep 5",
		"arithmetic":    strings.Repeat("$((", 20_000) + "sleep 5",
		"pairs":         strings.Repeat("((a)", 15_000) + "sleep 5",
		"sums":          "echo " + strings.Repeat("$((", 12_000) + strings.Repeat("))", 12_000) + "; sleep 5",
		"braces":        strings.Repeat("${x:-", 10_000) + "sleep 5",
		"backquotes":    strings.Repeat("`\\", 30_000) + "sleep 5",
		"doubling":      "x=checkrein; " + strings.Repeat("x=$x$x; ", 3_000) + "$x; sleep 5",
		"evals":         strings.Repeat("eval ", 12_000) + "sleep 5",
		"envs":          strings.Repeat("env ", 15_000) + "sleep 5",
		"assignments":   strings.Repeat("a=1 ", 15_000) + "sleep 5",
		"name":          strings.Repeat("a", 60_000) + "=sleep; sleep",
		"heredocs":      strings.Repeat("cat <<EOF;", 6_000) + "\nsleep 5",
		"shells":        strings.Repeat("bash -c '", 6_000) + "sleep 5",
		"pipes":         strings.Repeat("xargs sleep |", 4_500) + " sleep 5",
		"copies":        strings.Repeat("x=$(cat y); eval $x;", 3_000) + " sleep 5",
		"dollars":       "a=b; " + strings.Repeat("$", 60_000) + "; sleep 5",
		"array":         "a=" + strings.Repeat("b=(", 20_000) + "; sleep 5",
		"long":          strings.Repeat("echo checkrein; ", 100_000) + "sleep 5",
	} {
		t.Run(name, func(t *testing.T) {
			all(text)
		})
	}
}

func BenchmarkLoosens(b *testing.B) {
	for name, text := range map[string]string{
		"ordinary":  `cd /home/me/project && go test ./internal/guard 2>&1 | tail -20`,
		"mentioned": `cd /home/me/project && git commit -m "docs: what checkrein guard allow does" && git push`,
		"loosening": `cd /home/me/project && bash -c "checkrein guard allow --usd 5" || true`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			g := guarded()
			for b.Loop() {
				command.Loosens(text, g)
			}
		})
	}
}

func BenchmarkWaits(b *testing.B) {
	for name, text := range map[string]string{
		"ordinary": `cd /home/me/project && go test ./internal/guard 2>&1 | tail -20`,
		"poll":     `for i in 1 2 3; do gh pr checks 12 && break; sleep 30; done`,
		"60KB":     strings.Repeat("echo one two three; ", 3_000) + "sleep 5",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				command.Waits(text)
			}
		})
	}
}
