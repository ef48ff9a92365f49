package reopen

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

const (
	// prefixWeight is the weight of a word that is the beginning of a longer one, as
	// "postgres" is of PostgreSQL, if no turn holds the word itself.
	prefixWeight = 0.6
	// minPrefix is the length of the shortest beginning that counts, in bytes.
	minPrefix = 3
)

// search fills the page with the parts of the span that match the words of the query,
// best first. It ranks them by BM25 against one another only: what is common in the rest
// of memory does not matter here.
func (p *pageFiller) search(ctx context.Context, r store.Reader, x Request, after mark, now time.Time) error {
	f := newRanker(question.Analyze(x.Query, now))
	if len(f.terms) == 0 {
		return nil
	}
	scope := p.out.Session.Scope
	for next := max(x.From, 1); ; {
		turns, err := r.Turns(ctx, scope, x.Session, store.TurnFilter{After: next - 1, Limit: readBatch, NoImages: true})
		if err != nil {
			return err
		}
		for _, t := range turns {
			if t.Seq > x.To {
				break
			}
			f.read(t)
			next = t.Seq + 1
		}
		if len(turns) < readBatch || next <= turns[len(turns)-1].Seq {
			break
		}
	}
	ranked := f.rank()
	p.out.Matches = len(ranked)
	for i := after.skip; i < len(ranked); i++ {
		m := ranked[i]
		turns, err := r.Turns(ctx, scope, x.Session, store.TurnFilter{After: m.seq - 1, Limit: 1, NoImages: true})
		if err != nil {
			return err
		}
		if len(turns) == 0 || turns[0].Seq != m.seq {
			return fmt.Errorf("expand: turn %d of session %s went away", m.seq, x.Session)
		}
		t := Turn{Turn: turns[0], Offset: m.start, Score: m.score, Terms: f.words(m)}
		if p.add(t, whole(turns[0])[:m.end]) < 0 {
			p.out.Next = mark{skip: i}.String()
			return nil
		}
	}
	return nil
}

// ranker ranks the passages of a span. It keeps counts, not texts, so the span may be
// long.
type ranker struct {
	terms    []question.Term // terms of the query other than stop words
	passages []match         // passages that match
	total    int             // number of passages read
	length   int             // number of terms in them
	df       []int           // number of passages that hold each term
	partDF   []int           // number of passages that hold a longer word beginning with it
}

// match is a passage of a turn that holds a word of the query.
type match struct {
	seq        int64
	start, end int // byte offsets in the whole turn
	length     int // in terms
	count      []termCount
	score      float64
}

// termCount is how often a passage holds one term of the query, by itself and as the
// beginning of a longer one.
type termCount struct{ exact, part int }

func newRanker(a question.Analysis) *ranker {
	f := new(ranker)
	for _, t := range a.Terms {
		if t.Weight > 0 {
			f.terms = append(f.terms, t)
		}
	}
	f.df, f.partDF = make([]int, len(f.terms)), make([]int, len(f.terms))
	return f
}

// read counts the words of a turn, passage by passage.
func (f *ranker) read(t strata.Turn) {
	all := whole(t)
	for _, p := range text.Passages(all) {
		f.readPassage(t, all, p.Start, p.End)
	}
}

func (f *ranker) readPassage(t strata.Turn, all string, start, end int) {
	m := match{seq: t.Seq, start: start, end: end}
	t.Text = all[start:end]
	for _, term := range text.Terms(recall.TurnText(t)) {
		m.length++
		for i, want := range f.terms {
			exact := term == want.Term
			if !exact && (len(want.Term) < minPrefix || !strings.HasPrefix(term, want.Term)) {
				continue
			}
			if m.count == nil {
				m.count = make([]termCount, len(f.terms))
			}
			if exact {
				m.count[i].exact++
			} else {
				m.count[i].part++
			}
		}
	}
	f.total++
	f.length += m.length
	if m.count == nil {
		return
	}
	for i, c := range m.count {
		if c.exact > 0 {
			f.df[i]++
		}
		if c.part > 0 {
			f.partDF[i]++
		}
	}
	f.passages = append(f.passages, m)
}

// rank scores the passages that match and returns them best first, and equal ones in
// order. The score is a fraction of the highest one possible for the query.
func (f *ranker) rank() []match {
	w := recall.DefaultWeights()
	mean := float64(f.length) / float64(max(f.total, 1))
	weight := make([]float64, len(f.terms))
	ideal := 0.0
	for i, t := range f.terms {
		df := f.df[i]
		if df == 0 {
			df = f.partDF[i]
		}
		weight[i] = t.Weight * math.Log1p((float64(f.total-df)+0.5)/(float64(df)+0.5))
		ideal += weight[i]
	}
	var out []match
	for _, m := range f.passages {
		for i := range m.count {
			if n := f.counted(m, i); n > 0 {
				m.score += weight[i] * n / (n + w.K1*(1-w.B+w.B*float64(m.length)/mean))
			}
		}
		if m.score > 0 {
			m.score /= ideal
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	return out
}

// counted returns how much a term counts in a passage. Longer words count only if no
// passage holds the term itself.
func (f *ranker) counted(m match, term int) float64 {
	if f.df[term] > 0 {
		return float64(m.count[term].exact)
	}
	return prefixWeight * float64(m.count[term].part)
}

// words returns the words of the query that count in a passage.
func (f *ranker) words(m match) []string {
	var out []string
	for i, t := range f.terms {
		if f.counted(m, i) > 0 {
			out = append(out, t.Word)
		}
	}
	return out
}
