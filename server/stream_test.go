package server

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/access"
)

func TestAnExportBecomesAnImport(t *testing.T) {
	_, from := start(t)
	_, to := start(t)
	called[saved](t, from, "save", `{"content": "The ferry to Föhr leaves at six ⛴"}`)
	exported := post(t, from, "export", `{}`)
	if exported.status != 200 || exported.header.Get("Content-Type") != linesType {
		t.Fatalf("%d %s", exported.status, exported.text)
	}
	var out struct {
		Facts int `json:"facts"`
	}
	if err := json.Unmarshal([]byte(exported.trailer.Get(outputTrailer)), &out); err != nil || out.Facts != 1 {
		t.Errorf("trailer %v: %v", exported.trailer, err)
	}
	for _, dry := range []string{"true", "false"} {
		a := send(t, "POST", to+"/v1/import?dry_run="+dry, exported.text, "Content-Type", linesType)
		if a.status != 200 || !strings.Contains(a.text, `"facts":1`) {
			t.Fatalf("import, dry run %s: %d %s", dry, a.status, a.text)
		}
	}
	if f := called[found](t, to, "recall", `{"query": "when does the ferry leave?"}`); len(f.Hits) != 1 || !strings.Contains(f.Hits[0].Text, "Föhr") {
		t.Errorf("found %+v", f)
	}
}

func TestATranscriptIsTakenIn(t *testing.T) {
	_, url := start(t)
	lines := `{"role": "user", "content": "My cat's name is Whiskerino"}` + "\n" + `{"role": "assistant", "content": "A fine name."}` + "\n"
	a := send(t, "POST", url+"/v1/ingest?session=monday", lines, "Content-Type", linesType)
	if a.status != 200 || !strings.Contains(a.text, `"added":2`) {
		t.Fatalf("%d %s", a.status, a.text)
	}
	if f := called[found](t, url, "recall", `{"query": "what is my cat called?"}`); len(f.Hits) == 0 {
		t.Error("nothing is found of it")
	}
}

// next reads the next event of a stream, without heartbeats.
func next(t *testing.T, r *bufio.Reader) (id, name, data string) {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream ends: %v", err)
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "id":
			id = value
		case "event":
			name = value
		case "data":
			data = value
		case "":
			if name != "" {
				return id, name, data
			}
		}
	}
}

// stream opens a stream of events, until the context ends.
func stream(t *testing.T, ctx context.Context, method, url, body string, headers ...string) *bufio.Reader {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != eventsType {
		t.Fatalf("%s %s: %v", method, url, res.Status)
	}
	return bufio.NewReader(res.Body)
}

