package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/budget"
)

type vector = map[string]int64

func pay(t *testing.T, s Store, payer, project string, days vector, now time.Time) budget.Totals {
	t.Helper()
	totals, err := s.Pay(payer, project, days, now)
	if err != nil {
		t.Fatal(err)
	}
	return totals
}

// holds compares the ledger's days, as text: 11-30=5 12-01=7.
func holds(t *testing.T, s Store, want string) {
	t.Helper()
	totals, err := s.Totals("", noon)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range totals.Days {
		got = append(got, fmt.Sprintf("%s=%d", strings.TrimPrefix(d.Day, "2026-"), d.Nano))
	}
	if strings.Join(got, " ") != want {
		t.Errorf("the ledger has %v, want %s", got, want)
	}
}

func TestPayAddsWhatIsNew(t *testing.T) {
	s := newStore(t)
	for _, step := range []struct {
		note, payer string
		days        vector
		want        string
	}{
		{"nothing yet", "a", vector{}, ""},
		{"the first", "a", vector{"2026-11-30": 5}, "11-30=5"},
		{"the same again", "a", vector{"2026-11-30": 5}, "11-30=5"},
		{"more", "a", vector{"2026-11-30": 7}, "11-30=7"},
		{"another one", "b", vector{"2026-11-29": 1, "2026-11-30": 10}, "11-29=1 11-30=17"},
		{"the first again", "a", vector{"2026-11-30": 7}, "11-29=1 11-30=17"},
		{"more of the first", "a", vector{"2026-11-30": 7, "2026-12-01": 3}, "11-29=1 11-30=17 12-01=3"},
		{"less than was paid", "a", vector{"2026-11-30": 2}, "11-29=1 11-30=17 12-01=3"},
		{"nothing at all", "a", nil, "11-29=1 11-30=17 12-01=3"},
		{"moved from day to day, in another zone", "a", vector{"2026-11-29": 2, "2026-11-30": 8}, "11-29=1 11-30=17 12-01=3"},
		{"moved, and more", "a", vector{"2026-11-29": 2, "2026-11-30": 9}, "11-29=1 11-30=18 12-01=3"},
		{"below zero", "c", vector{"2026-11-30": -5, "2026-11-29": 1}, "11-29=2 11-30=18 12-01=3"},
		{"no days and days to come are today", "d", vector{"": 1, "tomorrow!!": 1, "9999-12-31": 1, "2026-12-02": 1}, "11-29=2 11-30=22 12-01=3"},
	} {
		pay(t, s, step.payer, "", step.days, noon)
		if holds(t, s, step.want); t.Failed() {
			t.Fatalf("after: %s", step.note)
		}
	}
}

func TestProjectsAddUpOverSessions(t *testing.T) {
	s := newStore(t)
	pay(t, s, "a", "/one", vector{"2026-11-30": 5}, noon)
	pay(t, s, "b", "/two", vector{"2026-11-30": 100}, noon)
	got := pay(t, s, "c", "/one", vector{"2026-11-29": 2, "2026-11-30": 1}, noon)
	if got.Project != 8 || got.Lifetime != 8 {
		t.Errorf("project %d, ever %d", got.Project, got.Lifetime)
	}
	pay(t, s, "a", "/two", vector{"2026-11-30": 6}, noon) // it went to another folder
	one, _ := s.Totals("/one", noon)
	two, _ := s.Totals("/two", noon)
	none, _ := s.Totals("/three", noon)
	if one.Project != 8 || two.Project != 101 || none.Project != 0 {
		t.Errorf("%d, %d and %d", one.Project, two.Project, none.Project)
	}
	if was, err := s.ResetProject("/one", noon); was != 8 || err != nil {
		t.Errorf("started over at %d, error %v", was, err)
	}
	got = pay(t, s, "c", "/one", vector{"2026-11-29": 2, "2026-11-30": 4}, noon)
	if got.Project != 3 || got.Lifetime != 11 {
		t.Errorf("after it was started over: project %d, ever %d", got.Project, got.Lifetime)
	}
	if was, err := s.ResetProject("/three", noon); was != 0 || err != nil {
		t.Errorf("an unknown project: %d, error %v", was, err)
	}
}

