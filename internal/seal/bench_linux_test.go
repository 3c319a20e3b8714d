package seal

import (
	"os"
	"slices"
	"testing"
	"time"

	"checkrein/internal/proc"
)

// BenchmarkStart takes turns between a command behind the wall of tests, behind
// that of an agent, and without one, so that the machine's load is the same for all. The
// differences of the medians are what a wall costs.
func BenchmarkStart(b *testing.B) {
	s, dir := New(Options{}), b.TempDir()
	kinds := []struct {
		name   string
		kind   proc.Kind
		launch proc.Launcher
	}{{"open", proc.Tests, nil}, {"tests", proc.Tests, s.Launch}, {"agent", proc.Agent, s.Launch}}
	took := make([][]time.Duration, len(kinds))
	for b.Loop() {
		for i, k := range kinds {
			before := time.Now()
			r, err := proc.Run(b.Context(), proc.Command{
				Argv: []string{"/bin/true"}, Dir: dir, Env: []string{"PATH=/usr/bin:/bin", "HOME=" + os.Getenv("HOME")}, Kind: k.kind, Launch: k.launch,
			})
			if took[i] = append(took[i], time.Since(before)); err != nil || !r.OK() {
				b.Fatal(r, err)
			}
		}
	}
	for i, k := range kinds {
		slices.Sort(took[i])
		b.ReportMetric(float64(took[i][len(took[i])/2].Microseconds())/1000, k.name+"-p50-ms")
		b.ReportMetric(float64(took[i][len(took[i])*9/10].Microseconds())/1000, k.name+"-p90-ms")
	}
}
