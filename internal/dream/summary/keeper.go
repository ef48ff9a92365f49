package summary

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/handedit"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// Options are what a [Keeper] needs. All but Model are required.
type Options struct {
	Store store.Store
	// Model writes summaries. If it is nil, none are written, but lines that no longer
	// hold are still removed.
	Model llm.Chat
	// Intake records edits made to a file by hand.
	Intake *handedit.Intake
	// Write commits a candidate. It is the only way in which files are written.
	Write func(ctx context.Context, c strata.Candidate) (strata.Decision, error)
}

// Keeper keeps the summaries of scopes.
type Keeper struct{ o Options }

// New returns a keeper.
func New(o Options) *Keeper { return &Keeper{o} }

// state is what memory currently holds that a summary is written from.
type state struct {
	file  *strata.Document // nil if there is none
	own   bool             // the file is as Strata wrote it
	input Input
}

// Keep rewrites the summary of a scope from its current facts. If no new summary can be
// written, Keep only removes the lines that no longer hold, and appends an event that
// says why. It does not change a file that a person wrote or edited. Keep returns errors
// of the store, of the file and of ctx only.
func (k *Keeper) Keep(ctx context.Context, scope strata.Scope) error {
	if err := k.o.Intake.NoticeEdits(ctx, documents.Place{Scope: scope, Path: markdown.SummaryPath}); err != nil && strata.CodeOf(err) != strata.CodeConflict {
		return err
	}
	now, err := store.Read(ctx, k.o.Store, func(r store.Reader) (state, error) { return k.read(ctx, r, scope) })
	if err != nil {
		return err
	}
	if now.file != nil && !now.own {
		return k.kept(ctx, scope, "a person wrote or edited the file")
	}
	next, why := now.input.Earlier, ""
	if k.o.Model != nil && len(now.input.Facts) > 0 {
		if next, err = Write(ctx, k.o.Model, now.input); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			next, why = now.input.Earlier, text.Clip(err.Error(), 200)
		}
	}
	changed, err := k.put(ctx, scope, now.file, next)
	switch {
	case strata.CodeOf(err) == strata.CodeConflict:
		return k.kept(ctx, scope, "the file changed meanwhile")
	case err != nil:
		return err
	case why != "":
		return k.kept(ctx, scope, why)
	case changed:
		return k.tell(ctx, scope, strata.EventSummarized, fmt.Sprintf("%d themes from %d facts", len(next.Themes), len(now.input.Facts)))
	}
	return nil
}

// read reads what a summary is written from. The facts of the earlier summary come first,
// then promoted facts, then the newest. Rules are left out, because sessions are shown
// each of them anyway.
func (k *Keeper) read(ctx context.Context, r store.Reader, scope strata.Scope) (s state, err error) {
	if s.file, err = documents.At(ctx, r, scope, markdown.SummaryPath); err != nil {
		return s, err
	}
	var earlier Summary
	if s.file != nil && !s.file.Foreign { // a repository's file is no material
		earlier, s.own = markdown.ParseSummary(s.file.Content)
	}
	known := make(map[string]bool)
	add := func(f strata.Fact) {
		if f.Current() && f.Type != strata.TypeFeedback && !known[Key(f)] {
			known[Key(f)] = true
			s.input.Facts = append(s.input.Facts, f)
		}
	}
	named := make([]string, 0, MaxFacts)
	for _, key := range earlier.Facts() {
		named = append(named, idOf(key))
	}
	risen, err := r.Promotions(ctx, scope, false)
	if err != nil {
		return s, err
	}
	for _, p := range risen {
		named = append(named, p.Fact)
	}
	for _, id := range named {
		f, err := r.Fact(ctx, []strata.Scope{scope}, id)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return s, err
		}
		if err == nil {
			add(f)
		}
	}
	newest, err := r.Facts(ctx, scope, strata.FactFilter{Limit: MaxFacts})
	if err != nil {
		return s, err
	}
	for _, f := range newest {
		add(f)
	}
	s.input.Earlier = earlier.Supported(func(key string) bool { return known[key] })
	memory, err := documents.At(ctx, r, scope, strata.IndexPath)
	if err == nil && memory != nil && !memory.Foreign {
		s.input.Memory = memory.Content
	}
	return s, err
}

// put writes a summary over the file that was read, unless the file already says the
// same. It deletes the file if the summary is empty.
func (k *Keeper) put(ctx context.Context, scope strata.Scope, file *strata.Document, s Summary) (changed bool, err error) {
	c := strata.Candidate{
		Scope: scope, Path: markdown.SummaryPath, BaseHash: strata.NoFile, Origin: strata.OriginDream, Agent: scope.Agent,
		Reason: "what the facts say now",
	}
	if file != nil {
		c.BaseHash = file.Hash
	}
	if c.Content = s.Render(); len(s.Themes) == 0 {
		if file == nil {
			return false, nil
		}
		c.Content, c.Action = "", strata.ActionDelete
	} else if file != nil && file.Content == c.Content {
		return false, nil
	}
	d, err := k.o.Write(ctx, c)
	if err == nil && d.Op == strata.OpReject {
		return false, k.kept(ctx, scope, "it was rejected: "+text.Clip(d.Reason, 200))
	}
	return err == nil && d.Op.Changed(), err
}

// kept appends an event which says that a summary was left as it was.
func (k *Keeper) kept(ctx context.Context, scope strata.Scope, why string) error {
	return k.tell(ctx, scope, strata.EventSummaryKept, why)
}

func (k *Keeper) tell(ctx context.Context, scope strata.Scope, kind, detail string) error {
	return k.o.Store.Update(ctx, func(w store.Writer) error {
		return w.AppendEvent(ctx, strata.Event{Kind: kind, Scope: scope, Ref: markdown.SummaryPath, Detail: detail, At: w.Now()})
	})
}

// RestingOn returns the summary files of some scopes, as Strata wrote them, that are
// based on a fact.
func (k *Keeper) RestingOn(ctx context.Context, r store.Reader, scopes []strata.Scope, fact string) ([]strata.Document, error) {
	var out []strata.Document
	for _, scope := range scopes {
		d, err := documents.At(ctx, r, scope, markdown.SummaryPath)
		if err != nil {
			return nil, err
		}
		if d == nil {
			continue
		}
		s, own := markdown.ParseSummary(d.Content)
		if own && slices.ContainsFunc(s.Facts(), func(key string) bool { return idOf(key) == fact }) {
			out = append(out, *d)
		}
	}
	return out, nil
}
