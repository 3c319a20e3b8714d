package cli

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkrein/internal/harness"
	"checkrein/internal/harness/registry"
	"checkrein/internal/install"
	"checkrein/internal/redact"
)

// placeOptions are the flags that install and uninstall share.
type placeOptions struct {
	harness, scope, project, settings string
	write, json                       bool
	out                               string
}

type installOptions struct {
	placeOptions
	cap, binary string
	uninstall   bool
}

func newInstallCommand(env Env) *cobra.Command {
	var o installOptions
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Put the guard's hook into an agent's settings",
		Long: `Shows the change to the agent's settings file as a diff, and with --write makes it.
Only the guard's own lines change: comments, order and spacing stay. A Python
runaway-guard in the same file is replaced. --cap also sets the spend cap in the
guard's settings. With --cap or --binary, --write refuses inside an agent's session.

The settings file:
  Claude Code, user      ~/.claude/settings.json, or in $CLAUDE_CONFIG_DIR
  Claude Code, project   .claude/settings.local.json, which the team does not share
  Codex, user            ~/.codex/hooks.json, or in $CODEX_HOME
  Codex, project         .codex/hooks.json

The hook is registered under the path this program has on your PATH. It must be
one that stays: a temporary folder or a folder of one version is refused.

Exit status: 0 done, or the dry run was shown; 1 --write with --cap or --binary
inside an agent's session; 2 bad flags, or a file that can't be changed safely, and
then nothing was changed.`,
		Example: `  checkrein guard install                        # show the change for Claude Code
  checkrein guard install --cap 20 --write       # guard it, and stop at $20 a session
  checkrein guard install --harness codex --write
  checkrein guard install --scope project --project ~/src/app
  checkrein guard uninstall --write              # the way back`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runInstall(cmd.Context(), o, env) },
	}
	o.flags(cmd, "claude-code", "user")
	flags := cmd.Flags()
	flags.StringVar(&o.cap, "cap", "", "spend cap in `USD` for each session; 0 turns that wire off (default: leave it as it is)")
	flags.StringVar(&o.binary, "binary", "", "register this absolute `path` of checkrein instead")
	flags.BoolVar(&o.uninstall, "uninstall", false, "the same as guard uninstall")
	return cmd
}

func (o *placeOptions) flags(cmd *cobra.Command, harnessDefault, scopeDefault string) {
	flags := cmd.Flags()
	flags.StringVar(&o.harness, "harness", "", "the agent, `claude-code or codex` (default: "+harnessDefault+")")
	flags.StringVar(&o.scope, "scope", "", "`user` for all your sessions, project for those in one folder (default: "+scopeDefault+")")
	completes(cmd, "harness", "claude-code", "codex")
	completes(cmd, "scope", "user", "project")
	flags.StringVar(&o.project, "project", "", "the project's `folder` (default: this one)")
	flags.StringVar(&o.settings, "settings", "", "another settings `file` than the usual one")
	flags.BoolVar(&o.write, "write", false, "make the change; without it nothing is written")
	flags.BoolVar(&o.json, "json", false, "print JSON")
	flags.StringVar(&o.out, "out", "", "write the report to this `file`")
}

// check makes the flags' paths absolute and refuses other words than the known.
func (o *placeOptions) check() error {
	switch {
	case o.harness != "" && o.harness != harness.ClaudeCode && o.harness != harness.Codex:
		return bad("--harness is claude-code or codex, not %s", redact.Line(o.harness, 80))
	case o.scope != "" && o.scope != install.User && o.scope != install.Project:
		return bad("--scope is user or project, not %s", redact.Line(o.scope, 80))
	}
	given := o.project != ""
	for _, path := range []*string{&o.project, &o.settings} {
		if err := absolute(path, path == &o.project); err != nil {
			return err
		}
	}
	if info, err := os.Stat(o.project); given && (err != nil || !info.IsDir()) {
		return bad("--project %s is no folder", redact.Line(o.project, 300))
	}
	return nil
}

// absolute completes a path; an empty one stays so, or is this folder.
func absolute(path *string, here bool) error {
	if *path == "" && !here {
		return nil
	}
	full, err := filepath.Abs(*path)
	if err != nil {
		return bad("finding this folder: %w", err)
	}
	*path = full
	return nil
}

func (o *placeOptions) machine(env Env) install.Machine {
	return install.Machine{Getenv: env.Getenv, Project: o.project, Status: program(env) + " guard status"}
}

