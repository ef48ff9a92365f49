// Command agent is a chat loop with memory: chat.go is all there is to it.
// Put your model where answer is.
package main

import (
	"context"
	"log"
	"os"
)

func main() {
	if err := chat(context.Background(), "", "chat", os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
