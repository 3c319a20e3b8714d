package repo

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// BenchmarkCopy makes fresh copies of HEAD of the repository that
// CHECKREIN_BENCH_REPO names; the first one, which prepares the template, is not
// counted. bench/drive_ratios.sh compares it with the reference. cpu-s/op does
// not depend on what else the machine does.
func BenchmarkCopy(b *testing.B) {
	dir := os.Getenv("CHECKREIN_BENCH_REPO")
	if dir == "" {
		b.Skip("CHECKREIN_BENCH_REPO names no repository")
	}
	r, err := Open(b.Context(), dir)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	head, err := r.Head(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	root := b.TempDir()
	started := time.Now()
	first, err := r.Copy(b.Context(), head, root)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(time.Since(started).Seconds(), "first-s")
	if err := first.Remove(); err != nil {
		b.Fatal(err)
	}
	used := 0.0
	for b.Loop() {
		before := cpu(b, syscall.RUSAGE_SELF)
		ws, err := r.Copy(b.Context(), head, root)
		b.StopTimer()
		used += cpu(b, syscall.RUSAGE_SELF) - before
		if err != nil {
			b.Fatal(err)
		}
		if err := ws.Remove(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(used/float64(b.N), "cpu-s/op")
}
