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
	// questionStride is the step from one statement that is asked for to the next. It is
	// a prime, so that the statements are spread over the whole home.
	questionStride = 7919
	// wayQuestions is the most questions asked in each way.
	wayQuestions = 200
	// memoryEvery is the number of recalls between two measurements of memory.
	memoryEvery = 50
)

// Corpus is what fills a home: the statements of a seed, in order.
type Corpus struct {
	Seed uint64
	// Scopes is the number of scopes that the statements go to in turn. If it is below 2,
	// all go to the global scope.
	Scopes int
}

// Scope returns the scope of the statement with the given number, from 0.
func (c Corpus) Scope(number int) strata.Scope {
	if c.Scopes < 2 {
		return strata.Global()
	}
	return strata.InWorkspace(fmt.Sprintf("bench-%d", number%c.Scopes))
}

// Fill saves generated facts into a memory that holds the first have of them, until it
// holds want. It calls progress, which may be nil, with the number of facts held so far.
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

// Asked is a statement to ask for, with its scope.
type Asked struct {
	Synthetic
	Scope strata.Scope
}

// Spread returns statements spread over the first n of a corpus, in a fixed order. It
// returns at most n.
func Spread(corpus Corpus, n, questions int) []Asked {
	questions = min(questions, n)
	place := make(map[int]int, questions) // index of each chosen statement among the questions
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
	Questions int // questions to ask; at most one for each fact
	// Store is the same home opened for reading, to measure parts of a recall separately.
	Store    store.Store
	Embedder llm.Embedder // the embedder whose vectors the home has
	Progress func(done, total int)
}

// Measure asks the questions, one after another. It leaves no trace in memory. It
// measures the parts of a recall last, so that they do not count in Anonymous.
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

// nearest times finding the ten nearest vectors, without words and without embedding.
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

// words times ranking by words alone.
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

// timeEach times a call for each item, after one call to warm up.
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

// DiskUsage returns the total size of the files below a directory, in bytes.
func DiskUsage(dir string) (int64, error) {
	var total int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if os.IsNotExist(err) {
			return nil // a temporary file that has disappeared
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