func TestTheLedgerIsBounded(t *testing.T) {
	s := newStore(t)
	at := noon
	for i := range maxProjects + 20 {
		pay(t, s, "a", fmt.Sprint("/p", i), vector{"2026-11-30": int64(i + 1)}, at)
		at = at.Add(time.Minute)
	}
	days := vector{}
	for i := range 3 * keptDays {
		day := budget.Key(at.AddDate(0, 0, i))
		days[day] = 1
		pay(t, s, "b", "/p7", days, at.AddDate(0, 0, i))
	}
	l, err := s.readLedger(ledgerFile)
	if err != nil || len(l.days) != keptDays || len(l.projects) != maxProjects || len(l.last.days) != keptDays {
		t.Fatalf("%d days, %d projects, %d days of the payer, error %v", len(l.days), len(l.projects), len(l.last.days), err)
	}
	if l.total != maxProjects+20+3*keptDays || l.last.total != 3*keptDays {
		t.Errorf("%d in all, %d of the payer", l.total, l.last.total)
	}
	if p := l.project(projectID("/p7")); p == nil {
		t.Error("the project used last is gone")
	}
	if p := l.project(projectID("/p0")); p != nil {
		t.Error("the project that was not used for the longest time is still there")
	}
}

// TestAKillBetweenTheSteps makes every state in which a kill can leave the files
// of a payment, and goes on with the same payer and with another.
func TestAKillBetweenTheSteps(t *testing.T) {
	files := []string{ledgerFile, "a.paid", "b.paid"}
	before, after := newStore(t), newStore(t)
	for _, s := range []Store{before, after} {
		pay(t, s, "b", "", vector{"2026-11-30": 10}, noon)
		pay(t, s, "a", "", vector{"2026-11-30": 1}, noon)
		pay(t, s, "b", "", vector{"2026-11-30": 20}, noon)
	}
	pay(t, after, "a", "", vector{"2026-11-30": 3}, noon)
	for written := range 2 { // the ledger, and then the payer's own file
		for _, next := range []string{"a", "b", "c", "b a", "c b a", "c c"} {
			s := newStore(t)
			for i, name := range files {
				from := before
				if i < written {
					from = after
				}
				data, _ := os.ReadFile(from.path(name))
				write(t, s, name, string(data))
			}
			want := budget.Nano(21 + 2*written)
			for _, payer := range strings.Fields(next) {
				given := map[string]int64{"a": 3, "b": 25, "c": 100}[payer]
				pay(t, s, payer, "", vector{"2026-11-30": given}, noon)
			}
			if strings.Contains(next, "a") {
				want = 23
			}
			if strings.Contains(next, "b") {
				want += 5
			}
			if strings.Contains(next, "c") {
				want += 100
			}
			if totals, _ := s.Totals("", noon); totals.Day(noon) != want {
				t.Errorf("%d files written, then %s: %d, want %d", written, next, totals.Day(noon), want)
			}
		}
	}
}

// TestALostLedgerIsAddedUpAgain: from the payers' files, whatever became of it.
func TestALostLedgerIsAddedUpAgain(t *testing.T) {
	for name, lose := range map[string]func(s Store){
		"deleted":   func(s Store) { _ = os.Remove(s.path(ledgerFile)) },
		"empty":     func(s Store) { _ = os.WriteFile(s.path(ledgerFile), nil, 0o600) },
		"truncated": func(s Store) { _ = os.Truncate(s.path(ledgerFile), 40) },
		"zeros":     func(s Store) { _ = os.WriteFile(s.path(ledgerFile), make([]byte, 300), 0o600) },
		"changed": func(s Store) {
			data, _ := os.ReadFile(s.path(ledgerFile))
			_ = os.WriteFile(s.path(ledgerFile), []byte(strings.Replace(string(data), "8", "1", 1)), 0o600)
		},
		"foreign": func(s Store) { _ = os.WriteFile(s.path(ledgerFile), []byte(`{"a":1}`), 0o600) },
		"a folder": func(s Store) {
			_ = os.Remove(s.path(ledgerFile))
			_ = os.Mkdir(s.path(ledgerFile), 0o700)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			pay(t, s, "a", "/one", vector{"2026-11-29": 3, "2026-11-30": 5}, noon)
			pay(t, s, "b", "/two", vector{"2026-11-30": 80}, noon)
			lose(s)
			holds(t, s, "11-29=3 11-30=85")
			lose(s)
			pay(t, s, "a", "/one", vector{"2026-11-29": 3, "2026-11-30": 6}, noon)
			holds(t, s, "11-29=3 11-30=86")
			if one, _ := s.Totals("/one", noon); one.Project != 9 {
				t.Errorf("project %d", one.Project)
			}
			_, aside := os.Lstat(s.path(ledgerBroken))
			if deleted := name == "deleted"; deleted != (aside != nil) || deleted != (s.ErrorsLogged() == 0) {
				t.Errorf("put aside: %v; %d errors logged", aside, s.ErrorsLogged())
			}
		})
	}
}

