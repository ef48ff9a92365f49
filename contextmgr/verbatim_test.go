package contextmgr

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

// planted are the sentences that must survive, n of each kind, and the turns that say
// them.
func planted(n int) (sentences []string, turns [][]strata.Turn) {
	animals := []string{"otters", "herons", "badgers", "lynxes", "newts", "martens", "storks", "hares"}
	plant := func(sentence string, said ...strata.Turn) {
		sentences = append(sentences, sentence)
		turns = append(turns, said)
	}
	for i := range n {
		a := animals[i%len(animals)]
		s := fmt.Sprintf("Never move the %s of enclosure %d without asking.", a, i)
		plant(s, say(strata.RoleUser, "They are shy. "+s+" Thanks."))
		s = fmt.Sprintf("No, there are %d %s, not %d.", i+20, a, i+10)
		plant(s, say(strata.RoleAssistant, fmt.Sprintf("There are %d %s in enclosure %d.", i+10, a, i)), say(strata.RoleUser, s+" Look again."))
		s = fmt.Sprintf("The plan of their pond is in plans/pond%d/%s.svg of the share.", i, a)
		plant(s, say(strata.RoleUser, s+" It is old."))
		s = fmt.Sprintf("The keeper's report about the %s has the id REP-%d.", a, 4000+i)
		plant(s, say(strata.RoleAssistant, s))
		s = fmt.Sprintf("TODO: weigh the %s of enclosure %d.", a, i)
		plant(s, say(strata.RoleUser, "I have no time today. "+s))
	}
	return sentences, turns
}

// Rules, corrections, paths, ids and open tasks survive ten compactions word for word,
// whether a model writes the summaries, which keeps none of them, or rules do.
func TestWhatMustStayExactSurvivesTenCompactions(t *testing.T) {
	for name, summarize := range map[string]func(context.Context, string) (string, error){
		"model": func(context.Context, string) (string, error) {
			return "They spoke of the enclosures and of the animals.", nil
		},
		"rules": nil,
	} {
		t.Run(name, func(t *testing.T) {
			h := open(t, func(o *Options) { o.Window = 65_536 })
			h.model.summarize = summarize
			sentences, turns := planted(40)
			for _, said := range turns {
				h.add(said...)
				h.chatter(1)
				h.prompt()
			}
			for len(all[Compacted](h)) < 10 {
				h.chatter(20)
				h.prompt()
			}
			h.restart()
			missing := 0
			text := shown(h.prompt())
			for _, s := range sentences {
				if !strings.Contains(text, s) {
					missing++
					t.Logf("lost: %s", s)
				}
			}
			if missing > 0 {
				t.Errorf("%d of %d sentences are lost", missing, len(sentences))
			}
			if before := strings.Count(text, sentences[0]); before != 1 {
				t.Errorf("%q is shown %d times", sentences[0], before)
			}
		})
	}
}

// Where the window is small, rules stay longest, and the summary keeps its bounds.
func TestWhatMustStayExactKeepsToItsRoom(t *testing.T) {
	h := open(t, func(o *Options) { o.Window = 4096 })
	_, turns := planted(40)
	for _, said := range turns {
		h.add(said...)
		h.prompt()
	}
	h.chatter(40)
	h.prompt()
	sum := h.win.items[0]
	if sum.kind != kindSummary || sum.cost > h.narrativeMost()+h.verbatimMost() {
		t.Fatalf("the summary costs %d of %d and %d", sum.cost, h.narrativeMost(), h.verbatimMost())
	}
	if last := "Never move the hares of enclosure 39 without asking."; !strings.Contains(sum.text, last) {
		t.Errorf("%q is not in:\n%s", last, sum.text)
	}
}

// A result of a tool that was shown shortened is still named when its turn is
// summarized, so that it can be reopened.
func TestAShortenedResultIsNamedByTheSummary(t *testing.T) {
	h := open(t, func(o *Options) { o.Window = 4096 })
	h.add(say(strata.RoleUser, "Read the log."),
		strata.Turn{Role: strata.RoleAssistant, Calls: []strata.ToolCall{{ID: "1", Name: "read_log"}}},
		strata.Turn{Role: strata.RoleTool, CallID: "1", Tool: "read_log", Text: "The log of the weir begins.\n" + strings.Repeat("all is well\n", 2000)})
	h.prompt()
	if len(all[Stubbed](h)) == 0 {
		t.Fatal("the result is shown whole")
	}
	for len(all[Compacted](h)) < 2 {
		h.chatter(10)
		h.prompt()
	}
	if text := shown(h.prompt()); !strings.Contains(text, "[3] tool read_log: The log of the weir begins.") {
		t.Errorf("the result is not named in:\n%s", text)
	}
}

func TestExactNames(t *testing.T) {
	for text, want := range map[string]string{
		"See https://example.org/a?b=c (old).":          "https://example.org/a?b=c",
		"It is in /etc/weir/pump.toml.":                 "/etc/weir/pump.toml",
		"Open src/pump.go, then cmd/weir/main_test.go":  "src/pump.go|cmd/weir/main_test.go",
		"either and/or both, he/she, or":                "",
		"Fixes WEIR-412 and #17.":                       "WEIR-412|#17",
		"commit 4f2a9c1 of the facade":                  "4f2a9c1",
		"fact_01J8ZQK2 is older than the some_variable": "fact_01J8ZQK2",
		"The meter has the number 5521907.":             "5521907",
		"Version 2.14.0 on 10.0.0.12":                   "2.14.0|10.0.0.12",
		"We met at nine in 2024.":                       "",
	} {
		if got := strings.Join(namesIn(text), "|"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
