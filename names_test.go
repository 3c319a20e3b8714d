package checkrein_test

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// TestPackageNames: a package is a noun that a user knows. One that is called
// after what it is to the code, not to the user, collects everything.
func TestPackageNames(t *testing.T) {
	for path, p := range packages(t) {
		for _, file := range p.files {
			switch file.Name.Name {
			case "util", "utils", "common", "helper", "helpers", "manager", "types", "models", "service", "shared", "base":
				t.Errorf("%s: no package may be called %s", path, file.Name.Name)
			}
		}
	}
}

// TestPackageComments: each package says in one place what it promises.
func TestPackageComments(t *testing.T) {
	for path, p := range packages(t) {
		comments := 0
		for name, file := range p.files {
			if file.Doc == nil || strings.TrimSpace(file.Doc.Text()) == "" {
				continue
			}
			comments++
			want := "Package " + file.Name.Name
			if file.Name.Name == "main" {
				want = "Command "
			}
			if !strings.HasPrefix(file.Doc.Text(), want) {
				t.Errorf("%s: the package comment must start with %q", name, want)
			}
		}
		if comments != 1 {
			t.Errorf("%s has %d package comments, want 1", path, comments)
		}
	}
}

// TestExportedSymbolsAreDocumented holds inside internal/, too.
func TestExportedSymbolsAreDocumented(t *testing.T) {
	for _, p := range packages(t) {
		for _, file := range p.files {
			for _, decl := range file.Decls {
				for _, name := range undocumented(decl) {
					t.Errorf("%s: %s has no comment", positions.Position(decl.Pos()), name)
				}
			}
		}
	}
}

func undocumented(decl ast.Decl) []string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && !wellKnown(d) && exportedReceiver(d) {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		return undocumentedSpecs(d)
	}
	return nil
}

// wellKnown: methods that implement an interface everybody knows say nothing
// new.
func wellKnown(d *ast.FuncDecl) bool {
	switch d.Name.Name {
	case "Error", "Unwrap", "String":
		return d.Recv != nil
	}
	return false
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	receiver := d.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if generic, ok := receiver.(*ast.IndexExpr); ok {
		receiver = generic.X
	}
	name, ok := receiver.(*ast.Ident)
	return ok && name.IsExported()
}

// undocumentedSpecs: a comment on a group of constants counts for all of them.
func undocumentedSpecs(d *ast.GenDecl) (names []string) {
	if d.Tok == token.IMPORT {
		return nil
	}
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
				names = append(names, s.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// TestNothingRunsAtStart: the hook starts before every tool call, so no package
// of ours works before it is asked: no init, no value computed for a variable
// but errors and lazy ones.
func TestNothingRunsAtStart(t *testing.T) {
	for _, p := range packages(t) {
		for _, file := range p.files {
			for _, decl := range file.Decls {
				switch d := decl.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil && d.Name.Name == "init" {
						t.Errorf("%s: no init functions", positions.Position(d.Pos()))
					}
				case *ast.GenDecl:
					checkVariables(t, d)
				}
			}
		}
	}
}

func checkVariables(t *testing.T, d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		for _, value := range spec.(*ast.ValueSpec).Values {
			if !cheap(value) {
				t.Errorf("%s: this value is computed when the program starts", positions.Position(value.Pos()))
			}
		}
	}
}

// cheap: what costs next to nothing at start. A literal of a map is built by
// code; one of a struct, slice or array is data.
func cheap(value ast.Expr) bool {
	switch v := value.(type) {
	case *ast.CallExpr:
		selector, ok := v.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		from, _ := selector.X.(*ast.Ident)
		switch from.Name + "." + selector.Sel.Name {
		case "errors.New", "sync.OnceValue", "sync.OnceValues", "sync.OnceFunc":
			return true
		}
		return false
	case *ast.CompositeLit:
		_, isMap := v.Type.(*ast.MapType)
		return !isMap
	}
	return true
}
