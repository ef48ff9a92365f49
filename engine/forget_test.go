package engine_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// grep returns the files below dir whose bytes hold the text in any case.
func grep(t *testing.T, dir, text string) []string {
	t.Helper()
	var found []string
	needle := []byte(strings.ToLower(text))
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(bytes.ToLower(data), needle) {
			found = append(found, filepath.Base(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestForgetLeavesNoTrace(t *testing.T) {
	dir := t.TempDir()
	e := openAt(t, filepath.Join(dir, "strata.db"))
	ctx, view := context.Background(), strata.Global().View()

	turns, err := e.AppendTurns(ctx, strata.Global(), "s1", strata.SessionMain, []strata.Turn{
		{Role: strata.RoleUser, Text: "By the way, my cat's name is Whiskerino Maximilian"},
		{Role: strata.RoleAssistant, Text: "A fine name."},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"The harbor freezes in January", "The mill stands by the river", "My sister's name is Petra"} {
		save(t, e, text)
	}
	d := write(t, e, strata.Candidate{
		Scope: strata.Global(), Content: "My cat's name is Whiskerino Maximilian", Sources: []string{turns[0].ID},
		Category: "whiskerino", Reason: "they said Whiskerino Maximilian is the name",
	})
	d = write(t, e, strata.Candidate{Scope: strata.Global(), Target: d.FactID, Content: "My cat's name is Whiskerino Maximilian the Great"})
	for _, q := range []string{"what is my cat called?", "My cat's name is Whiskerino Maximilian the Great"} {
		if _, err := e.Search(ctx, view, q); err != nil {
			t.Fatal(err)
		}
	}

	dry, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{DryRun: true})
	if err != nil || dry.Versions != 2 {
		t.Fatalf("dry run = %+v, %v", dry, err)
	}
	if len(current(t, e, strata.Global())) != 4 {
		t.Fatal("the dry run changed memory")
	}

	res, err := e.Forget(ctx, view, d.FactID, engine.ForgetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if res.Versions != 2 || len(res.Turns) != 1 || res.Incomplete != "" {
		t.Errorf("forgotten = %+v", res)
	}
	for _, word := range []string{"whiskerino", "maximilian"} {
		if found := grep(t, dir, word); len(found) > 0 {
			t.Errorf("%q still stands in %v", word, found)
		}
	}
	if got := current(t, e, strata.Global()); len(got) != 3 {
		t.Errorf("other facts went too: %q", got)
	}
	kept, err := e.Turns(ctx, view, "s1", 0, 0)
	if err != nil || len(kept) != 2 || !kept[0].Forgotten || kept[1].Text != "A fine name." {
		t.Errorf("turns = %+v, %v", kept, err)
	}
	_, err = e.Revert(ctx, view, d.ID, engine.RevertOptions{})
	wantCode(t, err, strata.CodeForgotten)
	healthy(t, e)
}

func TestForgottenTextDoesNotReturnByItself(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	d := save(t, e, "The user hums while cooking")
	if _, err := e.Forget(ctx, strata.Global().View(), d.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	again := write(t, e, strata.Candidate{Scope: strata.Global(), Content: "the user hums WHILE cooking", Origin: strata.OriginExtractor})
	if again.Op != strata.OpNoop {
		t.Errorf("the extractor brought it back: %s", again.Op)
	}
	said := save(t, e, "The user hums while cooking")
	if said.Op != strata.OpAdd {
		t.Errorf("saying it again is %s: %s", said.Op, said.Reason)
	}
	healthy(t, e)
}

func TestForgetNamesWhatStillHoldsTheText(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	d := save(t, e, "The safe is behind the painting")
	other := write(t, e, strata.Candidate{Scope: strata.ForAgent("butler"), Content: "The safe is behind the painting"})
	res, err := e.Forget(ctx, strata.Global().View(), d.FactID, engine.ForgetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Remaining) != 1 || !strings.Contains(res.Remaining[0], other.FactID) {
		t.Errorf("remaining = %q, want %s named", res.Remaining, other.FactID)
	}
}
