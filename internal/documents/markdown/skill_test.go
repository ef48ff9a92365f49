package markdown_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

func TestSkillNames(t *testing.T) {
	for name, want := range map[string]bool{
		"release": true, "a": true, "pdf-2-text": true, "7z": true, strings.Repeat("a", 64): true,
		"": false, "Release": false, "a--b": false, "-a": false, "a-": false, "a_b": false, "a b": false, "café": false,
		"..": false, ".": false, "a/b": false, `a\b`: false, "a\x00": false, "a\n": false, "con": false, "nul": false, strings.Repeat("a", 65): false,
		"%2e%2e": false,
	} {
		if err := markdown.ValidateSkillName(name); (err == nil) != want {
			t.Errorf("%q: %v", name, err)
		}
		path := markdown.SkillPath(name)
		got, ok := markdown.ParseSkillPath(path)
		if ok != want || ok && got != name {
			t.Errorf("%q is read as %q, %v", path, got, ok)
		}
	}
	for _, path := range []string{"skills/SKILL.md", "skills/a/b/SKILL.md", "skills/../SKILL.md", "notes/a/SKILL.md", "skills/a/skill.md", "skills/a/SKILL.md.md"} {
		if name, ok := markdown.ParseSkillPath(path); ok {
			t.Errorf("%q is the skill %q", path, name)
		}
	}
}

func TestSkillNameOfATitle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9 é+-]{0,150}`)).Draw(t, "title")
		name := markdown.SkillName(title)
		if err := markdown.ValidateSkillName(name); err != nil {
			t.Fatalf("%q: %v", title, err)
		}
		if again := markdown.SkillName(title); again != name {
			t.Fatalf("%q is called %q and %q", title, name, again)
		}
	})
}

// Files of other programs have keys that are theirs.
func TestParseSkill(t *testing.T) {
	n, err := markdown.ParseSkill("---\nname: ship\ndescription: How to ship\nstatus: proposed\nlicense: MIT\nmetadata:\n  author: x\n" +
		"provenance:\n  source_sessions: [s1, s2]\n  source_turns: [turn_1]\n---\n\n# Ship\n")
	if err != nil || n.Name != "ship" || n.Description != "How to ship" || n.Status != markdown.SkillProposed || n.Body != "# Ship" ||
		len(n.Provenance.Sessions) != 2 || len(n.Provenance.Turns) != 1 {
		t.Errorf("%+v, %v", n, err)
	}
	for _, tt := range []struct{ content, want string }{
		{"x", "no front matter"},
		{"---\nname: a\n---\n", "description is missing"},
		{"---\ndescription: a\n---\n", "name is missing"},
		{"---\nname: a\ndescription: b\nstatus: done\n---\n", `no status "done"`},
		{"---\nname: a\nname: b\ndescription: b\n---\n", "appears twice"},
		{"---\nname: [a]\ndescription: b\n---\n", "not a plain text"},
		{"---\nname: a\ndescription: b\n", "does not end"},
		{"---\nname: a\ndescription: b\n---\n\x00", "NUL"},
	} {
		_, err := markdown.ParseSkill(tt.content)
		var p *markdown.Problem
		if !errors.As(err, &p) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.content, err, tt.want)
		}
	}
	if _, err := markdown.ParseNote("---\nname: a\ndescription: b\ntype: user\nstatus: active\n---\n"); err == nil {
		t.Error("a note has a status")
	}
}

func TestASkillIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[a-zA-Z:#'"\-\[\]{} é]{1,40}`)
		want := markdown.Note{Front: markdown.Front{
			Name: line.Draw(t, "name") + "x", Description: line.Draw(t, "description") + "x",
			Status: rapid.SampledFrom([]markdown.SkillStatus{"", markdown.SkillProposed, markdown.SkillActive, markdown.SkillArchived}).Draw(t, "status"),
			Provenance: markdown.Provenance{
				Sessions:  rapid.SliceOfN(rapid.StringMatching(`[a-z0-9]{1,8}`), 0, 3).Draw(t, "sessions"),
				Turns:     rapid.SliceOfN(rapid.StringMatching(`turn_[A-Z0-9]{1,8}`), 0, 3).Draw(t, "turns"),
				Facts:     rapid.SliceOfN(rapid.StringMatching(`fact_[A-Z0-9]{1,8}`), 0, 3).Draw(t, "facts"),
				CreatedAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
			},
		}, Body: rapid.StringMatching(`[a-z#> ]{1,20}`).Draw(t, "body")}
		content := want.Render()
		got, err := markdown.ParseSkill(content)
		if err != nil {
			t.Fatalf("%v in\n%s", err, content)
		}
		if got.Render() != content {
			t.Fatalf("got\n%s\nwant\n%s", got.Render(), content)
		}
		next := got
		next.Status = markdown.SkillArchived
		edited, err := markdown.EditNote(content, next)
		if again, problem := markdown.ParseSkill(edited); err != nil || problem != nil || again.Render() != next.Render() {
			t.Fatalf("%v, %v: edited to\n%s\nwant\n%s", err, problem, edited, next.Render())
		}
	})
}

