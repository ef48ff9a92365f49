package local_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/local"
)

// The program of the README.
func Example() {
	ctx := context.Background()
	home, err := os.MkdirTemp("", "strata-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(home)

	mem, err := local.Open(ctx, home)
	if err != nil {
		log.Fatal(err)
	}
	defer mem.Close()
	me := strata.Global()
	if _, err := mem.Save(ctx, me, "My cat's name is Whiskerino"); err != nil {
		log.Fatal(err)
	}
	res, err := mem.Recall(ctx, me.View(), "What is my cat called?")
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range res.Hits {
		fmt.Println(h.Kind, h.Category, h.Text)
	}
	// Output: fact pets My cat's name is Whiskerino
}

// noted is a memory for tests: it only notes what a program saves.
type noted struct {
	local.Memory
	saved []string
}

func (n *noted) Save(_ context.Context, _ strata.Scope, text string) (strata.Decision, error) {
	n.saved = append(n.saved, text)
	return strata.Decision{}, nil
}

// A program that asks for the interface is tested without a home.
func ExampleMemory() {
	greet := func(ctx context.Context, mem local.Memory, name string) error {
		_, err := mem.Save(ctx, strata.Global(), "My name is "+name)
		return err
	}
	fake := new(noted)
	if err := greet(context.Background(), fake, "Ada"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(fake.saved)
	// Output: [My name is Ada]
}
