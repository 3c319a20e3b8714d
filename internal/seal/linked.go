package seal

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// program shows the package that a program belongs to, when it is installed in a
// place that is not in sight.
func (v *view) program(path string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || within(v.start.Dir, real) && v.start.Dir != "/" {
		return
	}
	v.pack(real)
	v.read(path)
}

// pack shows the package of a program: the node_modules or the virtual environment
// that it lies in.
func (v *view) pack(real string) {
	if v.covered(real) {
		return
	}
	if at := strings.Index(real, "/node_modules/"); at > 0 {
		v.read(real[:at+len("/node_modules")])
	}
	if parent := filepath.Dir(filepath.Dir(real)); isFile(filepath.Join(parent, "pyvenv.cfg")) {
		v.read(parent)
	}
}

// linked shows what the programs of a folder on the PATH are links to. Installers keep
// a program elsewhere (poetry's in a virtual environment, npm's in a node_modules)
// and put a link to it there.
func (v *view) linked(dir string) {
	switch dir {
	case "/usr/bin", "/usr/sbin", "/bin", "/sbin":
		return // thousands, all of the system's
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type() != fs.ModeSymlink {
			continue
		}
		real, err := filepath.EvalSymlinks(filepath.Join(dir, e.Name()))
		if err == nil && isFile(real) && !v.covered(real) {
			v.pack(real)
			v.read(real)
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
