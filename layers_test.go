package checkrein_test

import (
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layer is one row of the import table in docs/ARCHITECTURE.md.
type layer struct {
	pure    bool
	imports []string
}

// importTable reads the table of the document: it is the rule, this test only
// holds the code to it.
func importTable(t *testing.T) map[string]layer {
	t.Helper()
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n## Import table\n")
	if !ok {
		t.Fatal("docs/ARCHITECTURE.md has no import table")
	}
	section, _, _ := strings.Cut(rest, "\n## ")
	table := map[string]layer{}
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 || !strings.HasPrefix(strings.TrimSpace(cells[0]), "`") {
			continue
		}
		row := layer{pure: strings.TrimSpace(cells[1]) == "pure"}
		for _, name := range strings.Split(cells[2], ",") {
			if name = strings.Trim(strings.TrimSpace(name), "`"); name != "" && name != "nothing" {
				row.imports = append(row.imports, inModule(name))
			}
		}
		table[inModule(strings.Trim(strings.TrimSpace(cells[0]), "`"))] = row
	}
	return table
}

// inModule is the path of a package as the table writes it: what lies below
// internal/ without that, all else with "./".
func inModule(name string) string {
	if path, ok := strings.CutPrefix(name, "./"); ok {
		return path
	}
	return "internal/" + name
}

// TestImportTable: every package has a row, every row a package, and what a
// package imports of ours is what its row says.
func TestImportTable(t *testing.T) {
	table, all := importTable(t), packages(t)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		row, ok := table[path]
		if !ok {
			t.Errorf("%s has no row in the import table", path)
			continue
		}
		var imported []string
		for path := range all[path].imports() {
			if name, ok := ours(path); ok {
				imported = append(imported, name)
			}
		}
		slices.Sort(imported)
		slices.Sort(row.imports)
		if !slices.Equal(imported, row.imports) {
			t.Errorf("%s imports %v; the table says %v", path, imported, row.imports)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(table)) {
		if all[path] == nil {
			t.Errorf("the import table has a row for %s, which is not there", path)
		}
	}
}

// TestOnlyTheProgramImportsTheCommandLine keeps cli the top.
func TestOnlyTheProgramImportsTheCommandLine(t *testing.T) {
	for path, p := range packages(t) {
		for imported, file := range p.imports() {
			if imported == module+"/internal/cli" && path != "cmd/checkrein" {
				t.Errorf("%s imports %s", file, imported)
			}
		}
	}
}

// outside are the packages through which a program reaches the world. "embed"
// and path/filepath's pure functions are not among them.
func outside(path string) bool {
	switch path {
	case "os", "os/exec", "os/signal", "os/user", "net", "net/http", "syscall", "io/ioutil", "log", "log/slog",
		"math/rand", "math/rand/v2", "crypto/rand", "runtime/debug":
		return true
	}
	return strings.HasPrefix(path, "golang.org/x/sys/") || path == "golang.org/x/term"
}

// TestPurePackages: the rules see no file, process, network or clock, and
// import only packages that don't either.
func TestPurePackages(t *testing.T) {
	table, all := importTable(t), packages(t)
	for _, name := range []string{"guard", "price", "redact", "status", "harness", "board"} {
		if row, ok := table["internal/"+name]; ok && !row.pure {
			t.Errorf("the import table must call %s pure", name)
		}
	}
	for path, row := range table {
		if !row.pure || all[path] == nil {
			continue
		}
		for imported, file := range all[path].imports() {
			if outside(imported) {
				t.Errorf("%s: a pure package imports %s", file, imported)
			}
			if name, ok := ours(imported); ok && !table[name].pure {
				t.Errorf("%s: a pure package imports %s, which is not pure", file, imported)
			}
		}
		for name, file := range all[path].files {
			for _, call := range clockCalls(file) {
				t.Errorf("%s: a pure package calls time.%s", name, call)
			}
		}
	}
}

// clockCalls names the functions of package time that read or wait for a clock.
func clockCalls(file *ast.File) (found []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == "time" {
			switch selector.Sel.Name {
			case "Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker":
				found = append(found, selector.Sel.Name)
			}
		}
		return true
	})
	return found
}

// hookPackages is everything that package hook links, the standard library
// included.
func hookPackages(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", module+"/internal/hook").Output()
	if err != nil {
		t.Fatalf("listing what the hook links: %v", err)
	}
	return strings.Fields(string(out))
}

// TestHookNeedsNoNetwork: nothing that package hook imports, directly or not,
// can open a connection or start a program. The binary as a whole does link
// package net, through the command framework, whose flags can hold addresses;
// a hook call is answered before that framework is touched.
func TestHookNeedsNoNetwork(t *testing.T) {
	linked := hookPackages(t)
	for _, path := range linked {
		if path == "net" || strings.HasPrefix(path, "net/") || path == "os/exec" || path == "plugin" {
			t.Errorf("the hook links %s", path)
		}
	}
	if !slices.Contains(linked, module+"/internal/guard") {
		t.Error("the list does not hold the rules: it is not what the hook links")
	}
}

// TestHookStartsNoGoroutine: a panic in a goroutine can't be caught and ends
// the program with status 2, which blocks the tool call.
func TestHookStartsNoGoroutine(t *testing.T) {
	all := packages(t)
	for _, path := range hookPackages(t) {
		name, ok := ours(path)
		if !ok {
			continue
		}
		for file, parsed := range all[name].files {
			ast.Inspect(parsed, func(n ast.Node) bool {
				if _, ok := n.(*ast.GoStmt); ok {
					t.Errorf("%s: the hook starts a goroutine at %s", file, positions.Position(n.Pos()))
				}
				return true
			})
		}
	}
}
