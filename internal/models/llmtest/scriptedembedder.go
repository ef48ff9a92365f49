package llmtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
)

// NewEmbedder returns a client of the server at url for the model "scripted". A request
// may hold up to 4 texts.
type NewEmbedder func(url string, dimensions int, guard llm.GuardOptions) llm.Embedder

// RunScriptedEmbedder checks an embedding client of protocol p against
// scripted answers, good and bad.
func RunScriptedEmbedder(t *testing.T, p scripted.Protocol, newEmbedder NewEmbedder) {
	s := embedSuite{p: p, newEmbedder: newEmbedder}
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"a well-behaved server", s.wellBehaved},
		{"the model's name tells vectors apart", s.names},
		{"texts go in batches, blanks do not go", s.batches},
		{"blanks alone", s.blanks},
		{"answers that make no sense are corrupt", s.corrupt},
		{"another length than expected is corrupt", s.wrongLength},
		{"the length may not change", s.lengthChanges},
		{"a text that is too long is embedded by its beginning", s.tooLong},
		{"a batch that is too large goes one by one", s.batchTooLarge},
		{"errors are told apart", s.errors},
		{"only the batch that was turned away is sent again", s.retry},
		{"a hang is cut", s.hang},
		{"the breaker opens", s.breaker},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t)
		})
	}
}

type embedSuite struct {
	p           scripted.Protocol
	newEmbedder NewEmbedder
}

func (s embedSuite) start(t testing.TB, dimensions int, o llm.GuardOptions, script scripted.Script) (llm.Embedder, *scripted.Server) {
	t.Helper()
	server := startServer(t, script)
	return s.newEmbedder(server.URL(s.p), dimensions, o), server
}

// body returns an embedding answer with the given vectors, written as they are.
func (s embedSuite) body(vectors ...string) string {
	if s.p == scripted.Ollama {
		return `{"model":"scripted","embeddings":[` + strings.Join(vectors, ",") + `]}`
	}
	var data []string
	for i, v := range vectors {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, v))
	}
	return `{"object":"list","data":[` + strings.Join(data, ",") + `]}`
}

func (s embedSuite) wellBehaved(t *testing.T) {
	e, _ := s.start(t, 0, quick(), func(scripted.Request) scripted.Reply { return scripted.Reply{Split: 7} })
	RunEmbedder(t, e)
	if e.Dimensions() != scripted.Dimensions {
		t.Errorf("%d dimensions", e.Dimensions())
	}
}

func (s embedSuite) names(t *testing.T) {
	e, _ := s.start(t, 3, quick(), inTurn(scripted.Reply{}))
	if want := string(s.p) + "/scripted"; e.Model() != want || e.Dimensions() != 3 {
		t.Errorf("model %q of %d dimensions, want %q of 3", e.Model(), e.Dimensions(), want)
	}
}

func (s embedSuite) batches(t *testing.T) {
	e, server := s.start(t, 0, quick(), inTurn(scripted.Reply{}))
	texts := []string{"a", "", "b", "c", "d", " ", "e"}
	vectors, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	checkVectors(t, e, vectors, len(texts))
	var sent []string
	for _, r := range server.Requests() {
		sent = append(sent, strings.Join(r.Texts, "+"))
	}
	if got := strings.Join(sent, " "); got != "a+b+c+d e" {
		t.Errorf("sent %q", got)
	}
	for _, blank := range []int{1, 5} {
		if dot(vectors[blank], vectors[blank]) != 0 {
			t.Errorf("the blank text %d got %v", blank, vectors[blank])
		}
	}
}

func (s embedSuite) blanks(t *testing.T) {
	e, server := s.start(t, 0, quick(), inTurn(scripted.Reply{}))
	for range 2 {
		vectors, err := e.Embed(t.Context(), []string{"", "\n"})
		if err != nil {
			t.Fatal(err)
		}
		checkVectors(t, e, vectors, 2)
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("%d requests to learn the length", n)
	}
}

func (s embedSuite) corrupt(t *testing.T) {
	for name, body := range map[string]string{
		"NaN":               s.body("[0.1,NaN]", "[1,2]"),
		"null for NaN":      s.body("[0.1,null]", "[1,2]"),
		"null":              s.body("null", "[1,2]"),
		"a text":            s.body(`"AAAA"`, "[1,2]"),
		"out of range":      s.body("[1e300,1]", "[1,2]"),
		"empty":             s.body("[]", "[]"),
		"too few":           s.body("[1,2]"),
		"too many":          s.body("[1,2]", "[1,2]", "[1,2]"),
		"none":              s.body(),
		"different lengths": s.body("[1,2]", "[1,2,3]"),
		"half a document":   `{"embeddings":[[1,2],[1`,
		"another document":  `[]`,
		"a web page":        `<html></html>`,
	} {
		e, _ := s.start(t, 0, quick(), inTurn(scripted.Reply{Body: body, ContentType: "application/json"}))
		vectors, err := e.Embed(t.Context(), []string{"a", "b"})
		if strata.CodeOf(err) != strata.CodeCorrupt || vectors != nil {
			t.Errorf("%s: %v, error %v", name, vectors, err)
		}
	}
}

