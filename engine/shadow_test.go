package engine_test

import (
	"context"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A fact that a deeper one stands in front of is told of, once; one of another slot, and
// one in another project, is not.
func TestAFactHiddenByItsSlotIsAnEvent(t *testing.T) {
	ctx := context.Background()
	e := open(t)
	put := func(scope strata.Scope, text, attribute string) strata.Decision {
		t.Helper()
		return write(t, e, strata.Candidate{Scope: scope, Content: text, Type: strata.TypeProject, Entity: "editor", Attribute: attribute})
	}
	everywhere := put(strata.Global(), "The editor is vim", "name")
	put(strata.Global(), "The editor is dark", "theme")
	put(strata.InWorkspace("another-one"), "The editor is nano", "name")
	put(project, "The editor is emacs", "name")
	put(project, "The editor is helix", "name") // which takes the place of the one before
	list, _, err := e.Events(ctx, strata.View{Scopes: []strata.Scope{strata.Global(), project}}, store.EventFilter{Kinds: []string{strata.EventWriteShadowed}, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var by []string
	for _, ev := range list {
		if ev.Ref != everywhere.FactID || ev.Scope != strata.Global() {
			t.Errorf("it tells of %+v", ev)
		}
		by = append(by, ev.Detail)
	}
	if len(by) != 2 || by[0] != "by "+strata.InWorkspace("another-one").Key() || by[1] != "by "+project.Key() {
		t.Errorf("hidden %q", by)
	}
}
