package projection

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// byHand is why a decision was set aside whose file a person changed since.
const byHand = "superseded by hand"

// documents writes the files of decisions about documents. Of several about
// one path only the last is written.
func (r *rendering) documents(ctx context.Context) error {
	var paths []string
	of := make(map[string][]strata.Decision)
	for _, d := range r.pending {
		if d.Document == nil {
			continue
		}
		path := d.Document.Path
		if of[path] == nil {
			paths = append(paths, path)
		}
		of[path] = append(of[path], d)
		if from := d.Document.RenamedFrom(); from != "" {
			r.what |= markdown.PartOf(from)
		}
		if r.what |= markdown.PartOf(path); d.Op == strata.OpForget {
			r.what |= markdown.AllParts
		}
	}
	for _, path := range paths {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if r.blocked() {
			r.fail(r.waits, of[path]...)
			continue
		}
		r.document(ctx, path, of[path])
	}
	return nil
}

// document brings one file to where the decisions about it lead.
func (r *rendering) document(ctx context.Context, path string, decisions []strata.Decision) {
	last := decisions[len(decisions)-1]
	if last.Origin == strata.OriginFile || strings.HasPrefix(path, strata.ProjectPrefix) {
		return // the file said so itself
	}
	if reason := unfit(last.Document.After); reason != "" {
		r.setAside(reason, decisions...)
		return
	}
	base := documents.HashOf(decisions[0].Document.Before)
	if decisions[0].Document.RenamedFrom() != "" {
		base = strata.NoFile
	}
	for try := 1; ; try++ {
		err := r.place(ctx, path, last.Document, base)
		if err == nil {
			err = r.leave(ctx, decisions)
		}
		if strata.CodeOf(err) != strata.CodeConflict {
			if err != nil {
				r.fail(err, decisions...)
			}
			return
		}
		now, err := r.read(ctx, path)
		switch {
		case err != nil:
			r.wait(err, decisions...) // what stands in the way can be moved away
			return
		case try < rewriteTries && expected(now, decisions):
			base = now.Hash
			if last.Document.After != nil && documents.HashOf(last.Document.After) != now.Hash {
				carried := *last.Document.After
				carried.Content = carryOver(path, string(now.Content), last.Document)
				carried.Hash = files.Hash([]byte(carried.Content))
				last.Document = &strata.DocumentChange{Path: path, Before: last.Document.Before, After: &carried}
			}
		default:
			r.setAside(byHand, decisions...)
			return
		}
	}
}

// leave removes the files from which decisions renamed others: as those stood, and where
// nothing of these bytes is to be there by now. One that a person changed since stays.
func (r *rendering) leave(ctx context.Context, decisions []strata.Decision) error {
	for _, d := range decisions {
		from := d.Document.RenamedFrom()
		if from == "" {
			continue
		}
		there, err := store.Read(ctx, r.o.Store, func(s store.Reader) (*strata.Document, error) { return documents.At(ctx, s, r.scope, from) })
		if err != nil {
			return err
		}
		if documents.HashOf(there) == d.Document.Before.Hash {
			continue
		}
		switch err := r.o.Tree.Remove(ctx, r.scope, from, d.Document.Before.Hash); strata.CodeOf(err) {
		case "":
			r.Wrote(r.scope)
		case strata.CodeNotFound, strata.CodeConflict:
		default:
			return err
		}
	}
	return nil
}

// place writes or removes a file that stands as base says.
func (r *rendering) place(ctx context.Context, path string, to *strata.DocumentChange, base string) error {
	tree := r.o.Tree
	if to.After == nil {
		if base == strata.NoFile {
			there, err := r.read(ctx, path)
			if err == nil && there.Hash != strata.NoFile {
				err = &strata.Error{Code: strata.CodeConflict, Op: "render", Message: path + " is there, and should not be"}
			}
			return err
		}
		if err := tree.Remove(ctx, r.scope, path, base); err != nil {
			return err
		}
	} else {
		f, err := tree.Write(ctx, r.scope, path, []byte(to.After.Content), base)
		if err != nil {
			return err
		}
		f.Path, f.Content = path, []byte(to.After.Content)
		r.written = append(r.written, writtenFile{file: f})
	}
	r.Wrote(r.scope)
	failpoint.Hit(failpoint.ProjectWritten)
	return nil
}

// read reads a file as it stands now; one that is not there has the hash NoFile.
func (r *rendering) read(ctx context.Context, path string) (files.File, error) {
	f, err := r.o.Tree.Read(ctx, r.scope, path)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return files.File{Path: path, Stat: files.Stat{Hash: strata.NoFile}}, nil
	}
	return f, err
}

// expected reports whether a file stands as one of the decisions found or left
// it, but for parts that are generated: a write that was not stamped, and lines
// that were rendered since, are no edits by hand. Nor is a file that was begun
// for such lines since a decision found none.
func expected(now files.File, decisions []strata.Decision) bool {
	for _, d := range decisions {
		for _, v := range []*strata.Document{d.Document.Before, d.Document.After} {
			if documents.HashOf(v) == now.Hash {
				return true
			}
			path := d.Document.Path
			if now.Hash == strata.NoFile || !markdown.IsRendered(path) {
				continue
			}
			was := markdown.Begun(path)
			if v != nil {
				was = v.Content
			}
			if markdown.Human(path, was) == markdown.Human(path, string(now.Content)) {
				return true
			}
		}
	}
	return false
}

// carryOver returns the text that a decision gives a file, with the lines of a
// daily log that were rendered into it since the decision was made.
func carryOver(path, now string, change *strata.DocumentChange) string {
	text := change.After.Content
	if strata.KindOfPath(path) != strata.DocumentDaily {
		return text
	}
	day, ok := markdown.DayOf(path)
	if !ok {
		return text
	}
	seen := make(map[string]bool)
	for _, v := range []*strata.Document{change.Before, change.After} {
		if v == nil {
			continue
		}
		for _, item := range markdown.DailyItems(v.Content) {
			seen[item.Decision] = true
		}
	}
	late := slices.DeleteFunc(markdown.DailyItems(now), func(i markdown.Item) bool { return seen[i.Decision] })
	if len(late) == 0 {
		return text
	}
	return markdown.AddDaily(text, late, day)
}

// unfit says why a document cannot be written; empty if it can.
func unfit(d *strata.Document) string {
	switch {
	case d == nil:
		return ""
	case d.Content == strata.ForgottenText || d.Content == "" && d.Size > 0:
		return "its text was forgotten"
	case len(d.Redacted) > 0:
		return "a part of its text was taken out as a secret"
	case files.Hash([]byte(d.Content)) != d.Hash:
		return "its text does not match its hash"
	}
	return ""
}
