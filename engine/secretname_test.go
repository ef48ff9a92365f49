package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/sessions"
)

// A name cannot be redacted, so that one with a secret is refused wherever it
// would be kept, by an error that does not repeat it.
func TestNamesWithASecretAreRefused(t *testing.T) {
	e, _ := withTree(t)
	ctx := context.Background()
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	fact := strata.Candidate{Scope: strata.Global(), Content: "The moon is far"}
	write := func(change func(*strata.Candidate)) func() error {
		return func() error {
			c := fact
			change(&c)
			_, err := e.Write(ctx, c)
			return err
		}
	}
	for name, try := range map[string]func() error{
		"request id": write(func(c *strata.Candidate) { c.RequestID = secret }),
		"session":    write(func(c *strata.Candidate) { c.Session = secret }),
		"agent":      write(func(c *strata.Candidate) { c.Agent = secret }),
		"workspace":  write(func(c *strata.Candidate) { c.Workspace = secret }),
		"target":     write(func(c *strata.Candidate) { c.Target = secret }),
		"source":     write(func(c *strata.Candidate) { c.Sources = []string{"turn_1", secret} }),
		"scope":      write(func(c *strata.Candidate) { c.Scope = strata.InWorkspace(secret) }),
		"path": func() error {
			_, err := e.Write(ctx, strata.Candidate{Scope: strata.Global(), Path: "notes/user_" + secret + ".md", Content: "---\nname: x\n---\nText."})
			return err
		},
		"title": func() error {
			_, err := e.Remember(ctx, edit.Note{Title: "The key " + secret, Body: "Text.", Type: strata.TypeUser})
			return err
		},
		"preview": func() error {
			c := fact
			c.Session = secret
			_, err := e.Preview(ctx, c)
			return err
		},
		"conversation": func() error {
			_, err := e.OpenConversation(ctx, sessions.Options{Session: secret})
			return err
		},
		"turns": func() error {
			_, err := e.AppendTurns(ctx, strata.Global(), secret, "", []strata.Turn{{Role: strata.RoleUser, Text: "hello"}})
			return err
		},
		"turn id": func() error {
			_, err := e.AppendTurns(ctx, strata.Global(), "s", "", []strata.Turn{{ID: secret, Role: strata.RoleUser, Text: "hello"}})
			return err
		},
		"learning": func() error {
			_, err := e.Learn(ctx, strata.Global(), strata.Learning{Kind: strata.LearningCorrection, Key: "k", Text: "No, pnpm.", Session: secret})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := try()
			wantCode(t, err, strata.CodeRejectedSecret)
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error repeats the secret: %v", err)
			}
		})
	}
	list, err := e.Decisions(ctx, strata.Global().View(), strata.DecisionFilter{})
	if err != nil || len(list) > 0 {
		t.Errorf("%d decisions, %v", len(list), err)
	}
}

// What older versions kept, or a person named so, does not stop the rest.
func TestNamesWithASecretAreLeftOut(t *testing.T) {
	e, tree := withTree(t)
	ctx := context.Background()
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	byHand(t, tree, project, "notes/project_"+secret+".md", noteText("Keys", "Some text."))
	byHand(t, tree, project, deploys, noteText("Deploys", "We deploy on Mondays."))
	report, err := e.Sync(ctx, project.View())
	if err != nil || report.Added != 1 || len(report.Skipped) != 1 || strings.Contains(report.Skipped[0].Path, secret) {
		t.Errorf("a sync reports %+v, %v", report, err)
	}

	name := "s-" + secret
	old := `{"kind":"header","format":"strata-export","version":1}
{"kind":"session","session":{"id":"` + name + `","scope":{"kind":"global"},"kind":"main","started_at":"2026-03-02T09:00:00Z","turns":1}}
{"kind":"turn","turn":{"id":"turn_1","scope":{"kind":"global"},"session":"` + name + `","seq":1,"role":"user","text":"hello","at":"2026-03-02T09:00:00Z"}}
`
	other, _ := withTree(t)
	in, err := other.Import(ctx, strings.NewReader(old), transfer.Options{})
	if err != nil || in.Rejected != 2 || in.Turns != 0 {
		t.Errorf("an import reports %+v, %v", in, err)
	}
}
