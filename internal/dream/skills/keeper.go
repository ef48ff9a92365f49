package skills

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/handedit"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

const (
	// maxWaiting is how many skills of a scope may wait for a person before no more are
	// drafted.
	maxWaiting = 20
	// minFacts is how many facts a scope has to have for a procedure to be among them.
	minFacts = 5
)

// Options are what a keeper works with. All but Model are needed.
type Options struct {
	Store store.Store
	// Model drafts skills; nil: none is drafted, and drafts go whose facts do.
	Model llm.Chat
	// Intake takes in what was done to a file by hand.
	Intake *handedit.Intake
	// Write is the one write path.
	Write func(ctx context.Context, c strata.Candidate) (strata.Decision, error)
	Now   func() time.Time
}

// Keeper keeps the drafts of scopes.
type Keeper struct{ o Options }

// New returns a keeper.
func New(o Options) *Keeper { return &Keeper{o} }

// state is what drafts are made of, as memory has it now.
type state struct {
	input  Input
	fresh  bool                     // a fact is new since the dream before this one
	taken  map[string]bool          // names that are not to be drafted
	begun  map[string]markdown.Note // drafts by their names
	hashes map[string]string        // of their files
	gone   []string                 // names of drafts of which a fact no longer holds
}

// Keep drafts skills from the facts of a scope that hold now. Drafts of which a fact no
// longer holds go first. What a model does not do as it was asked changes nothing, and is
// told in an event. A skill that a person wrote, changed, took or deleted is never written.
// The error is that of the store, of a file or of ctx.
func (k *Keeper) Keep(ctx context.Context, scope strata.Scope) error {
	s, err := store.Read(ctx, k.o.Store, func(r store.Reader) (state, error) { return k.read(ctx, r, scope) })
	if err != nil {
		return err
	}
	for _, name := range s.gone {
		c := strata.Candidate{Scope: scope, Path: markdown.SkillPath(name), Action: strata.ActionDelete, BaseHash: s.hashes[name], Origin: strata.OriginDream, Reason: "a fact that it rests on no longer holds"}
		if err := k.write(ctx, c); err != nil {
			return err
		}
	}
	if k.o.Model == nil || !s.fresh || len(s.input.Facts) < minFacts || len(s.begun) >= maxWaiting {
		return nil
	}
	drafts, err := Write(ctx, k.o.Model, s.input)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return k.tell(ctx, scope, strata.EventSkillKept, "", text.Clip(err.Error(), 200))
	}
	for _, d := range drafts {
		if err := k.put(ctx, scope, s, d); err != nil {
			return err
		}
	}
	return nil
}

