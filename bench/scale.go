package bench

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

const (
	// fillBatch is how many facts are saved in one transaction.
	fillBatch = 1000
	// questionStride is the step from one statement that is asked for to the
	// next: a prime, so that they lie all over the home.
	questionStride = 7919
	// wayQuestions is how many questions are asked in each way, at most.
	wayQuestions = 200
	// memoryEvery is after how many recalls the memory is looked at.
	memoryEvery = 50
)

// Corpus is what a home is filled with: the statements of a seed, one after the
// other.
type Corpus struct {
	Seed uint64
	// Scopes is how many scopes they go to in turn; below 2 all go to the global
	// one.
	Scopes int
}

// Scope is the scope that the statement with a number, from 0, goes to.
func (c Corpus) Scope(number int) strata.Scope {
	if c.Scopes < 2 {
		return strata.Global()
	}
	return strata.InWorkspace(fmt.Sprintf("bench-%d", number%c.Scopes))
}

// Fill saves generated facts into a memory that holds the first have of them,
// until it holds want. progress, which may be nil, is called with the facts it
// holds so far.
func Fill(ctx context.Context, mem *engine.Engine, corpus Corpus, have, want int, progress func(done int)) error {
	if progress == nil {
		progress = func(int) {}
	}
	var batch []strata.Candidate
	n := 0
	for s := range Statements(corpus.Seed) {
		if n++; n > want {
			break
		}
		if n <= have {
			continue
		}
		batch = append(batch, strata.Candidate{Scope: corpus.Scope(n - 1), Content: s.Text})
		if len(batch) < fillBatch && n < want {
			continue
		}
		if _, err := mem.WriteBatch(ctx, batch); err != nil {
			return fmt.Errorf("save facts %d to %d: %w", n-len(batch)+1, n, err)
		}
		batch = batch[:0]
		progress(n)
	}
	return nil
}

// Asked is a statement that is asked for, in its scope.
type Asked struct {
	Synthetic
	Scope strata.Scope
}

// Spread returns statements from all over the first n of a corpus, in a fixed
// order; no more than there are.
func Spread(corpus Corpus, n, questions int) []Asked {
	questions = min(questions, n)
	place := make(map[int]int, questions) // of a statement among the questions
	for i := 0; len(place) < questions; i++ {
		at := int(int64(i) * questionStride % int64(n))
		if _, taken := place[at]; taken {
			at = i % n // the stride divides the size: take them in order
		}
		if _, taken := place[at]; !taken {
			place[at] = len(place)
		}
	}
	out := make([]Asked, questions)
	i := 0
	for s := range Statements(corpus.Seed) {
		if i == n {
			break
		}
		if at, ok := place[i]; ok {
			out[at] = Asked{s, corpus.Scope(i)}
		}
		i++
	}
	return out
}

// Probe measures the recalls of a [Point] in a filled memory.
type Probe struct {
	Corpus
	Facts     int
	Questions int // asked; no more than there are facts
	// Store is the same home opened for reading, for the parts alone.
	Store    store.Store
	Embedder llm.Embedder // the one whose vectors the home has
	Progress func(done, total int)
}

