package seal

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"checkrein/internal/proc"
	"checkrein/internal/untested"
)

// Everything that is not on the list of what may be seen is hidden, whatever it is
// called.
func TestWallShowsNothingElse(t *testing.T) {
	w := newWorld(t)
	known := strings.Fields("bin dev etc home lib lib32 lib64 libx32 nix opt proc repo run checkrein sbin snap sys tmp usr var " + strings.Split(w.dir, "/")[1])
	for _, w.kind = range []proc.Kind{proc.Tests, proc.Agent, proc.Setup} {
		out, _ := w.run(`ls -A /; ls -A /run`)
		for _, name := range strings.Fields(out) {
			if !slices.Contains(known, name) {
				t.Errorf("kind %d sees /%s", w.kind, name)
			}
		}
	}
}

// Handles to services of the user's: a variable with the way to one shows no
// socket, and neither does a folder for such.
func TestWallHidesServices(t *testing.T) {
	w := newWorld(t)
	runtime := filepath.Join(w.dir, "runtime")
	w.must(os.MkdirAll(filepath.Join(runtime, "podman"), 0o700))
	for name, path := range map[string]string{
		"SSH_AUTH_SOCK": "agent.1", "DOCKER_HOST": "docker.sock", "CONTAINER_HOST": "podman/podman.sock", "DBUS_SESSION_BUS_ADDRESS": "bus",
	} {
		path = filepath.Join(runtime, path)
		w.serve("unix", path)
		for _, kind := range []proc.Kind{proc.Tests, proc.Setup, proc.Agent} {
			if w.dial(kind, "unix", path, "XDG_RUNTIME_DIR="+runtime, name+"="+path) || w.dial(kind, "unix", path, name+"=unix://"+path) {
				t.Errorf("%s: kind %d reaches its service", name, kind)
			}
		}
	}
	for _, dir := range []string{"/run", "/var/run", runtime} {
		if out, _ := w.run("find " + dir + " -type s"); strings.Contains(out, "sock") {
			t.Errorf("sockets in sight: %s", out)
		}
	}
}

// What this process has open when it starts a command is no way around the wall.
func TestWallHidesOpenFiles(t *testing.T) {
	w := newWorld(t)
	fd, err := unix.Open(w.dir, unix.O_RDONLY|unix.O_DIRECTORY, 0) // without O_CLOEXEC
	w.must(err)
	defer unix.Close(fd)
	line := fmt.Sprintf(`cat /proc/self/fd/%d/state/tasks.json; for f in /proc/self/fd/*; do cat "$f/state/tasks.json"; done`, fd)
	for _, w.kind = range []proc.Kind{proc.Tests, proc.Setup, proc.Agent} {
		if out, _ := w.run(line); strings.Contains(out, secret) {
			t.Errorf("kind %d: %s", w.kind, out)
		}
	}
}

// Memory that processes share.
func TestWallHidesMemory(t *testing.T) {
	w := newWorld(t)
	shared := "/dev/shm/" + filepath.Base(w.dir)
	w.must(os.WriteFile(shared, []byte(secret), 0o644))
	defer os.Remove(shared)
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o666)
	w.must(err)
	defer func() { _, _ = unix.SysvShmCtl(id, unix.IPC_RMID, nil) }()
	line := fmt.Sprintf(`cat %s; tail -n +2 /proc/sysvipc/shm | grep -c .`, shared)
	for _, w.kind = range []proc.Kind{proc.Tests, proc.Setup, proc.Agent} {
		if out, _ := w.run(line); !strings.HasSuffix(out, "\n0\n") || strings.Contains(out, secret) {
			t.Errorf("kind %d: %s", w.kind, out)
		}
	}
}

