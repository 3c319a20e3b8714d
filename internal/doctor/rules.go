package doctor

import (
	"fmt"
	"strings"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/install"
	"checkrein/internal/redact"
)

// entries judges what stands of the guard in a harness's settings files. broken
// says that one of them could not be read.
func entries(name string, all []install.Found, broken bool, program string, shown func(string) string) (list []Finding) {
	places, plugin, last := 0, false, ""
	for _, f := range all {
		plugin = plugin || f.Plugin
		if len(f.Hooks) == 0 {
			continue
		}
		places, last = places+1, f.Scope
		list = append(list, entry(f, program, shown))
	}
	switch {
	case places == 0 && plugin:
		list = append(list, Finding{name, "entry", Note, "the checkrein plugin is enabled; the hook it brings is not tried here", ""})
	case places == 0 && !broken:
		list = append(list, Finding{name, "entry", Fault, "no settings file has the guard's hook", installCommand(program, name, install.User)})
	case places > 1 || places == 1 && plugin:
		list = append(list, Finding{
			name, "entry", Note, "the hook is installed in more than one place; each call is sent to each, and counts once",
			program + " guard uninstall --harness " + name + " --scope " + last,
		})
	}
	return list
}

func installCommand(program, name, scope string) string {
	return fmt.Sprintf("%s guard install --harness %s --scope %s --write", program, name, scope)
}

// entry judges one settings file with an entry of ours.
func entry(f install.Found, program string, shown func(string) string) Finding {
	file := shown(f.Path)
	finding := Finding{f.Harness, "entry", Fault, "", installCommand(program, f.Harness, f.Scope)}
	switch {
	case f.Python:
		finding.Seen = file + " runs the Python guard"
	case len(f.Twice) > 0:
		finding.Seen = file + " has the guard's entry more than once for " + strings.Join(f.Twice, ", ")
	case len(f.Missing) > 0:
		finding.Seen = file + " has no entry of the guard for " + strings.Join(f.Missing, ", ")
	case !f.Whole:
		finding.Seen = file + " has the guard's entry in another form than an install gives it"
	default:
		finding.Level, finding.Seen, finding.Try = OK, file+" has the guard's entry once for each event", ""
	}
	return finding
}

// answer is what a run of a registered command showed.
type answer struct {
	program    string // "" when the command's form does not tell
	missing    error  // why the program can't be run
	took       time.Duration
	late       bool
	err        error // it did not end with status 0
	out, error string
}

// expected is the guard's answer to a call of Cursor's, which it neither counts
// nor keeps. Silence would prove nothing: the command is silent without its
// program, too.
const expected = "{}"

func (a answer) judge() (Level, string) {
	switch {
	case a.missing != nil:
		return Fault, fmt.Sprintf("%s can't be run: %v", a.program, a.missing)
	case a.late:
		return Fault, fmt.Sprintf("the command did not answer within %v", limit)
	case a.err != nil:
		return Fault, fmt.Sprintf("the command ended with an error, which can block calls: %v", a.err)
	case strings.TrimSpace(a.out) != expected:
		return Fault, "the command did not give the guard's answer" + a.said()
	}
	return OK, fmt.Sprintf("the command answered in %d ms", a.took.Milliseconds())
}

func (a answer) said() string {
	said := strings.TrimSpace(a.error)
	if said == "" {
		said = strings.TrimSpace(a.out)
	}
	if said == "" {
		return "; it said nothing"
	}
	return "; it said: " + redact.Line(said, 200)
}

// beat is what a transcript shows beside the session's last check.
type beat struct {
	session, path string
	checked       time.Time // zero: never
	unseen        int       // responses since the last check and the install
}

// missed is the number of responses from which a check was left out: between two
// of them there was a tool call or a prompt, and each is checked. One alone may be
// the end of a session that was stopped, or still be being written.
const missed = 2

func (b beat) grew() bool { return b.unseen >= missed }

func (b beat) String() string {
	if b.checked.IsZero() {
		return fmt.Sprintf("session %s grew by %d responses without a check", redact.Line(b.session, 80), b.unseen)
	}
	return fmt.Sprintf("session %s grew by %d responses since its last check at %s",
		redact.Line(b.session, 80), b.unseen, guard.Stamp(b.checked))
}
