package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/home/endpoint"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// shortDir is a directory with a path that is short enough for a socket.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "strata")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// names lists what is in a directory.
func names(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %o", e.Name(), info.Mode().Perm()))
	}
	return strings.Join(out, ", ")
}

// What stands in the path of a home is no pattern: the server starts in any directory, and
// clears up in that one alone.
func TestAHomeOfAnyName(t *testing.T) {
	dir := shortDir(t)
	for _, name := range []string{"a[b", "*", "xyz"} {
		left := filepath.Join(dir, name, strings.Replace(endpoint.Part(), "*", "1", 1))
		if err := os.MkdirAll(left, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a[b", "*"} {
		socket, err := Listen(filepath.Join(dir, name))
		if err != nil {
			t.Errorf("in %s: %v", name, err)
			continue
		}
		if got := names(t, filepath.Join(dir, name)); got != "server.lock 600, strata.sock 600" {
			t.Errorf("%s holds %s", name, got)
		}
		if err := socket.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := names(t, filepath.Join(dir, "xyz")); got == "" {
		t.Error("what another home held is gone")
	}
}

func TestAHomeHasOneSocket(t *testing.T) {
	home := shortDir(t)
	first, err := Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, home); got != "server.lock 600, strata.sock 600" {
		t.Errorf("the home holds %s", got)
	}
	_, err = Listen(home)
	if strata.CodeOf(err) != strata.CodeConflict || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("the second: %v", err)
	}
	if got := names(t, home); got != "server.lock 600, strata.sock 600" {
		t.Errorf("after the second the home holds %s", got)
	}
	for range 2 {
		if err := first.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	if got := names(t, home); got != "server.lock 600" {
		t.Errorf("after the end the home holds %s", got)
	}
	third, err := Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	if err := third.Close(); err != nil {
		t.Error(err)
	}
}

func TestAStaleSocketIsTakenOver(t *testing.T) {
	home := shortDir(t)
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: endpoint.Socket(home), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	if err := stale.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(home, strings.TrimSuffix(endpoint.Part(), "*")+"1"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := names(t, home); got != "server.lock 600, strata.sock 600" {
		t.Errorf("the home holds %s", got)
	}
	conn, err := net.Dial("unix", endpoint.Socket(home))
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

// Only a socket gives way: another file of that name is somebody's own.
func TestWhatIsNoSocketStays(t *testing.T) {
	home := shortDir(t)
	path := endpoint.Socket(home)
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Listen(home)
	var known *strata.Error
	if !errors.As(err, &known) || known.Code != strata.CodeConflict || known.Hint == "" {
		t.Errorf("Listen = %v", err)
	}
	if data, err := os.ReadFile(path); string(data) != "mine" {
		t.Errorf("the file holds %q, %v", data, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s, err := Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestAPathThatIsTooLongIsSaid(t *testing.T) {
	home := filepath.Join(shortDir(t), strings.Repeat("a", 120))
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Listen(home)
	if strata.CodeOf(err) != strata.CodeUnavailable {
		t.Errorf("Listen = %v", err)
	}
	if got := names(t, home); got != "server.lock 600" {
		t.Errorf("the home holds %s", got)
	}
}

func TestTheTokenIsMadeOnceAndKeptFromOthers(t *testing.T) {
	home := t.TempDir()
	first, err := Token(home)
	if err != nil || len(first) < 43 {
		t.Fatalf("token %q, %v", first, err)
	}
	if got := names(t, home); got != "server.token 600" {
		t.Errorf("the home holds %s", got)
	}
	if again, err := Token(home); err != nil || again != first {
		t.Errorf("again %q, %v", again, err)
	}
	if other, err := Token(t.TempDir()); err != nil || other == first {
		t.Errorf("of another home %q, %v", other, err)
	}
	for _, bad := range []struct {
		text string
		mode os.FileMode
	}{{first, 0o644}, {"", 0o600}, {"short", 0o600}} {
		dir := t.TempDir()
		if err := os.WriteFile(endpoint.Token(dir), []byte(bad.text), bad.mode); err != nil {
			t.Fatal(err)
		}
		if got, err := Token(dir); strata.CodeOf(err) != strata.CodeDenied {
			t.Errorf("a file of mode %o with %q is the token %q, %v", bad.mode, bad.text, got, err)
		}
	}
}

// unixClient calls the server of a home over its socket.
func unixClient(home string) *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", endpoint.Socket(home))
	}}}
}

// A server that ends answers what is under way, ends what would go on for ever, and takes
// its socket away.
func TestTheEndIsGraceful(t *testing.T) {
	home := shortDir(t)
	socket, err := Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Env: operation.Env{Engine: memory(t)}})
	inside, goOn := make(chan struct{}), make(chan struct{})
	s.mux.Handle("/slow", &route{path: "/slow", name: "slow", by: map[string]handler{"GET": func(w *response, _ *http.Request) error {
		close(inside)
		<-goOn
		return w.answer(healthy{Status: "late"})
	}}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, Endpoint{socket, s.Open()}) }()
	client := unixClient(home)
	defer client.CloseIdleConnections()
	events, err := client.Get("http://strata/v1/events")
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	late := make(chan string, 1)
	go func() {
		res, err := client.Get("http://strata/slow")
		if err != nil {
			late <- err.Error()
			return
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body) // what is missing shows below
		late <- string(text)
	}()
	<-inside
	cancel()
	if _, err := io.ReadAll(events.Body); err != nil {
		t.Errorf("the stream of events ends with %v", err)
	}
	close(goOn)
	if err := <-ended; err != nil {
		t.Errorf("Serve = %v", err)
	}
	if got := <-late; !strings.Contains(got, "late") {
		t.Errorf("the request under way got %s", got)
	}
	if err := socket.Close(); err != nil {
		t.Error(err)
	}
	if got := names(t, home); got != "server.lock 600" {
		t.Errorf("the home holds %s", got)
	}
}

func TestAHeaderThatIsTooLongIsRefused(t *testing.T) {
	home := shortDir(t)
	socket, err := Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	s := New(Options{Env: operation.Env{Engine: memory(t)}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, Endpoint{socket, s.Open()}) }()
	client := unixClient(home)
	req, err := http.NewRequest("GET", "http://strata/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Long", strings.Repeat("a", 2*maxHeader))
	res, err := client.Do(req)
	if err != nil || res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Fatalf("%v, %v", res, err)
	}
	res.Body.Close()
	res, err = client.Get("http://strata/healthz")
	if err != nil {
		t.Fatal(err)
	}
	var well healthy
	if err := json.NewDecoder(res.Body).Decode(&well); err != nil || well.Status != "ok" || well.Version != "dev" {
		t.Errorf("health %+v, %v", well, err)
	}
	res.Body.Close()
	client.CloseIdleConnections()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
