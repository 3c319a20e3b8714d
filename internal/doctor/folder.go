package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"checkrein/internal/guard"
	"checkrein/internal/hook"
	"checkrein/internal/price"
	"checkrein/internal/settings"
)

// folder tries to write to the state folder, where a hook call without it goes
// through unchecked, and looks at the error log.
func (e *examination) folder() {
	shown := e.Machine.Shown(e.store.Dir)
	if at, err := writable(e.store.Dir); err != nil {
		e.add("", "state folder", Fault, fmt.Sprintf("%s can't be written to: %v", shown, settings.Reason(err)), "chmod u+rwx "+guard.Quote(at))
		return
	}
	e.add("", "state folder", OK, shown+" can be written to", "")
	if n := e.store.ErrorsLogged(); n > 0 {
		e.add("", "errors", Note, fmt.Sprintf("calls went through because of errors of the guard: %d", n),
			"tail "+guard.Quote(filepath.Join(e.store.Dir, "errors.log")))
	}
}

// writable makes a file in a folder, or in the nearest one above it that is there,
// and takes it away again. at is the folder that was tried.
func writable(dir string) (at string, err error) {
	for at = dir; ; at = filepath.Dir(at) {
		_, err = os.Stat(at)
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
	}
	f, err := os.CreateTemp(at, ".doctor-*")
	if err != nil {
		return at, err
	}
	return at, errors.Join(f.Close(), os.Remove(f.Name()))
}

// variable tells of the switch in this shell, which an agent started from it has.
func (e *examination) variable() {
	if hook.Off(e.Machine.Getenv("RUNAWAY_GUARD_OFF")) {
		e.add("", "variable", Fault, "RUNAWAY_GUARD_OFF is set in this shell; an agent started from it is not guarded", "unset RUNAWAY_GUARD_OFF")
		return
	}
	e.add("", "variable", OK, "RUNAWAY_GUARD_OFF is not set in this shell", "")
}

func (e *examination) prices() {
	broken := false
	table := e.store.Prices(func(err error) {
		broken = true
		e.add("", "prices", Fault, err.Error(), e.Program+" prices check")
	})
	table.All() // reads the imported table, too
	switch days := table.Days(e.Now); {
	case days > price.MaxDays:
		e.add("", "prices", Note, fmt.Sprintf("the prices were checked %d days ago, on %s; a newer checkrein may have newer ones",
			days, table.Checked), e.Program+" prices check")
	case !broken:
		e.add("", "prices", OK, "the prices were checked on "+table.Checked, "")
	}
}
