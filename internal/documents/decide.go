package documents

import (
	"cmp"
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// Decide reads what memory has at the path of a draft and has the controller decide. For
// a hand edit that needs no decision, it returns the newest decision about the path
// instead.
func (t *Tx) Decide(ctx context.Context, d *Draft) (decide.Outcome, *strata.Decision, error) {
	c, r := d.Candidate, t.reader
	d.Fresh, d.Quiet, d.Overtaken, d.forgotten = false, false, false, false
	var err error
	if d.before, err = At(ctx, r, c.Scope, cmp.Or(c.RenamedFrom, c.Path)); err != nil {
		return decide.Outcome{}, nil, err
	}
	if c.Origin == strata.OriginFile {
		known, err := d.isKnown(ctx, r)
		if err != nil {
			return decide.Outcome{}, nil, err
		}
		d.Quiet = !known && d.isGenerated()
		if known || d.Quiet {
			last, err := newest(ctx, r, c.Scope, c.Path)
			return decide.Outcome{}, &last, err
		}
	}
	in := decide.DocumentInput{Candidate: c, Hash: d.Document.Hash, Secrets: d.Secrets, Before: d.before}
	in.Starter = c.Action == strata.ActionSave && c.Origin == strata.OriginFile && markdown.IsStarter(c.Path, c.Content)
	if c.Action == strata.ActionSave && len(d.Secrets) == 0 {
		if d.forgotten, err = isForgotten(ctx, r, c.Scope, d.Document.Content); err != nil {
			return decide.Outcome{}, nil, err
		}
		in.Forgotten = d.forgotten
	}
	if c.Action == strata.ActionSave && (d.before == nil || c.RenamedFrom != "") && c.Origin != strata.OriginFile {
		if in.Alike, err = t.alike(ctx, c.Scope, c.Path); err != nil {
			return decide.Outcome{}, nil, err
		}
	}
	out := decide.DecideDocument(in)
	if out.Err != nil {
		return decide.Outcome{}, nil, out.Err
	}
	return out, nil, nil
}

// isKnown reports whether a hand edit is nothing new: memory has it already, the path was
// changed by something else in the meantime, or the file is about to be written.
func (d *Draft) isKnown(ctx context.Context, r store.Reader) (bool, error) {
	c, now, seen := d.Candidate, HashOf(d.before), strata.NoFile
	if c.RenamedFrom != "" {
		there, err := At(ctx, r, c.Scope, c.Path)
		if err != nil {
			return false, err
		}
		d.Overtaken = there != nil || d.before == nil || c.BaseHash != now
		for _, path := range []string{c.RenamedFrom, c.Path} {
			if d.Overtaken || err != nil {
				break
			}
			d.Overtaken, err = IsPending(ctx, r, c.Scope, path)
		}
		return d.Overtaken, err
	}
	if c.Action == strata.ActionSave {
		seen = d.Document.Hash
	}
	if seen == now {
		return true, nil
	}
	d.Overtaken = c.BaseHash != "" && c.BaseHash != now
	if d.Overtaken {
		return true, nil
	}
	var err error
	d.Overtaken, err = IsPending(ctx, r, c.Scope, c.Path)
	return d.Overtaken, err
}

// isGenerated reports whether only generated parts of a file changed, so that no person
// edited it.
func (d *Draft) isGenerated() bool {
	path, after := d.Candidate.Path, d.Document.Content
	// A file that contains only generated text and its initial content comes and goes
	// with the generated text.
	alone := func(content string) bool {
		return strings.TrimSpace(content) != "" && markdown.IsBegun(path, markdown.Human(path, content))
	}
	switch {
	case d.Candidate.RenamedFrom != "":
		return false
	case d.before == nil:
		return alone(after)
	case d.Candidate.Action == strata.ActionDelete:
		return alone(d.before.Content)
	}
	before := d.before.Content
	return before != after && markdown.SameHuman(markdown.Human(path, after), markdown.Human(path, before))
}

// isForgotten reports whether there is a tombstone for a file, or for its text below the
// front matter.
func isForgotten(ctx context.Context, r store.Reader, scope strata.Scope, content string) (bool, error) {
	if strings.TrimSpace(content) == "" {
		return false, nil
	}
	_, forgotten, err := r.Forgotten(ctx, scope, text.Analyze(content))
	if forgotten || err != nil {
		return forgotten, err
	}
	body := markdown.Below(content)
	if len(body) < leastSaid {
		return false, nil
	}
	_, forgotten, err = r.Forgotten(ctx, scope, text.Analyze(body))
	return forgotten, err
}
