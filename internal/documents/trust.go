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
// or trusts it. docs/decisions/0037 has the reasons.

// Found is the state of a file that was changed by hand or by version control.
type Found struct {
	files.Stat
	// Origin tells where its content came from; nil if nothing can be foreign.
	Origin *files.Origin
}

// isForeign reports whether the version that a draft results in is foreign.
func (t *Tx) isForeign(ctx context.Context, d *Draft) (bool, error) {
	c := d.Candidate
	was := d.before != nil && d.before.Foreign
	switch {
	case c.Scope.Workspace == "":
		return false, nil // it is in the home
	case c.Foreign:
		return true, nil
	case c.Origin != strata.OriginFile:
		// A person who writes the whole file has seen it. What a model or a background
		// task writes over a foreign version is derived from it.
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
			continue // or an edit based on it
		case d.before == nil, slices.Contains(v.Hashes, d.Document.Hash):
			return true, nil
		}
		// The edit may be based on a version that is not trusted, but was known when a
		// later one was trusted.
		known, err := t.wasRecorded(ctx, c, v.Hashes)
		if err != nil || !known {
			return true, err
		}
	}
	return false, nil
}

// NotTrusted returns the error for a foreign document that would become part of something
// trusted.
func NotTrusted(op, path string) *strata.Error {
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: path + " came with the repository and is not trusted",
		Hint: "strata trust shows and accepts it"}
}

// trusted returns the hashes of the trusted versions of a file, under its current and its
// former name.
func (t *Tx) trusted(ctx context.Context, c strata.Candidate) ([]string, error) {
	out, err := t.reader.Trusted(ctx, c.Scope, c.Path)
	if err != nil || c.RenamedFrom == "" {
		return out, err
	}
	former, err := t.reader.Trusted(ctx, c.Scope, c.RenamedFrom)
	return append(out, former...), err
}

// wasRecorded reports whether memory recorded a version of a file with one of the hashes.
func (t *Tx) wasRecorded(ctx context.Context, c strata.Candidate, hashes []string) (bool, error) {
	list, err := t.reader.Decisions(ctx, c.Scope, strata.DecisionFilter{Path: c.Path, Limit: store.TrustedVersions})
	return slices.ContainsFunc(list, func(d strata.Decision) bool {
		return d.Document != nil && d.Document.After != nil && slices.Contains(hashes, d.Document.After.Hash)
	}), err
}

// NeedsOrigin reports whether the origin of a file is needed to decide whether it is
// foreign. It is unless the content is trusted already, or the scope was never seen
// before. For a scope whose files are in the home, home is true, and the latter does not
// matter.
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
