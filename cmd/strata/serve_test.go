package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
	"github.com/strata-memory/strata/internal/home/endpoint"
	"github.com/strata-memory/strata/local"
)

// served is a process that serves a home: this binary, run as the command.
type served struct {
	Serving
	cmd    *exec.Cmd
	stderr *bytes.Buffer // read it after the end
}

// newHome is a home with a path that is short enough for a socket.
func newHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("", "strata")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	return home
}

// serveHome starts a server, which ends with the test, and returns when it serves.
func serveHome(t *testing.T, home string, args ...string) *served {
	t.Helper()
	s, err := tryServe(t, home, args...)
	if err != nil {
		t.Fatalf("serve: %v\n%s", err, s.stderr)
	}
	return s
}

// tryServe is serveHome with the error of a server that does not come to serve.
func tryServe(t testing.TB, home string, args ...string) (*served, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &served{cmd: exec.Command(self), stderr: new(bytes.Buffer)}
	s.cmd.Args = append([]string{"strata", "serve", "-o", "jsonl"}, args...) // the name makes the test binary the command
	s.cmd.Dir, s.cmd.Stderr = home, s.stderr
	s.cmd.Env = []string{"HOME=" + home, "STRATA_HOME=" + home, "TMPDIR=" + home, "GOCOVERDIR=" + t.TempDir()}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		return s, s.cmd.Wait()
	}
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill() // most have ended
		_ = s.cmd.Wait()
	})
	return s, json.Unmarshal(line, &s.Serving)
}

// end ends a server by a signal and wants that to go well.
func (s *served) end(t *testing.T, sig os.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("after %v: %v\n%s", sig, err, s.stderr)
	}
	if _, err := os.Stat(s.Socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after %v the socket is there: %v", sig, err)
	}
}