func TestEventsAreFollowed(t *testing.T) {
	_, url := start(t)
	called[saved](t, url, "save", `{"content": "The ferry leaves at six"}`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	live := stream(t, ctx, "GET", url+"/v1/events?kind=write", "")
	s := called[saved](t, url, "save", `{"content": "The harbor opens at nine"}`)
	id, name, data := next(t, live)
	if name != strata.EventWriteCommitted || !strings.Contains(data, s.DecisionID) {
		t.Errorf("event %s %s: %s", id, name, data)
	}
	called[saved](t, url, "save", `{"content": "The bridge is closed on Sundays"}`)
	// Who comes back misses nothing, and gets nothing twice.
	back := stream(t, ctx, "GET", url+"/v1/events?kind=write.committed", "", "Last-Event-ID", id)
	liveID, _, liveData := next(t, live)
	backID, _, backData := next(t, back)
	if liveID != backID || liveData != backData || liveID == id {
		t.Errorf("live %s %s, back %s %s", liveID, liveData, backID, backData)
	}
	all := stream(t, ctx, "GET", url+"/v1/events?after=0&kind=write.committed", "")
	for range 3 {
		next(t, all)
	}
}

func TestLongWorkTellsItsProgress(t *testing.T) {
	_, url := start(t)
	for _, text := range []string{"The ferry leaves at six", "The harbor opens at nine"} {
		called[saved](t, url, "save", `{"content": "`+text+`"}`)
	}
	r := stream(t, t.Context(), "POST", url+"/v1/reindex", `{}`, "Content-Type", jsonType, "Accept", eventsType)
	_, name, data := next(t, r)
	for name == "progress" {
		_, name, data = next(t, r)
	}
	if name != "result" || !strings.Contains(data, `"passages":2`) {
		t.Errorf("%s: %s", name, data)
	}
	r = stream(t, t.Context(), "POST", url+"/v1/fact", `{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`, "Content-Type", jsonType, "Accept", eventsType)
	if _, name, data := next(t, r); name != "error" || !strings.Contains(data, `"code":"not_found"`) {
		t.Errorf("%s: %s", name, data)
	}
}

func TestWhoComesWhenAllIsTakenIsToldSo(t *testing.T) {
	s, url := start(t, func(o *Options) { o.Limits = Limits{Calls: 1, Wait: time.Millisecond, Streams: 1} })
	call, err := s.calls.take(t.Context(), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	a := post(t, url, "facts", `{}`)
	wantFailure(t, a, 503, strata.CodeBusy)
	if a.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
	}
	call()
	called[any](t, url, "facts", `{}`)

	stream, err := s.streams.tryTake(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []answer{
		post(t, url, "export", `{}`), send(t, "POST", url+"/v1/import", "", "Content-Type", linesType),
		send(t, "GET", url+"/v1/events", ""), post(t, url, "reindex", `{}`, "Accept", eventsType),
	} {
		wantFailure(t, a, 429, strata.CodeBusy)
		if a.header.Get("Retry-After") != "1" {
			t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
		}
	}
	stream()
	if a := post(t, url, "export", `{}`); a.status != 200 {
		t.Errorf("%d %s", a.status, a.text)
	}
}

func TestTimeRunsOut(t *testing.T) {
	_, url := start(t, func(o *Options) { o.Limits.Timeout = time.Nanosecond })
	f := wantFailure(t, post(t, url, "recall", `{"query": "ferry"}`), 499, strata.CodeCanceled)
	if f.Message != "time ran out" {
		t.Errorf("it says %q", f.Message)
	}
}

// raw opens a connection and sends bytes on it.
func raw(t *testing.T, url, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// A client that does not send what it promised is given up, and holds no place meanwhile.
func TestASlowClientCostsNobodyElseAnything(t *testing.T) {
	_, url := start(t, func(o *Options) {
		o.Limits = Limits{Calls: 1, Wait: time.Millisecond, Stall: 300 * time.Millisecond}
		o.MCP = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
	})
	const head = "POST /v1/%s HTTP/1.1\r\nHost: x\r\nContent-Type: %t\r\nContent-Length: 100\r\n\r\n"
	save := strings.NewReplacer("%s", "save", "%t", jsonType).Replace(head)
	load := strings.NewReplacer("%s", "import", "%t", linesType).Replace(head)
	message := strings.Replace(strings.NewReplacer("%s", "save", "%t", jsonType).Replace(head), "/v1/save", "/mcp", 1)
	var slow []net.Conn
	for range 8 {
		slow = append(slow, raw(t, url, save+`{"content": "a`), raw(t, url, load+`{"a"`), raw(t, url, message+`{"jsonrpc"`))
	}
	called[saved](t, url, "save", `{"content": "The ferry leaves at six"}`)
	for _, conn := range slow {
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.Contains(line, "408") {
			t.Errorf("the slow client is told %q, %v", line, err)
		}
	}
}

// Who was given a token keeps nobody else out, neither by many calls nor by many streams.
func TestANamedTokenHasAShareOfThePlaces(t *testing.T) {
	home := access.Open(t.TempDir())
	one, two := grantIn(t, home, "one"), grantIn(t, home, "two")
	s := newSlots(4)
	for range 2 {
		if _, err := s.tryTake(one); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.take(t.Context(), one, time.Millisecond); strata.CodeOf(err) != strata.CodeBusy {
		t.Errorf("a third of four: %v", err)
	}
	release, err := s.tryTake(two)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.tryTake(nil); err != nil {
		t.Errorf("the owner: %v", err)
	}
	if _, err := s.tryTake(two); err == nil {
		t.Error("a fifth of four")
	}
	release()
	if _, err := s.tryTake(two); err != nil {
		t.Errorf("after one was given back: %v", err)
	}
}

// Of a token that calls no more, nothing stays.
func TestATokenThatCallsNoMoreLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		home := access.Open(t.TempDir())
		s, p := newSlots(4), newPaces(2)
		one := grantIn(t, home, "one")
		var releases []func()
		for range 2 {
			release, err := s.tryTake(one)
			if err != nil {
				t.Fatal(err)
			}
			releases = append(releases, release)
			if err := p.check(one); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.tryTake(one); err == nil {
			t.Error("a third of four")
		}
		releases[0]()
		if release, err := s.tryTake(one); err != nil {
			t.Errorf("after one was given back: %v", err)
		} else {
			release()
		}
		releases[1]()
		time.Sleep(time.Second) // now its pace is that of one that never called
		two := grantIn(t, home, "two")
		for range 2 {
			if err := p.check(two); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.check(two); err == nil {
			t.Error("it may call as often as it wants")
		}
		if len(s.of) != 0 || len(p.of) != 1 {
			t.Errorf("%d tokens have places, and %d a pace", len(s.of), len(p.of))
		}
	})
}

// grantIn makes a token of a home and returns what it grants.
func grantIn(t *testing.T, home *access.File, name string) *access.Grant {
	t.Helper()
	token, err := home.Add(t.Context(), access.Grant{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	g, err := home.Find(token)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestANamedTokenThatCallsTooOftenIsToldSo(t *testing.T) {
	sh := shareAt(t, 10)
	token := sh.grant(t, "one", false)
	refused := false
	for range 100 { // in much less than ten seconds
		w := sh.send(token, "GET", "/healthz", jsonType, "")
		refused = refused || w.Code == http.StatusTooManyRequests && strings.Contains(w.Body.String(), string(strata.CodeBusy))
		if own := sh.send(sh.owner, "GET", "/healthz", jsonType, ""); own.Code != http.StatusOK {
			t.Fatalf("the owner is told %d %s", own.Code, own.Body)
		}
	}
	if !refused {
		t.Error("nothing was refused")
	}
}

// What a stream would be like is told without one.
func TestAStreamIsNotBegunForItsHead(t *testing.T) {
	s, url := start(t)
	a := send(t, "HEAD", url+"/v1/events", "")
	if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), eventsType) || len(s.streams.all) != 0 {
		t.Errorf("%d %v, %d streams", a.status, a.header, len(s.streams.all))
	}
}

func TestParametersOfAnAddressAreReadStrictly(t *testing.T) {
	_, url := start(t)
	for query, want := range map[string]int{
		"above=true": 404, "above=1": 404, "above=yes": 400, "above=true&above=false": 400, "scope=global&scope=global": 400,
	} {
		if a := send(t, "GET", url+"/v1/note_show?name=nothing&"+query, ""); a.status != want {
			t.Errorf("%s: %d %s", query, a.status, a.text)
		}
	}
}

// A client that goes gives its place back.
func TestAVanishedClientGivesItsPlaceBack(t *testing.T) {
	s, url, done := startWaiting(t)
	ctx, cancel := context.WithCancel(t.Context())
	stream(t, ctx, "GET", url+"/v1/events", "")
	half := raw(t, url, "POST /v1/import HTTP/1.1\r\nHost: x\r\nContent-Type: "+linesType+"\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n")
	// The server asks for the body once the import has its place.
	if line, err := bufio.NewReader(half).ReadString('\n'); err != nil || line != "HTTP/1.1 100 Continue\r\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := io.WriteString(half, "{"); err != nil {
		t.Fatal(err)
	}
	if n := len(s.streams.all); n != 2 {
		t.Fatalf("%d places are taken by two streams", n)
	}
	cancel()
	half.Close()
	done()
	if n := len(s.streams.all); n != 0 {
		t.Errorf("%d places are taken when both clients have gone", n)
	}
}
