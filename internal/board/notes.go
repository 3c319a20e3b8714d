package board

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"checkrein/internal/fair"
	"checkrein/internal/harness"
	"checkrein/internal/redact"
	"checkrein/internal/trial"
)

// Note is one thing a reader must know beside the figures. Its Kind says which
// of the other fields are set. In JSON it is its sentence.
type Note struct {
	Kind  NoteKind
	Label string // the harness, in Markdown
	N, M  int
	Error string // untrusted
	Fix   string // safe in Markdown
	Day   string
}

// NoteKind is the kind of a note.
type NoteKind int

// The notes, in the order in which they are shown.
const (
	LeftOut     NoteKind = iota // N tasks are not in the comparison
	Reworded                    // the prompt of N tasks was changed between runs
	OwnWords                    // N tasks have a person's prompt
	Hinted                      // the prompts of N tasks give names that tests use
	Unfair                      // N of M tasks are doubtful or poor
	TimeLimit                   // N runs were cut off at the time limit
	SpendLimit                  // N runs were cut off at their spend limit
	Stopped                     // N runs of Label were stopped, and will be run again
	CouldNotRun                 // N runs of Label could not run; Error is one's, Fix its fix
	InvalidRuns                 // the tests of N runs of Label said nothing, twice; Error is one's reason
	OwnTests                    // N of M own test runs of Label failed
	NotMeasured                 // the cost of N runs is not known
	PartCosts                   // some costs are of stopped runs
	ByTests                     // N of M results are by single tests, the others by the whole suite
	PutBack                     // before N runs were scored, deciders were put back
	Signs                       // N runs have signs
	Sealed                      // N runs were behind a wall
	Open                        // N runs were not, though one was asked for; Error is why
	ListPrices                  // what dollars mean; prices of Day
)

// MarshalJSONTo writes the note as its sentence.
func (n Note) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteToken(jsontext.String(n.String()))
}

// String is the note as a Markdown sentence.
func (n Note) String() string {
	one := n.N == 1
	switch n.Kind {
	case LeftOut:
		return fmt.Sprintf("%s left out of the comparison: not every harness finished %s. The table by task has them.",
			plural(n.N, "task")+pick(one, " is", " are"), pick(one, "it", "them"))
	case Reworded:
		return fmt.Sprintf("%s left out of the comparison: the prompt was changed between the runs. `drive run` runs the older ones again.",
			plural(n.N, "task")+pick(one, " is", " are"))
	case OwnWords:
		return fmt.Sprintf("%s an edited prompt in place of the commit's message.", plural(n.N, "task")+pick(one, " has", " have"))
	case Hinted:
		return fmt.Sprintf("%s beside the commit's message, which names the tests use.", pick(one, "1 prompt says", fmt.Sprintf("%d prompts say", n.N)))
	case Unfair:
		return fmt.Sprintf("%d of %s doubtful or poor as a measure: `checkrein drive tasks list` says why.", n.N,
			plural(n.M, "task")+pick(n.N == 1, " is", " are"))
	case TimeLimit:
		return fmt.Sprintf("%s cut off at the time limit and scored on what the agent had changed by then.",
			plural(n.N, "run")+pick(one, " was", " were"))
	case SpendLimit:
		return fmt.Sprintf("%s ended at its spend limit.", plural(n.N, "run")+pick(one, " was", " were each"))
	case Stopped:
		return fmt.Sprintf("%s: %s stopped before the end, and the next run starts %s again.", n.Label,
			plural(n.N, "run")+pick(one, " was", " were"), pick(one, "it", "them"))
	case CouldNotRun:
		text := fmt.Sprintf("%s: %s could not run, such as: %s.", n.Label, plural(n.N, "run"), redact.Code(n.Error, 120))
		if n.Fix != "" {
			text += " Fix: " + n.Fix + "."
		}
		return text
	case InvalidRuns:
		return fmt.Sprintf("%s: %s invalid and not counted, such as: %s. The tests ran twice and said nothing of the changes.",
			n.Label, plural(n.N, "run")+pick(one, " was", " were"), redact.Code(n.Error, 120))
	case OwnTests:
		return fmt.Sprintf("%s ran the test command %d times itself, and %d of them failed. Its sandbox has no network "+
			"and no writing outside the copy: with a setup that installs into the copy and tests that run offline, it can check its work.",
			n.Label, n.M, n.N)
	case NotMeasured:
		return fmt.Sprintf("The cost of %s is not known. The cap counted a high estimate where the harness has prices, "+
			"and $0 where it has none.", plural(n.N, "run"))
	case ByTests:
		if n.N < n.M {
			return fmt.Sprintf("%d of %d results are graded by single tests, the others by the exit code of the whole suite.", n.N, n.M)
		}
		return "Results are graded by single tests: those that the fix makes pass, and those that passed before."
	case PutBack:
		return fmt.Sprintf("%s changed files that decide how tests run. They were put back before the score, as listed above.", plural(n.N, "run"))
	case Signs:
		return fmt.Sprintf("%s did something that you should look at, as listed above. No result follows from it.", plural(n.N, "run"))
	case PartCosts:
		return "Runs that were stopped before they reported their cost count the responses seen until then."
	case Sealed:
		return fmt.Sprintf("sealed: yes (%s).", plural(n.N, "run"))
	case Open:
		return fmt.Sprintf("sealed: no (%s), because %s.", plural(n.N, "run"), redact.Code(n.Error, 300))
	}
	return "Dollars are API list prices: what the harness reported, or its tokens at the prices checked " + n.Day +
		". On a subscription plan, runs use up the plan's limits instead."
}

