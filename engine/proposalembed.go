package engine

import (
	"context"
	"math"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/store"
)

// embedAtOnce is the maximum number of new sections that a write embeds with a model
// outside this process. If there are more, as when a directory is first read, they wait
// in the queue and are found by words until then.
const embedAtOnce = 64

// notEmbedded is the note of a decision about a text without a vector.
const notEmbedded = "not embedded yet: it is found by words until then"

// embedProposals makes the vectors of every proposal that may be stored, in one bounded
// call. If that fails, the write goes on and the passages wait in the embedding queue.
// fresh has the texts from newSections; nil if all proposals are about facts.
func (e *Engine) embedProposals(ctx context.Context, proposals []proposal, fresh map[int][]string) {
	var texts []string
	var at []int
	for i, p := range proposals {
		switch {
		case p.draft != nil:
			for _, text := range fresh[i] {
				texts = append(texts, text)
				at = append(at, i)
			}
		case p.candidate.Action == strata.ActionSave && len(p.secrets) == 0:
			texts = append(texts, p.indexed)
			at = append(at, i)
		}
	}
	sets, _ := e.models.ForWrite(ctx, texts)
	serving := e.models.Serving()
	for j, i := range at {
		p := &proposals[i]
		if p.draft == nil {
			p.vectors = sets[j]
		} else {
			if p.draft.Vectors == nil {
				p.draft.Vectors = make(documents.Vectors)
			}
			p.draft.Vectors[texts[j]] = sets[j]
		}
		missing := sets[j].Of(serving) == nil && (!serving.IsZero() || len(sets[j]) == 0)
		if missing && e.models.HasEmbedder() && !slices.Contains(p.notes, notEmbedded) {
			p.notes = append(p.notes, notEmbedded)
		}
	}
}

// newSections returns the texts to index of the sections that each proposal about a
// document adds, or nil if they are too many to embed at once.
func (e *Engine) newSections(ctx context.Context, proposals []proposal) (map[int][]string, error) {
	all := 0
	for _, p := range proposals {
		if p.draft != nil {
			all += len(p.draft.Sections)
		}
	}
	if all == 0 {
		return nil, nil
	}
	most := embedAtOnce
	if e.models.InProcess() {
		most = math.MaxInt
	}
	fresh := make(map[int][]string)
	count := 0
	err := e.store.View(ctx, func(r store.Reader) error {
		for i, p := range proposals {
			if p.draft == nil || len(p.draft.Sections) == 0 || count > most {
				continue
			}
			known, err := indexedTexts(ctx, r, p.candidate.Scope, p.candidate.Path)
			if err != nil {
				return err
			}
			for _, s := range p.draft.Sections {
				if text := recall.SectionText(p.draft.Document, s); !known[text] {
					fresh[i] = append(fresh[i], text)
					count++
				}
			}
		}
		return nil
	})
	if count > most {
		return nil, err
	}
	return fresh, err
}

// indexedTexts returns the indexed texts of the document at a path.
func indexedTexts(ctx context.Context, r store.Reader, scope strata.Scope, path string) (map[string]bool, error) {
	d, err := documents.At(ctx, r, scope, path)
	if err != nil || d == nil {
		return nil, err
	}
	sections, err := r.Sections(ctx, scope, d.ID)
	known := make(map[string]bool, len(sections))
	for _, s := range sections {
		known[recall.SectionText(*d, s)] = true
	}
	return known, err
}

// unembedded reports whether any part of a proposal still needs a vector.
func (p *proposal) unembedded(e *Engine) bool {
	if p.draft == nil {
		return e.models.Incomplete(p.vectors)
	}
	if len(p.draft.Sections) > 0 && len(p.draft.Vectors) == 0 {
		return true // all may have been known, but checking the queue is cheap
	}
	for _, v := range p.draft.Vectors {
		if e.models.Incomplete(v) {
			return true
		}
	}
	return false
}
