package markdown_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

const deploy = `---
# who may change this: everybody
description: How we deploy   # keep it short
name: 'Deploy command'

type: project
provenance:
  source_actor: anna   # by hand
  source_sessions:
    - s1   # the first
    - s2
  created_at: 2026-03-01
---

# Deploy

Run make deploy.
`

func TestParseNoteReadsEveryKey(t *testing.T) {
	n, err := markdown.ParseNote(`---
name: Deploy
description: when we deploy
type: project
scope: agent
agent: coder
agent_tier: workspace
provenance:
  source_sessions: [s1, "s 2"]
  source_actor: anna
  confidence: 0.75
  superseded_by: other
  created_at: 2026-03-01T10:00:00+02:00
  updated_at: 2026-03-02 09:30
---

Body
`)
	if err != nil {
		t.Fatal(err)
	}
	want := markdown.Note{Front: markdown.Front{
		Name: "Deploy", Description: "when we deploy", Type: strata.TypeProject,
		Scope: strata.ScopeAgent, Agent: "coder", Tier: strata.TierWorkspace,
		Provenance: markdown.Provenance{
			Sessions: []string{"s1", "s 2"}, Actor: "anna", Confidence: 0.75, SupersededBy: "other",
			CreatedAt: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC), UpdatedAt: time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC),
		},
	}, Body: "Body"}
	if !reflect.DeepEqual(n, want) {
		t.Errorf("got %+v\nwant %+v", n, want)
	}
}

func TestParseNoteIsStrict(t *testing.T) {
	const sound = "name: a\ndescription: b\ntype: user\n"
	for _, tt := range []struct {
		name, content string
		line, column  int
		says          string
	}{
		{"no front matter", "# Title\n", 1, 1, "no front matter"},
		{"empty file", "", 1, 1, "no front matter"},
		{"never closed", "---\nname: a\n", 1, 1, "does not end"},
		{"unknown key", "---\n" + sound + "nam: x\n---\n", 5, 1, `unknown key "nam"`},
		{"unknown key in provenance", "---\n" + sound + "provenance:\n  author: x\n---\n", 6, 3, `unknown key "author" in provenance`},
		{"key twice", "---\n" + sound + "name: x\n---\n", 5, 1, "twice"},
		{"merge key", "---\n" + sound + "<<: {name: x}\n---\n", 5, 1, "unknown key"},
		{"colon without quotes", "---\nname: a: b\n---\n", 2, 8, "double quotes"},
		{"broken list", "---\nname: [a\n---\n", 3, 1, "cannot be read"},
		{"tab", "---\n\tname: a\n---\n", 2, 1, "cannot be read"},
		{"no name", "---\ndescription: b\ntype: user\n---\n", 1, 1, "name is missing"},
		{"empty name", "---\ndescription: b\ntype: user\nname: \"\"\n---\n", 4, 7, "name is missing"},
		{"A10 no description", "---\nname: a\ntype: user\n---\n", 1, 1, "description is missing"},
		{"no type", "---\nname: a\ndescription: b\n---\n", 1, 1, "type is missing"},
		{"unknown type", "---\nname: a\ndescription: b\ntype: todo\n---\n", 4, 7, `no type "todo"`},
		{"unknown scope", "---\n" + sound + "scope: team\n---\n", 5, 8, `no scope "team"`},
		{"agent without scope", "---\n" + sound + "agent: x\n---\n", 5, 1, "scope is not agent"},
		{"scope without agent", "---\n" + sound + "scope: agent\n---\n", 1, 1, "no agent is named"},
		{"tier without scope", "---\n" + sound + "agent_tier: global\n---\n", 5, 1, "scope is not agent"},
		{"name is a list", "---\nname: [a]\ndescription: b\ntype: user\n---\n", 2, 7, "not a plain text"},
		{"binary value", "---\nname: !!binary aGk=\ndescription: b\ntype: user\n---\n", 2, 7, "not a plain text"},
		{"alias", "---\nname: &x a\ndescription: *x\ntype: user\n---\n", 2, 7, "not a plain text"},
		{"confidence", "---\n" + sound + "provenance: {confidence: 2}\n---\n", 5, 26, "from 0 to 1"},
		{"time", "---\n" + sound + "provenance: {created_at: yesterday}\n---\n", 5, 26, "not a time"},
		{"not a mapping", "---\n- a\n---\n", 2, 1, "not a list of keys"},
		{"binary file", "---\nna\x00me\n---\n", 2, 3, "NUL"},
		{"not UTF-8", "---\nname: \xff\n---\n", 2, 7, "UTF-8"},
		{"control character", "---\nname: a\x07\n---\n", 2, 8, "U+0007"},
		{"huge", "---\nname: " + strings.Repeat("x", markdown.MaxFront) + "\n---\n", 1, 1, "longer"},
		{"long name", "---\nname: " + strings.Repeat("x", 501) + "\n---\n", 2, 7, "longer than 500"},
		{"many sessions", "---\n" + sound + "provenance:\n  source_sessions: [" + strings.Repeat("a, ", 1001) + "]\n---\n", 6, 20, "more than"},
		{"alias bomb", "---\na: &a [x,x]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\n---\n", 2, 1, "unknown key"},
		{"two documents", "---\nname: a\n--- \nb\n---\n", 1, 1, "description is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := markdown.ParseNote(tt.content)
			var p *markdown.Problem
			if !errors.As(err, &p) {
				t.Fatalf("error %v is no problem", err)
			}
			if p.Line != tt.line || p.Column != tt.column || !strings.Contains(p.Message, tt.says) {
				t.Errorf("got %q at %d:%d, want %q at %d:%d", p.Message, p.Line, p.Column, tt.says, tt.line, tt.column)
			}
		})
	}
}

