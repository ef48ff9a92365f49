package contextmgr

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata/llm"
)

// check reports what must hold after every request.
func (c *conversation) check(req llm.Request) error {
	if err := checkRequest(c.Manager, req); err != nil {
		return err
	}
	if err := c.checkWindow(); err != nil {
		return err
	}
	messages := slices.Clone(req.Messages)
	warned := strings.Contains(messages[len(messages)-1].Text, "<"+tagNote+">")
	if !c.changed && c.before != nil && c.shownGeneration == c.generation {
		if err := checkPrefix(c.before, messages); err != nil {
			return err
		}
	}
	c.before, c.changed, c.shownGeneration = messages, warned, c.generation
	return nil
}

// checkWindow reports a turn that the window tells twice or not at all.
func (c *conversation) checkWindow() error {
	next := int64(1)
	for _, it := range c.win.items {
		if it.from != next {
			return fmt.Errorf("the window goes on with turn %d after %d", it.from, next-1)
		}
		if name := fmt.Sprintf("the turns %d to %d", it.from, it.to); it.kind != kindTurn && !strings.Contains(it.text, name) {
			return fmt.Errorf("the block does not name %s: %s", name, it.text)
		}
		next = it.to + 1
	}
	if next != int64(len(c.want))+1 {
		return fmt.Errorf("the window ends with turn %d of %d", next-1, len(c.want))
	}
	sum := 0
	for _, it := range c.win.items {
		sum += it.cost
	}
	if sum != c.win.cost {
		return fmt.Errorf("the window costs %d, its items %d", c.win.cost, sum)
	}
	return nil
}

// checkPrefix reports a request that does not begin with the one before it, as
// far as that was not put there to make it valid.
func checkPrefix(before, after []llm.Message) error {
	n := len(before) - 1
	for n > 0 && (before[n].Text == bridgeEnd || before[n].Text == missingText) {
		n--
	}
	if len(after) < n+1 {
		return fmt.Errorf("%d messages after %d", len(after), len(before))
	}
	for i := range n {
		if !sameMessage(before[i], after[i]) {
			return fmt.Errorf("message %d changed:\n%.300v\n%.300v", i, before[i], after[i])
		}
	}
	if !strings.HasPrefix(after[n].Text, before[n].Text) {
		return fmt.Errorf("message %d no longer begins as it did", n)
	}
	return nil
}

func sameMessage(a, b llm.Message) bool {
	return a.Role == b.Role && a.Text == b.Text && a.CallID == b.CallID && a.Tool == b.Tool &&
		slices.Equal(a.Calls, b.Calls) && len(a.Images) == len(b.Images)
}

// reopenSame restarts and compares the conversation.
func (c *conversation) reopenSame() error {
	c.Restarts++
	if c.level() > restoreMost {
		c.changed = true // what was appended since the last request is folded at once
		c.restart()
		return c.checkWindow()
	}
	before := render(c.win.items)
	system := c.system
	next := c.next
	c.opt.Snapshot = c.Manager.opt.Snapshot
	c.restart()
	c.shownGeneration = 0
	if next != nil {
		c.SetSnapshot(*next)
	}
	if after := render(c.win.items); !slices.EqualFunc(before, after, sameMessage) {
		for i := range min(len(before), len(after)) {
			if !sameMessage(before[i], after[i]) {
				return fmt.Errorf("turn %d: a restart changed message %d:\n%.300v\n%.300v", len(c.want), i, before[i], after[i])
			}
		}
		return fmt.Errorf("turn %d: a restart changed the number of messages: %d, %d", len(c.want), len(before), len(after))
	}
	if system != c.system {
		return errors.New("a restart changed the system message")
	}
	return nil
}

// finish checks what must hold at the end.
func (c *conversation) finish() error {
	turns, err := c.Expand(context.Background(), 1, int64(len(c.want)))
	if err != nil {
		return err
	}
	for i, t := range turns {
		if t.Text != c.want[i].Text || t.Role != c.want[i].Role || len(t.Images) != len(c.want[i].Images) {
			return fmt.Errorf("turn %d reads differently when reopened", i+1)
		}
	}
	c.memory.effect = nil
	c.catchUp()
	c.inline = true
	if err := c.Flush(context.Background()); err != nil {
		return err
	}
	if c.cursor != c.win.last() {
		return fmt.Errorf("the last flush stopped at turn %d of %d", c.cursor, c.win.last())
	}
	sources := make(map[string]bool)
	for _, cand := range c.memory.saved {
		for _, s := range cand.Sources {
			sources[s] = true
		}
	}
	for seq, text := range c.said {
		c.Facts++
		if !sources[fmt.Sprintf("turn_%04d", seq)] {
			return fmt.Errorf("turn %d says %q, of which nothing was saved", seq, cutAfter(text, 50))
		}
	}
	return nil
}
