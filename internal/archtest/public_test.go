package archtest

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestPublicSignaturesAreUsable proves that a program can name every type that a public
// package asks for or gives: none is of an internal package, unless the public package
// gives it a name of its own.
func TestPublicSignaturesAreUsable(t *testing.T) {
	for _, name := range public {
		paths, err := filepath.Glob(filepath.Join(root, name, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file := parse(t, path)
			hidden := internalImports(file)
			for where, expr := range exportedTypes(file) {
				ast.Inspect(expr, func(n ast.Node) bool {
					if field, ok := n.(*ast.Field); ok && len(field.Names) > 0 && !anyExported(field.Names) && isStructField(expr, field) {
						return false
					}
					if sel, ok := n.(*ast.SelectorExpr); ok {
						if id, ok := sel.X.(*ast.Ident); ok && hidden[id.Name] != "" {
							t.Errorf("%s: %s names %s.%s of %s", path, where, id.Name, sel.Sel.Name, hidden[id.Name])
						}
					}
					return true
				})
			}
		}
	}
}

// internalImports are the packages that a file imports and other programs cannot, by the
// names they have in the file.
func internalImports(file *ast.File) map[string]string {
	hidden := make(map[string]string)
	for _, imp := range file.Imports {
		path, err := strconv.Unquote(imp.Path.Value)
		if err != nil || !strings.HasPrefix(path, module+"/") || !strings.Contains(path+"/", "/internal/") {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if imp.Name != nil {
			name = imp.Name.Name
		}
		hidden[name] = inside(path)
	}
	return hidden
}

// exportedTypes are the types that the exported declarations of a file are made of, by
// what they belong to. A second name for a type is left out: it is how one is made usable.
func exportedTypes(file *ast.File) map[string]ast.Expr {
	types := make(map[string]ast.Expr)
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			where := d.Name.Name
			if d.Recv != nil {
				of := d.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if id, ok := of.(*ast.Ident); !ok || !id.IsExported() {
					continue
				}
				where = fmt.Sprintf("%v.%s", of, where)
			}
			if d.Name.IsExported() {
				types[where] = d.Type
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() && !s.Assign.IsValid() {
						types[s.Name.Name] = s.Type
					}
				case *ast.ValueSpec:
					if s.Type != nil && anyExported(s.Names) {
						types[s.Names[0].Name] = s.Type
					}
				}
			}
		}
	}
	return types
}

func anyExported(names []*ast.Ident) bool {
	for _, n := range names {
		if n.IsExported() {
			return true
		}
	}
	return false
}

// isStructField reports whether a field is one of the struct that a type is.
func isStructField(expr ast.Expr, field *ast.Field) bool {
	s, ok := expr.(*ast.StructType)
	if !ok {
		return false
	}
	for _, f := range s.Fields.List {
		if f == field {
			return true
		}
	}
	return false
}
