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

// Options are what a keeper works with. All but Model are needed.
type Options struct {
	Store store.Store
	// Model writes summaries; nil: none is written, and of one that is there the lines go
	// that no longer hold.
	Model llm.Chat
	// Intake takes in what was done to a file by hand.
	Intake *handedit.Intake
	// Write is the one write path.
	Write func(ctx context.Context, c strata.Candidate) (strata.Decision, error)
}

// Keeper keeps the summaries of scopes.
type Keeper struct{ o Options }

// New returns a keeper.
func New(o Options) *Keeper { return &Keeper{o} }

// state is what a summary is written from, as memory has it now.
type state struct {
	file  *strata.Document // nil without one
	own   bool             // the file is as it was written
	input Input
}

// Keep writes the summary of a scope anew from the facts that hold now. What keeps it from
// that leaves the summary as it is, but for lines that no longer hold, and is told in an
// event. A file that a person wrote or edited is theirs. The error is that of the store, of
// the file or of ctx.
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

// read reads what a summary is written from: of the facts first those that it rests on,
// then those that rose in dreams, then the newest. Rules are not among them: a session is
// told each of them anyway.
func (k *Keeper) read(ctx context.Context, r store.Reader, scope strata.Scope) (s state, err error) {
	if s.file, err = documents.At(ctx, r, scope, markdown.SummaryPath); err != nil {
		return s, err
	}
	var earlier Summary
	if s.file != nil && !s.file.Foreign { // what came with a repository is no material
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

// put writes a summary over the file that was read, unless that says the same; the file of
// an empty summary goes.
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

// kept tells that a summary was left as it was.
func (k *Keeper) kept(ctx context.Context, scope strata.Scope, why string) error {
	return k.tell(ctx, scope, strata.EventSummaryKept, why)
}

func (k *Keeper) tell(ctx context.Context, scope strata.Scope, kind, detail string) error {
	return k.o.Store.Update(ctx, func(w store.Writer) error {
		return w.AppendEvent(ctx, strata.Event{Kind: kind, Scope: scope, Ref: markdown.SummaryPath, Detail: detail, At: w.Now()})
	})
}

// RestingOn returns the files, of some scopes, of summaries that rest on a fact, as Strata
// wrote them.
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
