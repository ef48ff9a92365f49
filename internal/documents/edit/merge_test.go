package edit

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

func noteOf(name, description, body string) markdown.Note {
	return markdown.Note{Front: markdown.Front{Name: name, Description: description, Type: strata.TypeProject}, Body: body}
}

func TestMergeNotes(t *testing.T) {
	base := noteOf("Deploys", "when we ship", "one\n\ntwo\n\nthree")
	for _, c := range []struct {
		name string
		base *markdown.Note // nil: nothing of it is kept
		a, b markdown.Note
		want markdown.Note
		ok   bool
	}{
		{"the note did not change", &base, base, noteOf("Deploys", "when we ship", "1\n\ntwo\n\nthree"), noteOf("Deploys", "when we ship", "1\n\ntwo\n\nthree"), true},
		{"both changed elsewhere", &base, noteOf("Releases", "when we ship", "one\n\ntwo\n\n3"), noteOf("Deploys", "before", "1\n\ntwo\n\nthree"),
			noteOf("Releases", "before", "1\n\ntwo\n\n3"), true},
		{"both changed the same alike", &base, noteOf("Deploys", "before", "1\n\ntwo\n\nthree"), noteOf("Deploys", "before", "1\n\ntwo\n\nthree"),
			noteOf("Deploys", "before", "1\n\ntwo\n\nthree"), true},
		{"both changed a line", &base, noteOf("Deploys", "when we ship", "uno\n\ntwo\n\nthree"), noteOf("Deploys", "when we ship", "1\n\ntwo\n\nthree"), markdown.Note{}, false},
		{"both changed the title", &base, noteOf("A", "when we ship", "one\n\ntwo\n\nthree"), noteOf("B", "when we ship", "one\n\ntwo\n\nthree"), markdown.Note{}, false},
		{"a line at the end of each", &base, noteOf("Deploys", "when we ship", "one\n\ntwo\n\nthree\nfour"), noteOf("Deploys", "when we ship", "one\n\ntwo\n\nthree\n4"), markdown.Note{}, false},
		{"the version is not kept", nil, base, noteOf("Deploys", "when we ship", "1\n\ntwo\n\nthree"), markdown.Note{}, false},
		{"not kept, and the same", nil, base, base, base, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var of *strata.Document
			if c.base != nil {
				of = &strata.Document{Content: c.base.Render()}
			}
			got, ok := mergeNotes(of, c.a, c.b)
			if ok != c.ok || ok && (got.Name != c.want.Name || got.Description != c.want.Description || got.Body != c.want.Body) {
				t.Errorf("%v, %+v, want %v, %+v", ok, got, c.ok, c.want)
			}
		})
	}
}

func TestADisagreementSaysWhatTheTwoAre(t *testing.T) {
	err := disagreement(strata.Document{Path: "notes/project_a.md"}, strata.Document{Path: "_inbox/project_a.md"},
		noteOf("A", "when", "Ask Ana for the key."), noteOf("A", "when", "Ask Bo for the key."))
	if err.Code != strata.CodeConflict || !strings.Contains(err.Message, "Ask [-Ana-]{+Bo+} for the key.") || err.Details["note"] != "Ask Ana for the key." ||
		err.Details["proposal"] != "Ask Bo for the key." {
		t.Errorf("%+v", err)
	}
}
