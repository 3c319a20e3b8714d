package demo

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// shopCommit is one commit of the demo's repository.
type shopCommit struct {
	message string
	files   map[string]string
}

// shop is a till in a few lines of shell, so that it runs on any machine that
// checkrein runs on. Each commit after the first changes code and its test.
func shop() []shopCommit {
	return []shopCommit{
		{"A till that adds up prices", map[string]string{
			"README.md":           "# shop\n\nAdds up prices in cents. `sh tests/run.sh` runs the tests.\n",
			"src/total.sh":        "# total CENTS...: the sum\ntotal() { echo \"$1\"; }\n",
			"src/quantity.sh":     "# cost CENTS QUANTITY\ncost() { echo $(($1 * $2)); }\n",
			"src/discount.sh":     "# discounted CENTS QUANTITY\ndiscounted() { echo \"$1\"; }\n",
			"tests/run.sh":        "for t in tests/test_*.sh; do sh \"$t\" || { echo \"$t failed\"; exit 1; }; done\n",
			"tests/test_total.sh": ". src/total.sh\n[ \"$(total 250)\" = 250 ]\n",
		}},
		{"Add up all prices, not just the first\n\ntotal 250 100 50 must print 400.", map[string]string{
			"src/total.sh":        totalFixed,
			"tests/test_total.sh": ". src/total.sh\n[ \"$(total 250)\" = 250 ] && [ \"$(total 250 100 50)\" = 400 ]\n",
		}},
		{"Refuse a negative quantity\n\ncost must fail and print nothing.", map[string]string{
			"src/quantity.sh":        quantityFixed,
			"tests/test_quantity.sh": ". src/quantity.sh\n[ \"$(cost 250 2)\" = 500 ] && ! cost 250 -1 && [ -z \"$(cost 250 -1)\" ]\n",
		}},
		{"Take a tenth off from ten items on", map[string]string{
			"src/discount.sh":        discountFixed,
			"tests/test_discount.sh": ". src/discount.sh\n[ \"$(discounted 1000 9)\" = 1000 ] && [ \"$(discounted 1000 10)\" = 900 ]\n",
		}},
	}
}

const (
	totalFixed    = "# total CENTS...: the sum\ntotal() { sum=0; for c; do sum=$((sum + c)); done; echo $sum; }\n"
	quantityFixed = "# cost CENTS QUANTITY\ncost() { [ \"$2\" -ge 0 ] || return 1; echo $(($1 * $2)); }\n"
	discountFixed = "# discounted CENTS QUANTITY\ndiscounted() { if [ \"$2\" -ge 10 ]; then echo $(($1 * 9 / 10)); else echo \"$1\"; fi; }\n"
	discountWrong = "# discounted CENTS QUANTITY\ndiscounted() { if [ \"$2\" -gt 10 ]; then echo $(($1 * 9 / 10)); else echo \"$1\"; fi; }\n"
	quantityWrong = "# cost CENTS QUANTITY\ncost() { [ \"$2\" -ge 0 ] || echo refused; echo $(($1 * $2)); }\n"
)

func makeShop(ctx context.Context, dir string, env []string) error {
	if err := runGit(ctx, dir, env, "init", "-q"); err != nil {
		return err
	}
	for _, c := range shop() {
		for name, text := range c.files {
			if err := writeFile(filepath.Join(dir, name), text, 0o644); err != nil {
				return err
			}
		}
		if err := runGit(ctx, dir, env, "add", "-A"); err != nil {
			return err
		}
		err := runGit(ctx, dir, env, "-c", "user.name=demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false",
			"commit", "-q", "-m", c.message)
		if err != nil {
			return err
		}
	}
	return nil
}

func runGit(ctx context.Context, dir string, env []string, args ...string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, append(env, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("running git %s: %w: %s", args[0], err, out)
	}
	return nil
}

func writeFile(path, text string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), mode)
}
