package projection

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// The block in MEMORY.md of facts extracted from conversations.
const (
	extractedTitle = "Extracted"
	// extractedLook is the number of a scope's newest facts that are searched for
	// extracted ones.
	extractedLook = 2000
)

// index renders the index of notes and the blocks of extracted and promoted facts into
// MEMORY.md. It does not create the file if there are none of these.
func (r *rendering) index(ctx context.Context) error {
	if r.what&markdown.PartIndex == 0 {
		return nil
	}
	var entries []markdown.Entry
	var extracted []markdown.Item
	var blocks []markdown.Block // of promoted facts
	err := r.o.Store.View(ctx, func(v store.Reader) error {
		own, foreign, err := documents.Entries(ctx, v, r.scope)
		if err != nil {
			return err
		}
		// Only a foreign index lists foreign notes.
		d, err := documents.At(ctx, v, r.scope, strata.IndexPath)
		if err != nil {
			return err
		}
		if entries = own; d != nil && d.Foreign {
			entries = markdown.ByPath(own, foreign)
		}
		promoted, known, err := r.dreamed(ctx, v)
		if err != nil {
			return err
		}
		blocks = promoted
		extracted, err = r.extracted(ctx, v, known)
		return err
	})
	if err != nil {
		return err
	}
	err = r.rewrite(ctx, strata.IndexPath, func(content string) string {
		if content == "" && len(entries) == 0 && len(extracted) == 0 && len(blocks) == 0 {
			return ""
		}
		if content == "" {
			content = markdown.Starter(strata.IndexPath)
		}
		content = markdown.Without(markdown.Without(content, r.gone), r.past)
		content = markdown.PutDreamed(markdown.PutIndex(content, entries), blocks)
		return markdown.PutBlock(content, extractedTitle, extracted, markdown.BlockBudget)
	})
	if err != nil {
		r.fail(err, r.concerning(markdown.PartIndex)...)
	}
	return nil
}

// extracted returns the newest current facts extracted from conversations, as many as the
// block may hold, except for those in promoted.
func (r *rendering) extracted(ctx context.Context, v store.Reader, promoted map[string]bool) ([]markdown.Item, error) {
	facts, err := v.Facts(ctx, r.scope, strata.FactFilter{Limit: extractedLook})
	if err != nil {
		return nil, err
	}
	var out []markdown.Item
	size := 0
	for _, f := range facts {
		if f.Origin != strata.OriginExtractor || promoted[f.ID] {
			continue
		}
		if size += len(f.Text); size > markdown.BlockBudget {
			break
		}
		id, err := decisionOf(ctx, v, f)
		if err != nil {
			return nil, err
		}
		out = append(out, markdown.Item{Text: f.Text, Decision: id, At: f.RecordedAt})
	}
	return out, nil
}

// decisionOf returns the id of the decision that made this version of a fact.
func decisionOf(ctx context.Context, r store.Reader, f strata.Fact) (string, error) {
	list, err := r.Decisions(ctx, f.Scope, strata.DecisionFilter{FactID: f.ID, Limit: 20})
	if err != nil {
		return "", err
	}
	for _, d := range list {
		if d.After != nil && d.After.Generation == f.Generation {
			return d.ID, nil
		}
	}
	return f.ID, nil // an imported fact may have none
}

// concerning returns the decisions of the batch that wait for a generated part.
func (r *rendering) concerning(what markdown.Parts) []strata.Decision {
	return slices.DeleteFunc(slices.Clone(r.pending), func(d strata.Decision) bool {
		if d.Document != nil {
			return markdown.PartOf(d.Document.Path)&what == 0
		}
		return factParts(d)&what == 0
	})
}
