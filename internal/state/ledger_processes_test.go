package state

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"checkrein/internal/budget"
)

// payerArg makes this binary a process that pays: the folder, its name, the step
// it starts with and the one it ends with.
const payerArg = "checkrein-test-payer"

func TestMain(m *testing.M) {
	if len(os.Args) == 6 && os.Args[1] == payerArg {
		from, _ := strconv.Atoi(os.Args[4])
		to, _ := strconv.Atoi(os.Args[5])
		if err := paySteps(Store{Dir: os.Args[2]}, os.Args[3], from, to); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// paySteps pays step after step, and says each one that was paid. What others
// see of the ledger in between never shrinks.
func paySteps(s Store, payer string, from, to int) error {
	var seen budget.Nano
	for step := from; step <= to; step++ {
		days := spentAt(payer, step)
		for {
			_, err := s.Pay(payer, projectAt(payer, step), days, noon)
			if err == nil {
				break
			}
			if !errors.Is(err, ErrBusy) {
				return err
			}
		}
		totals, err := s.Totals("", noon)
		if err != nil || totals.Month(noon) < seen {
			return fmt.Errorf("the month had %d and now has %d, error %v", seen, totals.Month(noon), err)
		}
		seen = totals.Month(noon)
		fmt.Println(step)
	}
	return nil
}

// spentAt is what a payer has spent by a step: amounts that look random, and are
// the same in every process.
func spentAt(payer string, step int) vector {
	random := rand.New(rand.NewPCG(uint64(len(payer)), hashOf(payer)))
	days := vector{}
	for range step {
		days[[]string{"2026-11-28", "2026-11-29", "2026-11-30"}[random.IntN(3)]] += 1 + random.Int64N(1e9)
	}
	return days
}

func hashOf(text string) (h uint64) {
	for i := range len(text) {
		h = h*31 + uint64(text[i])
	}
	return h
}

func projectAt(payer string, step int) string {
	return fmt.Sprint("/project", (uint64(step/7)+hashOf(payer))%3)
}

// payAt starts a process that pays from a step to another one.
func payAt(t *testing.T, s Store, payer string, from, to int) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], payerArg, s.Dir, payer, strconv.Itoa(from), strconv.Itoa(to))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// TestFiftyProcessesPayExactly, with what they see of each other in between.
func TestFiftyProcessesPayExactly(t *testing.T) {
	const payers, steps = 50, 40
	s := newStore(t)
	want, projects := vector{}, map[string]budget.Nano{}
	var all sync.WaitGroup
	for i := range payers {
		payer := fmt.Sprint("session-", i)
		cmd, out := payAt(t, s, payer, 1, steps)
		all.Go(func() {
			text, _ := io.ReadAll(out)
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v: %s", err, text)
			}
		})
		addTo(want, spentAt(payer, steps))
		for step := 1; step <= steps; step++ {
			projects[projectAt(payer, step)] += sumOf(spentAt(payer, step)) - sumOf(spentAt(payer, step-1))
		}
	}
	all.Wait()
	sums(t, s, want)
	for project, n := range projects {
		if totals, _ := s.Totals(project, noon); totals.Project != n {
			t.Errorf("%s has %d, want %d", project, totals.Project, n)
		}
	}
	if n := s.ErrorsLogged(); n != 0 {
		t.Errorf("%d errors logged", n)
	}
}

func addTo(sum, more vector) {
	for day, n := range more {
		sum[day] += n
	}
}

func sumOf(days vector) (sum budget.Nano) {
	for _, n := range days {
		sum += budget.Nano(n)
	}
	return sum
}

func sums(t *testing.T, s Store, want vector) {
	t.Helper()
	totals, err := s.Totals("", noon)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, vectorOf(totals.Days)); diff != "" {
		t.Errorf("the ledger (-want +got):\n%s", diff)
	}
}

func vectorOf(sums []budget.Sum) vector {
	days := vector{}
	for _, d := range sums {
		days[d.Day] = int64(d.Nano)
	}
	return days
}

