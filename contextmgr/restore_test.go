package contextmgr

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

func TestRestartGivesTheSameRequest(t *testing.T) {
	h := open(t, func(o *Options) { o.System = "Be brief." })
	h.memory.hits = func(r RecallRequest) ([]strata.Hit, error) {
		return []strata.Hit{{ID: fmt.Sprint(r.Turn), Text: fmt.Sprintf("memory %d", r.Turn)}}, nil
	}
	h.chatter(25)
	h.add(say(strata.RoleTool, strings.Repeat("a long result ", 300)))
	h.send("And now?")
	h.Observe(ctx, llm.Usage{Prompt: 2000})
	before := h.prompt()
	usage := h.Usage()
	h.restart()
	after := h.prompt()
	if !slices.EqualFunc(before.Messages, after.Messages, sameMessage) {
		t.Errorf("before:\n%s\nafter:\n%s", shown(before), shown(after))
	}
	if h.Usage() != usage {
		t.Errorf("usage %+v, before %+v", h.Usage(), usage)
	}
	if len(all[Restored](h)) != 1 {
		t.Error("no event tells of it")
	}
}

func TestUnusableStatesAreSetAside(t *testing.T) {
	h := open(t, nil)
	h.add(say(strata.RoleUser, "My cat's name is Whiskerino."))
	h.chatter(40)
	h.prompt()
	good := h.ledger.state
	var newer envelope
	if err := json.Unmarshal(good, &newer); err != nil {
		t.Fatal(err)
	}
	newer.Version++
	version, err := json.Marshal(newer)
	if err != nil {
		t.Fatal(err)
	}
	ahead, err := state{Last: 1000}.encode()
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := state{Last: 10, Cursor: 11}.encode()
	if err != nil {
		t.Fatal(err)
	}
	overlap, err := state{Last: 10, Blocks: []savedBlock{{From: 1, To: 5}, {From: 5, To: 6}}}.encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{
		"junk": []byte("junk"), "empty": {}, "half": good[:len(good)/2], "a changed byte": []byte(strings.Replace(string(good), `"cursor":`, `"cursor":1`, 1)),
		"newer": version, "oversized": make([]byte, maxState+1), "ahead of the ledger": ahead, "contradicting": wrong, "overlapping": overlap,
	} {
		t.Run(name, func(t *testing.T) {
			h.ledger.state, h.ledger.aside, h.events = raw, nil, nil
			h.restart()
			if len(h.ledger.aside) != 1 || h.ledger.aside[0] == "" {
				t.Fatalf("set aside: %q", h.ledger.aside)
			}
			if e := all[StateSetAside](h); len(e) != 1 || e[0].Reason != h.ledger.aside[0] {
				t.Errorf("events %+v", e)
			}
			text := shown(h.prompt())
			if !strings.Contains(text, "Answer 39") || !strings.Contains(text, "Summary of the turns 1 to") {
				t.Errorf("a clean start shows\n%s", text)
			}
			saved := len(h.memory.saved)
			if err := h.Flush(ctx); err != nil {
				t.Fatal(err)
			}
			if len(h.memory.saved) != saved {
				t.Errorf("facts were saved twice: %q", h.memory.texts())
			}
		})
	}
}

func TestLedgerThatCannotBeReadIsAnError(t *testing.T) {
	h := open(t, nil)
	h.chatter(2)
	h.ledger.reads = func() error { return &strata.Error{Code: strata.CodeCorrupt, Message: "damaged"} }
	if _, err := New(ctx, h.opt); strata.CodeOf(err) != strata.CodeCorrupt {
		t.Errorf("New returns %v", err)
	}
}

func TestLedgerThatKeepsOtherTurnsIsAnError(t *testing.T) {
	if err := checkAppended([]strata.Turn{{Seq: 3}}, 2, 2); err == nil {
		t.Error("one turn for two passes")
	}
	if err := checkAppended([]strata.Turn{{Seq: 2}}, 1, 2); err == nil {
		t.Error("a number that was there passes")
	}
}

func TestSeqMayHaveHoles(t *testing.T) {
	h := open(t, nil)
	for i := range 60 {
		h.ledger.turns = append(h.ledger.turns, strata.Turn{ID: fmt.Sprint(i), Seq: int64(10 + 3*i),
			Role: []strata.Role{strata.RoleUser, strata.RoleAssistant}[i%2], Text: strings.Repeat("words ", 20)})
	}
	holed := holedLedger{h.ledger}
	h.opt.Ledger = holed
	h.restart()
	before := shown(h.prompt())
	if len(all[Compacted](h)) == 0 {
		t.Fatal("nothing was compacted")
	}
	h.restart()
	if after := shown(h.prompt()); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// holedLedger finds turns by number, where the numbers have holes.
type holedLedger struct{ *fakeLedger }

func (l holedLedger) Turns(_ context.Context, after int64, limit int) ([]strata.Turn, error) {
	_, rest := splitAt(l.turns, after)
	if limit > 0 && len(rest) > limit {
		rest = rest[:limit]
	}
	return rest, nil
}

func FuzzDecodeState(f *testing.F) {
	good, err := state{Last: 9, Cursor: 3, Summary: "x", Blocks: []savedBlock{{From: 1, To: 4, Summary: true, Text: "x"}}}.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"version":1,"sha256":"","state":{}}`))
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := decodeState(raw)
		if err != nil {
			return
		}
		again, err := s.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeState(again); err != nil {
			t.Errorf("a state that was read cannot be read again: %v", err)
		}
	})
}

func TestMemoryLedgerRedacts(t *testing.T) {
	m, err := New(ctx, Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	secret := "ghp_" + "1234567890abcdefghijABCDEFGHIJ123456"
	if err := m.Append(ctx, say(strata.RoleUser, "my token is "+secret)); err != nil {
		t.Fatal(err)
	}
	req, err := m.Prompt(ctx)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := m.Expand(ctx, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(shown(req), secret) || strings.Contains(turns[0].Text, secret) || turns[0].Redacted != 1 {
		t.Errorf("the secret is shown or kept: %+v", turns[0])
	}
	if turns[0].ID == "" || turns[0].Seq != 1 {
		t.Errorf("kept as %+v", turns[0])
	}
}

func TestSetAsideThatFailsIsAnError(t *testing.T) {
	h := open(t, nil)
	h.ledger.state = []byte("junk")
	h.ledger.effect = func(string) error { return errors.New("read-only") }
	if _, err := New(ctx, h.opt); err == nil {
		t.Error("New works on with a state it could not set aside")
	}
}
