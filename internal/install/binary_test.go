package install

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// linked resolves by a table; other paths are themselves, "gone" is not there.
func linked(links map[string]string) func(string) (string, error) {
	return func(path string) (string, error) {
		if target, ok := links[path]; ok {
			return target, nil
		}
		if strings.HasPrefix(path, "/gone") {
			return "", fs.ErrNotExist
		}
		return path, nil
	}
}

func TestLasting(t *testing.T) {
	cases := []struct {
		name, running, onPath string
		links                 map[string]string
		want, why             string
	}{
		{name: "go install", running: "/home/dev/go/bin/checkrein", onPath: "/home/dev/go/bin/checkrein", want: "/home/dev/go/bin/checkrein"},
		{name: "not on PATH", running: "/opt/tools/checkrein", want: "/opt/tools/checkrein"},
		{
			name: "another one on PATH", running: "/opt/tools/checkrein", onPath: "/usr/bin/checkrein",
			want: "/opt/tools/checkrein",
		},
		{
			name: "Homebrew's link", running: "/opt/homebrew/Cellar/checkrein/1.2.3/bin/checkrein", onPath: "/opt/homebrew/bin/checkrein",
			links: map[string]string{"/opt/homebrew/bin/checkrein": "/opt/homebrew/Cellar/checkrein/1.2.3/bin/checkrein"},
			want:  "/opt/homebrew/bin/checkrein",
		},
		{name: "Homebrew without its link", running: "/opt/homebrew/Cellar/checkrein/1.2.3/bin/checkrein", why: "one version"},
		{
			name: "a link from a profile", running: "/nix/store/abc-checkrein/bin/checkrein", onPath: "/run/current-system/sw/bin/checkrein",
			links: map[string]string{"/run/current-system/sw/bin/checkrein": "/nix/store/abc-checkrein/bin/checkrein"},
			want:  "/run/current-system/sw/bin/checkrein",
		},
		{name: "Nix", running: "/nix/store/abc-checkrein/bin/checkrein", why: "one version"},
		{name: "an unpacked release", running: "/home/dev/checkrein-1.2.3/checkrein", why: "one version"},
		{name: "an unpacked release, platform", running: "/home/dev/checkrein_1.2.3_linux_amd64/checkrein", why: "one version"},
		{name: "a version manager", running: "/home/dev/.local/share/mise/installs/checkrein/1.2.3/bin/checkrein", onPath: "/home/dev/.local/share/mise/installs/checkrein/1.2.3/bin/checkrein", why: "one version"},
		{name: "a module cache", running: "/home/dev/go/pkg/mod/checkrein@v1.2.3/checkrein", why: "one version"},
		{name: "a versioned name", running: "/home/dev/bin/checkrein-v0.9.1", why: "one version"},
		{name: "letters and dots are no version", running: "/home/dev/go1.26/x86-64.v2/checkrein", want: "/home/dev/go1.26/x86-64.v2/checkrein"},
		{name: "go run", running: "/var/cache/go-build1234/b001/exe/checkrein", why: "temporary"},
		{name: "built into /tmp", running: "/tmp/x/checkrein", onPath: "/tmp/x/checkrein", why: "temporary"},
		{name: "macOS", running: "/private/var/folders/aa/bb/T/checkrein", why: "temporary"},
		{name: "the system's own temporary folder", running: "/scratch/t/checkrein", why: "temporary"},
		{
			name: "the temporary folder is a link", running: "/disk2/t/checkrein",
			links: map[string]string{"/scratch/t": "/disk2/t"}, why: "temporary",
		},
		{
			name: "a link on PATH into /tmp", running: "/tmp/x/checkrein", onPath: "/home/dev/bin/checkrein",
			links: map[string]string{"/home/dev/bin/checkrein": "/tmp/x/checkrein"}, why: "temporary",
		},
		{name: "a name that only starts like it", running: "/tmpfiles/checkrein", want: "/tmpfiles/checkrein"},
		{name: "PATH with a relative folder", running: "/opt/checkrein", onPath: "bin/checkrein", want: "/opt/checkrein"},
		{name: "the file was replaced while running", running: "/gone/checkrein", want: "/gone/checkrein"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := Program{Running: c.running, OnPath: c.onPath, Temp: []string{"", "/", "/scratch/t"}, Resolve: linked(c.links)}
			got, err := p.Lasting()
			var lost *UnlastingError
			switch {
			case c.why == "" && (err != nil || got != c.want):
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			case c.why != "" && (!errors.As(err, &lost) || !strings.Contains(lost.Why, c.why)):
				t.Errorf("got %q, %v; want a refusal for %s", got, err, c.why)
			}
		})
	}
}

func TestCommand(t *testing.T) {
	for program, want := range map[string]string{
		"/usr/local/bin/checkrein": "/usr/local/bin/checkrein guard hook --harness codex || true",
		"/Users/a b/checkrein":     "'/Users/a b/checkrein' guard hook --harness codex || true",
		"/home/o'neil/checkrein":   `'/home/o'"'"'neil/checkrein' guard hook --harness codex || true`,
		"/opt/cr":                  "/opt/cr guard hook --harness codex || true",
	} {
		got := Command(program, "codex")
		if got != want {
			t.Errorf("%s: got %s", program, got)
		}
		if !Ours(got) {
			t.Errorf("not known as ours: %s", got)
		}
	}
}

func TestOurs(t *testing.T) {
	for command, want := range map[string]bool{
		"python3 /home/dev/.claude/skills/runaway-guard/scripts/guard.py || true":                  true,
		"python3 '/home/d e v/skills/runaway-guard-main/scripts/guard.py' --harness codex || true": true,
		`python3 C:\skills\runaway-guard\scripts\guard.py`:                                         true,
		"python3 /x/runaway-guard/scripts/status.py":                                               false,
		"python3 /x/runaway-guard'/scripts/guard.py":                                               false,
		"/old/place/checkrein guard hook":                                                          true,
		"checkrein guard hook --harness claude-code":                                               true,
		"'/a b/checkrein' guard hook --harness codex || true":                                      true,
		`"C:\Tools\checkrein.exe" guard hook`:                                                      true,
		"NO_COLOR=1 checkrein guard hook; true":                                                    true,
		"/usr/bin/mycheckrein guard hook":                                                          false,
		"checkrein guard hooks":                                                                    false,
		"checkrein guard status":                                                                   false,
		"echo hi":                                                                                  false,
		"":                                                                                         false,
	} {
		if got := Ours(command); got != want {
			t.Errorf("%s: got %v", command, got)
		}
	}
}
