package repo

import (
	"os"
	"testing"
	"time"
)

// BenchmarkCopy makes fresh copies of HEAD of the repository that
// CHECKREIN_BENCH_REPO names; the first one, which prepares the template, is not
// counted. bench/drive_copies.sh compares it with the reference.
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
	for b.Loop() {
		ws, err := r.Copy(b.Context(), head, root)
		b.StopTimer()
		if err != nil {
			b.Fatal(err)
		}
		if err := ws.Remove(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