func TestTitlesWithNewlineOrColonComeOutRight(t *testing.T) {
	for in, want := range map[string]string{
		"Deploy: how\nand when":      "Deploy: how and when",
		"--- \n---":                  "--- ---",
		`say "hi" \ there`:           `say "hi" \ there`,
		"# not a comment":            "# not a comment",
		"yes":                        "yes",
		"2026-01-01":                 "2026-01-01",
		"1e3":                        "1e3",
		"~":                          "~",
		"null":                       "null",
		"a #b":                       "a #b",
		"日本語の設定":                     "日本語の設定",
		"👩‍💻 joined":                 "👩‍💻 joined",
		"עברית: שלום":                "עברית: שלום",
		"a\u202eb":                   "a\u202eb",
		"bad \xff byte":              "bad \uFFFD byte",
		strings.Repeat("long ", 300): strings.TrimSpace(strings.Repeat("long ", 100))[:499] + "…",
	} {
		n := markdown.Note{Front: markdown.Front{Name: in, Description: in, Type: strata.TypeUser}, Body: "b"}
		got, err := markdown.ParseNote(n.Render())
		if err != nil {
			t.Errorf("%q: %v\n%s", in, err, n.Render())
			continue
		}
		if got.Name != want {
			t.Errorf("%q came out as %q, want %q", in, got.Name, want)
		}
	}
}

// notes draws notes as a program may make them.
func notes() *rapid.Generator[markdown.Note] {
	return rapid.Custom(func(t *rapid.T) markdown.Note {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z#:'"\\ \n-]{1,20}`), rapid.Just("plain words"))
		n := markdown.Note{Front: markdown.Front{
			Name: "n" + text.Draw(t, "name"), Description: "d" + text.Draw(t, "description"),
			Type: rapid.SampledFrom(strata.Types()).Draw(t, "type"),
		}, Body: text.Draw(t, "body")}
		if rapid.Bool().Draw(t, "agent") {
			n.Scope, n.Agent = strata.ScopeAgent, rapid.StringMatching(`[a-z:#]{1,8}`).Draw(t, "who")
			n.Tier = rapid.SampledFrom([]strata.Tier{"", strata.TierGlobal, strata.TierWorkspace}).Draw(t, "tier")
		}
		if rapid.Bool().Draw(t, "provenance") {
			n.Provenance = markdown.Provenance{
				Sessions:   rapid.SliceOfN(rapid.StringMatching(`[a-z0-9,: ]{0,6}`), 0, 3).Draw(t, "sessions"),
				Actor:      text.Draw(t, "actor"),
				Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence"),
				CreatedAt:  time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "created"), 0),
			}
			if len(n.Provenance.Actor) > 200 {
				n.Provenance.Actor = ""
			}
		}
		return n
	})
}

func TestANoteIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := notes().Draw(t, "note").Render()
		n, err := markdown.ParseNote(content)
		if err != nil {
			t.Fatalf("%v\n%s", err, content)
		}
		if again := n.Render(); again != content {
			t.Fatalf("rendered again:\n%s\nbefore:\n%s", again, content)
		}
	})
}

