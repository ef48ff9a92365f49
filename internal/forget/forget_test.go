package forget

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
)

// gone is what stands for a text that was forgotten.
const gone = strata.ForgottenText

func about(texts ...string) Subject { return Document(strata.Document{ID: "doc_1"}, nil, texts, nil) }

func TestFact_LooksForAllVersionsAndHowTheyBegin(t *testing.T) {
	long := "My <b>cat</b> " + strings.Repeat("sleeps long ", 20)
	s := Fact("fact_1", []strata.Fact{
		{Text: "The cat", Sources: []string{"turn_2", "turn_1"}}, {Text: "the  CAT", Sources: []string{"turn_1"}}, {Text: long}, {Text: " "},
	}, nil)
	if len(s.Whole) != 2 || !slices.Equal(s.Sources, []string{"turn_1", "turn_2"}) {
		t.Errorf("whole %q of turns %q", s.Whole, s.Sources)
	}
	cut := "- My ‹b›cat‹/b› " + strings.Repeat("sleeps long ", 8) + "…"
	if !s.Shown.In(cut) || s.Text.In(cut) {
		t.Errorf("%q: shown %v, whole %v", cut, s.Shown.In(cut), s.Text.In(cut))
	}
	if s.Shown.In("- My dog sleeps long") {
		t.Error("another text is taken for it")
	}
}

func TestBlankDecision(t *testing.T) {
	d := strata.Decision{
		FactID: "fact_2", Reason: "they say the cat sleeps", SetAside: "no room",
		Before: &strata.Fact{ID: "fact_3", Text: "Our cat sleeps here", Tags: []string{"cat"}},
		After:  &strata.Fact{ID: "fact_4", Text: "Our cat sleeps there"},
	}
	s := Fact("fact_1", []strata.Fact{{Text: "cat sleeps"}}, nil)
	changed, err := s.BlankDecision(&d, func(id string) (bool, error) { return id == "fact_4", nil })
	if err != nil || !changed {
		t.Fatal(changed, err)
	}
	if d.Reason != gone || d.SetAside != "no room" || d.Before.Text != gone || d.Before.Tags != nil {
		t.Errorf("left %+v, before %+v", d, d.Before)
	}
	if d.After.Text != "Our cat sleeps there" {
		t.Error("what a stored fact says was blanked in its decision")
	}
	own := strata.Decision{FactID: "fact_1", Reason: "it rests"}
	if changed, _ := s.BlankDecision(&own, nil); !changed || own.Reason != gone {
		t.Errorf("its own decision says %q", own.Reason)
	}
	renamed := strata.Decision{Reason: "a new version", Document: &strata.DocumentChange{Path: "notes/old.md", After: &strata.Document{ID: "doc_1", Path: "notes/old.md"}}}
	if changed, _ := about().BlankDecision(&renamed, nil); !changed || renamed.Reason != gone {
		t.Errorf("the decision under a former path says %q", renamed.Reason)
	}
}

func TestBlankDocument(t *testing.T) {
	sections := []strata.Section{{Seq: 1, Line: 1, EndLine: 2, Text: "first"}, {Seq: 2, Line: 3, EndLine: 4, Text: "the cat sleeps"}}
	for _, c := range []struct {
		name, text, content, want string
		doc                       string
		rest                      int
	}{
		{name: "a line", text: "the cat sleeps", content: "a\nthe cat sleeps\r\nb\nc", want: "a\n" + gone + "\r\nb\nc", rest: 1},
		{name: "lines of a section", text: "the cat sleeps", content: "a\nb\nthe cat\nsleeps", want: "a\nb\n" + gone + "\n", rest: 1},
		{name: "lines of several sections", text: "b the cat sleeps", content: "a\nb\nthe cat\nsleeps", want: gone + "\n\n\n"},
		{name: "the name", doc: "the cat sleeps", text: "the cat sleeps", content: "a", want: "a"},
		{name: "a part of a word", text: "at", content: "cat", want: "cat", rest: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, rest := about(c.text).Text.BlankDocument(strata.Document{Name: c.doc, Content: c.content}, sections)
			if d.Content != c.want || len(rest) != c.rest {
				t.Errorf("content %q, %d sections stay, want %q, %d", d.Content, len(rest), c.want, c.rest)
			}
			if c.doc != "" && d.Name != gone {
				t.Errorf("name %q", d.Name)
			}
		})
	}
}

// Whatever a document or a snapshot says, afterwards it says nothing of the text,
// and lines keep their numbers.
func TestBlank_LeavesNothing(t *testing.T) {
	words := rapid.Custom(func(r *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"cat", "Cat", " ", "\n", "sleeps", "ｃａｔ", "."}), 1, 12).Draw(r, "words"), "")
	})
	rapid.Check(t, func(r *rapid.T) {
		s := about(rapid.SampledFrom([]string{"cat", "cat sleeps", "cat cat"}).Draw(r, "text"))
		content := words.Draw(r, "content")
		d, _ := s.Text.BlankDocument(strata.Document{Name: words.Draw(r, "name"), Content: content}, nil)
		if s.Text.Whole(DocumentTexts(d)...) {
			r.Errorf("left %+v", d)
		}
		if strings.Count(d.Content, "\n") != strings.Count(content, "\n") {
			r.Errorf("%q has other lines than %q", d.Content, content)
		}
		if left := s.BlankLines(content); s.Shown.In(left) {
			r.Errorf("left %q", left)
		}
	})
}

func TestInState_SeesThroughJSON(t *testing.T) {
	s := about("the cat")
	for data, want := range map[string]bool{
		`{"a":["the \u0063at"]}`: true, `{"the\ncat":1}`: true, "plain the\xff cat": true, "plain THE  cat": true, `{"a":"dog"}`: false,
	} {
		if got := s.InState([]byte(data)); got != want {
			t.Errorf("%s: %v", data, got)
		}
	}
}

func TestRename(t *testing.T) {
	if _, named := NewRename("pets", "my cat"); named {
		t.Error("a name that is no word of the text is said to come from it")
	}
	r, named := NewRename("black-cat", "My black_cat sleeps")
	if !named {
		t.Fatal("the name is not found in the text")
	}
	if r.Member("a dog", []string{"sleeps", "black-cat", "dog"}) || r.Name() != "dog" {
		t.Errorf("the successor is %q", r.Name())
	}
	if !r.Member("another black cat", nil) {
		t.Error("a member with the words does not keep the name")
	}
}