// TestADamagedFileOfAPayer: what it gives then counts as paid, and only what
// comes after is added.
func TestADamagedFileOfAPayer(t *testing.T) {
	s := newStore(t)
	pay(t, s, "a", "", vector{"2026-11-30": 5}, noon)
	pay(t, s, "b", "", vector{"2026-11-30": 10}, noon)
	write(t, s, "a.paid", "\x00\x00")
	pay(t, s, "a", "", vector{"2026-11-30": 6}, noon)
	holds(t, s, "11-30=15")
	pay(t, s, "a", "", vector{"2026-11-30": 9}, noon)
	holds(t, s, "11-30=18")
	write(t, s, "a.paid", "\x00\x00") // it was the last to pay: the ledger knows
	pay(t, s, "a", "", vector{"2026-11-30": 10}, noon)
	holds(t, s, "11-30=19")
	if s.ErrorsLogged() != 1 {
		t.Errorf("%d errors logged", s.ErrorsLogged())
	}
}

func TestANewerReleasesFilesAreLeftAlone(t *testing.T) {
	const newer = "checkrein ledger 2\nanything\n"
	s := newStore(t)
	write(t, s, ledgerFile, newer)
	if _, err := s.Pay("a", "", vector{"2026-11-30": 5}, noon); !errors.Is(err, ErrNewer) {
		t.Errorf("error %v", err)
	}
	if _, err := s.Totals("", noon); !errors.Is(err, ErrNewer) {
		t.Errorf("error %v", err)
	}
	if data, _ := os.ReadFile(s.path(ledgerFile)); string(data) != newer {
		t.Errorf("it holds %q", data)
	}
	_ = os.Remove(s.path(ledgerFile))
	write(t, s, "a.paid", newer)
	if _, err := s.Pay("a", "", vector{"2026-11-30": 5}, noon); !errors.Is(err, ErrNewer) {
		t.Errorf("error %v", err)
	}
	pay(t, s, "b", "", vector{"2026-11-30": 7}, noon)
	holds(t, s, "11-30=7")
	if data, _ := os.ReadFile(s.path("a.paid")); string(data) != newer {
		t.Errorf("the payer's file holds %q", data)
	}
}

// TestPrunedPayersPayNothingTwice: a session that goes on after its file is gone
// is counted anew, with its old days.
func TestPrunedPayersPayNothingTwice(t *testing.T) {
	s := newStore(t)
	pay(t, s, "old", "/one", vector{"2026-11-29": 3, "2026-11-30": 5, "2026-12-01": 1}, noon)
	if err := os.Chtimes(s.path("old.paid"), noon, noon); err != nil {
		t.Fatal(err)
	}
	pay(t, s, "b", "", vector{"2026-11-30": 1}, noon)
	for _, days := range []int{31, 100, 101} {
		if s.Prune("b", noon.AddDate(0, 0, days)); !exists(s, "old.paid") {
			t.Fatalf("pruned after %d days", days)
		}
	}
	later := noon.AddDate(0, 0, 103)
	if s.Prune("b", later); exists(s, "old.paid") {
		t.Fatal("still there after 103 days")
	}
	for _, name := range []string{ledgerFile, ledgerLock, ledgerFile + ".tmp"} {
		if !exists(s, name) {
			t.Errorf("%s was pruned", name)
		}
	}
	got := pay(t, s, "old", "/one", vector{"2026-11-29": 3, "2026-11-30": 5, "2026-12-01": 1, "2027-03-13": 2}, later)
	if got.Lifetime != 11 {
		t.Errorf("the project has %d, want 9 and 2", got.Lifetime)
	}
	holds(t, s, "11-29=3 11-30=6 12-01=1 2027-03-13=2")
}

func exists(s Store, name string) bool {
	_, err := os.Lstat(s.path(name))
	return err == nil
}

// TestNoSessionIsTakenForTheLedger: whatever a session is called.
func TestNoSessionIsTakenForTheLedger(t *testing.T) {
	s := newStore(t)
	pay(t, s, "a", "", vector{"2026-11-30": 5}, noon)
	for _, id := range []string{"ledger", "ledger-lock", "ledger.broken", "ledger.tmp", "a.paid", "a.paid.tmp", "a"} {
		files := []string{Stem(id) + ".json", Stem(id) + ".lock", Stem(id) + ".json.tmp", Stem(id) + paidSuffix, Stem(id) + paidSuffix + ".tmp"}
		for _, name := range []string{ledgerFile, ledgerLock, ledgerBroken, ledgerFile + ".tmp"} {
			if slices.Contains(files, name) {
				t.Errorf("session %s has a file %s", id, name)
			}
		}
	}
	if found := s.Sessions(); len(found) != 0 {
		t.Errorf("sessions: %v", found)
	}
	for id, name := range map[string]string{"drive:1:2": "s-", "../../x": "s-", "": "s-"} {
		pay(t, s, id, "", vector{"2026-11-30": 1}, noon)
		if stem := Stem(id); !strings.HasPrefix(stem, name) || !exists(s, stem+paidSuffix) {
			t.Errorf("payer %q has no file of its own", id)
		}
	}
}