func runInstall(ctx context.Context, o installOptions, env Env) error {
	if o.uninstall {
		if o.cap != "" || o.binary != "" {
			return bad("--cap and --binary don't go with --uninstall")
		}
		return runUninstall(o.placeOptions, env)
	}
	if err := o.check(); err != nil {
		return err
	}
	if o.write && (o.cap != "" || o.binary != "") {
		if err := usersOnly("set the cap or the guard's program", env); err != nil {
			return err
		}
	}
	request, err := o.request()
	if err != nil {
		return err
	}
	m := o.machine(env)
	if h := registry.HooksOf(request.Harness); h.Versioned {
		m.Version = agentVersion(ctx, h.Program)
	}
	plan, err := install.New(request, m)
	if err != nil {
		return unchanged(err)
	}
	if !o.json {
		plan.Past = pastLine(ctx, plan, env)
	}
	return o.finish(plan.Changed(), plan.Write, env, func(written bool) (string, error) {
		if o.json {
			return indented(plan.Report(written))
		}
		return plan.Markdown(written, m), nil
	})
}

// finish makes the change where it is asked for, and reports it.
func (o *placeOptions) finish(changed bool, write func() error, env Env, text func(written bool) (string, error)) error {
	written := o.write && changed
	if written {
		if err := writable(o.out); err != nil {
			return err
		}
		if err := write(); err != nil {
			return unchanged(err)
		}
	}
	report, err := text(written)
	if err != nil {
		return err
	}
	return emit(report, o.out, env)
}

func unchanged(err error) error {
	return bad("nothing was changed: %s", redact.Line(err.Error(), 600))
}

func (o *installOptions) request() (install.Request, error) {
	r := install.Request{Harness: o.harness, Scope: o.scope, Settings: o.settings}
	if r.Harness == "" {
		r.Harness = harness.ClaudeCode
	}
	if r.Scope == "" {
		r.Scope = install.User
	}
	if o.cap != "" {
		usd, err := strconv.ParseFloat(o.cap, 64)
		if err != nil || !(usd >= 0) || math.IsInf(usd, 0) {
			return r, bad("--cap is an amount of dollars such as 10 or 2.5, or 0 for no cap, not %s", redact.Line(o.cap, 80))
		}
		r.Cap = &usd
	}
	var err error
	r.Program, r.Notes, err = o.program()
	return r, err
}

// program is the path to register, with what to say of it.
func (o *installOptions) program() (path string, notes []string, err error) {
	running, err := os.Executable()
	if err != nil {
		return "", nil, bad("finding this program: %w", err)
	}
	p := install.Program{Running: running, Temp: []string{os.TempDir(), os.Getenv("GOCACHE")}, Resolve: filepath.EvalSymlinks}
	if o.binary != "" {
		return named(p, o.binary)
	}
	if found, err := exec.LookPath("checkrein"); err == nil {
		p.OnPath = found
	}
	path, err = p.Lasting()
	if lost := new(install.UnlastingError); errors.As(err, &lost) {
		return "", nil, &Error{Code: exitBad, Err: err, Hints: lastingHints(lost)}
	}
	return path, nil, err
}

// lastingHints are the ways to a path that stays.
func lastingHints(lost *install.UnlastingError) []string {
	way := "go install ./cmd/checkrein    # in the clone; then run checkrein by its name, with $(go env GOPATH)/bin on PATH"
	if lost.Versioned {
		way = "ln -s " + redact.Line(lost.Path, 300) + " ~/.local/bin/checkrein    # a link in a folder on PATH; then run checkrein by its name"
	}
	return []string{way, "checkrein guard install --binary /a/path/that/stays/checkrein"}
}

// named checks the path that the user gave.
func named(p install.Program, path string) (string, []string, error) {
	shown := redact.Line(path, 300)
	info, err := os.Stat(path)
	switch {
	case !filepath.IsAbs(path):
		return "", nil, bad("--binary needs an absolute path, not %s", shown)
	case err != nil:
		return "", nil, bad("--binary %s can't be read", shown)
	case !info.Mode().IsRegular() || (info.Mode().Perm()&0o111 == 0 && filepath.Ext(path) != ".exe"):
		return "", nil, bad("--binary %s is no program that can be run", shown)
	}
	if why := p.Unlasting(path); why != "" {
		return path, []string{"You named " + shown + ", which is in " + why + ". Once it is gone the guard is silent and every call goes through."}, nil
	}
	return path, nil, nil
}

// agentVersion asks an agent on PATH; "" where none answers.
func agentVersion(ctx context.Context, program string) string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.Env = append(os.Environ(), "DISABLE_AUTOUPDATER=1")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	version, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return version
}
