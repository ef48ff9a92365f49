package snapshot_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
	"github.com/strata-memory/strata/internal/text/token"
)

// BenchmarkCompose makes a snapshot of memory in which everything exceeds its
// limits.
func BenchmarkCompose(b *testing.B) {
	token.Count("load the table") // once a process
	for _, facts := range []int{100, 10_000} {
		p := big(facts)
		for _, l := range []snapshot.Limits{{}, {Tokens: 2000}} {
			b.Run(fmt.Sprintf("facts=%d/tokens=%d", facts, l.Tokens), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					snapshot.Compose(p, l, noon)
				}
			})
		}
	}
}

// longSession is a session of 10,000 turns of 400 bytes, one in ten with a tool
// call.
func longSession() (strata.Session, []strata.Turn) {
	s := strata.Session{ID: "long", Scope: work, Kind: strata.SessionMain, StartedAt: noon, Turns: 10_000}
	turns := make([]strata.Turn, s.Turns)
	for i := range turns {
		turns[i] = strata.Turn{ID: fmt.Sprint("turn_", i), Scope: s.Scope, Session: s.ID, Seq: int64(i + 1), Role: strata.RoleUser,
			Text: strings.Repeat("What \"is\" it?\n", 28), At: noon, RecordedAt: noon}
		if i%10 == 0 {
			turns[i].Role = strata.RoleAssistant
			turns[i].Calls = []strata.ToolCall{{ID: "c", Name: "read", Arguments: `{"path":"a.go"}`}}
		}
	}
	return s, turns
}

func BenchmarkWriteLedger(b *testing.B) {
	s, turns := longSession()
	b.SetBytes(int64(len(ledger(b, s, turns))))
	b.ReportAllocs()
	for b.Loop() {
		if err := snapshot.WriteLedger(io.Discard, s, turns); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadLedger(b *testing.B) {
	s, turns := longSession()
	whole := ledger(b, s, turns)
	b.SetBytes(int64(len(whole)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := snapshot.NewLedgerReader(bytes.NewReader(whole))
		for err == nil {
			_, err = r.Next()
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
}