func TestEditNoteKeepsWhatIsNotChanged(t *testing.T) {
	parse := func(content string) markdown.Note {
		n, err := markdown.ParseNote(content)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, tt := range []struct {
		name, content string
		edit          func(n *markdown.Note)
		replace       []string // pairs: old, new
	}{
		{"nothing", deploy, func(*markdown.Note) {}, nil},
		{"a quoted value with a comment above", deploy, func(n *markdown.Note) { n.Name = "Release: command" },
			[]string{"'Deploy command'", `"Release: command"`}},
		{"a value with a comment behind", deploy, func(n *markdown.Note) { n.Description = "How to deploy" },
			[]string{"How we deploy", "How to deploy"}},
		{"the body", deploy, func(n *markdown.Note) { n.Body = "# Deploy\n\nRun make ship." },
			[]string{"make deploy.", "make ship."}},
		{"a new key at the top", deploy, func(n *markdown.Note) { n.Scope = strata.ScopeWorkspace },
			[]string{"type: project\n", "type: project\nscope: workspace\n"}},
		{"a new key inside", deploy, func(n *markdown.Note) { n.Provenance.Confidence = 0.5 },
			[]string{"anna   # by hand\n", "anna   # by hand\n  confidence: 0.5\n"}},
		{"a session more", deploy, func(n *markdown.Note) { n.Provenance.Sessions = append(n.Provenance.Sessions, "s: 3") },
			[]string{"    - s2\n", "    - s2\n    - \"s: 3\"\n"}},
		{"other sessions", deploy, func(n *markdown.Note) { n.Provenance.Sessions = []string{"x"} },
			[]string{"source_sessions:\n    - s1   # the first\n    - s2\n", "source_sessions: [x]\n"}},
		{"a key goes", deploy, func(n *markdown.Note) { n.Provenance.Actor = "" },
			[]string{"  source_actor: anna   # by hand\n", ""}},
		{"a time", deploy, func(n *markdown.Note) { n.Provenance.CreatedAt = n.Provenance.CreatedAt.AddDate(0, 0, 1) },
			[]string{"2026-03-01", "2026-03-02T00:00:00Z"}},
		{"Windows line ends", strings.ReplaceAll(deploy, "\n", "\r\n"), func(n *markdown.Note) { n.Name, n.Scope = "X", strata.ScopeGlobal },
			[]string{"'Deploy command'", "X", "type: project\r\n", "type: project\r\nscope: global\r\n"}},
		{"byte order mark", "\uFEFF" + deploy, func(n *markdown.Note) { n.Name = "X" }, []string{"'Deploy command'", "X"}},
		{"text over several lines", "---\nname: a\n  b # c\ndescription: >-\n  folded\n\n  text\n# end\ntype: user\n---\nx",
			func(n *markdown.Note) { n.Name, n.Description = "new", "d" },
			[]string{"a\n  b # c", "new # c", ">-\n  folded\n\n  text", "d"}},
		{"an empty value", "---\nname: a\ndescription: b\ntype: user\nprovenance:\n---\n",
			func(n *markdown.Note) { n.Provenance.Actor = "x" }, []string{"provenance:\n", "provenance:\n  source_actor: x\n"}},
		{"a body for none", "---\nname: a\ndescription: b\ntype: user\n---", func(n *markdown.Note) { n.Body = "x" },
			[]string{"user\n---", "user\n---\n\nx\n"}},
		{"no body any more", "---\nname: a\ndescription: b\ntype: user\n---\nx\n", func(n *markdown.Note) { n.Body = "" },
			[]string{"---\nx\n", "---\n"}},
		{"empty lines around the body", "---\nname: a\ndescription: b\ntype: user\n---\n\n\n\nx\n\n\n", func(n *markdown.Note) { n.Body = "y" },
			[]string{"\nx\n", "\ny\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := parse(tt.content)
			tt.edit(&n)
			want := tt.content
			for i := 0; i < len(tt.replace); i += 2 {
				if !strings.Contains(want, tt.replace[i]) {
					t.Fatalf("%q is not in the note", tt.replace[i])
				}
				want = strings.Replace(want, tt.replace[i], tt.replace[i+1], 1)
			}
			got, err := markdown.EditNote(tt.content, n)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			if again, err := markdown.EditNote(got, n); err != nil || again != got {
				t.Errorf("a second time (%v):\n%s", err, again)
			}
			if after := parse(got); !reflect.DeepEqual(after, n) {
				t.Errorf("reads as %+v, want %+v", after, n)
			}
		})
	}
}

func TestEditNoteOfUnusualFiles(t *testing.T) {
	n := markdown.Note{Front: markdown.Front{Name: "New", Description: "d", Type: strata.TypeUser,
		Provenance: markdown.Provenance{Actor: "x"}}, Body: "b"}
	for _, tt := range []struct{ name, content string }{
		{"no front matter", "# T\n"},
		{"empty", ""},
		{"empty front matter", "---\n---\n"},
		{"only a comment", "---\n# c\n---\n"},
		{"in braces", "---\n{name: a, description: b, type: user}\n---\nx\n"},
		{"provenance in braces", "---\nname: a # kept\ndescription: b\ntype: user\nprovenance: {source_actor: y, confidence: 1}\n---\nx\n"},
		{"indented", "---\n  name: a\n  description: b\n  type: user\n---\nx\n"},
		{"keys in quotes", "---\n\"name\": a\n'description': b\ntype: user\n---\nx\n"},
		{"question marks", "---\n? name\n: a\ndescription: b\ntype: user\n---\nx\n"},
		{"an anchor", "---\nname: &a a\ndescription: b\ntype: user\n---\nx\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := markdown.EditNote(tt.content, n)
			if err != nil {
				t.Fatal(err)
			}
			if after, err := markdown.ParseNote(got); err != nil || !reflect.DeepEqual(after, n) {
				t.Errorf("reads as %+v (%v) of\n%s", after, err, got)
			}
			if strings.Contains(tt.content, "# kept") && !strings.Contains(got, "# kept") {
				t.Errorf("the comment is gone:\n%s", got)
			}
		})
	}
	t.Run("unknown keys are kept", func(t *testing.T) {
		got, err := markdown.EditNote("---\nmine: 1 # x\nname: a\n---\n", n)
		if err != nil || !strings.Contains(got, "mine: 1 # x\nname: New\n") {
			t.Errorf("got %q, %v", got, err)
		}
	})
	t.Run("broken front matter is a problem and nothing is changed", func(t *testing.T) {
		for _, content := range []string{"---\nname: [\n---\nx\n", "---\nname: a\n", "\x00", "\xff"} {
			var p *markdown.Problem
			if got, err := markdown.EditNote(content, n); !errors.As(err, &p) || got != content {
				t.Errorf("%q: got %q, %v", content, got, err)
			}
		}
	})
}

func TestEditNoteSaysWhatTheNoteSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := notes().Draw(t, "before").Render()
		if rapid.Bool().Draw(t, "hand") {
			content = deploy
		}
		if rapid.Bool().Draw(t, "windows") {
			content = strings.ReplaceAll(content, "\n", "\r\n")
		}
		want, err := markdown.ParseNote(notes().Draw(t, "after").Render())
		if err != nil {
			t.Fatal(err)
		}
		edited, err := markdown.EditNote(content, want)
		if err != nil {
			t.Fatalf("%v\n%s", err, content)
		}
		got, err := markdown.ParseNote(edited)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: got %+v\nwant %+v\nof\n%s", err, got, want, edited)
		}
		if content == deploy && !strings.Contains(edited, "# who may change this: everybody") {
			t.Fatalf("the comment is gone:\n%s", edited)
		}
		if again, err := markdown.EditNote(edited, got); err != nil || again != edited {
			t.Fatalf("%v: not the same again:\n%s", err, again)
		}
	})
}

func FuzzParseNote(f *testing.F) {
	f.Add(deploy)
	f.Add("---\n{name: a, b: [c]}\n---\n")
	f.Add("---\nname: |+\n  a\n\n---\nx")
	f.Add("---\nprovenance:\n  source_sessions:\n  - a\n  -   b # c\n  - >\n   d\nname: \"a\\\n b\"\n---\r\nx\r\n")
	f.Fuzz(func(t *testing.T, content string) {
		n, err := markdown.ParseNote(content)
		same, editErr := markdown.EditNote(content, n)
		if err == nil && (editErr != nil || same != content) {
			t.Fatalf("an unchanged note became %q (%v)", same, editErr)
		}
		if n.Name == "" {
			n.Name = "a"
		}
		n.Description, n.Type, n.Scope, n.Agent, n.Tier = "changed: yes", strata.TypeUser, "", "", ""
		n.Provenance.Actor = "someone"
		edited, editErr := markdown.EditNote(content, n)
		if editErr != nil {
			if edited != content {
				t.Fatalf("changed in spite of %v", editErr)
			}
			return
		}
		if err != nil {
			return // unknown keys are kept
		}
		got, err := markdown.ParseNote(edited)
		if err != nil || got.Description != n.Description || got.Provenance.Actor != "someone" || got.Body != n.Body {
			t.Fatalf("%v: %+v of %q", err, got, edited)
		}
		if !utf8.ValidString(edited) {
			t.Fatal("not UTF-8")
		}
	})
}
