package wire

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRetryAfter_InEveryForm(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, test := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "7", 7 * time.Second},
		{"Retry-After", " 1.5 ", 1500 * time.Millisecond},
		{"Retry-After", "Fri, 02 Jan 2026 03:04:35 GMT", 30 * time.Second},
		{"Retry-After", "Fri, 02 Jan 2026 03:04:00 GMT", 0},
		{"Retry-After", "-3", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After", "NaN", 0},
		{"Retry-After", "1e300", 24 * time.Hour},
		{"Retry-After-Ms", "250", 250 * time.Millisecond},
		{"X-Other", "7", 0},
	} {
		h := http.Header{}
		h.Set(test.name, test.value)
		if got := retryAfter(h, now); got != test.want {
			t.Errorf("%s: %s gives %s, want %s", test.name, test.value, got, test.want)
		}
	}
}

// carrier is a transport that answers by itself.
type carrier func(*http.Request) (*http.Response, error)

func (c carrier) RoundTrip(req *http.Request) (*http.Response, error) { return c(req) }

// A redirect of the server to itself without encryption would send the key in
// the clear.
func TestKeyIsNotSentInTheClearAfterARedirect(t *testing.T) {
	var seen []string
	server, err := NewServer(Config{BaseURL: "https://models.example/v1", Key: "top-secret", Transport: carrier(func(req *http.Request) (*http.Response, error) {
		seen = append(seen, req.URL.Scheme+" "+req.Header.Get("Authorization"))
		resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: req}
		if req.URL.Scheme == "https" {
			resp.StatusCode = http.StatusTemporaryRedirect
			resp.Header.Set("Location", "http://models.example/v1/models")
		}
		return resp, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := server.Get(t.Context(), "/models")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if got := strings.Join(seen, ", "); got != "https Bearer top-secret, http " {
		t.Errorf("the server saw %s", got)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\nb\r\n\nc", 3)
	f.Add("", 1)
	f.Add("\r\n\r", 2)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = 1 + max(0, limit)%64
		l := NewLines(iotest.HalfReader(strings.NewReader(text)), limit)
		var read strings.Builder
		for {
			line, whole, err := l.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if errors.Is(err, ErrLineTooLong) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(line) > limit || strings.Contains(string(line), "\n") {
				t.Fatalf("line %q with a limit of %d", line, limit)
			}
			read.Write(line)
			if whole {
				read.WriteByte('\n')
			}
		}
		want := strings.ReplaceAll(text, "\r\n", "\n")
		if got := read.String(); got != want && got != strings.TrimSuffix(want, "\r") {
			t.Fatalf("%q was read as %q", text, got)
		}
	})
}

func TestLines_TellABrokenReaderFromTheEnd(t *testing.T) {
	broken := errors.New("reset")
	l := NewLines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 10)
	if line, whole, err := l.Next(); string(line) != "a" || !whole || err != nil {
		t.Errorf("%q, %v, %v", line, whole, err)
	}
	if line, _, err := l.Next(); !errors.Is(err, broken) {
		t.Errorf("%q, %v", line, err)
	}
}

func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `{`, ``, ` `, `[]`, `null`, "\x00\xff", `{"a":1} x`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, written string) {
		var got map[string]json.RawMessage
		if err := json.Unmarshal(Arguments(written), &got); err != nil || got == nil {
			t.Fatalf("%q became %s: %v", written, Arguments(written), err)
		}
	})
}

func FuzzParseError(f *testing.F) {
	for _, seed := range []string{`{"error":"x"}`, `{"error":{"message":{"a":1}}}`, `{"detail":[]}`, `<p>`, ``, `null`, "\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		e := parseError(body)
		if e == nil || len(e.Message) > maxMessage+8 || strings.ContainsAny(e.Message, "\n\r") {
			t.Fatalf("%q gives %+v", body, e)
		}
		if code := classify(e); code == "" || verdicts[code] == "" {
			t.Fatalf("%q has the code %q without a verdict", body, code)
		}
	})
}

func FuzzParseVector(f *testing.F) {
	for _, seed := range []string{`[1,2]`, `[0,0]`, `[1e-45]`, `[3e38,3e38]`, `[null]`, `[NaN]`, `[]`, `{}`, `"x"`, `[-0]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := ParseVector(raw)
		if err != nil {
			return
		}
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if len(v) == 0 || math.IsNaN(sum) || sum != 0 && math.Abs(sum-1) > 1e-3 {
			t.Fatalf("%s became %v of length %v", raw, v, math.Sqrt(sum))
		}
	})
}

func TestSettle_RenamesIDsThatAreTaken(t *testing.T) {
	req := llm.Request{Messages: []llm.Message{
		{Role: strata.RoleUser, Text: "a"},
		{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "call_0", Name: "f"}}},
		{Role: strata.RoleTool, CallID: "call_0", Text: "x"},
	}}
	calls := []strata.ToolCall{{ID: "call_0", Name: "f"}, {ID: "call_1", Name: "f"}, {ID: "call_1", Name: "f"}}
	if err := AssignIDs(req, calls); err != nil {
		t.Fatal(err)
	}
	if calls[0].ID == "call_0" || calls[1].ID != "call_1" || calls[2].ID == "call_1" || calls[0].ID == calls[2].ID {
		t.Errorf("calls %+v", calls)
	}
}
