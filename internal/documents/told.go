package documents

import (
	"context"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// Told returns a document without what no longer holds. What memory wrote into it from
// facts and turns is left out as soon as these are deleted, superseded or forgotten, even
// though the file contains it until it is rendered again. This concerns lines of
// summaries and of MEMORY.md, and skills as a whole, for which ok is false. What people
// wrote is kept. If a fact is brought back, so is what is based on it.
func Told(ctx context.Context, r store.Reader, d strata.Document) (told strata.Document, ok bool, err error) {
	switch {
	case d.Path == markdown.SummaryPath:
		return toldSummary(ctx, r, d)
	case d.Path == strata.IndexPath:
		d.Content, err = toldIndex(ctx, r, d)
		return d, true, err
	}
	if _, skill := markdown.ParseSkillPath(d.Path); skill {
		ok, err = holdsStill(ctx, r, d)
		return d, ok, err
	}
	return d, true, nil
}

// ToldAt returns the document at a path as [Told] does, or nil if there is none to tell.
func ToldAt(ctx context.Context, r store.Reader, scope strata.Scope, path string) (*strata.Document, error) {
	d, err := At(ctx, r, scope, path)
	if err != nil || d == nil {
		return nil, err
	}
	told, ok, err := Told(ctx, r, *d)
	if err != nil || !ok {
		return nil, err
	}
	return &told, nil
}

// ToldHits returns the hits except those in the files of skills that [Told] leaves out.
func ToldHits(ctx context.Context, r store.Reader, hits []strata.Hit) (out []strata.Hit, err error) {
	for _, h := range hits {
		told := true
		if h.Section != nil {
			told, err = isTold(ctx, r, h.Scope, h.Section.Path)
		}
		if err != nil {
			return nil, err
		}
		if told {
			out = append(out, h)
		}
	}
	return out, nil
}

func isTold(ctx context.Context, r store.Reader, scope strata.Scope, path string) (told bool, err error) {
	name, ok := markdown.SkillOf(path)
	if !ok {
		return true, nil
	}
	d, err := At(ctx, r, scope, markdown.SkillPath(name))
	if err == nil && d != nil {
		_, told, err = Told(ctx, r, *d)
		return told, err
	}
	return true, err
}

func toldSummary(ctx context.Context, r store.Reader, d strata.Document) (strata.Document, bool, error) {
	written, own := markdown.ParseSummary(d.Content)
	if !own {
		return d, true, nil
	}
	current := make(map[string]bool)
	for _, key := range written.Facts() {
		id, generation, _ := strings.Cut(key, "@")
		var err error
		if current[key], err = saysStill(ctx, r, d.Scope, id, generation); err != nil {
			return d, false, err
		}
	}
	left := written.Supported(func(key string) bool { return current[key] })
	if len(left.Themes) == 0 && len(written.Themes) > 0 {
		return d, false, nil
	}
	d.Content = left.Render()
	return d, true, nil
}

// saysStill reports whether a fact still says what one of its versions said. If the fact
// was deleted and brought back, a later version has the same text.
func saysStill(ctx context.Context, r store.Reader, scope strata.Scope, fact, generation string) (bool, error) {
	versions, err := r.FactVersions(ctx, scope, fact)
	if err != nil || len(versions) == 0 {
		return false, err
	}
	now := versions[len(versions)-1]
	for _, v := range versions {
		if strconv.FormatInt(v.Generation, 10) == generation {
			return now.Current() && v.Text == now.Text, nil
		}
	}
	return false, nil
}

// toldIndex returns the content of MEMORY.md without the items whose facts are no longer
// current.
func toldIndex(ctx context.Context, r store.Reader, d strata.Document) (string, error) {
	gone := make(map[string]bool)
	for _, decision := range markdown.ItemDecisions(d.Content) {
		var err error
		if gone[decision], err = isGone(ctx, r, d.Scope, decision); err != nil {
			return "", err
		}
	}
	return markdown.Without(d.Content, gone), nil
}

// isGone reports whether the fact that a decision wrote is no longer current. It returns
// false for an unknown decision, as in a copied file.
func isGone(ctx context.Context, r store.Reader, scope strata.Scope, decision string) (bool, error) {
	made, err := r.Decision(ctx, []strata.Scope{scope}, decision)
	if strata.CodeOf(err) == strata.CodeNotFound || err == nil && (made.FactID == "" || made.Document != nil) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	f, err := r.Fact(ctx, []strata.Scope{scope}, made.FactID)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return true, nil // forgotten
	}
	return err == nil && !f.Current(), err
}

// holdsStill reports whether what a skill is based on still holds, or a person wrote part
// of it. A draft needs all of its facts; a skill that a person made active needs only
// one.
func holdsStill(ctx context.Context, r store.Reader, d strata.Document) (bool, error) {
	n, _ := markdown.ParseSkill(d.Content)
	if len(n.Provenance.Facts)+len(n.Provenance.Turns) == 0 {
		return true, nil
	}
	holding := 0
	for _, id := range n.Provenance.Facts {
		f, err := r.Fact(ctx, []strata.Scope{d.Scope}, id)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return false, err
		}
		if err == nil && f.Current() {
			holding++
		}
	}
	if holding > 0 && (n.Status.IsActive() || holding == len(n.Provenance.Facts)) {
		return true, nil
	}
	for _, id := range n.Provenance.Turns {
		t, err := r.Turn(ctx, []strata.Scope{d.Scope}, id)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return false, err
		}
		if err != nil || !t.Forgotten || t.Pruned() || t.Archived() {
			return true, nil // a turn of another scope, or one removed because of its age
		}
	}
	return IsEdited(d, n.Body, func(f strata.DecisionFilter) ([]strata.Decision, error) { return r.Decisions(ctx, d.Scope, f) })
}

// IsEdited reports whether the text of a skill below its front matter differs from all
// versions that memory wrote by itself. decisions lists the decisions about the skill.
func IsEdited(d strata.Document, body string, decisions func(strata.DecisionFilter) ([]strata.Decision, error)) (bool, error) {
	f := strata.DecisionFilter{Path: d.Path, Limit: 100}
	for {
		page, err := decisions(f)
		if err != nil {
			return false, err
		}
		for _, decided := range page {
			if v := decided.Document.After; v != nil && (decided.Origin == strata.OriginExtractor || decided.Origin == strata.OriginDream) && markdown.Below(v.Content) == body {
				return false, nil
			}
			f.After = decided.ID
		}
		if len(page) < f.Limit {
			return true, nil
		}
	}
}
