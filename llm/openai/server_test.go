package openai_test

import (
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/models/llmtest"
	"github.com/strata-memory/strata/llm/openai"
)

// realServer is the Ollama server that the environment names, with the names
// of its models.
func realServer(t *testing.T) (base, chat, embed string) {
	t.Helper()
	base = os.Getenv("STRATA_TEST_OLLAMA")
	chat, embed = os.Getenv("STRATA_TEST_CHAT_MODEL"), os.Getenv("STRATA_TEST_EMBED_MODEL")
	if base == "" || chat == "" || embed == "" {
		t.Skip("no Ollama server: run `make test-ollama`, or set STRATA_TEST_OLLAMA (base URL), STRATA_TEST_CHAT_MODEL and STRATA_TEST_EMBED_MODEL")
	}
	return strings.TrimRight(base, "/") + "/v1", chat, embed
}

func TestOllamaServerChat(t *testing.T) {
	base, chat, _ := realServer(t)
	c := connect(t, openai.Options{BaseURL: base})
	llmtest.RunChat(t, c.Chat(chat), llmtest.Caps{Unknown: c.Chat("strata-no-such-model")})
}

func TestOllamaServerEmbedder(t *testing.T) {
	base, _, embed := realServer(t)
	c := connect(t, openai.Options{BaseURL: base})
	llmtest.RunEmbedder(t, c.Embedder(embed, 0))
}
