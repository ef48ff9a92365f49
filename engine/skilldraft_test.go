package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files/filestest"
)

// drafting is a model that makes a skill of all facts that it is given which hold a word,
// and nothing of a summary.
type drafting struct {
	mu         sync.Mutex
	name, word string
	calls      int
}

func (*drafting) Model() string { return "scripted" }

func (m *drafting) Chat(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !strings.Contains(req.Messages[0].Text, "procedures") {
		return llm.Reply{}, &strata.Error{Code: strata.CodeUnavailable, Message: "it writes no summary"}
	}
	m.calls++
	var steps []string
	first := ""
	for _, f := range factLine.FindAllStringSubmatch(req.Messages[1].Text, -1) {
		if !strings.Contains(f[2], m.word) {
			continue
		}
		text, err := json.Marshal(f[2])
		if err != nil {
			return llm.Reply{}, err
		}
		if first == "" {
			first = string(text)
		}
		steps = append(steps, fmt.Sprintf(`{"text":%s,"facts":[%s]}`, text, f[1]))
	}
	answer := fmt.Sprintf(`{"skills":[{"name":%q,"when":%s,"steps":[%s]}]}`, m.name, first, strings.Join(steps, ","))
	return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: answer}}, nil
}

func (m *drafting) set(name, word string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.name, m.word = name, word
}

// draftBed is an engine with such a model, and facts of a project about releases.
type draftBed struct {
	*testing.T
	e     *engine.Engine
	tree  *filestest.Memory
	clock *ticking
	model *drafting
	facts []string // ids
}

func newDraftBed(t *testing.T) *draftBed {
	b := &draftBed{T: t, tree: filestest.NewMemory(), clock: newTicking(noon), model: &drafting{name: "release", word: "release"}}
	b.e = open(t, b.clock.in, inTree(b.tree), func(o *engine.Options) { o.Model = b.model })
	for _, said := range []string{
		"A release begins with make verify", "Before a release goes out it is put on staging", "A release is tagged by Kim", "The office is in Porto", "The database is Postgres",
	} {
		b.save(said)
	}
	return b
}

func (b *draftBed) save(said string) {
	b.Helper()
	d, err := b.e.Write(context.Background(), strata.Candidate{Scope: project, Type: strata.TypeProject, Content: said})
	if err != nil {
		b.Fatal(err)
	}
	b.facts = append(b.facts, d.FactID)
}

// dream has the project dream an hour later, and returns the skill of a name; empty if
// there is none.
func (b *draftBed) dream(name string) string {
	b.Helper()
	b.clock.pass(time.Hour)
	dreamInProject(b.T, b.e)
	return b.skill(name)
}

func (b *draftBed) skill(name string) string {
	b.Helper()
	settled(b.T, b.e, b.tree, project)
	return b.tree.Files(project)[markdown.SkillPath(name)]
}

// kept is why the last skill was left as it was.
func (b *draftBed) kept() string {
	b.Helper()
	list, _, err := b.e.Events(context.Background(), project.View(), store.EventFilter{Kinds: []string{strata.EventSkillKept}})
	if err != nil || len(list) == 0 {
		b.Fatalf("%+v, %v", list, err)
	}
	return list[len(list)-1].Detail
}

func TestADreamDraftsASkillByAModel(t *testing.T) {
	b := newDraftBed(t)
	first := b.dream("release")
	for _, want := range []string{"status: proposed", b.facts[0], "- A release begins with make verify\n", "- Before a release goes out it is put on staging\n"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is not in\n%s", want, first)
		}
	}
	if again := b.dream("release"); again != first {
		t.Errorf("the same answer made of it\n%s", again)
	}
	calls := b.model.calls
	if b.dream("release"); b.model.calls != calls {
		t.Error("it was asked though no fact is new")
	}
	b.save("A release ends with a message to everybody")
	if next := b.dream("release"); !strings.Contains(next, "message to everybody") || !strings.Contains(next, "status: proposed") {
		t.Errorf("with one more fact it is\n%s", next)
	}
	healthy(t, b.e)
}