func (s embedSuite) wrongLength(t *testing.T) {
	e, _ := s.start(t, scripted.Dimensions+1, quick(), inTurn(scripted.Reply{}))
	_, err := e.Embed(t.Context(), []string{"a"})
	wantCode(t, err, strata.CodeCorrupt)
	if !strings.Contains(err.Error(), "a vector of 16 dimensions from a model of 17") {
		t.Errorf("error %v", err)
	}
}

func (s embedSuite) lengthChanges(t *testing.T) {
	e, _ := s.start(t, 0, quick(), inTurn(scripted.Reply{}, scripted.Reply{Vectors: [][]float32{{1, 2}}}))
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	_, err := e.Embed(t.Context(), []string{"a"})
	wantCode(t, err, strata.CodeCorrupt)
	if e.Dimensions() != scripted.Dimensions {
		t.Errorf("the length changed to %d", e.Dimensions())
	}
}

// shorterThan returns a script that refuses requests whose texts have n bytes or more in
// all.
func shorterThan(n int) scripted.Script {
	return func(r scripted.Request) scripted.Reply {
		if len(strings.Join(r.Texts, "")) >= n {
			return scripted.Fail(http.StatusBadRequest, "the input length exceeds the context length")
		}
		return scripted.Reply{}
	}
}

func (s embedSuite) tooLong(t *testing.T) {
	e, server := s.start(t, 0, quick(), shorterThan(1000))
	vectors, err := e.Embed(t.Context(), []string{strings.Repeat("ö", 1500)})
	if err != nil {
		t.Fatal(err)
	}
	checkVectors(t, e, vectors, 1)
	requests := server.Requests()
	last := requests[len(requests)-1].Texts[0]
	if want := strings.Repeat("ö", 375); last != want {
		t.Errorf("%d bytes were embedded, want %d", len(last), len(want))
	}
	// A text that cannot be cut further is refused.
	e, _ = s.start(t, 0, quick(), shorterThan(1))
	_, err = e.Embed(t.Context(), []string{"short"})
	wantCode(t, err, strata.CodeTooLarge)
}

func (s embedSuite) batchTooLarge(t *testing.T) {
	e, _ := s.start(t, 0, quick(), shorterThan(150))
	one, err := e.Embed(t.Context(), []string{strings.Repeat("b", 100)})
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := e.Embed(t.Context(), []string{strings.Repeat("a", 100), strings.Repeat("b", 100), "c"})
	if err != nil {
		t.Fatal(err)
	}
	checkVectors(t, e, vectors, 3)
	if c := cosine(one[0], vectors[1]); c < 0.9999 {
		t.Errorf("the second vector is not the second text's: cosine %v", c)
	}
}

func (s embedSuite) errors(t *testing.T) {
	for _, test := range []struct {
		status  int
		message string
		code    strata.Code
	}{
		{404, `model "scripted" not found, try pulling it first`, strata.CodeNotFound},
		{401, "no key", strata.CodeDenied},
		{400, `"scripted" does not support embeddings`, strata.CodeUnsupported},
		{400, "invalid input type", strata.CodeInvalid},
		{500, "failed to encode response: json: unsupported value: NaN", strata.CodeUnavailable},
	} {
		e, _ := s.start(t, 0, quick(), inTurn(scripted.Fail(test.status, test.message)))
		_, err := e.Embed(t.Context(), []string{"a"})
		if strata.CodeOf(err) != test.code {
			t.Errorf("%d %s: error %v", test.status, test.message, err)
		}
	}
}

func (s embedSuite) retry(t *testing.T) {
	e, server := s.start(t, 0, quick(), inTurn(scripted.Reply{}, scripted.Fail(http.StatusServiceUnavailable, "busy"), scripted.Reply{}))
	if _, err := e.Embed(t.Context(), []string{"a", "b", "c", "d", "e"}); err != nil {
		t.Fatal(err)
	}
	requests := server.Requests()
	if len(requests) != 3 || len(requests[2].Texts) != 1 {
		t.Errorf("%d requests", len(requests))
	}
}

func (s embedSuite) hang(t *testing.T) {
	o := quick()
	o.Start = 100 * time.Millisecond
	e, _ := s.start(t, 0, o, inTurn(scripted.Reply{Hang: true}))
	_, err := e.Embed(t.Context(), []string{"a"})
	wantCode(t, err, strata.CodeUnavailable)
}

func (s embedSuite) breaker(t *testing.T) {
	e, server := s.start(t, 0, quick(), inTurn(scripted.Reply{Body: "nonsense"}))
	for range 4 {
		if _, err := e.Embed(t.Context(), []string{"a"}); err == nil {
			t.Fatal("no error")
		}
	}
	if n := len(server.Requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
}
