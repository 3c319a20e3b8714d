//go:build unix

package cli

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"checkrein/internal/redact"
)

// pathIn is the folder that --path names, as git spells it; "" for the whole
// repository.
func pathIn(top, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	clean := path.Clean(filepath.ToSlash(name))
	switch {
	case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../"):
		return "", bad("--path %s leads out of the repository; name a folder from its top folder, such as packages/core", redact.Code(name, 200))
	case clean == ".":
		return "", nil
	}
	info, err := os.Stat(filepath.Join(top, filepath.FromSlash(clean)))
	switch {
	case err != nil:
		return "", bad("the repository has no folder %s; --path takes one from its top folder, such as packages/core", redact.Code(clean, 200))
	case !info.IsDir():
		return "", bad("--path %s is no folder; try the one that it is in, %s", redact.Code(clean, 200), redact.Code(path.Dir(clean), 200))
	}
	return clean, nil
}
