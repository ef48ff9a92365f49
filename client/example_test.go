package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/strata-memory/strata/client"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/server"
)

func Example() {
	home, stop := serveHome()
	defer stop()
	ctx := context.Background()

	c, err := client.Open(ctx, client.Options{Home: home}) // without Home it is ~/.strata
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	saved, err := c.Save(ctx, "My cat's name is Whiskerino")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(saved.Decision)
	hits, err := c.Recall(ctx, "what is my cat called?")
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range hits {
		fmt.Println(h.Text)
	}
	if err := c.Forget(ctx, saved.ID); err != nil {
		log.Fatal(err)
	}
	hits, err = c.Search(ctx, "cat")
	fmt.Println(len(hits), err)
	// Output:
	// add
	// My cat's name is Whiskerino
	// 0 <nil>
}

// serveHome serves a throw-away home in place of strata serve, which Open would start.
func serveHome() (home string, stop func()) {
	home, err := os.MkdirTemp("", "client")
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	opened, err := local.Open(ctx, home)
	if err != nil {
		log.Fatal(err)
	}
	mem := opened.Engine()
	socket, err := server.Listen(home)
	if err != nil {
		log.Fatal(err)
	}
	s := server.New(server.Options{Env: operation.Env{Engine: mem}})
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, server.Endpoint{Listener: socket, Handler: s.Open()}) }()
	return home, func() {
		cancel()
		if err := errors.Join(<-ended, socket.Close(), mem.Close(), os.RemoveAll(home)); err != nil {
			log.Fatal(err)
		}
	}
}
