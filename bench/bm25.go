package bench

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// Lucene's default parameters of BM25.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// BM25 ranks the documents of a scope by plain BM25 (Robertson and Zaragoza, 2009) over
// their heading and text. Strata is compared with it, and shares no code with it.
type BM25 struct {
	scopes map[string]*bm25Scope
}

// bm25Scope is the index of one scope.
type bm25Scope struct {
	documents []bm25Document
	postings  map[string][]bm25Posting // by term, in the order of documents
	length    int                      // number of terms in all documents
}

type bm25Document struct {
	id     string
	length int // terms
}

// bm25Posting is how many times a document holds a term.
type bm25Posting struct{ document, count int }

// NewBM25 indexes documents.
func NewBM25(docs []Document) *BM25 {
	b := &BM25{scopes: make(map[string]*bm25Scope)}
	for _, d := range docs {
		s := b.scopes[d.Scope]
		if s == nil {
			s = &bm25Scope{postings: make(map[string][]bm25Posting)}
			b.scopes[d.Scope] = s
		}
		s.add(d)
	}
	return b
}

func (s *bm25Scope) add(d Document) {
	terms := bm25Terms(d.Heading + " " + d.Text)
	n := len(s.documents)
	s.documents = append(s.documents, bm25Document{d.ID, len(terms)})
	s.length += len(terms)
	for term, count := range counts(terms) {
		s.postings[term] = append(s.postings[term], bm25Posting{n, count})
	}
}

// Ask answers each query with all documents that share a term with it.
func (b *BM25) Ask(queries []Query) []Answer {
	out := make([]Answer, len(queries))
	for i, q := range queries {
		begin := time.Now()
		out[i] = Answer{Query: q, Ranked: b.rank(q)}
		out[i].Took = time.Since(begin)
	}
	return out
}

// rank returns documents by score. Those with equal scores stay in the order in which
// they were added.
func (b *BM25) rank(q Query) []Ranked {
	s := b.scopes[q.Scope]
	if s == nil {
		return nil
	}
	scores := make([]float64, len(s.documents))
	n, average := float64(len(s.documents)), float64(s.length)/float64(len(s.documents))
	asked := bm25Terms(q.Text)
	slices.Sort(asked) // a fixed order of summation keeps equal scores equal
	for _, term := range asked {
		list := s.postings[term]
		df := float64(len(list))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for _, p := range list {
			tf, long := float64(p.count), float64(s.documents[p.document].length)/average
			scores[p.document] += idf * tf * (bm25K1 + 1) / (tf + bm25K1*(1-bm25B+bm25B*long))
		}
	}
	var out []Ranked
	for i, score := range scores {
		if score > 0 {
			out = append(out, Ranked{s.documents[i].id, score})
		}
	}
	slices.SortStableFunc(out, func(a, b Ranked) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

func counts(terms []string) map[string]int {
	out := make(map[string]int, len(terms))
	for _, t := range terms {
		out[t]++
	}
	return out
}

// bm25Terms returns the words of a text other than stop words, in lower case and stemmed
// (Porter's English stemmer, Snowball's edition). A word is a run of letters and digits.
func bm25Terms(text string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !bm25Stop[w] {
			out = append(out, english.Stem(w, true))
		}
	}
	return out
}

// bm25Stop holds the stop words of NLTK, plus "also", "us" and the modal verbs that its
// list lacks. The ones of one or two letters are remains of contractions.
var bm25Stop = func() map[string]bool {
	stop := make(map[string]bool)
	for w := range strings.FieldsSeq(`
a about above after again against ain all also am an and any are aren as at be because been before being below
between both but by can could couldn d did didn do does doesn doing don down during each few for from further
had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its
itself just ll m ma may me might mightn more most must mustn my myself needn no nor not now o of off on once
only or other our ours ourselves out over own re s same shall shan she should shouldn so some such t than that
the their theirs them themselves then there these they this those through to too under until up us ve very was
wasn we were weren what when where which while who whom why will with won would wouldn y you your yours
yourself yourselves`) {
		stop[w] = true
	}
	return stop
}()
