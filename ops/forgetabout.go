package ops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/ops/operation"
)

// Mention is something that may be what is to be forgotten.
type Mention struct {
	ID    string      `json:"id" doc:"by which it is forgotten"`
	Kind  strata.Kind `json:"kind" doc:"fact, turn, section of a note, or learning"`
	Text  string      `json:"text" doc:"what it says, cut short"`
	Scope string      `json:"scope" tool:"-" doc:"who owns it"`
}

const (
	maxMentions  = 20
	mentionBytes = 200 // of the text of one
)

// forgetAbout forgets what of memory on a subject was confirmed, and lists what there is
// where nothing was. What is asked for is kept nowhere: it may be what is to be forgotten.
func forgetAbout(ctx context.Context, env *operation.Env, in ForgetIn) (Forgotten, error) {
	if len(in.Confirm) > 0 {
		return forgetConfirmed(ctx, env, in)
	}
	q := strata.Query{View: env.View, Text: in.About, Search: true, Quiet: true, Limit: maxMentions}
	found, err := env.Engine.Query(ctx, q)
	if err == nil && len(found.Hits) == 0 {
		q.All = true
		found, err = env.Engine.Query(ctx, q)
	}
	if err != nil {
		return Forgotten{}, err
	}
	out := Forgotten{DryRun: true, Candidates: []Mention{}}
	for _, h := range found.Hits {
		m := Mention{ID: h.ID, Kind: h.Kind, Text: text.Clip(strings.Join(strings.Fields(h.Text), " "), mentionBytes), Scope: h.Scope.Key()}
		if h.Section != nil {
			m.ID = h.Section.Path
		}
		if !slices.ContainsFunc(out.Candidates, func(c Mention) bool { return c.ID == m.ID && c.Scope == m.Scope }) {
			out.Candidates = append(out.Candidates, m)
		}
	}
	if len(out.Candidates) == 0 {
		return Forgotten{}, &strata.Error{Code: strata.CodeNotFound, Op: "forget", Message: "nothing is found about that",
			Hint: "ask in other words, or name an id: strata search finds them"}
	}
	return out, nil
}

// forgetConfirmed forgets some memories one after the other. One that went with another is
// no error.
func forgetConfirmed(ctx context.Context, env *operation.Env, in ForgetIn) (Forgotten, error) {
	var out Forgotten
	var ids []string
	for i, name := range in.Confirm {
		one, err := forgetOne(ctx, env, in, name)
		if i > 0 && strata.CodeOf(err) == strata.CodeNotFound {
			continue
		}
		if err != nil {
			return out, err
		}
		ids = append(ids, one.ID)
		out.add(one)
	}
	out.ID = strings.Join(ids, ", ")
	out.Remaining, out.Commands = out.standing(in.Confirm)
	return out, nil
}

// add adds what was forgotten with another.
func (f *Forgotten) add(o Forgotten) {
	o.Versions, o.Decisions, o.Traces, o.Commits = o.Versions+f.Versions, o.Decisions+f.Decisions, o.Traces+f.Traces, o.Commits+f.Commits
	o.Snapshots, o.States, o.Learnings = o.Snapshots+f.Snapshots, o.States+f.States, o.Learnings+f.Learnings
	o.Turns, o.Documents = union(f.Turns, o.Turns), union(f.Documents, o.Documents)
	o.Rewritten, o.Remaining, o.Notes = union(f.Rewritten, o.Rewritten), union(f.Remaining, o.Remaining), union(f.Notes, o.Notes)
	o.failed = errors.Join(f.failed, o.failed)
	if f.Incomplete != "" {
		o.Incomplete = f.Incomplete
	}
	*f = o
}

// standing returns what remains once all of some memories are forgotten, with the commands
// that take it.
func (f *Forgotten) standing(confirmed []string) (remaining, commands []string) {
	for _, r := range f.Remaining {
		if !slices.Contains(confirmed, r) && !slices.Contains(f.Turns, r) {
			remaining, commands = append(remaining, r), append(commands, takes(r, f.ID))
		}
	}
	return remaining, commands
}

// union returns two lists as one, each item once.
func union(a, b []string) []string {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// candidatesText lists what may be meant.
func candidatesText(list []Mention) string {
	var b strings.Builder
	b.WriteString("nothing was forgotten; pass the ids of what is to go as confirm:")
	for _, m := range list {
		fmt.Fprintf(&b, "\n%s (%s): %s", m.ID, m.Kind, m.Text)
	}
	return b.String()
}
