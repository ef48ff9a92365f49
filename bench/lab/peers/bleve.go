package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
)

// blevePeer is a bleve index on disk, with bleve's English analyzer.
type blevePeer struct {
	home  place
	index bleve.Index
	n     int // number of documents
}

func newBleve(home place) (*blevePeer, error) {
	index, err := openBleve(filepath.Join(home.dir, "index"))
	if err != nil {
		return nil, errors.Join(err, home.close())
	}
	n, err := index.DocCount()
	if err != nil {
		return nil, errors.Join(err, index.Close(), home.close())
	}
	return &blevePeer{home: home, index: index, n: int(n)}, nil
}

// openBleve opens the index in a directory, and creates it if there is none.
func openBleve(dir string) (bleve.Index, error) {
	index, err := bleve.Open(dir)
	if !errors.Is(err, bleve.ErrorIndexPathDoesNotExist) {
		return index, err
	}
	text := bleve.NewTextFieldMapping()
	text.Analyzer = en.AnalyzerName
	mapping := bleve.NewIndexMapping()
	mapping.DefaultAnalyzer = en.AnalyzerName
	mapping.DefaultMapping.AddFieldMappingsAt(field, text)
	return bleve.New(dir, mapping)
}

// field is the one field of a document.
const field = "text"

func (p *blevePeer) Name() string { return "bleve" }

// Kept returns how many documents the index holds.
func (p *blevePeer) Kept(context.Context) (int, error) { return p.n, nil }

func (p *blevePeer) Add(_ context.Context, texts []string) error {
	batch := p.index.NewBatch()
	for _, t := range texts {
		if err := batch.Index(strconv.Itoa(p.n), map[string]string{field: t}); err != nil {
			return err
		}
		p.n++
	}
	return p.index.Batch(batch)
}

func (p *blevePeer) Recall(ctx context.Context, question string) ([]string, error) {
	q := bleve.NewMatchQuery(question)
	q.SetField(field)
	req := bleve.NewSearchRequestOptions(q, limit, 0, false)
	req.Fields = []string{field}
	res, err := p.index.SearchInContext(ctx, req)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(res.Hits))
	for i, h := range res.Hits {
		text, ok := h.Fields[field].(string)
		if !ok {
			return nil, fmt.Errorf("hit %s has no text", h.ID)
		}
		out[i] = text
	}
	return out, nil
}

// Words is the same as Recall, since bleve searches by words alone.
func (p *blevePeer) Words(ctx context.Context, question string) ([]string, error) {
	return p.Recall(ctx, question)
}

func (p *blevePeer) Close() error { return errors.Join(p.index.Close(), p.home.close()) }
