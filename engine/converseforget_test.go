package engine_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/engine"
)

// What is forgotten while a conversation goes on is in no request of it any
// more, and does not come back to the disk with its state: not from the turn
// that said it, not from a summary, not from what was recalled, not from the
// snapshot.
func TestForgetInTheMiddleOfAConversation(t *testing.T) {
	const word = "whiskerino"
	for name, prepare := range map[string]func(t *testing.T, e *engine.Engine, mgr func() *contextmgr.Manager){
		"said": func(t *testing.T, _ *engine.Engine, mgr func() *contextmgr.Manager) {
			talkOn(t, mgr(), "My cat's name is Whiskerino.", 1)
		},
		"summarized": func(t *testing.T, _ *engine.Engine, mgr func() *contextmgr.Manager) {
			talkOn(t, mgr(), "My cat's name is Whiskerino.", 22)
		},
		"recalled": func(t *testing.T, e *engine.Engine, mgr func() *contextmgr.Manager) {
			m := mgr()
			save(t, e, "The user's cat is named Whiskerino")
			talkOn(t, m, "What is my cat's name?", 1)
		},
		"in the snapshot": func(t *testing.T, e *engine.Engine, mgr func() *contextmgr.Manager) {
			save(t, e, "The user's cat is named Whiskerino")
			talkOn(t, mgr(), "Hello!", 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, ctx := t.TempDir(), context.Background()
			e := openAt(t, filepath.Join(dir, "strata.db"))
			var mgr *contextmgr.Manager
			prepare(t, e, func() *contextmgr.Manager {
				_, mgr = converse(t, e, func(o *contextmgr.Options) { o.NoRecall = false })
				return mgr
			})
			if err := mgr.Flush(ctx); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.ToLower(requestOf(t, mgr)), word) {
				t.Fatal("the word is not in the request even before it is forgotten")
			}
			facts, err := e.Facts(ctx, strata.Global().View(), strata.FactFilter{Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range facts {
				if strings.Contains(strings.ToLower(f.Text), word) {
					if _, err := e.Forget(ctx, strata.Global().View(), f.ID, engine.ForgetOptions{}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if strings.Contains(strings.ToLower(requestOf(t, mgr)), word) {
				t.Errorf("the request holds what was forgotten: %s", requestOf(t, mgr))
			}
			talkOn(t, mgr, "And now something else.", 30)
			if err := mgr.Flush(ctx); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(strings.ToLower(requestOf(t, mgr)), word) {
				t.Error("a later request holds what was forgotten")
			}
			if found := grep(t, dir, word); len(found) > 0 {
				t.Errorf("what was forgotten is in %v", found)
			}
			before := requestOf(t, mgr)
			_, mgr = converse(t, e, func(o *contextmgr.Options) { o.NoRecall = false })
			if requestOf(t, mgr) != before {
				t.Error("after a restart the conversation is another")
			}
			healthy(t, e)
		})
	}
}

// talkOn says something, and then much else.
func talkOn(t *testing.T, mgr *contextmgr.Manager, first string, exchanges int) {
	t.Helper()
	for n := range exchanges {
		text := first
		if n > 0 {
			text = "It rained again" + strings.Repeat(", and again", 25+n) + "."
		}
		if _, err := mgr.Send(context.Background(), text); err != nil {
			t.Fatal(err)
		}
	}
}
