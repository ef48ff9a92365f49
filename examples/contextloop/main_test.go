package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/internal/tools/scriptedmodel/mind"
	"github.com/strata-memory/strata/llm/ollama"
)

func TestWhatWasSaidInOneSessionIsKnownInTheNext(t *testing.T) {
	s, err := scripted.Start("", mind.Mind{}.Answer)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	server, err := ollama.New(ollama.Options{BaseURL: s.URL(scripted.Ollama)})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	home := t.TempDir()
	for _, text := range []string{"My cat's name is Whiskerino\n", "What is my cat's name?\n"} {
		var out bytes.Buffer
		if err := loop(t.Context(), home, "", server.Chat("scripted"), strings.NewReader(text), &out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "Whiskerino") {
			t.Errorf("%q is answered with %q", text, out.String())
		}
	}
}

func TestTheLoopIsShort(t *testing.T) {
	data, err := os.ReadFile("loop.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("\n")); n >= 40 {
		t.Errorf("loop.go has %d lines; the README promises fewer than 40", n)
	}
}
