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
	// maxWaiting is the number of drafts in a scope at which no more are written.
	maxWaiting = 20
	// minFacts is the number of facts a scope must have before skills are drafted.
	minFacts = 5
)

// Options are what a [Keeper] needs. All but Model are required.
type Options struct {
	Store store.Store
	// Model drafts skills. If it is nil, none are drafted, but drafts are still deleted
	// when their facts no longer hold.
	Model llm.Chat
	// Intake records edits made to a file by hand.
	Intake *handedit.Intake
	// Write commits a candidate. It is the only way in which files are written.
	Write func(ctx context.Context, c strata.Candidate) (strata.Decision, error)
	Now   func() time.Time
}

// Keeper keeps the drafts of scopes.
type Keeper struct{ o Options }

// New returns a keeper.
func New(o Options) *Keeper { return &Keeper{o} }

// state is what memory currently holds that drafts are made from.
type state struct {
	input  Input
	fresh  bool                     // there is a fact since the dream before the last
	taken  map[string]bool          // names that must not be drafted
	begun  map[string]markdown.Note // drafts by their names
	hashes map[string]string        // hashes of the drafts' files, by name
	gone   []string                 // names of drafts with a fact that no longer holds
}

// Keep deletes the drafts of a scope that have a fact that no longer holds, and drafts
// skills from its current facts. If the model's answer is unusable, Keep changes nothing
// and appends an event. It never writes a skill that a person wrote, changed, accepted or
// deleted. Keep returns errors of the store, of files and of ctx only.
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

// read reads what drafts are made from: facts about projects and ways of working, newest
// first, except those that read like instructions. Facts about the user are left out,
// since groups can see the file.
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

// readSkills reads the skills in from, which work in the scope in can see.
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
		if d.Foreign { // a repository's skill is no material, but its name is taken
			s.taken[name] = true
			continue
		}
		n, _ := markdown.ParseSkill(d.Content) // a malformed skill is not reported here
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
			delete(s.begun, name) // a new draft would start over
			continue
		}
		s.input.Skills = append(s.input.Skills, sk)
	}
	return nil
}

// untouched reports whether only dreams have changed a document.
func untouched(ctx context.Context, r store.Reader, d strata.Document) (bool, error) {
	list, err := r.Decisions(ctx, d.Scope, strata.DecisionFilter{Path: d.Path, Limit: 1000})
	return !slices.ContainsFunc(list, func(x strata.Decision) bool { return x.Op.Changed() && x.Origin != strata.OriginDream }), err
}

// hold reports whether all of the facts are current.
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

// put writes a draft, unless the name is taken or a person deleted that skill.
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

// write commits a candidate and appends an event, also if the candidate was refused.
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
