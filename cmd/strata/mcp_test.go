package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/local"
)

// child connects the SDK's own client to a process of its own: this binary,
// run as the command.
func child(t *testing.T, home string) (*mcp.ClientSession, *exec.Cmd, *bytes.Buffer) {
	t.Helper()
	return childIn(t, home, t.TempDir())
}

// childIn is child with the directory that the client starts the server in.
func childIn(t *testing.T, home, dir string) (*mcp.ClientSession, *exec.Cmd, *bytes.Buffer) {
	t.Helper()
	return childOf(t, home, dir, "", nil)
}

// childOf is childIn of a client with options, which speaks a version of the protocol; empty
// means the newest.
func childOf(t *testing.T, home, dir, version string, options *mcp.ClientOptions) (*mcp.ClientSession, *exec.Cmd, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = []string{"strata", "mcp"} // the name makes the test binary the command
	cmd.Dir = dir
	// Built with -cover, it would warn that it has nowhere to put what it covered.
	cmd.Env = []string{"HOME=" + home, "STRATA_HOME=" + home, "TMPDIR=" + home, "GOCOVERDIR=" + t.TempDir()}
	stderr := new(bytes.Buffer)
	cmd.Stderr = stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options)
	cs, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect: %v\n%s", err, stderr)
	}
	t.Cleanup(func() { _ = cs.Close() }) // what it returns matters to the tests that close it
	return cs, cmd, stderr
}

func callChild(t *testing.T, cs *mcp.ClientSession, tool string, args map[string]any) string {
	t.Helper()
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil || len(res.Content) == 0 {
		t.Fatalf("%s: %+v, %v", tool, res, err)
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("%s: content is %T", tool, res.Content[0])
	}
	return text.Text
}

// The story of every user, with a process that ends in between.
func TestMCPRemembersAcrossProcesses(t *testing.T) {
	home := t.TempDir()
	cs, cmd, stderr := child(t, home)
	callChild(t, cs, "memory_save", map[string]any{"content": "My cat's name is Whiskerino"})
	if err := cs.Close(); err != nil || cmd.ProcessState.ExitCode() != 0 || stderr.Len() > 0 {
		t.Errorf("close: %v, %v, stderr %q", err, cmd.ProcessState, stderr)
	}
	cs, _, _ = child(t, home)
	if got := callChild(t, cs, "memory_recall", map[string]any{"query": "What is my cat's name?"}); !strings.Contains(got, "Whiskerino") {
		t.Errorf("recalled %q", got)
	}
}

// Ten facts about a person are known to the next session, each of them.
func TestMCPKnowsAllAboutAPerson(t *testing.T) {
	home := t.TempDir()
	facts := []string{
		"My name is Ines Falk", "I live in Porto", "I work as a bridge engineer", "My sister Marta lives in Lyon", "My cat is called Whiskerino",
		"I am allergic to hazelnuts", "I prefer short answers without bullet points", "My birthday is on 3 May", "I play the viola on Thursdays", "I drive a green Fiat Panda",
	}
	cs, _, _ := child(t, home)
	for _, f := range facts {
		callChild(t, cs, "memory_save", map[string]any{"content": f})
	}
	if err := cs.Close(); err != nil {
		t.Fatal(err)
	}
	cs, _, _ = child(t, home)
	for tool, args := range map[string]map[string]any{
		"memory_recall": {"query": "What do you know about me?"}, "memory_list": {"subject": "me"}, "memory_context": nil,
	} {
		got := callChild(t, cs, tool, args)
		for _, f := range facts {
			if !strings.Contains(got, f) {
				t.Errorf("%s lacks %q:\n%s", tool, f, got)
			}
		}
	}
}

