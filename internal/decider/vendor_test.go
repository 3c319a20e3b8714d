package decider_test

import (
	"slices"
	"strings"
	"testing"

	"checkrein/internal/decider"
)

// Go builds a vendor folder in the place of what go.mod names.
func TestVendor(t *testing.T) {
	plain := []string{"go.mod", "go.sum", "x.go", "sub/go.mod"}
	vendoring := append(slices.Clone(plain), "vendor", "vendor/modules.txt", "vendor/a", "vendor/a/a.go")
	for _, tt := range []struct {
		base    []string
		yes, no string
	}{
		{plain, "vendor/modules.txt vendor/a/a.go sub/vendor/a/a.go", "x.go xvendor/a.go a/vendor/b.go"},
		{vendoring, "vendor/a/a.go sub/vendor/modules.txt", "vendor/modules.txt vendor/b/b.go"},
		{[]string{"composer.json"}, "", "vendor/a/a.php"},
	} {
		had := func(path string) bool { return slices.Contains(tt.base, path) }
		for want, files := range map[bool]string{true: tt.yes, false: tt.no} {
			for _, file := range strings.Fields(files) {
				if decider.Whole(file, had) != want {
					t.Errorf("%v: %s decides: %v", tt.base, file, !want)
				}
			}
		}
	}
}
