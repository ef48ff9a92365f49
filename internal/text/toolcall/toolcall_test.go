package toolcall

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

func TestShown(t *testing.T) {
	long := strata.ToolCall{Name: "write", Arguments: `{"text":"` + strings.Repeat("long ", 100) + `","to":"b.txt"}`}
	read := strata.ToolCall{Name: "read_file", Arguments: `{"path":"src/main.go","lines":[1,20]}`}
	cut := strata.ToolCall{Name: "shell", Arguments: `{"command":"ls","cw`}
	for _, tc := range []struct {
		turn strata.Turn
		want string
	}{
		{strata.Turn{}, ""},
		{strata.Turn{Text: "I look", Calls: []strata.ToolCall{read}}, "I look"},
		{strata.Turn{Calls: []strata.ToolCall{read, long}}, "called read_file path src/main.go lines 1 20; write text to b.txt"},
		{strata.Turn{Calls: []strata.ToolCall{cut}}, "called shell command ls"},
	} {
		if got := Shown(tc.turn); got != tc.want {
			t.Errorf("%+v is shown as %q, want %q", tc.turn, got, tc.want)
		}
	}
}
