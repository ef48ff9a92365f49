package strata

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A kind that is not in the list could not be asked for.
func TestEventKindsAreAllThatAreDeclared(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && strings.HasPrefix(spec.Names[0].Name, "Event") {
			kind, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			declared = append(declared, kind)
		}
		return true
	})
	listed := EventKinds()
	slices.Sort(declared)
	slices.Sort(listed)
	if !slices.Equal(declared, listed) {
		t.Errorf("the kinds are %q, EventKinds returns %q", declared, listed)
	}
}

func TestAFamilyOfEventsEndsAtTheDot(t *testing.T) {
	e := Event{Kind: EventWriteNoop}
	for kind, want := range map[string]bool{"write.noop": true, "write": true, "writ": false, "write.": false, "": false, "recall": false} {
		if e.IsKind(kind) != want {
			t.Errorf("%s is of kind %q: %v", e.Kind, kind, !want)
		}
	}
}
