package chat_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/internal/text/token"
)

// pasteOf is a text of a number of tokens of cl100k, every line of which is another.
func pasteOf(tokens int) string {
	var b strings.Builder
	for i := 1; tokens > 0; i++ {
		row := fmt.Sprintf("row %d of the table holds the value %d\n", i, i*7919%10007)
		tokens -= token.Count(row)
		b.WriteString(row)
	}
	return b.String()
}

// What is pasted into a fresh window and fits is shown whole.
func TestAPasteThatFitsIsShownWhole(t *testing.T) {
	for _, window := range []int{8_192, 16_384, 32_768} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			paste := pasteOf(window * 3_100 / 8_192)
			var seen string
			w := newWorld(t, scripted.Ollama, func(r scripted.Request) scripted.Reply {
				if r.Kind == scripted.KindChat && len(r.Chat.Schema) == 0 {
					seen = r.Chat.Messages[len(r.Chat.Messages)-1].Text
				}
				return scripted.Say("Understood.")
			})
			a := w.agent(func(o *chat.Options) { o.Window = window })
			if _, err := a.Send(t.Context(), paste+"\nWhat is the value of row 77?"); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(seen, strings.TrimSpace(paste)) {
				t.Errorf("%d of %d tokens of the paste were shown", token.Count(seen), token.Count(paste))
			}
		})
	}
}

// marker finds what a shortened turn says of how to see the whole.
var marker = regexp.MustCompile(`see them with memory_expand (\{"from": \d+, "to": \d+\})`)

// pageBody is what a page shows of a turn, without what is said about it.
var pageBody = regexp.MustCompile(`(?s)^<strata-memory id="[^"]*">\nSession .*?\n\n--- turn [^\n]*\n(.*?)(?:\n--- [^\n]*)?\n</strata-memory.*$`)

// squeezed is a text without white space: pages end between words.
func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// onward finds what a page says of how to read on.
var onward = regexp.MustCompile(`(?m)^more: repeat the call with after "([^"]+)"`)

// follow is a model that reopens what a marker names and reads it to the end. It keeps
// what it saw.
func follow(seen *strings.Builder) scripted.Script {
	var span map[string]any
	return func(r scripted.Request) scripted.Reply {
		if r.Kind != scripted.KindChat || len(r.Chat.Schema) > 0 {
			return scripted.Say(`{"operations": []}`)
		}
		last := r.Chat.Messages[len(r.Chat.Messages)-1]
		if strings.HasPrefix(last.Text, "Summary so far:") {
			return scripted.Say("They read a table.")
		}
		seen.WriteString(pageBody.ReplaceAllString(last.Text, "$1"))
		if span == nil {
			m := marker.FindStringSubmatch(last.Text)
			if m == nil {
				return scripted.Say("I see all of it.")
			}
			_ = json.Unmarshal([]byte(m[1]), &span)
			return scripted.Call(call("memory_expand", m[1]))
		}
		m := onward.FindStringSubmatch(last.Text)
		if m == nil {
			return scripted.Say("I have read it to the end.")
		}
		span["after"] = m[1]
		arguments, _ := json.Marshal(span)
		return scripted.Call(call("memory_expand", string(arguments)))
	}
}

// A paste that does not fit keeps as much as does, and a model that follows its marker
// reads it to the end.
func TestAPasteThatWasCutCanBeReadToTheEnd(t *testing.T) {
	for _, window := range []int{8_192, 16_384} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			paste := pasteOf(2 * window)
			var seen strings.Builder
			w := newWorld(t, scripted.Ollama, follow(&seen))
			a := w.agent(func(o *chat.Options) { o.Window, o.Rounds = window, 100 })
			reply, err := a.Send(t.Context(), paste)
			if err != nil {
				t.Fatal(err)
			}
			missing, all := 0, squeezed(seen.String())
			for row := range strings.Lines(paste) {
				if !strings.Contains(all, squeezed(row)) {
					missing++
				}
			}
			if missing > 0 {
				t.Errorf("%d of %d rows were never seen; it ends with %.300s", missing, strings.Count(paste, "\n"), reply.Text)
			}
		})
	}
}
