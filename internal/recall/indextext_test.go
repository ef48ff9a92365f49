package recall

import (
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

func TestTurnTextHoldsDayAndSpeaker(t *testing.T) {
	got := TurnText(strata.Turn{Speaker: "Caroline", Text: "Hello", At: time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)})
	if want := "8 May 2023 Caroline: Hello"; got != want {
		t.Errorf("TurnText = %q, want %q", got, want)
	}
	calls := []strata.ToolCall{{Name: "read_file", Arguments: `{"path":"src/main.go","lines":[1,20]}`},
		{Name: "write", Arguments: `{"text":"` + strings.Repeat("long ", 100) + `","to":"b.txt"`}}
	if got := TurnText(strata.Turn{Calls: calls}); got != "\nread_file path src/main.go lines 1 20\nwrite text to b.txt" {
		t.Errorf("TurnText of calls = %q", got)
	}
	if got := TurnText(strata.Turn{Text: "Hello"}); got != "Hello" {
		t.Errorf("TurnText of a bare turn = %q", got)
	}
}

func TestFactTextAddsOnlyWhatTheTextLacks(t *testing.T) {
	f := strata.Fact{Text: "My cat's name is Whiskerino", Entity: "cat", Attribute: "name", Tags: []string{"whiskerino", "pets"}}
	if got, want := FactText(f), "My cat's name is Whiskerino\npets"; got != want {
		t.Errorf("FactText = %q, want %q", got, want)
	}
}
