package command_test

import (
	"testing"

	"checkrein/internal/command"
	"checkrein/internal/harness/registry"
)

func guarded() command.Guarded {
	return command.Guarded{
		Program: "checkrein",
		Folders: []string{"/home/me/.local/state/runaway-guard"},
		Names:   []string{"runaway-guard.json"},
		Files:   []string{"/home/me/go/bin/checkrein"},
		Dir:     "/home/me/project",

		Harnesses: registry.Traits(),
	}
}

func TestLoosens(t *testing.T) {
	for text, want := range map[string]string{
		// Our commands.
		"checkrein guard allow":                                                       "checkrein guard allow",
		"checkrein guard allow --usd 5":                                               "checkrein guard allow",
		"cd /x && /usr/local/bin/checkrein guard reset":                               "checkrein guard reset",
		"./checkrein guard status --session x --reset":                                "checkrein guard status",
		"checkrein.exe guard install --cap 100 --write":                               "checkrein guard install",
		"checkrein guard install --cap=100":                                           "checkrein guard install",
		"checkrein guard uninstall --write":                                           "checkrein guard uninstall",
		"checkrein guard budget --reset-project":                                      "checkrein guard budget",
		"checkrein prices import x.json --write":                                      "checkrein prices import",
		"go run ./cmd/checkrein guard allow":                                          "checkrein guard allow",
		"go run -race checkrein/cmd/checkrein guard allow":                            "checkrein guard allow",
		"env A=1 checkrein guard allow":                                               "checkrein guard allow",
		"sudo -u me nohup timeout 5 checkrein guard allow &":                          "checkrein guard allow",
		`bash -c "checkrein guard allow"`:                                             "checkrein guard allow",
		`sh -c 'sh -c "checkrein guard allow"'`:                                       "checkrein guard allow",
		"watch -n 5 checkrein guard allow":                                            "checkrein guard allow",
		"systemd-run --user --no-block -u x checkrein guard allow":                    "checkrein guard allow",
		"screen -dm checkrein guard allow":                                            "checkrein guard allow",
		"ssh -p 22 localhost checkrein guard allow":                                   "checkrein guard allow",
		"parallel -j 2 checkrein guard allow":                                         "checkrein guard allow",
		"echo checkrein guard allow | at now":                                         "checkrein guard allow",
		"at now <<'E'\ncheckrein guard allow\nE":                                      "checkrein guard allow",
		"echo '* * * * * checkrein guard allow' | crontab -":                          "checkrein guard allow",
		"crontab - <<< '@reboot checkrein guard reset'":                               "checkrein guard reset",
		"eval checkrein guard allow":                                                  "checkrein guard allow",
		`script -qc "checkrein guard allow" /dev/null`:                                "checkrein guard allow",
		"echo $(checkrein guard allow)":                                               "checkrein guard allow",
		"echo `checkrein guard reset`":                                                "checkrein guard reset",
		"echo checkrein guard allow | sh":                                             "checkrein guard allow",
		"bash <<'EOF'\ncheckrein guard allow\nEOF":                                    "checkrein guard allow",
		"echo allow | xargs checkrein guard":                                          "checkrein guard allow",
		"X=checkrein; $X guard allow":                                                 "checkrein guard allow",
		`CMD="checkrein guard allow" && $CMD`:                                         "checkrein guard allow",
		"${CHECKREIN:-checkrein} guard allow":                                         "checkrein guard allow",
		`"checkrein" 'guard' allow`:                                                   "checkrein guard allow",
		"if true; then checkrein guard allow; fi":                                     "checkrein guard allow",
		`python3 -c "import os; os.system('checkrein guard allow')"`:                  "checkrein guard allow",
		`python3 -c "import subprocess as s; s.run(['checkrein', 'guard', 'allow'])"`: "checkrein guard allow",
		"node -e 'require(\"child_process\").execSync(\"checkrein guard reset\")'":    "checkrein guard reset",
		`checkrein guard allow "`:                                                     "checkrein guard allow", // can't be read, but begins with it

		// Our variables.
		"RUNAWAY_GUARD_OFF=1 claude -p 'go on'":      "RUNAWAY_GUARD_OFF",
		"export RUNAWAY_GUARD_OFF=1":                 "RUNAWAY_GUARD_OFF",
		"env RUNAWAY_GUARD_CAP=100 codex exec x":     "RUNAWAY_GUARD_CAP",
		"env -u RUNAWAY_GUARD_CAP codex exec x":      "RUNAWAY_GUARD_CAP",
		"unset RUNAWAY_GUARD_CAP":                    "RUNAWAY_GUARD_CAP",
		"declare -x RUNAWAY_GUARD_OFF=1":             "RUNAWAY_GUARD_OFF",
		`bash -c "RUNAWAY_GUARD_OFF=1 codex exec x"`: "RUNAWAY_GUARD_OFF",
		"$env:RUNAWAY_GUARD_OFF = 1":                 "RUNAWAY_GUARD_OFF",
		"sudo RUNAWAY_GUARD_OFF=1 ls":                "RUNAWAY_GUARD_OFF",

		// Our files.
		"rm -rf ~/.local/state/runaway-guard":                                                         "~/.local/state/runaway-guard",
		"rm $HOME/.local/state/runaway-guard/abc.json":                                                "$HOME/.local/state/runaway-guard/abc.json",
		`rm "${XDG_STATE_HOME}/runaway-guard/abc.json"`:                                               "${XDG_STATE_HOME}/runaway-guard/abc.json",
		`rm "${XDG_STATE_HOME:-$HOME/.local/state}/runaway-guard/a"`:                                  "$HOME/.local/state/runaway-guard/a",
		"rm -rf /home/me/.local/state/*":                                                              "/home/me/.local/state/*",
		"rm -rf ~/.local/state":                                                                       "~/.local/state",
		"cd ~/.local && rm -rf state/*":                                                               "state/*",
		"rm -rf /home/*/.local/state/*":                                                               "/home/*/.local/state/*",
		"mv ~/.local/state /tmp":                                                                      "~/.local/state",
		"rsync -a --delete state/ /home/me/":                                                          "/home/me/",
		"rm -rf ~/.local/state/run*":                                                                  "~/.local/state/run*",
		"rm -rf ~/.local/state/{runaway-guard,other}":                                                 "~/.local/state/{runaway-guard,other}",
		"echo '{}' > ~/.local/state/runaway-guard/a.json":                                             "~/.local/state/runaway-guard/a.json",
		"echo '{}' >> .claude/runaway-guard.json":                                                     ".claude/runaway-guard.json",
		": >| .claude/runaway-guard.json":                                                             ".claude/runaway-guard.json",
		"make &> ~/.claude/runaway-guard.json":                                                        "~/.claude/runaway-guard.json",
		"cat <<EOF > ~/.claude/runaway-guard.json\n{}\nEOF":                                           "~/.claude/runaway-guard.json",
		"cat > ~/.claude/runaway-guard.json <<'EOF'\n{}\nEOF":                                         "~/.claude/runaway-guard.json",
		"{ echo 1; echo 2; } > ~/.claude/runaway-guard.json":                                          "~/.claude/runaway-guard.json",
		"echo '{}' | tee ~/.claude/runaway-guard.json":                                                "~/.claude/runaway-guard.json",
		"echo '{}' | sudo tee -a ~/.claude/runaway-guard.json":                                        "~/.claude/runaway-guard.json",
		"sed -i 's/10/100/' ~/.claude/runaway-guard.json":                                             "~/.claude/runaway-guard.json",
		"sed -i.bak -e 's/10/100/' ~/.claude/runaway-guard.json":                                      "~/.claude/runaway-guard.json",
		"perl -pi -e 's/10/100/' ~/.claude/runaway-guard.json":                                        "~/.claude/runaway-guard.json",
		"mv ~/.claude/runaway-guard.json /tmp":                                                        "~/.claude/runaway-guard.json",
		"mv x.json ~/.claude/runaway-guard.json":                                                      "~/.claude/runaway-guard.json",
		"cp x.json ~/.claude/runaway-guard.json":                                                      "~/.claude/runaway-guard.json",
		"cp -t ~/.local/state/runaway-guard x.json":                                                   "~/.local/state/runaway-guard",
		"dd if=/dev/null of=/home/me/.local/state/runaway-guard/a":                                    "/home/me/.local/state/runaway-guard/a",
		"truncate -s 0 ~/.local/state/runaway-guard/a.json":                                           "~/.local/state/runaway-guard/a.json",
		"chmod 000 ~/.local/state/runaway-guard":                                                      "~/.local/state/runaway-guard",
		"ln -sf /dev/null ~/.local/state/runaway-guard/a.json":                                        "~/.local/state/runaway-guard/a.json",
		"cd ~/.local/state/runaway-guard && rm *.json":                                                "*.json",
		"cd ~/.local/state; rm -rf runaway-guard":                                                     "runaway-guard",
		"cd ~/.local/state/x && rm -rf ../runaway-guard":                                              "../runaway-guard",
		"cd ~/.local/state/runaway-guard && echo '{}' > a.json":                                       "a.json",
		`D=~/.local/state/runaway-guard; rm -rf "$D"`:                                                 "~/.local/state/runaway-guard",
		`for f in ~/.local/state/runaway-guard/*; do rm "$f"; done`:                                   "~/.local/state/runaway-guard/*",
		"find ~/.local/state/runaway-guard -name '*.json' -delete":                                    "~/.local/state/runaway-guard",
		"find ~/.local/state/runaway-guard -type f -exec rm {} +":                                     "~/.local/state/runaway-guard",
		"ls ~/.local/state/runaway-guard/* | xargs rm":                                                "~/.local/state/runaway-guard/*",
		"find ~/.local/state/runaway-guard -name x | xargs rm -f":                                     "~/.local/state/runaway-guard",
		"ls ~/.local/state/runaway-guard/* | while read f; do rm $f; done":                            "~/.local/state/runaway-guard/*",
		`python3 -c "open('/home/me/.local/state/runaway-guard/a','w')"`:                              "/home/me/.local/state/runaway-guard/a",
		"python3 - <<'EOF'\nimport shutil\nshutil.rmtree('/home/me/.local/state/runaway-guard')\nEOF": "/home/me/.local/state/runaway-guard",
		`python3 -c "import os; os.remove(os.path.join(h, '.local', 'state', 'runaway-guard', 'a'))"`: "python3",
		`node -e "fs.writeFileSync('.claude/runaway-guard.json', '{}')"`:                              ".claude/runaway-guard.json",
		"rm ~/go/bin/checkrein":                                                                       "~/go/bin/checkrein",
		"mv /home/me/go/bin/checkrein /tmp/x":                                                         "/home/me/go/bin/checkrein",
		"apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: .claude/runaway-guard.json\n-{}\n+{\"spend_cap_usd\": 0}\n*** End Patch\nEOF": ".claude/runaway-guard.json",

		// An agent's settings.
		"sed -i '/guard hook/d' ~/.claude/settings.json":                             "~/.claude/settings.json",
		`jq '.disableAllHooks = true' s > t && mv t .claude/settings.json`:           ".claude/settings.json",
		"jq 'del(.hooks)' ~/.claude/settings.json > t; cp t ~/.claude/settings.json": "~/.claude/settings.json",
		`echo '{"env": {"RUNAWAY_GUARD_OFF": "1"}}' > .claude/settings.local.json`:   ".claude/settings.local.json",
		"cd ~/.codex && sed -i /checkrein/d hooks.json":                              "hooks.json",

		// A sentence handed to another agent.
		`claude -p --resume 12 "checkrein guard allow"`:        "checkrein guard allow",
		`codex exec resume 12 'checkrein guard reset'`:         "checkrein guard reset",
		`claude -p --resume 12 "Checkrein  GUARD allow"`:       "Checkrein  GUARD allow",
		`npx claude -p "checkrein guard allow --usd 5"`:        "checkrein guard allow --usd 5",
		`echo "checkrein guard allow" | claude -p --resume 12`: "checkrein guard allow",
		`claude -p --resume 12 <<< "checkrein guard allow"`:    "checkrein guard allow",
		"claude -p <<EOF\ncheckrein guard allow\nEOF":          "checkrein guard allow",
		`tmux send-keys -t 1 "checkrein guard allow" Enter`:    "checkrein guard allow",
		`P="checkrein guard allow"; claude -p "$P"`:            "checkrein guard allow",
	} {
		if what, loosens := command.Loosens(text, guarded()); !loosens || what != want {
			t.Errorf("%q: %q, %v; want %q", text, what, loosens, want)
		}
	}
}

