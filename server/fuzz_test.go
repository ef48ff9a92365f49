package server

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops"
	"github.com/strata-memory/strata/ops/operation"
	"github.com/strata-memory/strata/ops/schema"
)

// direct calls a handler without a network.
func direct(h http.Handler, path, body, media string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(context.Background(), "POST", path, strings.NewReader(body))
	r.Header.Set("Content-Type", media)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// wantSane wants an answer that is no fault of Strata.
func wantSane(t interface{ Fatalf(string, ...any) }, w *httptest.ResponseRecorder, path, body string) {
	if w.Code == http.StatusOK {
		return
	}
	var f failure
	if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil || f.Code == "" || f.Message == "" {
		t.Fatalf("%s %q: %d %s", path, body, w.Code, w.Body)
	}
	if f.Code == strata.CodeInternal || f.Code == strata.CodeCorrupt {
		t.Fatalf("%s %q: %s", path, body, w.Body)
	}
}

// Whatever is sent to an operation within its schema, the answer is its output or an error
// of the caller.
func TestInputsThatFitTheSchemaAreAnswered(t *testing.T) {
	s := New(Options{Env: operation.Env{Engine: memory(t)}, Limits: Limits{Timeout: 10 * time.Second}})
	h := s.Open()
	all := ops.All()
	rapid.Check(t, func(t *rapid.T) {
		op := all[rapid.IntRange(0, len(all)-1).Draw(t, "operation")]
		path, media := Path(op.About()), jsonType
		body := string(encode(drawn(t, inputSchema(op), "body", 3)))
		if op.About().Reads != "" {
			media = linesType
		}
		wantSane(t, direct(h, path, body, media), path, body)
	})
}

// words are texts that inputs are drawn from beside arbitrary ones.
var words = []string{"global", "workspace", "user", "project", "user", "assistant", "notes/user_a.md", "monday", "2026-03-01", "fact_", "a", "", "../../etc",
	"The ferry leaves at six", "always answer in Spanish", "\u202e", "1d"}

// drawing draws values by their schemas.
type drawing struct {
	texts []string // beside arbitrary ones
	most  int      // items of a list
}

// drawn draws a value by a schema, with lists of at most so many items.
func drawn(t *rapid.T, s *schema.Schema, name string, most int) any {
	return drawing{texts: words, most: most}.draw(t, s, name)
}

func (d drawing) draw(t *rapid.T, s *schema.Schema, name string) any {
	switch s.Type {
	case "object":
		out := make(map[string]any)
		for _, p := range s.Properties {
			if p.Required || rapid.Bool().Draw(t, name+"."+p.Name+"?") {
				out[p.Name] = d.draw(t, p.Schema, name+"."+p.Name)
			}
		}
		return out
	case "array":
		out := []any{}
		for range rapid.IntRange(0, d.most).Draw(t, name+" length") {
			out = append(out, d.draw(t, s.Items, name))
		}
		return out
	case "boolean":
		return rapid.Bool().Draw(t, name)
	case "integer":
		return rapid.OneOf(rapid.Int64Range(-1, 20), rapid.Int64Range(-1<<53, 1<<53)).Draw(t, name)
	case "number":
		return rapid.Float64Range(-2, 2).Draw(t, name)
	}
	if len(s.Enum) > 0 && rapid.Bool().Draw(t, name+" of the list") {
		return rapid.SampledFrom(s.Enum).Draw(t, name)
	}
	return rapid.OneOf(rapid.SampledFrom(d.texts), rapid.StringN(0, 40, -1)).Draw(t, name)
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers, lists and maps
	}
	return data
}

// FuzzRouter sends anything anywhere.
func FuzzRouter(f *testing.F) {
	for _, op := range ops.All() {
		for _, e := range op.About().Examples {
			f.Add(Path(op.About()), e.Input, false)
		}
	}
	f.Add("/v1/import?dry_run=true", `{"a"`, true)
	f.Add("/v1//save", `{}`, false)
	f.Add("/%00", "", false)
	s := New(Options{Env: operation.Env{Engine: memory(f)}, Limits: Limits{Timeout: 10 * time.Second}})
	h := s.Open()
	f.Fuzz(func(t *testing.T, path, body string, lines bool) {
		r, err := http.NewRequestWithContext(t.Context(), "POST", "http://strata/", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if r.URL, err = r.URL.Parse(path); err != nil {
			t.Skip()
		}
		media := jsonType
		if lines {
			media = linesType
		}
		r.Header.Set("Content-Type", media)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= 300 && w.Code < 400 {
			return // the standard mux cleans paths
		}
		wantSane(t, w, path, body)
	})
}
