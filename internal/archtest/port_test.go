package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryMethodOfThePortIsCalled proves that no store has to implement a
// method that the product does not call: each method of an interface of package
// store is called in code that is neither a store, nor the suite for stores, nor
// a test.
func TestEveryMethodOfThePortIsCalled(t *testing.T) {
	root := filepath.Join("..", "..")
	methods := portMethods(t, filepath.Join(root, "store"))
	if len(methods) == 0 {
		t.Fatal("package store declares no interface")
	}
	called := make(map[string]bool)
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name := entry.Name(); name == "storetest" || name == "testdata" || path == filepath.Join(root, "internal", "sqlite") ||
				path == filepath.Join(root, "bench", "lab") {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		ast.Inspect(parse(t, path), func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if method, ok := call.Fun.(*ast.SelectorExpr); ok {
					called[method.Sel.Name] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range methods {
		if !called[m] {
			t.Errorf("no product code calls %s of package store", m)
		}
	}
}

// portMethods lists the methods of the interfaces that a package declares.
func portMethods(t *testing.T, dir string) (methods []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		ast.Inspect(parse(t, file), func(n ast.Node) bool {
			if face, ok := n.(*ast.InterfaceType); ok {
				for _, field := range face.Methods.List {
					for _, name := range field.Names {
						methods = append(methods, name.Name)
					}
				}
			}
			return true
		})
	}
	return methods
}

func parse(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
