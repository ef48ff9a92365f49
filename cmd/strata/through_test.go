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
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/client"
	"github.com/strata-memory/strata/internal/home/endpoint"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/server"
)

// throughScripts are scripts whose commands find a server in the home. They say the same
// as without.
var throughScripts = []string{
	"accept", "categories", "daily", "destroy", "directory", "expand", "first_contact", "floor", "forget", "identity", "json",
	"known", "linked", "lost", "move", "naming", "note", "one_recall", "private", "profile", "questions", "recall_notes", "rename", "scopes", "search", "secret_note",
	"session", "skill", "think", "undo",
}

// What commands say through a server is what they say without.
func TestScriptsThroughAServer(t *testing.T) {
	if testing.Short() {
		t.Skip("the scripts run without a server, too")
	}
	root, err := os.MkdirTemp("", "s") // a socket needs a short path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	var files []string
	for _, name := range throughScripts {
		files = append(files, filepath.Join("testdata/script", name+".txtar"))
	}
	p := scriptParams()
	p.Dir, p.Files, p.UpdateScripts, p.WorkdirRoot = "", files, false, root
	p.Setup = func(env *testscript.Env) error {
		if err := setup(env); err != nil {
			return err
		}
		return serveScript(env)
	}
	testscript.Run(t, p)
}

// serveScript serves the home of a script until its end.
func serveScript(env *testscript.Env) error {
	home := env.Getenv("STRATA_HOME")
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd := exec.Command(self)
	cmd.Args = []string{"strata", "serve", "-o", "jsonl"}
	cmd.Dir, cmd.Env, cmd.Stderr = home, env.Vars, &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if _, err := bufio.NewReader(stdout).ReadBytes('\n'); err != nil {
		return fmt.Errorf("serve: %w: %s", err, stderr.String())
	}
	env.Defer(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		// Otherwise the script tests nothing.
		if !strings.Contains(stderr.String(), "msg=request") {
			env.T().Fatal("no command went through the server\n", stderr.String())
		}
	})
	return nil
}

// command runs the command in a home.
func command(t *testing.T, home, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(t.Context(), args, strings.NewReader(stdin), &out, &errs, []string{"HOME=" + home, "STRATA_HOME=" + home, "STRATA_HOOK_SERVER=off"})
	return code, out.String(), errs.String()
}

// served are the operations that a server which ended ran, by its log.
func (s *served) served(t *testing.T) map[string]bool {
	t.Helper()
	names := make(map[string]bool)
	for line := range strings.Lines(s.stderr.String()) {
		var entry struct {
			Msg, Operation string
			Status         int
		}
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "request" && entry.Status == http.StatusOK {
			names[entry.Operation] = true
		}
	}
	return names
}

// Who writes, errors, exit codes and what comes of --no-server, --verbose and other
// settings.
func TestCommandsGoThroughAServer(t *testing.T) {
	home := newHome(t)
	s := serveHome(t, home, "--log-format", "json")
	if code, _, stderr := command(t, home, "", "save", "My cat's name is Whiskerino"); code != 0 {
		t.Fatal(stderr)
	}
	for _, args := range [][]string{
		{"facts", "-o", "json"}, {"facts"}, {"fact", "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}, {"fact", "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB", "-o", "json"},
		{"delete", "nothing", "--dry-run"}, {"scope", "show", "-o", "json"}, {"scopes"}, {"recall", ""}, {"facts", "--scope", "workspace"},
		{"save", "My cat is \xff"}, {"recall", "\xff"},
	} {
		code, stdout, stderr := command(t, home, "", args...)
		wantCode, wantOut, wantErr := command(t, home, "", append(args, "--no-server")...)
		if code != wantCode || stdout != wantOut || stderr != wantErr {
			t.Errorf("%q: %d\n%s%s\nand without the server: %d\n%s%s", args, code, stdout, stderr, wantCode, wantOut, wantErr)
		}
	}
	if _, stdout, _ := command(t, home, "", "facts", "-o", "json"); !strings.Contains(stdout, `"cli"`) {
		t.Errorf("the fact is not of a command: %s", stdout)
	}
	command(t, home, "", "stats", "--verbose")
	command(t, home, "", "traces", "--no-server")
	var out, errs bytes.Buffer
	code := Main(t.Context(), []string{"learnings"}, strings.NewReader(""), &out, &errs, []string{"HOME=" + home, "STRATA_HOME=" + home, "STRATA_BUSY_TIMEOUT=3s"})
	if code != 0 {
		t.Error(errs.String())
	}
	s.end(t, os.Interrupt)
	served := s.served(t)
	for _, name := range []string{"save", "facts", "fact", "delete", "scope_show", "scopes"} {
		if !served[name] {
			t.Errorf("%s did not go through the server", name)
		}
	}
	for _, name := range []string{"stats", "traces", "learnings"} {
		if served[name] {
			t.Errorf("%s went through the server", name)
		}
	}
}

// pretend answers the socket of a home until the test ends.
func pretend(t *testing.T, home string, answer func(net.Conn)) {
	t.Helper()
	l, err := net.Listen("unix", endpoint.Socket(home))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			answer(conn)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-ended
	})
}

