package extract_test

import (
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract"
)

// said is when the sentences of the tables are said: a Wednesday.
var said = time.Date(2026, 3, 4, 10, 30, 0, 0, time.UTC)

// user makes turns of one user's messages.
func user(texts ...string) []strata.Turn {
	out := make([]strata.Turn, len(texts))
	for i, text := range texts {
		out[i] = strata.Turn{ID: "turn_" + string(rune('a'+i)), Session: "s1", Seq: int64(i + 1), Role: strata.RoleUser, Text: text, At: said}
	}
	return out
}

func contents(cs []strata.Candidate) []string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = c.Content
	}
	return out
}

const (
	u = strata.TypeUser
	f = strata.TypeFeedback
	p = strata.TypeProject
	r = strata.TypeReference
)

type want struct {
	kind       strata.Type
	text, slot string // slot as "entity/attribute"
}

func one(kind strata.Type, text, slot string) []want { return []want{{kind, text, slot}} }

func TestTurnsExtract(t *testing.T) {
	for _, c := range taken {
		t.Run(c.say, func(t *testing.T) {
			got := extract.Turns(user(c.say))
			if len(got) != len(c.want) {
				t.Fatalf("got %d facts %q, want %d", len(got), contents(got), len(c.want))
			}
			for i, w := range c.want {
				slot := ""
				if got[i].Entity != "" {
					slot = got[i].Entity + "/" + got[i].Attribute
				}
				if got[i].Content != w.text || got[i].Type != w.kind || slot != w.slot {
					t.Errorf("got  %s %q [%s] (%s)\nwant %s %q [%s]", got[i].Type, got[i].Content, slot, got[i].Reason, w.kind, w.text, w.slot)
				}
			}
		})
	}
}

func TestTurnsLeaveAlone(t *testing.T) {
	for _, say := range leftAlone {
		t.Run(say, func(t *testing.T) {
			for _, c := range extract.Turns(user(say)) {
				t.Errorf("extracted %q (%s)", c.Content, c.Reason)
			}
		})
	}
}
