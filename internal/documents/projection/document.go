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

// byHand is the reason for setting aside a decision whose file a person has changed
// since.
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

// document updates one file after the decisions about it.
func (r *rendering) document(ctx context.Context, path string, decisions []strata.Decision) {
	last := decisions[len(decisions)-1]
	if last.Origin == strata.OriginFile || strings.HasPrefix(path, strata.ProjectPrefix) {
		return // the file already is as decided
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
			r.wait(err, decisions...) // what is in the way may be moved
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

// leave removes the former files of renames if they are unchanged, unless the path has
// been written again with the same content. It keeps files that a person has changed
// since.
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

// place writes or removes a file whose current hash is base.
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

// read reads a file. A file that does not exist has the hash [strata.NoFile].
func (r *rendering) read(ctx context.Context, path string) (files.File, error) {
	f, err := r.o.Tree.Read(ctx, r.scope, path)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return files.File{Path: path, Stat: files.Stat{Hash: strata.NoFile}}, nil
	}
	return f, err
}

// expected reports whether a file, apart from generated parts, is as one of the decisions
// found or left it. Writes that were not stamped and lines rendered since are not edits
// by hand, nor is a file created for such lines when a decision had found none.
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

// carryOver returns the content that a decision gives a file. For a daily log it includes
// the lines that were rendered since the decision was made.
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

// unfit returns why a document cannot be written, or "" if it can.
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
