package ops_test

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops"
)

// Wherever an id is taken, its beginning or its end will do, where only one has it.
func TestShortIDsAreTakenForWholeOnes(t *testing.T) {
	env := newEnv(t)
	do := func(op, in string) any {
		t.Helper()
		out, err := run(env, op, in)
		if err != nil {
			t.Fatalf("%s %s: %v", op, in, err)
		}
		return out
	}
	tea := do("save", `{"content": "Tea is served at four"}`).(ops.Saved)
	boiler := do("save", `{"content": "The boiler is in the cellar"}`).(ops.Saved)
	end := id.Short(boiler.DecisionID)
	for _, short := range []string{end, strings.TrimPrefix(end, "dec_"), strings.ToLower(strings.TrimPrefix(end, "dec_")), boiler.DecisionID[:29], boiler.DecisionID} {
		if d := do("decision", `{"id": "`+short+`"}`).(ops.Decision); d.ID != boiler.DecisionID {
			t.Errorf("%s is %s, want %s", short, d.ID, boiler.DecisionID)
		}
	}
	if f := do("fact", `{"id": "`+id.Short(tea.ID)+`"}`).(ops.FactVersions); f.ID != tea.ID {
		t.Errorf("fact %+v", f)
	}
	if f := do("facts", `{"ids": ["`+id.Short(tea.ID)+`", "`+boiler.ID+`"]}`).(ops.Facts); len(f.Facts) != 2 {
		t.Errorf("facts %+v", f)
	}
	if s := do("save", `{"content": "Tea is served at five", "target": "`+id.Short(tea.ID)+`"}`).(ops.Saved); s.ID != tea.ID {
		t.Errorf("saved %+v", s)
	}
	if s := do("delete", `{"id": "`+id.Short(tea.ID)+`", "dry_run": true}`).(ops.Saved); s.ID != tea.ID {
		t.Errorf("delete %+v", s)
	}
	if f := do("forget", `{"id": "`+id.Short(tea.ID)+`", "dry_run": true}`).(ops.Forgotten); f.ID != tea.ID {
		t.Errorf("forget %+v", f)
	}
	if u := do("undo", `{"what": "`+end+`", "dry_run": true}`).(ops.Undone); u.Decisions[0].Reverts != boiler.DecisionID {
		t.Errorf("undo %+v", u)
	}
	_, err := run(env, "decision", `{"id": "`+boiler.DecisionID[:8]+`"}`)
	if strata.CodeOf(err) != strata.CodeConflict || !strings.Contains(err.Error(), tea.DecisionID) || !strings.Contains(err.Error(), boiler.DecisionID) {
		t.Errorf("a beginning that several have: %v", err)
	}
	// Too few letters stand for nothing, also where they are of one decision only.
	for _, none := range []string{"dec_ZZZZZZZ", "dec_", end[len(end)-3:], "dec_01M", "nothing", "dec_!!!!"} {
		if _, err := run(env, "decision", `{"id": "`+none+`"}`); strata.CodeOf(err) != strata.CodeNotFound {
			t.Errorf("%s: %v", none, err)
		}
	}
	// What is to be forgotten needs no kind, and what was is still known.
	letters := strings.TrimPrefix(id.Short(tea.ID), "fact_")
	if f := do("forget", `{"id": "`+letters+`"}`).(ops.Forgotten); f.ID != tea.ID {
		t.Errorf("forget %+v", f)
	}
	for _, short := range []string{id.Short(tea.ID), letters} {
		if _, err := run(env, "forget", `{"id": "`+short+`"}`); strata.CodeOf(err) != strata.CodeNotFound || !strings.Contains(err.Error(), tea.ID) {
			t.Errorf("%s was forgotten: %v", short, err)
		}
	}
}
