package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

func TestDescribe(t *testing.T) {
	const sound = "---\nname: Deploys\ndescription: when we ship\ntype: project\n---\n\nText\n"
	agent := "---\nname: A\ndescription: d\ntype: user\nscope: agent\nagent: bob\nagent_tier: global\n---\n"
	for _, tt := range []struct {
		name string
		doc  strata.Document
		want strata.Document
	}{
		{"a note", strata.Document{Path: "notes/project_deploys.md", Content: sound},
			strata.Document{Kind: strata.DocumentNote, Type: "project", Slug: "deploys", Name: "Deploys", Description: "when we ship"}},
		{"another type in the name of the file", strata.Document{Path: "notes/user_deploys.md", Content: sound},
			strata.Document{Kind: strata.DocumentNote, Type: "user", Slug: "deploys", Name: "Deploys", Description: "when we ship", Problem: "the front matter says type project, the name of the file user"}},
		{"a name by hand", strata.Document{Path: "notes/My Deploys.md", Content: sound},
			strata.Document{Kind: strata.DocumentNote, Type: "project", Slug: "My Deploys", Name: "Deploys", Description: "when we ship"}},
		{"no front matter", strata.Document{Path: "notes/user_my-cat.md", Content: "# Whiskerino\n\nIs a *cat*.\n"},
			strata.Document{Kind: strata.DocumentNote, Type: "user", Slug: "my-cat", Name: "Whiskerino", Description: "Whiskerino", Problem: "line 1, column 1: there is no front matter: begin the file with a line of three dashes, name, description and type"}},
		{"broken front matter", strata.Document{Path: "notes/user_my-cat.md", Content: "---\nname: a: b\n---\nText\n"},
			strata.Document{Kind: strata.DocumentNote, Type: "user", Slug: "my-cat", Name: "name: a: b", Description: "Text", Problem: "line 2, column 8: the front matter cannot be read: mapping values are not allowed in this context; put a value that holds a colon in double quotes"}},
		{"an unknown key", strata.Document{Path: "notes/user_x.md", Content: "---\nname: N\ncolor: red\ndescription: d\ntype: user\n---\n"},
			strata.Document{Kind: strata.DocumentNote, Type: "user", Slug: "x", Name: "N", Description: "d", Problem: "line 3, column 1: unknown key \"color\""}},
		{"a secret in its description", strata.Document{Path: "notes/user_x.md", Content: "---\nname: N\ndescription: [redacted:github-token]\ntype: user\n---\nText\n", Redacted: []string{"github-token", "password"}},
			strata.Document{Kind: strata.DocumentNote, Type: "user", Slug: "x", Name: "N", Description: "Text", Problem: "the front matter holds a secret, which is not kept: github-token"}},
		{"a secret below its front matter", strata.Document{Path: "notes/user_x.md", Content: "---\nname: N\ndescription: d\ntype: user\n---\n[redacted:password]\n", Redacted: []string{"password"}},
			strata.Document{Kind: strata.DocumentNote, Type: "user", Slug: "x", Name: "N", Description: "d"}},
		{"a note in a directory of its own", strata.Document{Path: "notes/ship/how.md", Content: sound},
			strata.Document{Kind: strata.DocumentNote, Type: "project", Slug: "how", Name: "Deploys", Description: "when we ship"}},
		{"the scope of another place", strata.Document{Path: "notes/user_x.md", Content: agent, Scope: strata.Global()},
			strata.Document{Kind: strata.DocumentNote, Type: "user", Slug: "x", Name: "A", Description: "d", Problem: "the front matter says scope agent, the file lies in scope global"}},
		{"the tier of another place", strata.Document{Path: "notes/user_x.md", Content: agent, Scope: strata.ForAgentIn("w", "bob")},
			strata.Document{Kind: strata.DocumentNote, Type: "user", Slug: "x", Name: "A", Description: "d", Problem: "the front matter says agent_tier global, the file lies in tier workspace"}},
		{"its own place", strata.Document{Path: "notes/user_x.md", Content: agent, Scope: strata.ForAgent("bob")},
			strata.Document{Kind: strata.DocumentNote, Type: "user", Slug: "x", Name: "A", Description: "d"}},
		{"a skill with keys of its own", strata.Document{Path: "skills/ship/SKILL.md", Content: "---\nname: Ship\ndescription: how to\nlicense: MIT\n---\n"},
			strata.Document{Kind: strata.DocumentSkill, Name: "Ship", Description: "how to"}},
		{"a skill without front matter", strata.Document{Path: "skills/ship/SKILL.md", Content: "x"},
			strata.Document{Kind: strata.DocumentSkill, Name: "ship"}},
		{"a binary file", strata.Document{Path: "x.md", Content: "a\x00"},
			strata.Document{Kind: strata.DocumentOther, Problem: "line 1, column 2: the file holds a NUL byte: it is not text"}},
		{"what was known before goes", strata.Document{Path: "USER.md", Content: "x", Name: "old", Problem: "old", Type: "user", Slug: "old"},
			strata.Document{Kind: strata.DocumentProfile}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.doc
			markdown.Describe(&got)
			tt.want.Path, tt.want.Content, tt.want.Scope = tt.doc.Path, tt.doc.Content, tt.doc.Scope
			if got.Kind != tt.want.Kind || got.Type != tt.want.Type || got.Slug != tt.want.Slug || got.Name != tt.want.Name ||
				got.Description != tt.want.Description || got.Problem != tt.want.Problem {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestRules(t *testing.T) {
	got := markdown.Rules(`---
x: y
---
# Heartbeat

Some words.

- every 30m: check the build
* every day at 09:00: say what is due
- At 5 pm, go home
- every Monday - plan the
  week
- just do it
- [ ] open task
- [x] done task
- every thing counts
- at noon
<!-- - hidden -->

## Every 2 hours

1. look at mail
2. at 08:30: wake up

` + "```\n- code\n```\n")
	want := []markdown.Rule{
		{Text: "check the build", Line: 8, Every: "30m"},
		{Text: "say what is due", Line: 9, Every: "day", At: "09:00"},
		{Text: "go home", Line: 10, At: "5 pm"},
		{Text: "plan the week", Line: 11, Every: "Monday"},
		{Text: "just do it", Line: 13},
		{Text: "open task", Line: 14},
		{Text: "every thing counts", Line: 16},
		{Text: "at noon", Line: 17},
		{Text: "look at mail", Line: 22, Every: "2 hours"},
		{Text: "wake up", Line: 23, At: "08:30"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := markdown.Rules(markdown.Starter("HEARTBEAT.md")); got != nil {
		t.Errorf("the starting text has the rules %v", got)
	}
}

func FuzzRules(f *testing.F) {
	f.Add("- every 1m: x\n\n  y\n- at 9: z\n# Every x\n1) a")
	f.Fuzz(func(t *testing.T, content string) {
		last := 0
		for _, r := range markdown.Rules(content) {
			if r.Line <= last || r.Text == "" || strings.ContainsAny(r.Text, "\r\n") {
				t.Fatalf("rule %+v after line %d", r, last)
			}
			last = r.Line
		}
	})
}

func TestStarters(t *testing.T) {
	for _, path := range []string{"AGENTS.md", "SOUL.md", "USER.md", "HEARTBEAT.md", "MEMORY.md"} {
		text := markdown.Starter(path)
		if len(text) < 50 || len(text) > 600 || !strings.HasPrefix(text, "# ") || !strings.HasSuffix(text, "\n") {
			t.Errorf("%s begins with %q", path, text)
		}
		if got := markdown.Sections(path, text); got != nil {
			t.Errorf("%s is found by search: %v", path, got)
		}
	}
	if markdown.Starter("x.md") != "" || markdown.Starter("DREAMS.md") != "" {
		t.Error("other files begin with a text")
	}
}
