package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"checkrein/internal/proc"
)

// BenchmarkPlace puts 10,000 files of 4 KB in 1,000 folders into a new copy: looking
// for the result, checking it and writing it.
func BenchmarkPlace(b *testing.B) {
	dir := b.TempDir()
	c := Open(filepath.Join(dir, "kept"), nil)
	defer c.Close()
	const line = `i=0; while [ $i -lt 1000 ]; do mkdir -p node_modules/m$i; i=$((i+1)); done
head -c 4000 /dev/zero | tr '\0' x >block; for d in node_modules/*; do for n in 0 1 2 3 4 5 6 7 8 9; do cp block $d/$n.js; done; done; rm block`
	copied := func(i int) *Copy {
		p := c.Copy(filepath.Join(dir, fmt.Sprint("copy", i)))
		if err := os.Mkdir(p.dir, 0o755); err != nil {
			b.Fatal(err)
		}
		return p
	}
	cmd := func(p *Copy) proc.Command {
		return proc.Command{Shell: line, Dir: p.dir, Env: []string{"PATH=/usr/bin:/bin"}, Kind: proc.Setup}
	}
	first := copied(0)
	if _, err := first.Run(b.Context(), cmd(first), ForKey); err != nil {
		b.Fatal(err)
	}
	for i := 1; b.Loop(); i++ {
		p := copied(i)
		if done, err := p.Run(b.Context(), cmd(p), Nothing); err != nil || !done.Reused {
			b.Fatal(done, err)
		}
		b.StopTimer()
		if err := os.RemoveAll(p.dir); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
