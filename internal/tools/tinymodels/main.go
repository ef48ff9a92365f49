// Command tinymodels makes two models with random weights for tests against a
// real Ollama server: strata-tiny-chat and strata-tiny-embed.
//
//	tinymodels -dir DIR      writes them as files
//	tinymodels -server URL   waits for the server and creates them there
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/ollama/ollama/api"

	"github.com/strata-memory/strata/internal/models/gguf"
	"github.com/strata-memory/strata/internal/models/gguf/tinymodel"
)

// answerLimit is the maximum number of tokens in an answer if the request sets none. A
// random model may never stop by itself.
const answerLimit = 120

// threads is the number of threads that the server computes with. With models this small,
// more threads only wait for each other, especially on a busy machine.
const threads = 1

// poll is the interval between checks whether the server is up.
const poll = 100 * time.Millisecond

// model is a model file with what the server is told about it.
type model struct {
	name       string
	file       *gguf.File
	template   string
	parameters map[string]any
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tinymodels:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("tinymodels", flag.ContinueOnError)
	dir := flags.String("dir", "", "write the models as files into this directory")
	server := flags.String("server", "", "create the models on the Ollama server at this address")
	seed := flags.Uint64("seed", 1, "draw the weights from this seed")
	timeout := flags.Duration("timeout", time.Minute, "give up after this time")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" && *server == "" {
		return errors.New("name a directory with -dir, a server with -server, or both")
	}
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()

	models := []model{
		{
			name: "strata-tiny-chat", file: tinymodel.Chat(*seed), template: tinymodel.ChatTemplate,
			parameters: map[string]any{"num_predict": answerLimit, "num_thread": threads},
		},
		{
			name: "strata-tiny-embed", file: tinymodel.Embed(*seed),
			parameters: map[string]any{"num_thread": threads},
		},
	}
	var client *api.Client
	if *server != "" {
		address, err := url.Parse(*server)
		if err != nil {
			return err
		}
		client = api.NewClient(address, &http.Client{}) // ctx bounds every call
		if err := await(ctx, client); err != nil {
			return err
		}
	}
	for _, m := range models {
		var b bytes.Buffer
		if _, err := m.file.WriteTo(&b); err != nil {
			return fmt.Errorf("make %s: %w", m.name, err)
		}
		if *dir != "" {
			path := filepath.Join(*dir, m.name+".gguf")
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				return err
			}
			fmt.Printf("wrote %s, %d bytes\n", path, b.Len())
		}
		if client != nil {
			if err := create(ctx, client, m, b.Bytes()); err != nil {
				return fmt.Errorf("create %s on %s: %w", m.name, *server, err)
			}
			fmt.Printf("created %s, %d bytes\n", m.name, b.Len())
		}
	}
	return nil
}

// create uploads the file and creates a model from it on the server.
func create(ctx context.Context, client *api.Client, m model, file []byte) error {
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(file))
	if err := client.CreateBlob(ctx, digest, bytes.NewReader(file)); err != nil {
		return fmt.Errorf("upload the file: %w", err)
	}
	request := &api.CreateRequest{
		Model:      m.name,
		Files:      map[string]string{m.name + ".gguf": digest},
		Template:   m.template,
		Parameters: m.parameters,
	}
	return client.Create(ctx, request, func(api.ProgressResponse) error { return nil })
}

// await waits until the server answers. It returns an error if ctx is done first.
func await(ctx context.Context, client *api.Client) error {
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		_, err := client.Version(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %w", err)
		case <-ticker.C:
		}
	}
}