// A draft goes with a fact that it rests on, by hand or for good.
func TestADraftGoesWithItsFacts(t *testing.T) {
	for name, end := range map[string]func(b *draftBed) error{
		"delete": func(b *draftBed) error {
			_, err := b.e.Write(context.Background(), strata.Candidate{Scope: project, Action: strata.ActionDelete, Target: b.facts[0]})
			return err
		},
		"forget": func(b *draftBed) error {
			res, err := b.e.Forget(context.Background(), project.View(), b.facts[0], engine.ForgetOptions{})
			if err == nil && len(res.Remaining) > 0 {
				err = fmt.Errorf("remaining: %v", res.Remaining)
			}
			if err == nil && b.skill("release") != "" {
				err = fmt.Errorf("the draft is there after forget")
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newDraftBed(t)
			if b.dream("release") == "" {
				t.Fatal("nothing was drafted")
			}
			if err := end(b); err != nil {
				t.Fatal(err)
			}
			b.model.set("release", "no such word") // an answer of which nothing is used
			if now := b.dream("release"); now != "" {
				t.Errorf("the draft stays:\n%s", now)
			}
			healthy(t, b.e)
		})
	}
}

// What a person wrote, changed, took or deleted is never written by a model.
func TestASkillOfAPersonIsTheirs(t *testing.T) {
	ctx := context.Background()
	edited := func(b *draftBed) string { return strings.TrimRight(b.skill("release"), "\n") + "\n\nAsk Kim first.\n" }
	byHand := func(b *draftBed, content string) {
		b.Helper()
		if err := b.tree.Put(project, markdown.SkillPath("release"), []byte(content), b.clock.now()); err != nil {
			b.Fatal(err)
		}
		if _, err := b.e.Sync(ctx, project.View()); err != nil {
			b.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		does func(b *draftBed)
		why  string
	}{
		"wrote": {func(b *draftBed) { byHand(b, "# How we release\n\nAs ever.\n") }, "there is such a skill"},
		"changed": {func(b *draftBed) {
			b.dream("release")
			byHand(b, edited(b))
		}, "there is such a skill"},
		"took": {func(b *draftBed) {
			b.dream("release")
			if _, err := b.e.SetSkill(ctx, project.View(), "release", markdown.SkillActive, edit.PromoteOptions{Origin: strata.OriginCLI}); err != nil {
				b.Fatal(err)
			}
		}, "there is such a skill"},
		"deleted": {func(b *draftBed) {
			b.dream("release")
			if _, err := b.e.Write(ctx, strata.Candidate{Scope: project, Path: markdown.SkillPath("release"), Action: strata.ActionDelete, Origin: strata.OriginCLI}); err != nil {
				b.Fatal(err)
			}
		}, "a person deleted it"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newDraftBed(t)
			c.does(b)
			before := b.skill("release")
			b.save("A release ends with a message to everybody")
			if after := b.dream("release"); after != before {
				t.Errorf("it became\n%s", after)
			}
			if why := b.kept(); why != c.why {
				t.Errorf("kept because %q, want %q", why, c.why)
			}
			healthy(t, b.e)
		})
	}
}

// A skill that rests on facts that are gone is neither found nor offered, before a dream
// takes it, and is there again once they are back.
func TestASkillOfDeletedFactsIsNotTold(t *testing.T) {
	ctx := context.Background()
	b := newDraftBed(t)
	if b.dream("release") == "" {
		t.Fatal("nothing was drafted")
	}
	if _, err := b.e.SetSkill(ctx, project.View(), "release", markdown.SkillActive, edit.PromoteOptions{}); err != nil {
		t.Fatal(err)
	}
	found := func() (n int) {
		t.Helper()
		res, err := b.e.Search(ctx, project.View(), "release staging verify")
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range res.Hits {
			if h.Section != nil {
				n++
			}
		}
		return n
	}
	path := "memory://root/" + markdown.SkillPath("release")
	if found() == 0 {
		t.Fatal("the skill is not found")
	}
	var gone []strata.Decision
	for _, f := range b.facts {
		gone = append(gone, write(t, b.e, strata.Candidate{Scope: project, Action: strata.ActionDelete, Target: f}))
	}
	if n := found(); n > 0 {
		t.Errorf("it is found %d times", n)
	}
	_, err := b.e.Resolve(ctx, project.View(), path)
	wantCode(t, err, strata.CodeNotFound)
	for _, d := range gone {
		if _, err := b.e.Revert(ctx, project.View(), d.ID, engine.RevertOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.e.Resolve(ctx, project.View(), path); err != nil || found() == 0 {
		t.Errorf("it does not come back: %v", err)
	}
}