// read reads what drafts are made of: the facts on projects and how to work, the newest
// first, without those that read like an instruction; what is only about the user is not
// for a file that groups see.
func (k *Keeper) read(ctx context.Context, r store.Reader, scope strata.Scope) (state, error) {
	s := state{taken: make(map[string]bool), begun: make(map[string]markdown.Note), hashes: make(map[string]string)}
	dreams, err := r.Dreams(ctx, scope, store.DreamFilter{Limit: 10})
	if err != nil {
		return s, err
	}
	dreams = slices.DeleteFunc(dreams, func(d strata.Dream) bool { return d.Failure != "" })
	facts, err := r.Facts(ctx, scope, strata.FactFilter{Limit: 1000})
	if err != nil {
		return s, err
	}
	for _, f := range facts {
		if f.Type == strata.TypeUser || !f.Current() || len(s.input.Facts) == MaxFacts || len(secrets.Threats(f.Text)) > 0 {
			continue
		}
		s.input.Facts = append(s.input.Facts, f)
		s.fresh = s.fresh || len(dreams) < 2 || !f.RecordedAt.Before(dreams[1].StartedAt)
	}
	for _, from := range strata.ViewOf(scope.Workspace, scope.Agent).Scopes {
		if err := k.readSkills(ctx, r, from, scope, &s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// readSkills reads the skills of a scope that whoever works in another sees.
func (k *Keeper) readSkills(ctx context.Context, r store.Reader, from, in strata.Scope, s *state) error {
	list, err := r.Documents(ctx, from, strata.DocumentFilter{Kind: strata.DocumentSkill, Content: true, Limit: 10_000})
	if err != nil {
		return err
	}
	for _, d := range list {
		name, ok := markdown.ParseSkillPath(d.Path)
		if !ok {
			continue
		}
		if d.Foreign { // what came with a repository is no material, but it has the name
			s.taken[name] = true
			continue
		}
		n, _ := markdown.ParseSkill(d.Content) // what is wrong with it is its problem
		sk := Skill{Document: d, Note: n}
		if from == in && n.Status == markdown.SkillProposed && len(n.Provenance.Facts) > 0 {
			if sk.Own, err = untouched(ctx, r, d); err != nil {
				return err
			}
		}
		if n.Name == "" {
			sk.Note.Name = name
		}
		if !sk.Own {
			s.taken[name] = true
			s.input.Skills = append(s.input.Skills, sk)
			continue
		}
		s.begun[name], s.hashes[name] = n, d.Hash
		holds, err := hold(ctx, r, in, n.Provenance.Facts)
		if err != nil {
			return err
		}
		if !holds {
			s.gone = append(s.gone, name)
			delete(s.begun, name) // it is begun anew, if at all
			continue
		}
		s.input.Skills = append(s.input.Skills, sk)
	}
	return nil
}

// untouched reports whether all that was done to a document was done by dreams.
func untouched(ctx context.Context, r store.Reader, d strata.Document) (bool, error) {
	list, err := r.Decisions(ctx, d.Scope, strata.DecisionFilter{Path: d.Path, Limit: 1000})
	return !slices.ContainsFunc(list, func(x strata.Decision) bool { return x.Op.Changed() && x.Origin != strata.OriginDream }), err
}

// hold reports whether all of some facts are current.
func hold(ctx context.Context, r store.Reader, scope strata.Scope, ids []string) (bool, error) {
	for _, id := range ids {
		f, err := r.Fact(ctx, []strata.Scope{scope}, id)
		if strata.CodeOf(err) == strata.CodeNotFound || err == nil && !f.Current() {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// put writes a draft, unless a person has a say in the skill of that name.
func (k *Keeper) put(ctx context.Context, scope strata.Scope, s state, d Draft) error {
	path := markdown.SkillPath(d.Name)
	if s.taken[d.Name] {
		return k.tell(ctx, scope, strata.EventSkillKept, path, "there is such a skill")
	}
	if err := k.o.Intake.NoticeEdits(ctx, documents.Place{Scope: scope, Path: path}); err != nil && strata.CodeOf(err) != strata.CodeConflict {
		return err
	}
	deleted, err := store.Read(ctx, k.o.Store, func(r store.Reader) (bool, error) {
		last, err := r.Decisions(ctx, scope, strata.DecisionFilter{Path: path, Limit: 1})
		return len(last) > 0 && (last[0].Op == strata.OpDelete || last[0].Op == strata.OpForget) && last[0].Origin != strata.OriginDream, err
	})
	if err != nil {
		return err
	}
	if deleted {
		return k.tell(ctx, scope, strata.EventSkillKept, path, "a person deleted it")
	}
	now := k.o.Now()
	n := d.note(now, now)
	c := strata.Candidate{Scope: scope, Path: path, BaseHash: strata.NoFile, Origin: strata.OriginDream, Agent: scope.Agent, Reason: fmt.Sprintf("%d facts tell how it is done", len(d.facts()))}
	c.Content = n.Render()
	if before, ok := s.begun[d.Name]; ok {
		n.Provenance.CreatedAt = before.Provenance.CreatedAt
		c.Content, c.BaseHash = n.Render(), s.hashes[d.Name]
		if after, err := markdown.ParseSkill(c.Content); err != nil || after.Body == before.Body && after.Description == before.Description {
			return err
		}
	}
	return k.write(ctx, c)
}

// write writes a candidate and tells of it, also of why it was not taken.
func (k *Keeper) write(ctx context.Context, c strata.Candidate) error {
	d, err := k.o.Write(ctx, c)
	switch code := strata.CodeOf(err); {
	case code == strata.CodeConflict || code == strata.CodeInvalid || code == strata.CodeRejectedSecret || code == strata.CodeForgotten || code == strata.CodeTooLarge:
		return k.tell(ctx, c.Scope, strata.EventSkillKept, c.Path, text.Clip(strata.MessageOf(err), 200))
	case err != nil || !d.Op.Changed():
		return err
	}
	return k.tell(ctx, c.Scope, strata.EventSkillDrafted, c.Path, c.Reason)
}

func (k *Keeper) tell(ctx context.Context, scope strata.Scope, kind, path, detail string) error {
	return k.o.Store.Update(ctx, func(w store.Writer) error {
		return w.AppendEvent(ctx, strata.Event{Kind: kind, Scope: scope, Ref: path, Detail: detail, At: w.Now()})
	})
}