// readKey prints a key of the user's: it takes the user's keyring, whose number is
// no secret, into its own session, and so has the right to all that is in it.
func readKey(text string) int {
	var ring, key int
	_, err := fmt.Sscan(text, &ring, &key)
	if err == nil {
		_, err = unix.KeyctlInt(unix.KEYCTL_LINK, ring, unix.KEY_SPEC_PROCESS_KEYRING, 0, 0)
	}
	buffer := make([]byte, 100)
	if err == nil {
		_, err = unix.KeyctlBuffer(unix.KEYCTL_READ, key, buffer, 0)
	}
	fmt.Println(string(buffer), err)
	return 0
}

func TestWallHidesKeys(t *testing.T) {
	w := newWorld(t)
	ring, err := unix.KeyctlInt(unix.KEYCTL_GET_KEYRING_ID, unix.KEY_SPEC_USER_KEYRING, 1, 0, 0)
	if err != nil {
		untested.Here(t, "the kernel keeps no keys: "+err.Error())
	}
	key, err := unix.AddKey("user", filepath.Base(w.dir), []byte(secret), ring)
	w.must(err)
	defer func() { _, _ = unix.KeyctlInt(unix.KEYCTL_UNLINK, key, ring, 0, 0) }()
	exe, err := os.Executable()
	w.must(err)
	w.command = proc.Command{Env: []string{fmt.Sprintf("TEST_KEY=%d %d", ring, key)}, Needs: []string{exe}}
	for _, w.kind = range []proc.Kind{proc.Tests, proc.Setup, proc.Agent} {
		if out, _ := w.run(exe); strings.Contains(out, secret) {
			t.Errorf("kind %d: %s", w.kind, out)
		}
	}
	w.seal = nil
	if out, _ := w.run(exe); !strings.Contains(out, secret) {
		t.Errorf("without a wall, it can't be read either: %s", out)
	}
}

// A command has no terminal, so it can type nothing into the user's.
func TestWallHasNoTerminal(t *testing.T) {
	w := newWorld(t)
	for _, w.kind = range []proc.Kind{proc.Tests, proc.Setup, proc.Agent} {
		if out, r := w.run(`echo x >/dev/tty || ls /dev/pts/[0-9]* || ls /dev/console`); r.OK() {
			t.Errorf("kind %d: %s", w.kind, out)
		}
	}
}

// Root reads everything on a computer, and so do its commands.
func TestWallHidesSecretsOfTheSystem(t *testing.T) {
	w := newWorld(t)
	for _, w.kind = range []proc.Kind{proc.Tests, proc.Setup, proc.Agent} {
		if out, _ := w.run(`cat /etc/shadow; ls -A /etc/ssh /etc/sudoers.d`); strings.Contains(out, "root:") || strings.Contains(out, "key") {
			t.Errorf("kind %d: %s", w.kind, out)
		}
	}
}

// A repository may lie where copies are shown.
func TestWallWhereTheRepositoryHasTheCopysPath(t *testing.T) {
	w := newWorld(t)
	w.write("checkrein-copy-x/sub/x", "part")
	w.seal.Hide = append(w.seal.Hide, Copy, Copy+"/sub", Copy+"/.harness-test-drive")
	for _, w.kind = range []proc.Kind{proc.Tests, proc.Setup, proc.Agent} {
		if out, r := w.run(`cat src.txt sub/x`); !r.OK() || out != "copypart" {
			t.Errorf("kind %d: %s", w.kind, out)
		}
	}
}

// A mirror's name decides where a package manager looks in its cache, so tests and
// agents have the settings that name it, without the logins in them.
func TestWallAndOfflineSettings(t *testing.T) {
	w := newWorld(t)
	w.write("home/.cargo/config.toml", "[source.crates-io]\nreplace-with = \"mirror\"\n[registry]\ntoken = \""+secret+"\"\n")
	for kind, want := range map[proc.Kind]bool{proc.Tests: false, proc.Agent: false, proc.Setup: true} {
		w.kind = kind
		out, _ := w.run(`cat "$HOME/.cargo/config.toml"; echo x >"$HOME/.cargo/config.toml"`)
		if !strings.Contains(out, "mirror") || strings.Contains(out, secret) != want {
			t.Errorf("kind %d: %s", kind, out)
		}
	}
}