// Measure asks the questions, one after the other, and records nothing in
// memory. The parts alone are measured after the memory was looked at.
func (p Probe) Measure(ctx context.Context, mem *engine.Engine) (Point, error) {
	out := Point{Facts: p.Facts}
	statements := Spread(p.Corpus, p.Facts, p.Questions)
	total := 3 * len(statements)
	step := func(done int) {
		if p.Progress != nil {
			p.Progress(done, total)
		}
	}
	ask := func(scope strata.Scope, question string) ([]string, error) {
		res, err := mem.Query(ctx, strata.Query{View: scope.View(), Text: question, Kinds: []strata.Kind{strata.KindFact}, All: true, Quiet: true})
		if err != nil {
			return nil, err
		}
		texts := make([]string, len(res.Hits))
		for i, h := range res.Hits {
			texts[i] = h.Text
		}
		return texts, nil
	}
	begin := time.Now()
	if _, err := ask(statements[0].Scope, statements[0].Question); err != nil {
		return Point{}, err
	}
	out.First = time.Since(begin)
	times := make([]time.Duration, 0, len(statements))
	var first, ten int
	for i, s := range statements {
		begin := time.Now()
		texts, err := ask(s.Scope, s.Question)
		if err != nil {
			return Point{}, err
		}
		times = append(times, time.Since(begin))
		rank := slices.Index(texts, s.Text)
		if rank == 0 {
			first++
		}
		if rank >= 0 && rank < 10 {
			ten++
		}
		if i%memoryEvery == 0 || i == len(statements)-1 {
			out.Anonymous = max(out.Anonymous, AnonymousMemory())
		}
		step(i + 1)
	}
	out.Recall = PercentilesOf(times)
	out.Found1, out.Found10 = round(float64(first)/float64(len(statements))), round(float64(ten)/float64(len(statements)))
	var err error
	if out.Ways, _, err = AskWays(statements[:min(wayQuestions, len(statements))], ask); err != nil {
		return Point{}, err
	}
	if out.Nearest, err = p.nearest(ctx, statements, func(i int) { step(len(statements) + i) }); err != nil {
		return Point{}, err
	}
	out.Words, err = p.words(ctx, statements, func(i int) { step(2*len(statements) + i) })
	return out, err
}

// nearest times the ten nearest vectors alone: no words, no embedding.
func (p Probe) nearest(ctx context.Context, statements []Asked, step func(int)) (Percentiles, error) {
	texts := make([]string, len(statements))
	for i, s := range statements {
		texts[i] = s.Question
	}
	vectors, err := p.Embedder.Embed(ctx, texts)
	if err != nil {
		return Percentiles{}, fmt.Errorf("embed the questions: %w", err)
	}
	model := p.Embedder.Model()
	filter := store.Filter{Kinds: []strata.Kind{strata.KindFact}}
	type question struct {
		scope  strata.Scope
		vector []float32
	}
	questions := make([]question, len(statements))
	for i, s := range statements {
		questions[i] = question{s.Scope, vectors[i]}
	}
	look := func(q question) error {
		return p.Store.View(ctx, func(r store.Reader) error {
			_, err := r.Nearest(ctx, q.scope, model, q.vector, nil, filter, 10)
			return err
		})
	}
	return timeEach(questions, look, step)
}

// words times a ranking by words alone.
func (p Probe) words(ctx context.Context, statements []Asked, step func(int)) (Percentiles, error) {
	look := func(s Asked) error {
		return p.Store.View(ctx, func(r store.Reader) error {
			now := time.Now()
			_, err := recall.Find(ctx, r, recall.Request{
				Query: strata.Query{View: s.Scope.View(), Text: s.Question, Kinds: []strata.Kind{strata.KindFact}, All: true, Quiet: true},
				Now:   now, Analysis: question.Analyze(s.Question, now),
			})
			return err
		})
	}
	return timeEach(statements, look, step)
}

// timeEach times a call for each item, after one that warms up.
func timeEach[T any](items []T, call func(T) error, step func(done int)) (Percentiles, error) {
	if err := call(items[0]); err != nil {
		return Percentiles{}, err
	}
	times := make([]time.Duration, len(items))
	for i, item := range items {
		begin := time.Now()
		if err := call(item); err != nil {
			return Percentiles{}, err
		}
		times[i] = time.Since(begin)
		step(i + 1)
	}
	return PercentilesOf(times), nil
}

// DiskUsage adds up the files below a directory, in bytes.
func DiskUsage(dir string) (int64, error) {
	var total int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if os.IsNotExist(err) {
			return nil // a temporary file that went meanwhile
		}
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("measure %s: %w", dir, err)
	}
	return total, nil
}
