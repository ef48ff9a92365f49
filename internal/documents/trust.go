package documents

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// A version of a document is foreign if it came with a repository and nobody here wrote
// it or trusts it. Why it is decided so stands in docs/decisions/0037.

// Found is how a file stands that was changed by hand, or by version control.
type Found struct {
	files.Stat
	// Origin tells how its bytes came; nil where nothing can be foreign.
	Origin *files.Origin
}

// isForeign decides whether the version that a draft brings is foreign.
func (t *Tx) isForeign(ctx context.Context, d *Draft) (bool, error) {
	c := d.Candidate
	was := d.before != nil && d.before.Foreign
	switch {
	case c.Scope.Workspace == "":
		return false, nil // it lies in the home
	case c.Foreign:
		return true, nil
	case c.Origin != strata.OriginFile:
		// A person who writes the whole file has looked at it; what a model or the
		// background writes over it is made of it.
		return was && c.Origin != strata.OriginCLI && c.Origin != strata.OriginAPI, nil
	case d.Origin == nil:
		return was, nil
	case markdown.IsStarter(c.Path, c.Content):
		return false, nil
	}
	trusted, err := t.trusted(ctx, c)
	if err != nil || slices.Contains(trusted, d.Document.Hash) {
		return false, err
	}
	seen, err := t.reader.ScopeSeen(ctx, c.Scope)
	if err != nil || !seen && !d.Origin.Home || was || d.Origin.Unread {
		return true, err
	}
	for _, v := range d.Origin.Versions {
		switch {
		case v.Own, slices.ContainsFunc(v.Hashes, func(h string) bool { return slices.Contains(trusted, h) }):
			continue // or an edit on top of it
		case d.before == nil, slices.Contains(v.Hashes, d.Document.Hash):
			return true, nil
		}
		// An edit on top of a version that is not trusted, but was known when a
		// later one was.
		known, err := t.wasRecorded(ctx, c, v.Hashes)
		if err != nil || !known {
			return true, err
		}
	}
	return false, nil
}

// NotTrusted is the error of a foreign document that is to become part of what is trusted.
func NotTrusted(op, path string) *strata.Error {
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: path + " came with the repository and is not trusted",
		Hint: "strata trust shows it, and accepts it"}
}

// trusted are the hashes of the versions of a file that are trusted, under the name that
// it has and the one that it had.
func (t *Tx) trusted(ctx context.Context, c strata.Candidate) ([]string, error) {
	out, err := t.reader.Trusted(ctx, c.Scope, c.Path)
	if err != nil || c.RenamedFrom == "" {
		return out, err
	}
	former, err := t.reader.Trusted(ctx, c.Scope, c.RenamedFrom)
	return append(out, former...), err
}

// wasRecorded reports whether memory recorded one of some versions of a file.
func (t *Tx) wasRecorded(ctx context.Context, c strata.Candidate, hashes []string) (bool, error) {
	list, err := t.reader.Decisions(ctx, c.Scope, strata.DecisionFilter{Path: c.Path, Limit: store.TrustedVersions})
	return slices.ContainsFunc(list, func(d strata.Decision) bool {
		return d.Document != nil && d.Document.After != nil && slices.Contains(hashes, d.Document.After.Hash)
	}), err
}

// NeedsOrigin reports whether it depends on how a file came whether it is foreign: it is
// not known to be trusted, and its scope was looked at before, or lies in the home while
// the file is the project's own.
func (t *Tx) NeedsOrigin(ctx context.Context, c strata.Candidate, home bool) (bool, error) {
	trusted, err := t.trusted(ctx, c)
	switch {
	case err != nil, slices.Contains(trusted, files.Hash([]byte(c.Content))):
		return false, err
	case home:
		return true, nil
	}
	return t.reader.ScopeSeen(ctx, c.Scope)
}