// TestKillsLoseAndDoubleNothing kills payers at any instant, hundreds of times.
// Each goes on from a step that was paid before, as a session does whose state
// was not saved. Then one pays that was never killed, and all sums must be
// those of the payers' own files, each of which is what was paid last or was
// being paid.
func TestKillsLoseAndDoubleNothing(t *testing.T) {
	const payers, kills = 6, 60 // kills a payer
	s := newStore(t)
	reached := make([]int, payers)
	var all sync.WaitGroup
	for i := range payers {
		all.Go(func() {
			for range kills {
				reached[i] = killed(t, s, fmt.Sprint("session-", i), reached[i])
			}
		})
	}
	all.Wait()
	pay(t, s, "the last", "", vector{"2026-11-30": 1}, noon)
	books := s.addUp()
	want := vector{"2026-11-30": 1}
	for i, step := range reached {
		payer := fmt.Sprint("session-", i)
		file, err := s.readLedger(payer + paidSuffix)
		paid := vectorOf(file.last.days)
		if err != nil || !maps.Equal(paid, spentAt(payer, step)) && !maps.Equal(paid, spentAt(payer, step+1)) {
			t.Errorf("%s was killed after step %d and has paid %v, error %v", payer, step, paid, err)
		}
		addTo(want, paid)
	}
	sums(t, s, want)
	l, err := s.readLedger(ledgerFile)
	if err != nil || l.total != books.total || l.total != sumOf(want) {
		t.Errorf("the ledger has %d, the files %d, error %v", l.total, books.total, err)
	}
	for _, p := range l.projects {
		if q := books.project(p.id); q == nil || q.spent != p.spent {
			t.Errorf("project %s has %d, and by the files %v", p.id, p.spent, q)
		}
	}
	want = vector{"2026-11-30": 1}
	for i, step := range reached { // those that come back
		payer := fmt.Sprint("session-", i)
		pay(t, s, payer, "", spentAt(payer, step+2), noon)
		addTo(want, spentAt(payer, step+2))
	}
	sums(t, s, want)
}

// killed lets a payer go on from a step before the one it reached, kills it
// within some milliseconds, and returns the step it has reached then.
func killed(t *testing.T, s Store, payer string, reached int) int {
	cmd, out := payAt(t, s, payer, 1+rand.IntN(reached+1), 1<<30)
	lines := bufio.NewScanner(out)
	for first := true; lines.Scan(); first = false {
		step, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Error(lines.Text())
		}
		reached = max(reached, step)
		if first {
			time.AfterFunc(time.Duration(rand.IntN(4000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait()
	return reached
}

// BenchmarkPay is a payment that adds something; in turn with another payer, as
// when two sessions run.
func BenchmarkPay(b *testing.B) {
	for name, payers := range map[string]int{"one": 1, "two": 2} {
		b.Run(name, func(b *testing.B) {
			s, days := busyLedger(b), vector{"2026-11-29": 5e9, "2026-11-30": 5e9}
			for i := 0; b.Loop(); i++ {
				days["2026-11-30"]++
				if _, err := s.Pay(fmt.Sprint("session-", i%payers), "/project", days, noon); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPayNothing is the call that has nothing new to pay.
func BenchmarkPayNothing(b *testing.B) {
	s, days := busyLedger(b), vector{"2026-11-29": 5e9, "2026-11-30": 5e9}
	for b.Loop() {
		if _, err := s.Pay("session", "/project", days, noon); err != nil {
			b.Fatal(err)
		}
	}
}

// busyLedger is that of somebody who spent something on every day and in fifty
// projects.
func busyLedger(b *testing.B) Store {
	s := Store{Dir: b.TempDir()}
	days := vector{}
	for i := range keptDays {
		days[budget.Key(noon.AddDate(0, 0, -i))] = 1e9
		if _, err := s.Pay("before", fmt.Sprint("/p", i%50), days, noon); err != nil {
			b.Fatal(err)
		}
	}
	return s
}