// What a person or another program wrote around a value stays.
func TestTheStatusOfASkillIsEditedInItsPlace(t *testing.T) {
	const content = "---\nname: ship  # ours\nlicense: MIT\ndescription: 'How'\nallowed-tools: [a,  b]\n---\nText\n"
	n, err := markdown.ParseSkill(content)
	if err != nil {
		t.Fatal(err)
	}
	n.Status = markdown.SkillArchived
	got, err := markdown.EditNote(content, n)
	want := strings.Replace(content, "'How'\n", "'How'\nstatus: archived\n", 1)
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// A skill that is not offered is in no search.
func TestSectionsOfASkill(t *testing.T) {
	for status, want := range map[string]int{"": 1, "status: active\n": 1, "status: proposed\n": 0, "status: archived\n": 0, "status: unheard-of\n": 1} {
		content := "---\nname: ship\ndescription: How to ship\n" + status + "---\n\nTag, then wait.\n"
		if got := markdown.Sections("skills/ship/SKILL.md", content); len(got) != want {
			t.Errorf("%q: %d sections, want %d", status, len(got), want)
		}
		if got := markdown.Sections("guides/SKILL.md", content); len(got) != 1 {
			t.Errorf("%q elsewhere: %d sections", status, len(got))
		}
	}
}

func TestDescribeSkill(t *testing.T) {
	for _, tt := range []struct{ name, path, content, problem string }{
		{"sound", "skills/ship/SKILL.md", "---\nname: Ship\ndescription: d\nstatus: proposed\n---\n", ""},
		{"another status", "skills/ship/SKILL.md", "---\nname: Ship\ndescription: d\nstatus: done\n---\n", `line 4, column 9: there is no status "done"`},
		{"no description", "skills/ship/SKILL.md", "---\nname: Ship\n---\n", "line 1, column 1: description is missing"},
		{"front matter without an end", "skills/ship/SKILL.md", "---\nname: Ship\n", "line 1, column 1: the front matter that begins here does not end"},
		{"another place", "skills/a/b/SKILL.md", "---\nname: Ship\ndescription: d\n---\n", "not a place for a skill"},
		{"another name", "skills/Ship It/SKILL.md", "text", "not a place for a skill"},
	} {
		d := strata.Document{Path: tt.path, Content: tt.content}
		markdown.Describe(&d)
		if d.Kind != strata.DocumentSkill || d.Name == "" || (tt.problem == "") != (d.Problem == "") || !strings.Contains(d.Problem, tt.problem) {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
}

func TestBelow(t *testing.T) {
	for content, want := range map[string]string{
		"---\nname: a\ndescription: b\ntype: user\n---\n\nnote\n": "note",
		"---\nname: a\ndescription: b\nkey: c\n---\nskill":        "skill",
		"text": "", "---\nname: a\n---\ntext\n": "", "": "",
	} {
		if got := markdown.Below(content); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}
