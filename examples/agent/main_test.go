package main

import (
	"context"
	"strings"
	"testing"
)

// The story every user tries first: say it, start over, ask for it.
func TestRemembersAcrossSessions(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	var out strings.Builder
	if err := chat(ctx, home, "monday", strings.NewReader("My cat's name is Whiskerino\n"), &out); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := chat(ctx, home, "tuesday", strings.NewReader("What is my cat's name?\n"), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "Whiskerino") {
		t.Errorf("the second session answered %q", out.String())
	}
}
