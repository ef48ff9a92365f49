package access

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/endpoint"
)

// add makes a token.
func add(t *testing.T, f *File, g Grant) string {
	t.Helper()
	token, err := f.Add(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestATokenGrantsWhatItWasMadeFor(t *testing.T) {
	home := t.TempDir()
	mine, server := Open(home), Open(home)
	if g, err := server.Find("anything"); g != nil || err != nil {
		t.Errorf("without a file: %v, %v", g, err)
	}
	scopes := []strata.Scope{strata.InWorkspace("billing"), strata.ForAgentIn("billing", "coder")}
	one := add(t, mine, Grant{Name: "one", Scopes: scopes, ReadOnly: true})
	two := add(t, mine, Grant{Name: "two"})
	g, err := server.Find(one)
	if err != nil || g == nil || g.Name != "one" || !g.ReadOnly || fmt.Sprint(g.Scopes) != fmt.Sprint(scopes) {
		t.Fatalf("got %+v, %v", g, err)
	}
	if other, _ := server.Find(two); other == nil || other.ReadOnly || other.Scopes != nil {
		t.Errorf("got %+v", other)
	}
	data, err := os.ReadFile(endpoint.Tokens(home))
	if err != nil || strings.Contains(string(data), one) {
		t.Errorf("the file holds a token itself (%v)", err)
	}
	if err := mine.Remove(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if g, _ := server.Find(one); g != nil {
		t.Error("a token works that was removed")
	}
	if g, _ := server.Holds(g.Digest()); g != nil {
		t.Error("its grant is held that was removed")
	}
}

func TestMistakesChangeNothing(t *testing.T) {
	f := Open(t.TempDir())
	add(t, f, Grant{Name: "one"})
	_, taken := f.Add(t.Context(), Grant{Name: "one"})
	_, bad := f.Add(t.Context(), Grant{Name: "a/b"})
	gone := f.Remove(t.Context(), "two")
	for err, want := range map[error]strata.Code{taken: strata.CodeConflict, bad: strata.CodeInvalid, gone: strata.CodeNotFound} {
		if strata.CodeOf(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if list, err := f.List(); len(list) != 1 || err != nil {
		t.Errorf("left %v, %v", list, err)
	}
}

// What cannot be trusted or read grants nothing, rather than everything.
func TestADoubtfulFileGrantsNothing(t *testing.T) {
	home := t.TempDir()
	f := Open(home)
	token := add(t, f, Grant{Name: "one", Scopes: []strata.Scope{strata.Global()}})
	path := endpoint.Tokens(home)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage := map[string]func() error{
		"others may read it": func() error { return os.Chmod(path, 0o644) },
		"no JSON":            func() error { return os.WriteFile(path, good[:len(good)/2], 0o600) },
		"a scope that is none": func() error {
			return os.WriteFile(path, []byte(strings.Replace(string(good), `"global"`, `"everything"`, 1)), 0o600)
		},
		"a digest that is none": func() error {
			return os.WriteFile(path, []byte(strings.Replace(string(good), `"sha256": "`, `"sha256": "zz`, 1)), 0o600)
		},
	}
	for name, do := range damage {
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if g, err := f.Find(token); g != nil || strata.CodeOf(err) != strata.CodeDenied {
			t.Errorf("%s: got %v, %v", name, g, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
		if g, err := f.Find(token); g == nil || err != nil {
			t.Fatalf("after %s: got %v, %v", name, g, err)
		}
	}
}

func TestManyMakeTokensAtOnce(t *testing.T) {
	home := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if _, err := Open(home).Add(t.Context(), Grant{Name: fmt.Sprint("token-", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if list, err := Open(home).List(); len(list) != 8 || err != nil {
		t.Errorf("%d tokens, %v", len(list), err)
	}
}
