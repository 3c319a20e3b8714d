package repo

import (
	"os"
	"syscall"
	"testing"
)

// BenchmarkHistory reads the history of the repository that CHECKREIN_BENCH_REPO
// names and counts its lines, as mining does.
func BenchmarkHistory(b *testing.B) {
	dir := os.Getenv("CHECKREIN_BENCH_REPO")
	if dir == "" {
		b.Skip("CHECKREIN_BENCH_REPO names no repository")
	}
	r, err := Open(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for b.Loop() {
		commits, err := r.History(b.Context(), "2000-01-01")
		if err == nil {
			err = r.Changes(b.Context(), commits)
		}
		report(b, "history")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.LongerThan(b.Context(), commits, 1000); err != nil {
			b.Fatal(err)
		}
		report(b, "all")
	}
}

// report tells the CPU time so far, ours and that of git processes.
func report(b *testing.B, stage string) {
	b.ReportMetric(cpu(b, syscall.RUSAGE_SELF), stage+"-own-cpu-s")
	b.ReportMetric(cpu(b, syscall.RUSAGE_CHILDREN), stage+"-git-cpu-s")
}

// cpu is the CPU time, in seconds, of this process or of those it waited for.
func cpu(b *testing.B, who int) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}
