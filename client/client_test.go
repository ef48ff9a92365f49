package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

// serve returns a client of a server that answers as told.
func serve(t *testing.T, h http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	c, err := New(Options{URL: s.URL + "/", Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestACallIsARequest(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != "POST" || r.URL.Path != "/v1/recall" || r.Header.Get("Authorization") != "Bearer secret" ||
			r.Header.Get("Content-Type") != "application/json" || string(body) != `{"query":"cat"}` {
			t.Errorf("%s %s %v: %s, %v", r.Method, r.URL, r.Header, body, err)
		}
		io.WriteString(w, `{"hits": [{"text": "Whiskerino"}]}`)
	})
	var found struct{ Hits []struct{ Text string } }
	if err := c.Call(t.Context(), "recall", map[string]string{"query": "cat"}, &found); err != nil || found.Hits[0].Text != "Whiskerino" {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestFailuresAreErrorsOfStrata(t *testing.T) {
	answers := map[string]struct {
		status int
		body   string
		code   strata.Code
	}{
		"error":      {404, `{"code":"not_found","message":"no fact f","hint":"look","details":{"kind":"fact"},"request_id":"req_1"}`, strata.CodeNotFound},
		"no strata":  {404, `<html>nothing here</html>`, strata.CodeUnavailable},
		"no answer":  {200, `<html>`, strata.CodeInternal},
		"redirected": {302, ``, strata.CodeUnavailable},
		"with output": {500, `{"code":"corrupt","message":"1 problem","request_id":"r","output":{"problems":[{"kind":"x"}]}}`,
			strata.CodeCorrupt},
	}
	for name, a := range answers {
		t.Run(name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/elsewhere" {
					t.Error("it followed a redirection")
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(a.status)
				io.WriteString(w, a.body)
			})
			var out struct{ Problems []any }
			err := c.Call(t.Context(), "doctor", nil, &out)
			var known *strata.Error
			if !errors.As(err, &known) || known.Code != a.code || known.Op != "doctor" {
				t.Fatalf("error %#v", err)
			}
			if name == "error" && (known.Hint != "look" || known.Details["kind"] != "fact" || known.Details["request_id"] != "req_1") {
				t.Errorf("error %+v", known)
			}
			if name == "with output" && len(out.Problems) != 1 {
				t.Errorf("output %+v", out)
			}
		})
	}
}

func TestNoServerIsSaid(t *testing.T) {
	c, err := New(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	err = c.Call(t.Context(), "facts", nil, nil)
	if strata.CodeOf(err) != strata.CodeUnavailable || !strings.Contains(err.Error(), "strata.sock") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Call(ctx, "facts", nil, nil); !errors.Is(err, context.Canceled) || strata.CodeOf(err) != strata.CodeCanceled {
		t.Errorf("canceled: %v", err)
	}
	for _, bad := range []string{"127.0.0.1:7117", "ftp://x", "http://"} {
		if _, err := New(Options{URL: bad}); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("New(%q) = %v", bad, err)
		}
	}
}

func TestLinesAreSentAndReceived(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/import":
			body, err := io.ReadAll(r.Body)
			if err != nil || r.URL.RawQuery != "dry_run=true&limit=12000000&names=a&names=b" || r.Header.Get("Content-Type") != "application/x-ndjson" {
				t.Errorf("%s %v", r.URL.RawQuery, r.Header)
			}
			w.Write(append(append([]byte(`{"got": "`), body...), `"}`...))
		case "/v1/export":
			w.Header().Set("Trailer", "Strata-Output, Strata-Error")
			io.WriteString(w, "line\n")
			w.Header().Set("Strata-Output", `{"facts": 1}`)
			w.Header().Set("Strata-Error", `{"code": "incomplete", "message": "one is missing"}`)
		default:
			w.(http.Flusher).Flush()
			io.WriteString(w, "li")
			panic(http.ErrAbortHandler)
		}
	})
	var sent struct{ Got string }
	in := map[string]any{"dry_run": true, "limit": 12_000_000, "names": []string{"a", "b"}}
	if err := c.Send(t.Context(), "import", in, strings.NewReader("abc"), &sent); err != nil || sent.Got != "abc" {
		t.Errorf("sent %+v, %v", sent, err)
	}
	var exported struct{ Facts int }
	var lines bytes.Buffer
	err := c.Receive(t.Context(), "export", nil, &lines, &exported)
	if strata.CodeOf(err) != strata.CodeIncomplete || lines.String() != "line\n" || exported.Facts != 1 {
		t.Errorf("exported %q %+v, %v", lines.String(), exported, err)
	}
	if err := c.Receive(t.Context(), "ledger", nil, io.Discard, nil); strata.CodeOf(err) != strata.CodeUnavailable {
		t.Errorf("a stream that breaks off: %v", err)
	}
}

func TestEventsAndProgressAreRead(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		switch {
		case r.Method == "GET":
			if r.Header.Get("Last-Event-ID") != "7" || r.URL.RawQuery != "kind=write&scope=global" {
				t.Errorf("%s %v", r.URL, r.Header)
			}
			io.WriteString(w, ": still here\n\nid: 8\nevent: write.committed\ndata: {\"change\": 8, \"kind\": \"write.committed\"}\n\n")
		case r.URL.Path == "/v1/embed":
			io.WriteString(w, "event: error\ndata: {\"code\": \"unavailable\", \"message\": \"no model\"}\n\n")
		default:
			io.WriteString(w, "event: progress\ndata: {\"done\": 1, \"total\": 2}\n\nevent: result\ndata: {\"passages\": 2}\n\n")
		}
	})
	var seen []Event
	err := c.Events(t.Context(), EventOptions{Scope: "global", Kinds: []string{"write"}, After: 7}, func(e Event) error {
		seen = append(seen, e)
		return nil
	})
	if err != nil || len(seen) != 1 || seen[0].Change != 8 {
		t.Errorf("seen %+v, %v", seen, err)
	}
	var out struct{ Passages int }
	var done, total int64
	err = c.Follow(t.Context(), "reindex", nil, &out, func(d, n int64) { done, total = d, n })
	if err != nil || out.Passages != 2 || done != 1 || total != 2 {
		t.Errorf("out %+v, %d of %d, %v", out, done, total, err)
	}
	if err := c.Follow(t.Context(), "embed", nil, nil, nil); strata.CodeOf(err) != strata.CodeUnavailable {
		t.Errorf("error %v", err)
	}
}

// A program with a client is built without cgo and without anything but the standard
// library.
func TestTheClientNeedsNoCgo(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}{{if .CgoFiles}} cgo: {{.ImportPath}}{{end}}", ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/strata-memory/strata"
	if got, want := strings.Join(strings.Fields(string(out)), " "), strings.Join([]string{module, module + "/internal/base/detached", module + "/internal/home/attach", module + "/internal/home/endpoint", module + "/internal/home/homedir", module + "/client"}, " "); got != want {
		t.Errorf("it needs %s, want %s", got, want)
	}
}