// dial returns a client.
func dial(t *testing.T, o client.Options) *client.Client {
	t.Helper()
	c, err := client.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func saveBy(t *testing.T, c *client.Client, content string) {
	t.Helper()
	if err := c.Call(t.Context(), "save", map[string]string{"content": content}, nil); err != nil {
		t.Errorf("save: %v", err)
	}
}

// The story of a program that calls a server, and of the person beside it.
func TestServeOverTheSocket(t *testing.T) {
	home := newHome(t)
	s := serveHome(t, home, "--log-format", "json")
	if s.Socket != endpoint.Socket(home) || s.Address != "" || s.Token != "" {
		t.Errorf("serving %+v", s.Serving)
	}
	if _, err := os.Stat(endpoint.Token(home)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a token that nobody needs: %v", err)
	}
	c := dial(t, client.Options{Home: home})
	saveBy(t, c, "My cat's name is Whiskerino")
	var found struct{ Hits []struct{ Text string } }
	if err := c.Call(t.Context(), "recall", map[string]string{"query": "what is my cat called?"}, &found); err != nil || len(found.Hits) != 1 {
		t.Errorf("found %+v, %v", found, err)
	}
	var stdout, stderr bytes.Buffer
	code := Main(t.Context(), []string{"facts", "-o", "json"}, strings.NewReader(""), &stdout, &stderr, []string{"HOME=" + home, "STRATA_HOME=" + home})
	if code != 0 || !strings.Contains(stdout.String(), "Whiskerino") || !strings.Contains(stdout.String(), `"api"`) {
		t.Errorf("the command says %d, %s%s", code, stdout.String(), stderr.String())
	}
	var known *strata.Error
	err := c.Call(t.Context(), "fact", map[string]string{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}, nil)
	if !errors.As(err, &known) || known.Code != strata.CodeNotFound || known.Hint == "" {
		t.Errorf("error %+v", known)
	}
	s.end(t, syscall.SIGTERM)
	lines := 0
	for line := range strings.Lines(s.stderr.String()) {
		var entry struct{ Msg, Request, Operation string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Errorf("a line of the log is no JSON: %s", line)
		}
		if entry.Msg == "request" && entry.Request != "" && entry.Operation != "" {
			lines++
		}
	}
	if lines != 4 || strings.Contains(s.stderr.String(), "Whiskerino") {
		t.Errorf("%d requests in the log\n%s", lines, s.stderr)
	}
}

// What was answered survives a kill, and the next server takes the socket over.
func TestAKilledServerIsFollowedByAnother(t *testing.T) {
	home := newHome(t)
	s := serveHome(t, home)
	const clients = 4
	answered := make([]int, clients)
	var working, begun sync.WaitGroup
	begun.Add(clients)
	for i := range clients {
		c := dial(t, client.Options{Home: home})
		working.Go(func() {
			for n := 0; ; n++ {
				text := fmt.Sprintf("Pump %d of hall %d runs at %d bar", n, i, n+3)
				if c.Call(context.Background(), "save", map[string]any{"content": text, "entity": fmt.Sprintf("pump %d.%d", i, n), "attribute": "pressure"}, nil) != nil {
					return
				}
				if answered[i] = n + 1; n == 2 {
					begun.Done()
				}
			}
		})
	}
	begun.Wait()
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	working.Wait()
	_ = s.cmd.Wait() // the error is the kill
	if _, err := os.Stat(s.Socket); err != nil {
		t.Fatalf("the kill left no socket: %v", err)
	}
	again := serveHome(t, home)
	var list struct{ Facts []struct{ Text string } }
	if err := dial(t, client.Options{Home: home}).Call(t.Context(), "facts", map[string]int{"limit": 1000}, &list); err != nil {
		t.Fatal(err)
	}
	have := make(map[string]bool)
	for _, f := range list.Facts {
		have[f.Text] = true
	}
	for i, n := range answered {
		for k := range n {
			if text := fmt.Sprintf("Pump %d of hall %d runs at %d bar", k, i, k+3); !have[text] {
				t.Errorf("%s: answered and not there", text)
			}
		}
	}
	again.end(t, os.Interrupt)
}

// Of servers that are started at once one serves, and the others say so.
func TestAHomeHasOneServer(t *testing.T) {
	home := newHome(t)
	mem, err := local.Open(t.Context(), home) // so that they do not wait for the first to make it
	if err != nil {
		t.Fatal(err)
	}
	if err := mem.Close(); err != nil {
		t.Fatal(err)
	}
	const servers = 3
	var all [servers]*served
	var errs [servers]error
	var starting sync.WaitGroup
	for i := range servers {
		starting.Go(func() { all[i], errs[i] = tryServe(t, home) })
	}
	starting.Wait()
	var one *served
	for i, err := range errs {
		var exit *exec.ExitError
		switch {
		case err == nil && one == nil:
			one = all[i]
		case err == nil:
			t.Error("two serve")
		case !errors.As(err, &exit) || exit.ExitCode() != strata.CodeConflict.ExitCode() || !strings.Contains(all[i].stderr.String(), "already served"):
			t.Errorf("another ends with %v: %s", err, all[i].stderr)
		}
	}
	if one == nil {
		t.Fatal("none serves")
	}
	saveBy(t, dial(t, client.Options{Home: home}), "The ferry leaves at six")
	one.end(t, os.Interrupt)
}

func TestServeOverTCP(t *testing.T) {
	home := newHome(t)
	s := serveHome(t, home, "--listen", "127.0.0.1:0")
	info, err := os.Stat(s.Token)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("token file %v, %v", info, err)
	}
	token, err := os.ReadFile(s.Token)
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + s.Address
	saveBy(t, dial(t, client.Options{URL: address, Token: strings.TrimSpace(string(token))}), "The ferry leaves at six")
	for _, wrong := range []string{"", "guess"} {
		err := dial(t, client.Options{URL: address, Token: wrong}).Call(t.Context(), "facts", nil, nil)
		if strata.CodeOf(err) != strata.CodeDenied {
			t.Errorf("with the token %q: %v", wrong, err)
		}
	}
	// The port is taken.
	other := newHome(t)
	_, err = tryServe(t, other, "--listen", s.Address)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != strata.CodeUnavailable.ExitCode() {
		t.Errorf("a port that is taken: %v", err)
	}
	if _, err := os.Stat(endpoint.Socket(other)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it left its socket: %v", err)
	}
	s.end(t, syscall.SIGTERM)
}

