package seal

import (
	"fmt"
	"os"
	"path/filepath"
)

// Manner is how private layers are made: without overlays they hold all of a cache.
func (s *Seal) Manner() string { return fmt.Sprintf("%+v", s.Means) }

// Left is where the setup in a copy left something outside of it: folders of one
// folder, each named after its place. Go's build cache is none, because no later
// command sees what a setup wrote there.
func (s *Seal) Left(copied string) (dir string, parts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dir = filepath.Join(s.rooms[copied], "setup")
	entries, err := os.ReadDir(dir)
	if err != nil || s.rooms[copied] == "" {
		return "", nil
	}
	for _, e := range entries {
		if !s.built[e.Name()] {
			parts = append(parts, filepath.Join(e.Name(), "new"))
		}
	}
	return dir, parts
}

// Adopt shows the commands in a copy what a setup has left in another one, in a
// folder with the parts that Left has, instead of what a setup left here. The
// folder is only read. The next setup in the copy ends that.
func (s *Seal) Adopt(copied, dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.given[copied] = dir
}

func (s *Seal) noteBuilds(v *view) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range v.buildPaths() {
		s.built[name(path)] = true
	}
}
