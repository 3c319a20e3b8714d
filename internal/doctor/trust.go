package doctor

import (
	"fmt"
	"slices"
	"strings"

	"checkrein/internal/harness/codex"
	"checkrein/internal/install"
	"checkrein/internal/settings"
	"checkrein/internal/state"
)

const giveTrust = "codex, then /hooks, and trust each entry whose command holds \"guard hook --harness codex\""

// trust looks for Codex's trust in each entry. Of an entry that the file does not
// hold in the installed form, the hash can't be told.
func (e *examination) trust(name string, all []install.Found) {
	path := codex.ConfigFile(e.Machine.Getenv("CODEX_HOME"), state.Home(e.Machine.Getenv))
	file, err := settings.Read(path)
	if err != nil {
		e.add(name, "trust", Fault, err.Error(), edit(path))
		return
	}
	for _, f := range all {
		if len(f.Hooks) == 0 {
			continue
		}
		without := untrusted(file.Text, f)
		if len(without) == 0 {
			e.add(name, "trust", OK, "Codex trusts every entry in "+e.Machine.Shown(f.Path), "")
			continue
		}
		e.add(name, "trust", Fault, fmt.Sprintf("Codex does not trust the entries in %s for %s, and skips them",
			e.Machine.Shown(f.Path), strings.Join(without, ", ")), giveTrust)
	}
}

// untrusted are the events whose entry config.toml does not trust as it is now.
func untrusted(config []byte, f install.Found) (events []string) {
	for _, h := range f.Hooks {
		hash := codex.Trusted(config, codex.TrustKey(f.Path, h.Event, h.Group, h.Index))
		if hash == "" {
			hash = codex.Trusted(config, codex.TrustKey(f.Real, h.Event, h.Group, h.Index))
		}
		want, err := codex.TrustHash(h.Event, h.Command, codex.HookTimeout(h.Event, install.Timeout))
		if hash == "" || f.Whole && (err != nil || hash != want) {
			events = append(events, h.Event)
		}
	}
	return slices.Compact(events)
}
