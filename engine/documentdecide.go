package engine

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/controller"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/store"
)

// decideDocument reads what memory has at the path of a proposal and has the
// controller decide. For a hand edit that memory has already, the newest
// decision of the path is returned instead.
func (e *Engine) decideDocument(ctx context.Context, r store.Reader, shelf *shelf, p *proposal) (controller.Outcome, *strata.Decision, error) {
	c, sh := p.candidate, p.sheet
	sh.quiet, sh.forgotten, sh.fresh, sh.overtaken = false, false, false, false
	var err error
	if sh.before, err = documentAt(ctx, r, c.Scope, c.Path); err != nil {
		return controller.Outcome{}, nil, err
	}
	if c.Origin == strata.OriginFile {
		known, err := p.isKnown(ctx, r)
		if err != nil {
			return controller.Outcome{}, nil, err
		}
		sh.quiet = !known && p.isGenerated()
		if known || sh.quiet {
			d, err := newestOf(ctx, r, c.Scope, c.Path)
			return controller.Outcome{}, &d, err
		}
	}
	in := controller.DocumentInput{Candidate: c, Hash: sh.doc.Hash, Secrets: p.secrets, Before: sh.before}
	in.Starter = c.Wish == strata.WishSave && c.Origin == strata.OriginFile && isStarter(c.Path, c.Content)
	if c.Wish == strata.WishSave && len(p.secrets) == 0 {
		if sh.forgotten, err = isForgotten(ctx, r, c.Scope, sh.doc.Content); err != nil {
			return controller.Outcome{}, nil, err
		}
		in.Forgotten = sh.forgotten
	}
	if c.Wish == strata.WishSave && sh.before == nil && c.Origin != strata.OriginFile {
		if in.Alike, err = shelf.alike(ctx, c.Scope, c.Path); err != nil {
			return controller.Outcome{}, nil, err
		}
	}
	out := controller.DecideDocument(in)
	if out.Err != nil {
		return controller.Outcome{}, nil, out.Err
	}
	return out, nil, nil
}

// isKnown reports whether a hand edit is nothing new: memory has it, another
// change of the path came in between, or the file is about to be written.
func (p *proposal) isKnown(ctx context.Context, r store.Reader) (bool, error) {
	c, before := p.candidate, p.sheet.before
	now := strata.NoFile
	if before != nil {
		now = before.Hash
	}
	seen := strata.NoFile
	if c.Wish == strata.WishSave {
		seen = p.sheet.doc.Hash
	}
	if seen == now {
		return true, nil
	}
	p.sheet.overtaken = c.BaseHash != "" && c.BaseHash != now
	if p.sheet.overtaken {
		return true, nil
	}
	var err error
	p.sheet.overtaken, err = isPending(ctx, r, c.Scope, c.Path)
	return p.sheet.overtaken, err
}

// isForgotten reports whether a tombstone stands for a file, or for what it says
// below its front matter.
func isForgotten(ctx context.Context, r store.Reader, scope strata.Scope, content string) (bool, error) {
	if strings.TrimSpace(content) == "" {
		return false, nil
	}
	_, forgotten, err := r.Forgotten(ctx, scope, content)
	if forgotten || err != nil {
		return forgotten, err
	}
	n, err := document.ParseNote(content)
	if err != nil || len(n.Body) < leastSaid {
		return false, nil
	}
	_, forgotten, err = r.Forgotten(ctx, scope, n.Body)
	return forgotten, err
}

// isPending reports whether a file is still to follow a decision.
func isPending(ctx context.Context, r store.Reader, scope strata.Scope, path string) (bool, error) {
	pending, err := r.Decisions(ctx, scope, strata.DecisionFilter{Path: path, Pending: true, Limit: 1})
	if err != nil {
		return false, fmt.Errorf("read pending decisions of %s: %w", path, err)
	}
	return len(pending) > 0, nil
}

// isGenerated reports whether only what is generated in a file changed: then
// no hand was at work.
func (p *proposal) isGenerated() bool {
	human := func(content string) string { return document.Human(p.candidate.Path, content) }
	// A file of nothing but generated text, and what such a file is begun with,
	// comes and goes like that text.
	alone := func(content string) bool {
		return strings.TrimSpace(content) != "" && isBegun(p.candidate.Path, human(content))
	}
	before, after := p.sheet.before, p.sheet.doc.Content
	switch {
	case before == nil:
		return alone(after)
	case p.candidate.Wish == strata.WishDelete:
		return alone(before.Content)
	}
	return before.Content != after && sameHuman(human(after), human(before.Content))
}

// isBegun reports whether what stands in a file beside what is generated is what
// it is begun with, if anything.
func isBegun(path, human string) bool {
	human = strings.TrimSpace(human)
	_, day, _, daily := parseDaily(path)
	return human == "" || daily && human == "# "+day ||
		path == strata.IndexPath && human == strings.TrimSpace(document.Human(path, document.Starter(path)))
}

// newestOf returns the newest decision about a path; the zero decision if there
// is none.
func newestOf(ctx context.Context, r store.Reader, scope strata.Scope, path string) (strata.Decision, error) {
	list, err := r.Decisions(ctx, scope, strata.DecisionFilter{Path: path, Limit: 1})
	if err != nil || len(list) == 0 {
		return strata.Decision{}, err
	}
	return list[0], nil
}

// alike returns the path of another document of a scope that a disk may take
// for the same file; empty if there is none. The paths are read once.
func (s *shelf) alike(ctx context.Context, scope strata.Scope, path string) (string, error) {
	paths, ok := s.paths[scope]
	if !ok {
		stats, err := s.reader.DocumentStats(ctx, scope)
		if err != nil {
			return "", fmt.Errorf("read paths of %s: %w", scope, err)
		}
		paths = make(map[string]string, len(stats))
		for p, st := range stats {
			if st.Hash != "" { // else only its removal is outstanding
				paths[folded(p)] = p
			}
		}
		s.paths[scope] = paths
	}
	if other := paths[folded(path)]; other != path {
		return other, nil
	}
	return "", nil
}

// recorded keeps the paths true after a document was recorded or removed.
func (s *shelf) recorded(scope strata.Scope, path string, there bool) {
	switch paths, ok := s.paths[scope]; {
	case !ok:
	case there:
		paths[folded(path)] = path
	case paths[folded(path)] == path:
		delete(paths, folded(path))
	}
}

// folded is what paths have in common that a disk may take for one: disks know
// names apart neither by case, some of them, nor by the Unicode form in which a
// letter with an accent is written.
func folded(path string) string {
	return norm.NFC.String(strings.ToLower(strings.ToUpper(norm.NFC.String(path))))
}