func pick(one bool, a, b string) string {
	if one {
		return a
	}
	return b
}

// notes gathers them.
func (f fold) notes(b Board, known Known, checked string) []Note {
	var out []Note
	add := func(n Note) {
		if n.N > 0 {
			out = append(out, n)
		}
	}
	if len(f.common) > 0 {
		add(Note{Kind: LeftOut, N: len(f.tasks) - len(f.common) - len(f.reworded)})
	}
	add(Note{Kind: Reworded, N: len(f.reworded)})
	add(Note{Kind: OwnWords, N: f.countTasks(func(r trial.Record) bool { return r.PromptBy == trial.ByEdit })})
	add(Note{Kind: Hinted, N: f.countTasks(func(r trial.Record) bool { return r.PromptBy == trial.ByHints })})
	add(Note{Kind: Unfair, M: len(f.tasks), N: f.countTasks(func(r trial.Record) bool {
		return r.Fair == fair.Doubtful || r.Fair == fair.Poor
	})})
	add(Note{Kind: TimeLimit, N: f.count(func(r trial.Record) bool { return r.TimedOut })})
	add(Note{Kind: SpendLimit, N: f.count(func(r trial.Record) bool { return r.CutShort == harness.ByBudget })})
	for _, row := range b.Rows {
		out = append(out, f.rowNotes(row, known)...)
	}
	add(Note{Kind: NotMeasured, N: f.count(func(r trial.Record) bool {
		return r.CostSource != nil && (*r.CostSource == harness.Unmeasured || *r.CostSource == harness.Unpriced)
	})})
	add(Note{Kind: PartCosts, N: f.count(func(r trial.Record) bool {
		return r.CostSource != nil && *r.CostSource == harness.Partial
	})})
	byTests := Note{Kind: ByTests, N: f.count(func(r trial.Record) bool { return r.Grade != nil })}
	byTests.M = byTests.N + f.count(func(r trial.Record) bool { return r.Grade == nil && r.Scored() && r.TestSeconds != nil })
	add(byTests)
	add(Note{Kind: PutBack, N: f.count(func(r trial.Record) bool { return len(r.PutBack) > 0 })})
	add(Note{Kind: Signs, N: f.count(func(r trial.Record) bool { return len(r.Signs) > 0 })})
	add(Note{Kind: Sealed, N: f.count(func(r trial.Record) bool { return r.Sealed != nil && *r.Sealed })})
	add(f.open())
	return append(out, Note{Kind: ListPrices, Day: checked})
}

// open is the note about runs that had no wall where one was asked for.
func (f fold) open() Note {
	note := Note{Kind: Open}
	for _, r := range f.latest {
		if r.Sealed != nil && !*r.Sealed {
			note.N, note.Error = note.N+1, r.WhyOpen
		}
	}
	return note
}

func (f fold) count(is func(trial.Record) bool) int {
	n := 0
	for _, r := range f.latest {
		if is(r) {
			n++
		}
	}
	return n
}

// countTasks counts the tasks of which a record is so.
func (f fold) countTasks(is func(trial.Record) bool) int {
	n := 0
	for _, task := range f.tasks {
		if slices.ContainsFunc(f.latest, func(r trial.Record) bool { return r.Task == task && is(r) }) {
			n++
		}
	}
	return n
}

// rowNotes are the notes about one variant.
func (f fold) rowNotes(row Row, known Known) []Note {
	stopped, failed := Note{Kind: Stopped, Label: row.shown}, Note{Kind: CouldNotRun, Label: row.shown}
	invalid, tests := Note{Kind: InvalidRuns, Label: row.shown}, Note{Kind: OwnTests, Label: row.shown}
	for _, r := range f.latest {
		if r.ID().Variant != row.Variant {
			continue
		}
		if r.TestRuns != nil && r.TestFailures != nil {
			tests.M, tests.N = tests.M+*r.TestRuns, tests.N+*r.TestFailures
		}
		switch {
		case r.Scored():
		case r.Status == trial.Interrupted:
			stopped.N++
		case r.Status == trial.Invalid:
			if invalid.N++; invalid.N == 1 {
				invalid.Error = r.Error
			}
		default:
			failed.add(r, known)
		}
	}
	var out []Note
	for _, n := range []Note{stopped, failed, invalid, tests} {
		if n.N > 0 {
			out = append(out, n)
		}
	}
	return out
}

// add counts a run that could not run: the first one's error, the first fix.
func (n *Note) add(r trial.Record, known Known) {
	if n.N == 0 {
		n.Error = r.Error
	}
	n.N++
	if n.Fix == "" && r.Hint != "" {
		n.Fix = fix(r, known)
	}
}

// fix is a run's fix as Markdown: made again from its error where the harness
// is known, else the recorded one as inert text.
func fix(r trial.Record, known Known) string {
	if h, ok := known(r.Harness); ok {
		if again := h.Fix(r.Error); again != "" {
			return again
		}
	}
	return redact.Code(r.Hint, 80)
}