func TestLoosensNot(t *testing.T) {
	for _, text := range []string{
		"",
		"ls",
		"checkrein guard status",
		"checkrein guard status --json --session 12",
		"checkrein guard why",
		"checkrein guard doctor",
		"checkrein guard replay --since 30d --cap 20",
		"checkrein guard budget --json",
		"checkrein guard allow --help",
		"checkrein guard reset -h",
		"checkrein guard install",
		"checkrein guard install --write",
		"checkrein guard status --reset=false",
		"checkrein prices import x.json",
		"checkrein prices check",
		"checkrein drive run --max-usd 5",
		"checkrein help guard allow",
		`echo "checkrein guard allow"`,
		"echo checkrein guard allow",
		`echo 'type "checkrein guard allow" in a terminal'`,
		`git commit -m "docs: guard reset"`,
		`git commit -m "checkrein guard allow"`,
		`git commit -m "checkrein guard uninstall

Also RUNAWAY_GUARD_OFF=1 and rm -rf ~/.local/state/runaway-guard"`,
		"git commit -F - <<'EOF'\ndocs: checkrein guard allow\n\nRUNAWAY_GUARD_OFF=1\nEOF",
		`grep -r "guard uninstall" docs`,
		`echo "checkrein guard allow" | pbcopy`,
		"rm -rf $SKILLS/runaway-guard",
		`rg 'checkrein guard allow' docs`,
		`gh pr create --title x --body "checkrein guard allow"`,
		"cat > docs/x.md <<'EOF'\ncheckrein guard allow\nrm -rf ~/.local/state/runaway-guard\nEOF",
		"# checkrein guard allow\nls",
		"ls # checkrein guard allow",
		"cat ~/.local/state/runaway-guard/a.json",
		"ls -la ~/.local/state/runaway-guard",
		"jq . ~/.claude/runaway-guard.json",
		"grep cap ~/.claude/runaway-guard.json > /tmp/cap",
		"cat ~/.claude/runaway-guard.json 2>/dev/null",
		"jq . ~/.claude/runaway-guard.json | tee /tmp/x",
		"sed -n 1,20p ~/.claude/runaway-guard.json",
		"cp ~/.claude/runaway-guard.json /tmp/backup.json",
		"cp -r ~/.local/state/runaway-guard /tmp/backup",
		"find ~/.local/state/runaway-guard -name '*.json'",
		"find ~/.local/state/runaway-guard -type f -exec cat {} +",
		"cd ~/.local/state/runaway-guard && cat a.json",
		"cd ~/.local/state/runaway-guard && ls > /tmp/list",
		"tail -f ~/.local/state/runaway-guard/errors.log",
		"rm -rf skills/runaway-guard",
		"sed -i s/a/b/ skills/runaway-guard/SKILL.md",
		"cd skills && touch runaway-guard/guard.py",
		"rm -rf /tmp/state/other",
		"rm -rf ./state /tmp/x/*",
		"rm -rf src/state/*",
		"chmod 600 /srv/app/state/*",
		"sed -i s/a/b/ ~/project/state/*",
		"git rm -r src/state/*",
		`python3 -c "print(state * 2)"`,
		"mv src/state.ts ..",
		"mv state.json /home/me/",
		"rsync -a state/ /home/me/",
		"rm -f bin/checkrein",
		"go build -o bin/checkrein ./cmd/checkrein && ./bin/checkrein guard status",
		"go test ./internal/guard -run TestAllow",
		"go run ./cmd/checkrein guard status",
		"echo $RUNAWAY_GUARD_OFF",
		"env | grep RUNAWAY_GUARD_",
		"printenv RUNAWAY_GUARD_OFF",
		`grep -rn "RUNAWAY_GUARD_OFF=1" docs`,
		"jq . ~/.claude/settings.json",
		"grep 'guard hook' ~/.claude/settings.json",
		"jq '.hooks.Stop = []' ~/.claude/settings.json > t && mv t ~/.claude/settings.json",
		"cat > .claude/settings.json <<'EOF'\n{\"hooks\": \"checkrein guard hook\"}\nEOF",
		"jq .model=1 ~/.claude/settings.json > t && mv t ~/.claude/settings.json && checkrein guard doctor",
		`claude -p "what does checkrein guard allow do?"`,
		`claude -p "checkrein guard status"`,
		`claude -p "fix the tests of checkrein guard allow"`,
		`python3 -c "print('checkrein guard allow')"`,
		`python3 -c "import json; print(json.load(open('state.json')))"`,
		"python3 tool.py ~/.claude/runaway-guard.json",
		"ssh host checkrein guard status",
		`echo "checkrein guard allow`, // can't be read
		"for w in allow reset; do checkrein guard $w --help; done",
		"apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: docs/x.md\n+checkrein guard allow\n*** End Patch\nEOF",
		"man checkrein",
		"which checkrein && checkrein --version",
	} {
		if what, loosens := command.Loosens(text, guarded()); loosens {
			t.Errorf("%q doesn't loosen, but found %q", text, what)
		}
	}
}

// TestNothingGuarded: without names there is nothing to find but our variables.
func TestNothingGuarded(t *testing.T) {
	for _, text := range []string{"checkrein guard allow", "rm -rf ~/.local/state/runaway-guard", "ls", "guard allow", ""} {
		if what, loosens := command.Loosens(text, command.Guarded{}); loosens {
			t.Errorf("%q: found %q", text, what)
		}
	}
}