// A save that was answered survives the kill of the server.
func TestMCPAnsweredMeansCommitted(t *testing.T) {
	home := t.TempDir()
	cs, cmd, _ := child(t, home)
	callChild(t, cs, "memory_save", map[string]any{"content": "The ferry leaves at six", "type": "user"})
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cs.Wait() // the error is the kill
	opened, err := local.Open(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	defer mem.Close()
	facts, err := mem.Facts(t.Context(), strata.Global().View(), strata.FactFilter{})
	if err != nil || len(facts) != 1 || facts[0].Text != "The ferry leaves at six" {
		t.Errorf("facts = %+v, %v", facts, err)
	}
}

// Servers that meet a new directory at the same moment agree on whose memory it
// is, and notes can be kept there as well as facts.
func TestServersMeetANewDirectoryAtOnce(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	const servers = 4
	var wg sync.WaitGroup
	for i := range servers {
		wg.Go(func() {
			cs, _, stderr := childIn(t, home, dir)
			callChild(t, cs, "memory_save", map[string]any{"content": fmt.Sprintf("Pump %d is driven by a motor of %d kW", i, i+3), "type": "project"})
			callChild(t, cs, "remember", map[string]any{"content": "Bleed it first.", "title": fmt.Sprintf("Pump %d", i), "type": "project"})
			if err := cs.Close(); err != nil || stderr.Len() > 0 {
				t.Errorf("server %d: %v, %s", i, err, stderr)
			}
		})
	}
	wg.Wait()
	opened, err := local.Open(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	defer mem.Close()
	scopes, err := mem.Scopes(t.Context())
	if err != nil || len(scopes) != 1 || scopes[0].Kind != strata.ScopeWorkspace {
		t.Fatalf("scopes = %v, %v", scopes, err)
	}
	view := scopes[0].View()
	facts, err := mem.Facts(t.Context(), view, strata.FactFilter{})
	if err != nil || len(facts) != servers {
		t.Errorf("%d facts, %v", len(facts), err)
	}
	notes, err := mem.Documents(t.Context(), view, strata.DocumentFilter{Kind: strata.DocumentNote})
	if err != nil || len(notes) != servers {
		t.Errorf("%d notes, %v", len(notes), err)
	}
}

// Clients end their servers by a signal; that is no failure.
func TestMCPEndsQuietlyOnASignal(t *testing.T) {
	cs, cmd, stderr := child(t, t.TempDir())
	callChild(t, cs, "memory_recall", map[string]any{"query": "ferry"})
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cs.Wait() // returns when the server has closed its output
	if err := cs.Close(); err != nil || cmd.ProcessState.ExitCode() != 0 || stderr.Len() > 0 {
		t.Errorf("after the signal: %v, %v, stderr %q", err, cmd.ProcessState, stderr)
	}
}

// The configurations of the help are JSON that a client can read.
func TestMCPExamplesAreJSON(t *testing.T) {
	n := 0
	for line := range strings.Lines(mcpExamples) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "{") {
			n++
			if !json.Valid([]byte(line)) {
				t.Errorf("not JSON: %s", line)
			}
		}
	}
	if n < 3 {
		t.Errorf("%d configurations", n)
	}
}

// What a person does to a file while the server runs is found soon after.
func TestMCPSeesWhatPeopleDoToFiles(t *testing.T) {
	home := t.TempDir()
	cs, _, _ := child(t, home)
	callChild(t, cs, "remember", map[string]any{"content": "The harbor opens at nine.", "title": "Harbor", "type": "user"})
	path := filepath.Join(home, "global", "notes", "reference_lighthouse.md")
	note := "---\nname: Lighthouse\ndescription: who keeps it\ntype: reference\n---\n# Lighthouse\n\nIt is kept by Osgood.\n"
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(note), 0o600); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(30 * time.Second)
	for !strings.Contains(callChild(t, cs, "memory_recall", map[string]any{"query": "Osgood"}), "reference_lighthouse.md") {
		if time.Now().After(deadline) {
			t.Fatal("the note is not found")
		}
	}
	res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://root/notes/reference_lighthouse.md"})
	if err != nil || !strings.Contains(res.Contents[0].Text, "\n\n"+note+"</strata-memory ") {
		t.Errorf("resource = %+v, %v", res, err)
	}
}
