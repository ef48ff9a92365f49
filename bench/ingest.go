package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// ingestBatch is how many documents are written in one transaction.
const ingestBatch = 500

// Names maps the engine's ids to documents. One id may stand for several documents,
// because documents with the same text become one fact.
type Names map[string][]string

// Ingest writes the documents of a collection through the engine: those with a session as
// turns, the others as facts. It skips empty ones. It calls progress, which may be nil,
// with the number of documents written so far.
func Ingest(ctx context.Context, mem *engine.Engine, docs []Document, progress func(done int)) (Names, error) {
	if progress == nil {
		progress = func(int) {}
	}
	names := make(Names)
	docs = slices.DeleteFunc(slices.Clone(docs), Document.Empty)
	for start := 0; start < len(docs); {
		end := start + 1
		for end < len(docs) && end-start < ingestBatch && together(docs[start], docs[end]) {
			end++
		}
		var err error
		if docs[start].Session != "" {
			err = ingestTurns(ctx, mem, docs[start:end], names)
		} else {
			err = ingestFacts(ctx, mem, docs[start:end], names)
		}
		if err != nil {
			return nil, fmt.Errorf("ingest documents %d to %d: %w", start+1, end, err)
		}
		start = end
		progress(end)
	}
	return names, nil
}

// together reports whether two documents can be written in one transaction.
func together(a, b Document) bool {
	if a.Session == "" || b.Session == "" {
		return a.Session == b.Session
	}
	return a.Session == b.Session && a.Scope == b.Scope
}

func ingestTurns(ctx context.Context, mem *engine.Engine, docs []Document, names Names) error {
	turns := make([]strata.Turn, len(docs))
	for i, d := range docs {
		turns[i] = strata.Turn{Role: cmp.Or(d.Role, strata.RoleUser), Seq: d.Seq, Text: d.Text, At: d.At}
		if speaker := strings.TrimSpace(d.Speaker); speaker != "" {
			turns[i].Speaker = plainName("speaker", speaker)
		}
	}
	kept, err := mem.AppendTurns(ctx, scopeOf(docs[0].Scope), plainName("session", docs[0].Session), strata.SessionMain, turns)
	if err != nil {
		return err
	}
	for i, t := range kept {
		names[t.ID] = append(names[t.ID], docs[i].ID)
	}
	return nil
}

func ingestFacts(ctx context.Context, mem *engine.Engine, docs []Document, names Names) error {
	candidates := make([]strata.Candidate, len(docs))
	for i, d := range docs {
		candidates[i] = strata.Candidate{Scope: scopeOf(d.Scope), Content: d.Text, Origin: strata.OriginImport, ValidFrom: d.At}
	}
	decisions, err := mem.WriteBatch(ctx, candidates)
	if err != nil {
		return err
	}
	for i, d := range decisions {
		if d.FactID != "" {
			names[d.FactID] = append(names[d.FactID], docs[i].ID)
		}
	}
	return nil
}
