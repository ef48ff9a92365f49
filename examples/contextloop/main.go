// Command contextloop is a chat loop that never overflows the context window and never
// forgets. The whole loop is in loop.go. It talks to a model served by Ollama:
//
//	go run ./examples/contextloop qwen3:4b
package main

import (
	"context"
	"log"
	"os"

	"github.com/strata-memory/strata/llm/ollama"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: contextloop MODEL")
	}
	server, err := ollama.New(ollama.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	if err := loop(context.Background(), "", "", server.Chat(os.Args[1]), os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
