//go:build e2e

package e2e

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// screen is a terminal with one program on it.
type screen struct {
	t    *testing.T
	file *os.File
	mu   sync.Mutex
	all  bytes.Buffer // everything the program wrote
}

// terminal starts a program on a terminal of its own and ends it with the case.
func (h *home) terminal(env string, argv ...string) *screen {
	h.t.Helper()
	c := exec.Command(h.find(argv[0]), argv[1:]...)
	c.Dir, c.Env = h.project, h.environ([]string{env})
	file, err := pty.StartWithSize(c, &pty.Winsize{Rows: 50, Cols: 160})
	if err != nil {
		h.t.Fatal(err)
	}
	s := &screen{t: h.t, file: file}
	go s.read()
	h.t.Cleanup(func() { s.quit(c) })
	return s
}

// quit presses Ctrl-C until the program has ended its helpers and itself, and
// kills its group if that takes too long.
func (s *screen) quit(c *exec.Cmd) {
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	press := time.NewTicker(300 * time.Millisecond)
	defer press.Stop()
	late := time.After(10 * time.Second)
	for {
		select {
		case <-ended:
			s.file.Close()
			return
		case <-press.C:
			_, _ = io.WriteString(s.file, "\x03")
		case <-late:
			_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		}
	}
}

// read keeps what the program writes until it ends.
func (s *screen) read() {
	part := make([]byte, 32*1024)
	for {
		n, err := s.file.Read(part)
		s.mu.Lock()
		s.all.Write(part[:n])
		s.mu.Unlock()
		s.reply(part[:n])
		if err != nil {
			return
		}
	}
}

// reply answers what programs ask a terminal before they draw: where the
// cursor is, and what kind of terminal it is.
func (s *screen) reply(part []byte) {
	for ask, answer := range map[string]string{"\x1b[6n": "\x1b[1;1R", "\x1b[c": "\x1b[?62c"} {
		if bytes.Contains(part, []byte(ask)) {
			_, _ = io.WriteString(s.file, answer)
		}
	}
}

// wait returns once the text is on the screen.
func (s *screen) wait(text string) {
	s.t.Helper()
	for end := time.Now().Add(patience); !strings.Contains(s.text(), text); {
		if time.Now().After(end) {
			s.t.Fatalf("%q never came on the screen:\n%s", text, s.text())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// text is the output without control sequences. Words may repeat, as they are
// drawn again.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	control := regexp.MustCompile(`\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b[@-_]`)
	return control.ReplaceAllString(s.all.String(), "")
}