// A server that hangs, is another one, or ended before the call costs an answer nothing.
func TestWhereNothingWasSentTheMemoryAnswers(t *testing.T) {
	say := func(text string) func(net.Conn) {
		return func(c net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = io.WriteString(c, text)
			c.Close()
		}
	}
	for name, answer := range map[string]func(net.Conn){
		"hangs":          func(c net.Conn) { t.Cleanup(func() { c.Close() }) },
		"hangs up":       func(c net.Conn) { c.Close() },
		"is another":     say("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
		"is busy":        say("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"),
		"speaks no HTTP": say("hello\n"),
	} {
		t.Run(name, func(t *testing.T) {
			home := newHome(t)
			pretend(t, home, answer)
			if code, _, stderr := command(t, home, "", "save", "My cat's name is Whiskerino"); code != 0 {
				t.Fatalf("save: %d %s", code, stderr)
			}
			code, stdout, stderr := command(t, home, "", "recall", "what is my cat called?")
			if code != 0 || !strings.Contains(stdout, "Whiskerino") || strings.Contains(stderr, "server") {
				t.Errorf("recall: %d %s%s", code, stdout, stderr)
			}
		})
	}
	t.Run("left its socket", func(t *testing.T) {
		home := newHome(t)
		if err := os.WriteFile(endpoint.Socket(home), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := command(t, home, "", "save", "My cat's name is Whiskerino"); code != 0 {
			t.Errorf("save: %d %s", code, stderr)
		}
	})
}

// A server that ends over a call: reads and writes with a request id are made again,
// others are not, and say so.
func TestALostAnswer(t *testing.T) {
	home := newHome(t)
	if code, _, stderr := command(t, home, "", "save", "My dog's name is Bolt"); code != 0 {
		t.Fatal(stderr)
	}
	bodies := make(chan string, 4)
	pretend(t, home, func(c net.Conn) {
		defer c.Close()
		r, err := http.ReadRequest(bufio.NewReader(c))
		if err != nil {
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
		body := make([]byte, r.ContentLength)
		n, _ := c.Read(body)
		bodies <- string(body[:n])
	})
	if code, _, stderr := command(t, home, "", "save", "My cat's name is Whiskerino"); code != 0 {
		t.Fatalf("save: %d %s", code, stderr)
	}
	code, stdout, stderr := command(t, home, "", "recall", "what is my cat called?")
	if code != 0 || !strings.Contains(stdout, "Whiskerino") {
		t.Errorf("recall: %d %s%s", code, stdout, stderr)
	}
	code, _, stderr = command(t, home, "", "categories", "rename", "pets", "animals")
	if code != strata.CodeUnavailable.ExitCode() || !strings.Contains(stderr, "may have been done") || !strings.Contains(stderr, "hint:") {
		t.Errorf("rename: %d %s", code, stderr)
	}
	var sent struct {
		RequestID string `json:"request_id"`
	}
	if got := len(bodies); got != 3 {
		t.Fatalf("%d calls were made", got)
	}
	if first := <-bodies; json.Unmarshal([]byte(first), &sent) != nil || sent.RequestID == "" {
		t.Fatalf("sent %q", first)
	}
	// What the first call did is found by the second: so would that of the server.
	code, stdout, _ = command(t, home, "", "save", "--request-id", sent.RequestID, "My cat's name is Whiskerino", "-o", "json", "--no-server")
	if code != 0 || !strings.Contains(stdout, `"replayed": true`) {
		t.Errorf("the id %s of the call is not that of the decision: %s", sent.RequestID, stdout)
	}
}

// What goes through comes back whole.
func TestWhatGoesThrough(t *testing.T) {
	var names []string
	for _, op := range ops.All() {
		if goesThrough(op) {
			names = append(names, op.About().Name)
		}
	}
	for _, name := range []string{"recall", "save", "search", "list", "remember", "facts", "note_write", "context", "delete"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s does not go through a server; through go %q", name, names)
		}
	}
	for _, name := range []string{"doctor", "export", "import", "ingest", "reindex", "backup_now", "embed", "undo", "decisions", "forget"} {
		if slices.Contains(names, name) {
			t.Errorf("%s goes through a server", name)
		}
	}
}

// A hook starts the server that the next one goes through, and holds no pipe of the agent.
func TestAHookStartsAServer(t *testing.T) {
	home := newHome(t)
	command(t, home, "", "save", "The staging server listens on port 8443", "--scope", "global")
	program := link(t, home)
	hook := func() string {
		cmd := exec.Command(program, "hook", "prompt", "--patience", "20s")
		cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "STRATA_HOME=" + home, "TMPDIR=" + home, "STRATA_HOOK_SERVER=1m", "GOCOVERDIR=" + t.TempDir()}
		cmd.Stdin = strings.NewReader(`{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "which port does the staging server listen on?"}`)
		out, err := cmd.Output() // returns when nobody holds the pipe any more
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	t.Cleanup(func() { endServer(home) })
	c := dial(t, client.Options{Home: home})
	for begun := time.Now(); c.Call(t.Context(), "stats", nil, nil) != nil; {
		if time.Since(begun) > time.Minute {
			t.Fatal("no server was started")
		}
		if out := hook(); !strings.Contains(out, "8443") {
			t.Fatalf("without a server the hook says %s", out)
		}
	}
	if out := hook(); !strings.Contains(out, "8443") {
		t.Errorf("through the server the hook says %s", out)
	}
}

// endServer ends the server of a home, whose process is named in its lock.
func endServer(home string) {
	text, _ := os.ReadFile(endpoint.Lock(home))
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && server.Held(home) {
		_ = syscall.Kill(pid, syscall.SIGTERM)
	}
}

// link is the test binary under the name by which it is the command.
func link(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "strata")
	if err := os.Link(self, program); err != nil {
		t.Skipf("the test binary cannot be linked: %v", err)
	}
	return program
}

// A client starts the server that it calls, and others find it.
func TestAClientStartsAServer(t *testing.T) {
	home := newHome(t)
	c := dial(t, client.Options{Home: home, Start: true, Idle: time.Minute, Command: link(t, home)})
	t.Cleanup(func() { endServer(home) })
	saveBy(t, c, "My cat's name is Whiskerino")
	var found struct{ Hits []struct{ Text string } }
	if err := dial(t, client.Options{Home: home}).Call(t.Context(), "recall", map[string]string{"query": "what is my cat called?"}, &found); err != nil || len(found.Hits) != 1 {
		t.Errorf("found %+v, %v", found, err)
	}
	var known *strata.Error
	err := dial(t, client.Options{Home: newHome(t), Start: true, Command: filepath.Join(home, "nothing")}).Call(t.Context(), "stats", nil, nil)
	if !errors.As(err, &known) || known.Code != strata.CodeUnavailable {
		t.Errorf("a command that is not there: %v", err)
	}
}

// A server ends when it was not asked for a while, and leaves nothing.
func TestAnIdleServerEnds(t *testing.T) {
	home := newHome(t)
	s := serveHome(t, home, "--idle", "300ms")
	command(t, home, "", "save", "My cat's name is Whiskerino")
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v\n%s", err, s.stderr)
	}
	if _, err := os.Stat(s.Socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is there: %v", err)
	}
}

