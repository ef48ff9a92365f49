package memorytool_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/memorytool"
	"github.com/strata-memory/strata/local"
)

func ExampleTool_Handle() {
	home, err := os.MkdirTemp("", "strata-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(home)
	ctx := context.Background()
	opened, err := local.OpenWith(ctx, local.Options{Home: home})
	if err != nil {
		log.Fatal(err)
	}
	mem := opened.Engine()
	defer mem.Close()

	tool := memorytool.New(mem, memorytool.Options{Scope: strata.Global()})
	for _, input := range []string{ // of the model's tool_use blocks
		`{"command": "create", "path": "/memories/user.md", "file_text": "Likes TypeScript."}`,
		`{"command": "view", "path": "/memories/user.md"}`,
		`{"command": "view", "path": "/memories/work.md"}`,
	} {
		answer, err := tool.Handle(ctx, []byte(input))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(answer.IsError, answer.Content)
	}
	// Output:
	// false File created successfully at: /memories/user.md
	// false Here's the content of /memories/user.md with line numbers:
	//      1	Likes TypeScript.
	// true The path /memories/work.md does not exist. Please provide a valid path.
}
