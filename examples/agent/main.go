// Command agent is a chat loop with memory. The whole loop is in chat.go. Call your model
// in place of the function answer.
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