// While servers are killed no command fails, and what each saved is there once.
func TestCommandsOutliveServers(t *testing.T) {
	home := newHome(t)
	const writers, each = 3, 8
	var writing sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for n := range each {
				code, _, stderr := command(t, home, "", "save", fmt.Sprintf("Locker %d of hall %d holds a kite", n, w))
				if code != 0 {
					t.Errorf("save: %d %s", code, stderr)
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		writing.Wait()
		close(ended)
	}()
	for kills := 0; ; kills++ {
		s, err := tryServe(t, home)
		if err != nil {
			t.Fatalf("serve: %v\n%s", err, s.stderr)
		}
		command(t, home, "", "facts")
		if err := s.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = s.cmd.Wait()
		select {
		case <-ended:
		default:
			continue
		}
		t.Logf("%d servers were killed", kills+1)
		break
	}
	_, stdout, _ := command(t, home, "", "facts", "-n", "1000", "-o", "json")
	for w := range writers {
		for n := range each {
			if text := fmt.Sprintf(`"Locker %d of hall %d holds a kite"`, n, w); strings.Count(stdout, text) != 1 {
				t.Errorf("%s is there %d times", text, strings.Count(stdout, text))
			}
		}
	}
}

// strata mcp works through the server, and goes on without it when that is killed.
func TestMCPOutlivesTheServer(t *testing.T) {
	home := newHome(t)
	s := serveHome(t, home, "--log-format", "json")
	cs, cmd, stderr := childIn(t, home, home)
	callChild(t, cs, "memory_save", map[string]any{"content": "My cat's name is Whiskerino"})
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait()
	if s.stderr.Len() > 0 && strings.Contains(s.stderr.String(), "panic") {
		t.Errorf("%s", s.stderr)
	}
	if got := callChild(t, cs, "memory_recall", map[string]any{"query": "What is my cat's name?"}); !strings.Contains(got, "Whiskerino") {
		t.Errorf("recalled %q", got)
	}
	if err := cs.Close(); err != nil || cmd.ProcessState.ExitCode() != 0 || stderr.Len() > 0 {
		t.Errorf("close: %v, %v, stderr %q", err, cmd.ProcessState, stderr)
	}
}

// What a client of strata mcp subscribed to it hears of when the server is killed, without a
// call of its own, and its session is the same.
func TestASessionOutlivesTheServer(t *testing.T) {
	const uri = "memory://root/notes/user_harbor.md"
	for _, version := range []string{"2025-06-18", ""} {
		t.Run("protocol "+version, func(t *testing.T) {
			home := newHome(t)
			s := serveHome(t, home, "--log-format", "json")
			heard := make(chan string, 100)
			cs, _, _ := childOf(t, home, home, version, &mcp.ClientOptions{
				ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { heard <- req.Params.URI },
			})
			if err := cs.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			callChild(t, cs, "memory_save", map[string]any{"content": "My cat's name is Whiskerino"})
			if err := s.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = s.cmd.Wait()
			other, _, _ := childIn(t, home, home)
			for i := range 2 { // the first may be what the killed server did not tell
				callChild(t, other, "remember", map[string]any{"content": fmt.Sprintf("It opens at %d.", i), "title": "Harbor", "type": "user"})
				select {
				case got := <-heard:
					if got != uri {
						t.Errorf("heard of %s", got)
					}
				case <-time.After(30 * time.Second):
					t.Fatal("heard of nothing")
				}
			}
			if got := callChild(t, cs, "memory_undo", nil); !strings.Contains(got, "Whiskerino") {
				t.Errorf("undo: %s", got)
			}
		})
	}
}

// A server that stops ends what it has of conversations, which go on.
func TestAServerStopsUnderAConversation(t *testing.T) {
	home := newHome(t)
	s := serveHome(t, home, "--log-format", "json")
	cs, _, _ := childIn(t, home, home)
	callChild(t, cs, "memory_save", map[string]any{"content": "My cat's name is Whiskerino"})
	s.end(t, os.Interrupt)
	if !strings.Contains(s.stderr.String(), `"operation":"mcp"`) {
		t.Errorf("strata mcp did not work through the server:\n%s", s.stderr)
	}
	if got := callChild(t, cs, "memory_recall", map[string]any{"query": "What is my cat's name?"}); !strings.Contains(got, "Whiskerino") {
		t.Errorf("recalled %q", got)
	}
}
