package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// lookUp finds the program in the PATH that the command itself will have.
func lookUp(s Start) (string, error) {
	if len(s.Argv) == 0 {
		return "", errors.New("no command to run")
	}
	name := s.Argv[0]
	if strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(s.Dir, name)
		}
		if !executable(name) {
			return "", fmt.Errorf("%w: %s", ErrNoProgram, s.Argv[0])
		}
		return name, nil
	}
	for _, dir := range filepath.SplitList(value(s.Env, "PATH")) {
		if path := filepath.Join(dir, name); filepath.IsAbs(dir) && executable(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNoProgram, name)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
