package contextmgr

import "testing"

// The outline of a conversation that was compacted names every turn that left the window
// once, and none after the last.
func TestOutlineOfACompactedConversation(t *testing.T) {
	h := open(t, nil)
	h.chatter(60)
	h.prompt()
	out, err := ReadOutline(h.ledger.state)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Blocks) == 0 || !out.Blocks[0].Summary || out.Blocks[0].Text == "" || out.Blocks[0].From != 1 {
		t.Fatalf("outline %+v", out)
	}
	next := int64(1)
	for _, b := range out.Blocks {
		if b.From < next || b.To < b.From || b.To > out.Last {
			t.Errorf("block %d to %d after turn %d, of %d", b.From, b.To, next-1, out.Last)
		}
		next = b.To + 1
	}
	if out.Flushed < out.Blocks[0].To {
		t.Errorf("turns to %d left before their facts were saved, to %d", out.Blocks[0].To, out.Flushed)
	}
	if _, err := ReadOutline([]byte(`{"version": 1, "sha256": "", "state": {}}`)); err == nil {
		t.Error("a damaged state has an outline")
	}
}
