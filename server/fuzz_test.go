package server

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema/schematest"
)

// direct calls a handler without a network.
func direct(h http.Handler, path, body, media string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(context.Background(), "POST", path, strings.NewReader(body))
	r.Header.Set("Content-Type", media)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// wantSane wants an answer that is no fault of Strata, and tells nothing of its inside.
func wantSane(t interface{ Fatalf(string, ...any) }, w *httptest.ResponseRecorder, path, body string) {
	if w.Code == http.StatusOK {
		return
	}
	var f failure
	if err := json.Unmarshal(w.Body.Bytes(), &f); err != nil || f.Code == "" || f.Message == "" {
		t.Fatalf("%s %q: %d %s", path, body, w.Code, w.Body)
	}
	if f.Code == strata.CodeInternal || f.Code == strata.CodeCorrupt || w.Code == http.StatusInternalServerError {
		t.Fatalf("%s %q: %s", path, body, w.Body)
	}
	if inside.Match(w.Body.Bytes()) {
		t.Fatalf("%s %q tells of the inside: %s", path, body, w.Body)
	}
}

// inside matches what only Strata's own log may tell: places in its code, stacks, and
// directories of the machine. An address such as memory://root/MEMORY.md is none.
var inside = regexp.MustCompile(`\.go:\d|goroutine \d|` + regexp.QuoteMeta(os.TempDir()) + `/|[^/]/root/|sqlite|SQL logic`)

// Whatever is sent to an operation, within its schema or almost, the answer is its output or
// an error of the caller. Every operation has its turn, many times.
func TestEveryOperationTakesAnything(t *testing.T) {
	s := New(Options{Env: operation.Env{Engine: memory(t)}, Limits: Limits{Timeout: 10 * time.Second}})
	h := s.Open()
	all := ops.All()
	const step = 6
	rapid.Check(t, func(t *rapid.T) {
		for i := rapid.IntRange(0, step-1).Draw(t, "first"); i < len(all); i += step {
			op := all[i]
			path, media := Path(op.About()), jsonType
			if op.About().Reads != "" {
				media = linesType
			}
			body := string(drawing.JSON(t, inputSchema(op), "body"))
			wantSane(t, direct(h, path, body, media), path, body)
			broken := string(drawing.Broken(t, inputSchema(op), "broken"))
			wantSane(t, direct(h, path, broken, media), path, broken)
			wantSane(t, direct(h, path, body[:len(body)/2], media), path, body)
		}
	})
}

// words are texts that inputs are drawn from beside arbitrary ones.
var words = []string{"global", "workspace", "user", "project", "user", "assistant", "notes/user_a.md", "monday", "2026-03-01", "fact_", "a", "", "../../etc",
	"The ferry leaves at six", "always answer in Spanish", "\u202e", "1d"}

// drawing draws inputs.
var drawing = schematest.Drawing{Texts: words, Most: 3}

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
	f.Add("/v1/note_show", `{"name": "memory://"}`, false) // a hint that holds memory://root/
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