func TestABusyLedgerStillTellsItsSums(t *testing.T) {
	s := newStore(t)
	pay(t, s, "a", "", vector{"2026-11-30": 5}, noon)
	held, err := lock(s.path(ledgerLock), 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := pay(t, s, "a", "", vector{"2026-11-30": 5}, noon); got.Day(noon) != 5 {
		t.Errorf("nothing new: %d", got.Day(noon))
	}
	got, err := s.Pay("a", "", vector{"2026-11-30": 6}, noon)
	if !errors.Is(err, ErrBusy) || got.Day(noon) != 5 {
		t.Errorf("%d, error %v", got.Day(noon), err)
	}
	held.Release()
	pay(t, s, "a", "", vector{"2026-11-30": 6}, noon)
	holds(t, s, "11-30=6")
}

func TestPayingWithoutAFolder(t *testing.T) {
	s := Store{Dir: filepath.Join(t.TempDir(), "a", "b")}
	if totals, err := s.Totals("", noon); err != nil || len(totals.Days) != 0 || exists(s, "") {
		t.Errorf("%v, error %v", totals, err)
	}
	pay(t, s, "a", "", vector{"2026-11-30": 5}, noon)
	holds(t, s, "11-30=5")
	file := write(t, s, "file", "")
	s = Store{Dir: filepath.Join(file, "below")}
	if _, err := s.Pay("a", "", vector{"2026-11-30": 5}, noon); err == nil {
		t.Error("paid into nowhere")
	}
}

func TestProjectRoot(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"repo/.git", "repo/sub/deep", "plain/sub", "tree/sub", "repo/inner/.git/x"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "tree", ".git"), []byte("gitdir: elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "repo", "sub"), filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"repo": "repo", "repo/sub/deep": "repo", "repo/sub/gone": "repo", "link": "repo", "link/deep": "repo", "tree/sub": "tree",
		"plain/sub": "plain/sub", "plain/sub/../sub/": "plain/sub", "repo/inner": "repo/inner",
	} {
		if got := ProjectRoot(root + "/" + dir); got != filepath.Join(root, want) {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
	if got := ProjectRoot(""); got != "" {
		t.Errorf("no folder: %q", got)
	}
}

// TestTheSampleOfThePage reads what docs/FORMATS.md shows of a ledger.
func TestTheSampleOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/FORMATS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sample, _ := strings.Cut(string(page), "```\n"+ledgerHead)
	sample, _, _ = strings.Cut(sample, "```")
	l, err := parseLedger([]byte(ledgerHead + sample))
	if err != nil || l.total != 9e9 || len(l.days) != 2 || len(l.projects) != 1 || l.last.total != 5e9 || !strings.HasPrefix(l.payer, "23dbff23") {
		t.Errorf("%+v, error %v", l, err)
	}
}

// FuzzLedger: whatever the file holds, it is read whole or not at all, and what
// is read is written the same.
func FuzzLedger(f *testing.F) {
	sums := func(text string) []byte { return []byte(text + sumLine([]byte(text))) }
	for _, text := range []string{
		"", "total 5\nday 2026-11-30 5\nproject ab 5 0 2026-11-30\n",
		"total 9\nday 2026-11-29 4\nday 2026-11-30 5\npayer a\ntotal 4\nday 2026-11-29 4\n", "payer a\npayer b\n", "total -1\n",
		"total 99999999999999999999\n", "day 2026-11-30 1\nday 2026-11-30 1\n", "payer ../x\n", "payer\n", "\n",
	} {
		f.Add(sums(ledgerHead+"1\n"+text), int64(3))
	}
	f.Add(sums(ledgerHead+"7\nx\n"), int64(1))
	f.Add([]byte(ledgerHead), int64(0))
	f.Fuzz(func(t *testing.T, data []byte, more int64) {
		for _, data := range [][]byte{data, sums(ledgerHead + "1\n" + string(data))} {
			l, err := parseLedger(data)
			if err != nil {
				if diff := cmp.Diff(ledger{}, l, cmp.AllowUnexported(ledger{}, book{}, projectSum{})); diff != "" && !errors.Is(err, ErrNewer) {
					t.Fatalf("broken, and yet it holds %s", diff)
				}
				continue
			}
			l.add([]budget.Sum{{Day: "2026-11-30", Nano: budget.Nano(max(0, more))}}, "ab", "2026-11-30")
			l.last.add(l.days, "", "")
			_ = l.totals("ab")
			again, err := parseLedger(l.bytes())
			if err != nil {
				t.Fatalf("what was written does not read: %v\n%s", err, l.bytes())
			}
			if string(again.bytes()) != string(l.bytes()) {
				t.Fatalf("written again it differs:\n%s\n%s", l.bytes(), again.bytes())
			}
		}
	})
}