// An agent over streamable HTTP has the tools of strata mcp.
func TestServeSpeaksMCP(t *testing.T) {
	home := newHome(t)
	s := serveHome(t, home)
	over := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", s.Socket)
	}}}
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://strata/mcp", HTTPClient: over}, nil)
	if err != nil {
		t.Fatal(err)
	}
	callChild(t, cs, "memory_save", map[string]any{"content": "My cat's name is Whiskerino"})
	if got := callChild(t, cs, "memory_recall", map[string]any{"query": "What is my cat's name?"}); !strings.Contains(got, "Whiskerino") {
		t.Errorf("recalled %q", got)
	}
	_, err = cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://root/notes/none.md"})
	if err == nil {
		t.Error("a note that is not there is read")
	}
	res, err := over.Get("http://strata/metrics")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || !strings.Contains(string(text), `strata_http_requests_total{operation="mcp",code="ok"}`) {
		t.Errorf("metrics %s, %v", text, err)
	}
	// The server ends although the agent still listens.
	s.end(t, os.Interrupt)
	_ = cs.Close() // its server is gone
}

// The page of a home is where the command says, and its code lets one browser in.
func TestThePageIsFoundByTheNameOfThisMachine(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:7117": "localhost:7117", "[::]:7117": "localhost:7117", "127.0.0.1:80": "127.0.0.1:80", "[::1]:7117": "[::1]:7117",
	} {
		tcp, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := nameOf(tcp); got != want {
			t.Errorf("%s is named %s, want %s", address, got, want)
		}
	}
}

func TestUIShowsThePage(t *testing.T) {
	home := newHome(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = []string{"strata", "ui", "--no-open", "-o", "jsonl"}
	cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "STRATA_HOME=" + home, "TMPDIR=" + home, "GOCOVERDIR=" + t.TempDir()}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // most have ended
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var showing Showing
	if err := json.Unmarshal(line, &showing); err != nil {
		t.Fatal(err)
	}
	address, code, ok := strings.Cut(showing.Page, "/#code=")
	if !ok || !strings.HasPrefix(address, "http://127.0.0.1:") || len(code) < 22 {
		t.Fatalf("page %q", showing.Page)
	}
	ask := func(path, body string, cookies []*http.Cookie) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Strata-Page", "1")
		for _, c := range cookies {
			req.AddCookie(c)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res
	}
	if res := ask("/v1/facts", "{}", nil); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the code: %s", res.Status)
	}
	in := ask("/visit", `{"code": "`+code+`"}`, nil)
	if in.StatusCode != http.StatusOK || len(in.Cookies()) != 1 {
		t.Fatalf("the code: %s, %v", in.Status, in.Cookies())
	}
	if res := ask("/v1/backup_now", "{}", in.Cookies()); res.StatusCode != http.StatusOK {
		t.Errorf("a backup: %s", res.Status)
	}
	if made, err := filepath.Glob(filepath.Join(home, "backups", "*.tar.zst")); err != nil || len(made) != 1 {
		t.Errorf("backups %v, %v", made, err)
	}
	if _, err := os.Stat(endpoint.Socket(home)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it has the socket, which is a server's: %v", err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// fullDisk is a file that nothing can be written to.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A server that cannot say where it listens listens no more.
func TestServeGivesTheAddressBack(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address, home := free.Addr().String(), newHome(t)
	free.Close()
	var stderr bytes.Buffer
	code := Main(t.Context(), []string{"serve", "--listen", address}, strings.NewReader(""), fullDisk{}, &stderr, []string{"HOME=" + home, "STRATA_HOME=" + home})
	if code == 0 {
		t.Fatalf("it served: %s", &stderr)
	}
	again, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}
