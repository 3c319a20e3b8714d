// Package checkrein_test holds the rules of the project that no compiler
// checks: which package may import which, what a dependency is for, what names
// and comments must be like, and that the manual is true.
package checkrein_test

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "checkrein"

// pkg is one package of ours, files of every system included.
type pkg struct {
	path  string // below the module: internal/guard
	files map[string]*ast.File
	tests map[string]*ast.File
}

// source parses the whole module once.
var source = sync.OnceValues(func() (map[string]*pkg, error) {
	packages := map[string]*pkg{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && path != "." && (strings.HasPrefix(name, ".") || name == "testdata") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		return add(packages, path)
	})
	return packages, err
})

var positions = token.NewFileSet()

func add(packages map[string]*pkg, path string) error {
	file, err := parser.ParseFile(positions, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if !everBuilt(file) {
		return nil
	}
	dir := filepath.ToSlash(filepath.Dir(path))
	p := packages[dir]
	if p == nil {
		p = &pkg{path: dir, files: map[string]*ast.File{}, tests: map[string]*ast.File{}}
		packages[dir] = p
	}
	if strings.HasSuffix(path, "_test.go") {
		p.tests[path] = file
	} else {
		p.files[path] = file
	}
	return nil
}

// everBuilt reports whether a file is part of the program on some system. One
// that asks for a tag of ours (programs that fail on purpose, for tests) is not.
func everBuilt(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() > file.Package || !constraint.IsGoBuild(c.Text) {
				continue
			}
			expr, err := constraint.Parse(c.Text)
			if err != nil {
				return true
			}
			here := func(yes bool) func(string) bool {
				return func(tag string) bool { return yes && isSystem(tag) }
			}
			return expr.Eval(here(true)) || expr.Eval(here(false))
		}
	}
	return true
}

func isSystem(tag string) bool {
	switch tag {
	case "unix", "linux", "darwin", "windows", "freebsd", "amd64", "arm64":
		return true
	}
	return false
}

// packages are those with code of their own, by path.
func packages(t *testing.T) map[string]*pkg {
	t.Helper()
	all, err := source()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages found", len(all))
	}
	with := map[string]*pkg{}
	for path, p := range all {
		if len(p.files) > 0 {
			with[path] = p
		}
	}
	return with
}

// imports are the import paths of a package's own code, each with a file that
// has it.
func (p *pkg) imports() map[string]string {
	found := map[string]string{}
	for name, file := range p.files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			found[path] = name
		}
	}
	return found
}

// ours cuts the module's name off an import path.
func ours(path string) (string, bool) { return strings.CutPrefix(path, module+"/") }
