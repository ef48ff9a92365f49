package mcp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// keepFiles gives the global scope the files of a person's memory.
func keepFiles(t *testing.T, e *engine.Engine) {
	t.Helper()
	write := func(path, content string) {
		_, err := e.Write(context.Background(), strata.Candidate{
			Scope: strata.Global(), Path: path, Content: content, BaseHash: strata.NoFile, Origin: strata.OriginCLI,
		})
		if err != nil {
			t.Fatalf("write %s: %v", path, err)
		}
	}
	write("MEMORY.md", "# Memory\n\nThe zebra index.\n")
	write("USER.md", "# User\n\nShe keeps a zebra as a pet.\n")
	write("DREAMS.md", "# Dreams\n\nA zebra ran by.\n")
	write("skills/release/SKILL.md", "---\nname: release\ndescription: How a release is made\n---\n# Release\n\nTag, then wait for the zebra build.\n")
	for kind, title := range map[strata.Type]string{strata.TypeUser: "Zebra habits", strata.TypeReference: "Zebra paper"} {
		_, err := e.Remember(context.Background(), edit.Note{
			Scope: strata.Global(), Type: kind, Title: title, Body: "All on the zebra.", Origin: strata.OriginCLI,
		})
		if err != nil {
			t.Fatalf("remember %s: %v", title, err)
		}
	}
}

func TestResourcesAreDocumentsByTheirAddress(t *testing.T) {
	e := open(t)
	keepFiles(t, e)
	cs := connect(t, New(e, Options{}))
	list, err := cs.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 2 {
		t.Fatalf("resources = %+v, %v", list, err)
	}
	templates, err := cs.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 1 {
		t.Fatalf("templates = %+v, %v", templates, err)
	}
	for uri, want := range map[string]string{
		"memory://root/MEMORY.md":                      "The zebra index.",
		"memory://root/USER.md":                        "as a pet",
		"memory://root/skills/release/SKILL.md":        "the zebra build",
		"memory://root/notes/reference_zebra-paper.md": "All on the zebra.",
	} {
		res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
			continue
		}
		if c := res.Contents[0]; c.URI != uri || c.MIMEType != markdown || !strings.Contains(c.Text, want) {
			t.Errorf("%s = %+v", uri, c)
		}
	}
}

func TestAddressesLeadNowhereElse(t *testing.T) {
	e := open(t)
	keepFiles(t, e)
	cs := connect(t, New(e, Options{}))
	for _, uri := range []string{
		"memory://root/notes/none.md", "memory://root/", "memory://other/MEMORY.md", "memory://root/../MEMORY.md",
		"memory://root/%2e%2e/MEMORY.md", "memory://root//etc/passwd.md", "memory://root/notes/..%2fMEMORY.md",
		"memory://root/MEMORY.md?x", "memory://root/MEMORY.md%00", "file:///etc/passwd", "memory://root/.git/config",
	} {
		notFound(t, cs, uri)
	}
}

// notFound checks that there is no document of that address, as far as a client
// can tell. The client speaks a version of the protocol that has no code for it.
func notFound(t *testing.T, cs *mcp.ClientSession, uri string) {
	t.Helper()
	res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if wire := new(jsonrpc.Error); !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || wire.Message != "Resource not found" {
		t.Errorf("%s = %+v, %v; want not found", uri, res, err)
	}
}

func TestGroupSessionsSeeNothingPrivateThroughAnyTool(t *testing.T) {
	e := open(t)
	keepFiles(t, e)
	view := strata.Global().View()
	view.Session = strata.SessionGroup
	cs := connect(t, New(e, Options{View: view, Tools: operation.AllTools}))
	for _, path := range []string{"MEMORY.md", "USER.md", "DREAMS.md", "notes/user_zebra-habits.md"} {
		notFound(t, cs, "memory://root/"+path)
	}
	if _, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "memory://root/notes/reference_zebra-paper.md"}); err != nil {
		t.Errorf("what is not private is kept back too: %v", err)
	}
	text, out := call(t, cs, "memory_search", map[string]any{"query": "zebra"})
	hits := out["hits"].([]any)
	for _, h := range hits {
		where, _ := h.(map[string]any)["where"].(string)
		if !strings.HasPrefix(where, "notes/reference_") && !strings.HasPrefix(where, "skills/") {
			t.Errorf("a group session found %q", where)
		}
	}
	if len(hits) != 2 {
		t.Errorf("%d hits, want the note and the skill:\n%s", len(hits), text)
	}
}
