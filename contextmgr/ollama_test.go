package contextmgr

import (
	"os"
	"testing"

	"github.com/strata-memory/strata/llm/ollama"
)

// A model with random weights behind a real server: what it writes is no JSON
// and no summary, and the conversation must go on all the same.
func TestOllamaServerChatWithFlushAndCompaction(t *testing.T) {
	base, model := os.Getenv("STRATA_TEST_OLLAMA"), os.Getenv("STRATA_TEST_CHAT_MODEL")
	if base == "" || model == "" {
		t.Skip("no Ollama server: run `make test-ollama`, or set STRATA_TEST_OLLAMA (base URL) and STRATA_TEST_CHAT_MODEL")
	}
	client, err := ollama.New(ollama.Options{BaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	holdLiveChat(t, client.Chat(model), 2048)
}
