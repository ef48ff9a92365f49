package engine_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
)

// senseless makes vectors that mean nothing, as long as it is not down.
type senseless struct{ *scripted }

func newSenseless() senseless { return senseless{newScripted("senseless", 96, 1)} }

func (s senseless) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := s.scripted.Embed(ctx, texts)
	for i := range out {
		h := fnv.New64a()
		h.Write([]byte(texts[i]))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		for j := range out[i] {
			out[i][j] = float32(r.NormFloat64())
		}
	}
	return out, err
}

// asked are questions to what tell tells that many turns match.
var asked = []string{"parcel 7 shelf", "where did parcel 41 go?", "which parcels went to a shelf?"}

// texts are the hits of all questions, in order.
func texts(t *testing.T, e *engine.Engine) []string {
	t.Helper()
	var out []string
	for _, q := range asked {
		for _, h := range found(t, e, strata.Query{Text: q}) {
			out = append(out, h.Text)
		}
	}
	return out
}

// tell has ten sessions of thirty turns, which are divided the same with any
// model; categories of facts are the serving model's.
func tell(t *testing.T, e *engine.Engine) {
	t.Helper()
	for session := range 10 {
		var turns []strata.Turn
		for i := range 30 {
			n := 30*session + i
			turns = append(turns, strata.Turn{Role: strata.RoleUser, Text: fmt.Sprintf("Parcel %d went to shelf %d", n, n*7919%10007)})
		}
		if _, err := e.AppendTurns(context.Background(), strata.Global(), fmt.Sprint("session ", session), strata.SessionMain, turns); err != nil {
			t.Fatal(err)
		}
	}
}

// furnishedWith is a memory of that with an embedder.
func furnishedWith(t *testing.T, emb llm.Embedder) *engine.Engine {
	t.Helper()
	e := open(t, func(o *engine.Options) { o.Embedder, o.EmbedTimeout = emb, time.Second })
	tell(t, e)
	drain(t, e)
	return e
}

func TestAModelThatIsOfNoUseChangesNoHit(t *testing.T) {
	want := texts(t, furnishedWith(t, builtin.New()))
	useless := newSenseless()
	e := furnishedWith(t, useless)
	if got := texts(t, e); !slices.Equal(got, want) {
		t.Errorf("with it\n%s\nand without\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	useless.fail(down)
	if got := texts(t, e); !slices.Equal(got, want) {
		t.Errorf("while it is down\n%s\nand without\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	res, err := e.Recall(context.Background(), strata.Global().View(), asked[0])
	if err != nil || res.Embedder != builtin.Model || len(res.Notes) != 1 {
		t.Errorf("while it is down: %+v, %v", res, err)
	}
	healthy(t, e)
}

// A home that another model came to serve keeps the vectors it has, and one that
// never had any gets them.
func TestTheBuiltinVectorsAreKeptWithAModel(t *testing.T) {
	db := home(t)
	first := openAt(t, db, func(o *engine.Options) { o.Embedder = builtin.New() })
	tell(t, first)
	want := texts(t, first)
	closeNow(t, first)
	model := newSenseless()
	e := openAt(t, db, func(o *engine.Options) { o.Embedder = model })
	drain(t, e)
	if e.Embedder() != "senseless" {
		t.Fatalf("%s serves", e.Embedder())
	}
	if got := texts(t, e); !slices.Equal(got, want) {
		t.Errorf("after the change\n%s\nand before\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, err := e.Reindex(context.Background(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, e); !slices.Equal(got, want) {
		t.Errorf("after a reindex\n%s\nand before\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	healthy(t, e)
	if err := e.UseEmbedder(context.Background(), builtin.New()); err != nil {
		t.Fatal(err)
	}
	made := model.texts.Load()
	drain(t, e)
	if e.Embedder() != builtin.Model || model.texts.Load() != made {
		t.Errorf("%s serves, and %d more texts went to the model", e.Embedder(), model.texts.Load()-made)
	}
	if got := texts(t, e); !slices.Equal(got, want) {
		t.Errorf("in the end\n%s\nand at first\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	healthy(t, e)
}
