package ops

import (
	"context"
	"sync"
	"time"
)

// Embedded says which model's vectors serve.
type Embedded struct {
	Model   string `json:"model" doc:"model whose vectors answer questions; empty while there are none"`
	Next    string `json:"next,omitempty" doc:"model that is still to follow, because its server did not make every vector"`
	Waiting int64  `json:"waiting" doc:"memories that wait for their vector"`
}

// progressEvery is how often a wait for work in the background looks how far it
// has come.
const progressEvery = 200 * time.Millisecond

func embed() Operation {
	return Op[None, Embedded]{
		Info: Info{
			Name:    "embed",
			Summary: "Make the vectors that are outstanding",
			Description: "Makes the vectors that wait: of memories saved while the embedder did not answer, and of all of them after another " +
				"embedder was chosen (setting embedder), whose vectors then take over. Recall goes on meanwhile with those there are.",
			Examples: []Example{{Doc: "go over to the embedder of the settings", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *Env, _ None) (Embedded, error) {
			stop := env.watchEmbedding(ctx)
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

// watchEmbedding reports how far a change of the embedder has come until the
// function it returns is called.
func (e *Env) watchEmbedding(ctx context.Context) (stop func()) {
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
			if r, err := e.Engine.Embedding(ctx); err == nil && r.Total > 0 {
				e.progress(r.Done, r.Total)
			}
		}
	})
	return func() {
		cancel()
		wg.Wait()
	}
}
