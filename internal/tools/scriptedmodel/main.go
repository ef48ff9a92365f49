// Command scriptedmodel serves a model that answers by simple rules, over the
// protocols of Ollama and OpenAI, to try and test a chat without a real model:
//
//	go run ./internal/tools/scriptedmodel -addr 127.0.0.1:11999
//	strata chat --model ollama:scripted --base-url http://127.0.0.1:11999
//	strata chat --model openai:scripted --base-url http://127.0.0.1:11999/v1
//
// It prints its address on one line, and serves until it is interrupted.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/internal/tools/scriptedmodel/mind"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to serve on")
	window := flag.Int("window", 0, "context length that the model claims, in tokens; 0: it does not say")
	flag.Parse()
	if err := serve(*addr, *window); err != nil {
		fmt.Fprintln(os.Stderr, "scriptedmodel:", err)
		os.Exit(1)
	}
}

func serve(addr string, window int) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s, err := scripted.Start(addr, mind.Mind{Window: window}.Answer)
	if err != nil {
		return err
	}
	fmt.Println(s.URL(scripted.Ollama))
	<-ctx.Done()
	return s.Close()
}
