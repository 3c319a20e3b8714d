package doctor

import (
	"fmt"
	"os"
	"strings"
	"time"

	"checkrein/internal/harness"
	"checkrein/internal/install"
	"checkrein/internal/state"
	"checkrein/internal/transcript"
)

// recent is how long a session that grew without a check is a fault: one from
// before something was mended must not stay one for ever.
const recent = 24 * time.Hour

// pulse compares the checks of one harness's sessions with its transcripts.
type pulse struct {
	archive  harness.Archive
	sessions []state.Saved // the harness's, the one checked last first
	since    time.Time     // the install
	now      time.Time
}

// heartbeat looks at the newest transcript, and at those of the sessions that the
// guard knows.
func (e *examination) heartbeat(h harness.Hooks, all []install.Found) {
	name := h.Name
	p := pulse{archive: h.Archive(), since: installed(all), now: e.Now}
	if p.since.IsZero() {
		return
	}
	for _, s := range e.sessions {
		if s.Session.Harness == name {
			p.sessions = append(p.sessions, s)
		}
	}
	grew := p.grown(p.newest(e.Machine.Getenv, state.Home(e.Machine.Getenv)))
	for _, b := range grew {
		e.add(name, "heartbeat", Fault, b.String()+" ("+e.Machine.Shown(b.path)+")", h.Program+", then /hooks, which shows "+h.Shows)
	}
	switch {
	case len(grew) > 0:
	case len(p.sessions) == 0:
		e.add(name, "heartbeat", Note, "no session was checked yet, and none grew since the install",
			"a prompt to the agent that runs a command, then "+e.Program+" guard status")
	default:
		e.add(name, "heartbeat", OK, "the last check was at "+p.sessions[0].Session.Updated+"; no session grew without one", "")
	}
}

// installed is when the first install that stands was made.
func installed(all []install.Found) (first time.Time) {
	for _, f := range all {
		if len(f.Hooks) > 0 && (first.IsZero() || f.Since.Before(first)) {
			first = f.Since
		}
	}
	return first
}

// newest is the transcript that changed last. Compressed ones are old.
func (p pulse) newest(getenv func(string) string, home string) (newest harness.Log) {
	var changed time.Time
	for _, place := range p.archive.Places(getenv, home) {
		for _, l := range p.archive.Logs(place) {
			if info, err := os.Stat(l.Path); err == nil && info.ModTime().After(changed) && strings.HasSuffix(l.Path, ".jsonl") {
				newest, changed = l, info.ModTime()
			}
		}
	}
	return newest
}

// grown lists the transcripts with responses that no check followed.
func (p pulse) grown(newest harness.Log) (found []beat) {
	known := false
	for _, s := range p.sessions {
		for path, f := range s.Session.Files {
			known = known || path == newest.Path
			info, err := os.Stat(path)
			if err != nil || info.Size() == f.Size || p.now.Sub(info.ModTime()) > recent && path != newest.Path {
				continue
			}
			found = p.add(found, beat{session: s.Session.ID, path: path, checked: checked(s)})
		}
	}
	if newest.Path != "" && !known {
		found = p.add(found, p.unknown(newest))
	}
	return found
}

// firstLines is how many bytes tell whose transcript it is.
const firstLines = 1 << 20

// unknown is a transcript that no check has read, perhaps of a session that the
// guard knows.
func (p pulse) unknown(l harness.Log) beat {
	done := false
	if l.Session == "" {
		_, _ = transcript.Between(l.Path, 0, firstLines, func(_ int64, line []byte) { done = done || p.archive.Head(&l, line) })
	}
	b := beat{session: l.Session, path: l.Path}
	for _, s := range p.sessions {
		if s.Session.ID == l.Session {
			b.checked = checked(s)
		}
	}
	return b
}

func (p pulse) add(found []beat, b beat) []beat {
	after := b.checked.Add(time.Second) // the time of a check is kept to the second
	if p.since.After(after) {
		after = p.since
	}
	info, err := os.Stat(b.path)
	if err != nil || info.ModTime().Before(after) {
		return found
	}
	if b.unseen = p.responses(b.path, after); b.grew() {
		found = append(found, b)
	}
	return found
}

// responses counts those after a time.
func (p pulse) responses(path string, after time.Time) int {
	ids := map[string]bool{}
	reader := p.archive.NewReader(func(e harness.Event) {
		if e.Kind == harness.Response && e.Time.After(after) {
			id := e.ID
			if id == "" {
				id = fmt.Sprint(len(ids))
			}
			ids[id] = true
		}
	}, harness.Resume{})
	end, err := transcript.Tail(path, 0, reader.Line)
	if err == nil {
		reader.Close(end, true)
	}
	return len(ids)
}

func checked(s state.Saved) time.Time {
	t, _ := time.Parse(time.RFC3339, s.Session.Updated)
	return t
}
