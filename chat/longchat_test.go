package chat_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
)

// longChat has what a person tells in a long chat, a question about it in other
// words, and a part of the statement that answers, one a line with tabs between.
//
//go:embed testdata/longchat.tsv
var longChat string

// told is a line of longChat.
type told struct{ statement, question, answer string }

func readLongChat(t *testing.T) []told {
	t.Helper()
	var out []told
	for line := range strings.Lines(longChat) {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		if len(parts) != 3 || !strings.Contains(parts[0], parts[2]) {
			t.Fatalf("no statement, question and part of the statement: %q", line)
		}
		out = append(out, told{parts[0], parts[1], parts[2]})
	}
	return out
}

// The chatter between statements is made of these by a seed: small talk of the
// person, and long answers of the assistant on the subjects that are spoken of.
var (
	smallTalk = strings.Split(`What should I cook tonight, something quick?
Can you explain how a heat pump works?
I am bored, tell me something odd.
Write me a limerick about a stapler.
How do I get red wine out of a shirt?
What would be a good name for a boat?
Is it worth going to a museum on a Monday?
Thanks, that helps a lot.
Let us talk about trains for a while.
How long does bread keep in the freezer?
Why do cats knead blankets?
Give me three ideas for a rainy afternoon.
What is the difference between a fjord and a bay?
Could you check this plan for a garden with me?
What do you think about learning an instrument at forty?
How would you test a service that talks to a queue?`, "\n")
	answers = strings.Split(`A good plan begins with what you already have, and only then with what you would like to buy.
Many people find that a quiet hour in the morning is worth two in the evening.
If a database is slow, look at the queries first, then at the indexes, and only last at the machine.
A dog needs a walk more than a learning, and a cat needs neither, as every owner knows.
For a soup, sweat the onions slowly, add stock, and let it simmer without a lid.
Trees are best planted in autumn, when the soil is still warm and the leaves are down.
Parking in cities is expensive, and the cheapest place is often the one by the station.
A deployment that nobody watches is a deployment that nobody trusts.
The school year is long, and children forget half of it over the summer, which is fine.
A choir lives from its basses, though the sopranos would never say so.
In old houses the boiler is in the cellar, and the cellar is where the trouble begins.
Write the date so that it sorts, and the rest of the report will follow.
A telescope shows less than one hopes on the first night and more on the tenth.
Ports below 1024 are reserved, so services tend to listen on higher ones.
When you phone an older relative, ask about a recipe, and the hour will pass by itself.
Cheese, bread and an apple make a meal that no restaurant can improve much.
The best time for a run is whenever you actually go, whatever the plan says.
Trains at night are slow on purpose, so that nobody is put out at four in the morning.
An insurance is a bet that one hopes to lose.
Tiles with a matt finish hide dust, but they ask for more work with a brush.
A backup counts only once somebody has restored it, on another machine, by the book.
Headaches have many causes, and light, sleep and water are the first to look at.
Wallets, keys and passports get lost on the day on which one is in a hurry.
A landlord, a neighbour and a bakery make a street a home.
A physiotherapist will often ask for patience, which is the one thing that cannot be prescribed.
Names for animals work best with two syllables and a clear vowel.
Learning a language on a train works, because the train does not let you leave.
The retry of a request should wait a little longer each time, with some chance in it.
A wedding is easier to plan from the end: when should the last guest be in bed?
Bees fly some three kilometres, and come home with what the neighbours planted.`, "\n")
)

// chatter makes small talk and answers of some hundred words.
type chatter struct{ *rand.Rand }

func (c chatter) question() string { return smallTalk[c.IntN(len(smallTalk))] }

func (c chatter) answer() string {
	var b strings.Builder
	for range 8 + c.IntN(18) {
		b.WriteString(answers[c.IntN(len(answers))] + " ")
	}
	return strings.TrimSpace(b.String())
}

// longTalk is a conversation without a model in a small window.
type longTalk struct {
	t        *testing.T
	mem      *engine.Engine
	talk     *engine.Conversation
	mgr      *contextmgr.Manager
	recalled []string // ids that the last prompt brought
	now      time.Time
}

func openLongTalk(t *testing.T) *longTalk {
	t.Helper()
	opened, err := local.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	t.Cleanup(func() {
		if err := mem.Close(); err != nil {
			t.Error(err)
		}
	})
	l := &longTalk{t: t, mem: mem, now: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)}
	if l.talk, err = mem.Talk(t.Context(), sessions.Options{Session: "long"}); err != nil {
		t.Fatal(err)
	}
	l.mgr, err = contextmgr.New(t.Context(), contextmgr.Options{
		Window: 4096, Ledger: l.talk, Memory: l.talk, Snapshot: l.talk.Snapshot().Text,
		MemoryTools: []string{"memory_recall"}, Now: func() time.Time { l.now = l.now.Add(time.Minute); return l.now },
		OnEvent: func(e contextmgr.Event) {
			if r, ok := e.(contextmgr.Recalled); ok {
				l.recalled = r.IDs
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// exchange has the person say something and the assistant answer, and returns the
// ids that were recalled for it.
func (l *longTalk) exchange(said, answer string) []string {
	l.t.Helper()
	l.recalled = nil
	if err := l.mgr.Append(l.t.Context(), strata.Turn{Role: strata.RoleUser, Text: said}); err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.mgr.Prompt(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	if err := l.mgr.Append(l.t.Context(), strata.Turn{Role: strata.RoleAssistant, Text: answer}); err != nil {
		l.t.Fatal(err)
	}
	return l.recalled
}

// tool calls memory_recall as the model would.
func (l *longTalk) tool(input ops.RecallIn) ops.Found {
	l.t.Helper()
	tools := ops.Tools(operation.CoreTools)
	i := slices.IndexFunc(tools, func(t ops.Tool) bool { return t.Name == "memory_recall" })
	arguments, err := json.Marshal(input)
	if err != nil {
		l.t.Fatal(err)
	}
	env := &operation.Env{Engine: l.mem, View: l.talk.View(), Session: l.talk.ID(), Shown: l.mgr.Shown(), Origin: strata.OriginTool}
	answer, err := tools[i].Call(l.t.Context(), env, arguments)
	if err != nil {
		l.t.Fatal(err)
	}
	// What is recorded in the background counts in the next answer.
	if _, err := l.mem.Traces(l.t.Context(), l.talk.View(), store.TraceFilter{Limit: 1}); err != nil {
		l.t.Fatal(err)
	}
	return answer.Output.(ops.Found)
}

// idsOf are those of hits.
func idsOf(hits []ops.Hit) []string {
	var ids []string
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	return ids
}

// holds reports whether one of some memories is a turn, or a fact that was learnt from
// it and has the answer.
func (l *longTalk) holds(ids []string, turn, answer string) bool {
	l.t.Helper()
	return slices.ContainsFunc(ids, func(id string) bool {
		if id == turn || !strings.HasPrefix(id, "fact_") {
			return id == turn
		}
		versions, err := l.mem.Fact(l.t.Context(), l.talk.View(), id)
		if err != nil {
			l.t.Fatal(err)
		}
		f := versions[len(versions)-1]
		return slices.Contains(f.Sources, turn) && strings.Contains(f.Text, answer)
	})
}

// Of 100 statements that were told early in a long chat and are out of its window
// by its end, 95 come back when they are asked for in other words: by themselves, or
// when the model asks once. No model extracts and none embeds.
func TestWhatWasToldEarlyInALongChatComesBack(t *testing.T) {
	statements := readLongChat(t)
	l := openLongTalk(t)
	c := chatter{rand.New(rand.NewPCG(21, 8))}
	for _, s := range statements {
		l.exchange(s.statement, c.answer())
		if c.IntN(2) == 0 {
			l.exchange(c.question(), c.answer())
		}
	}
	for range 60 {
		l.exchange(c.question(), c.answer())
	}

	turns, err := l.talk.Turns(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	byText := make(map[string]strata.Turn)
	for _, turn := range turns {
		byText[turn.Text] = turn
	}
	for _, s := range statements {
		seq := byText[s.statement].Seq
		if slices.ContainsFunc(l.mgr.Shown(), func(r strata.TurnRange) bool { return r.From <= seq && seq <= r.To }) {
			t.Fatalf("the window still shows turn %d: %s", seq, s.statement)
		}
	}

	byThemselves, asked := 0, 0
	var missed []string
	for _, i := range c.Perm(len(statements)) {
		s := statements[i]
		id := byText[s.statement].ID
		switch {
		case l.holds(l.exchange(s.question, "Let me see."), id, s.answer):
			byThemselves++
		case l.holds(idsOf(l.tool(ops.RecallIn{Query: s.question}).Hits), id, s.answer):
			asked++
		default:
			missed = append(missed, fmt.Sprintf("%s | %s", s.question, s.statement))
		}
	}
	t.Logf("%d turns; %d of %d came by themselves, %d more when asked for", len(turns), byThemselves, len(statements), asked)
	if byThemselves+asked < 95 {
		t.Errorf("%d of %d came back, want 95; missed:\n%s", byThemselves+asked, len(statements), strings.Join(missed, "\n"))
	} else if len(missed) > 0 {
		t.Logf("missed:\n%s", strings.Join(missed, "\n"))
	}
}

// Ten long answers are more than a small model's window. An answer of the tool keeps
// to a budget without being asked: it has the passages that answer, and says so where
// something was left out.
func TestMemoryRecallKeepsToABudget(t *testing.T) {
	l := openLongTalk(t)
	c := chatter{rand.New(rand.NewPCG(1, 2))}
	for i := range 30 {
		l.exchange(c.question(), fmt.Sprintf("Of the glacier, part %d. %s %s %s", i, c.answer(), c.answer(), c.answer()))
	}
	l.exchange("Thanks", strings.Repeat("The glacier is white. ", 20_000))
	for range 10 {
		l.exchange(c.question(), c.answer())
	}
	for _, in := range []ops.RecallIn{{Query: "glacier part"}, {Query: "glacier part", MaxTokens: 900}} {
		budget := in.MaxTokens
		if budget == 0 {
			budget = 4000
		}
		found, tokens := l.tool(in), 0
		for _, h := range found.Hits {
			tokens += token.Count(h.Text)
		}
		whole := len(found.Hits) == 10 // as many as were asked for
		if len(found.Hits) == 0 || tokens > budget || tokens != found.Tokens || whole != (len(found.Notes) == 0) {
			t.Errorf("%+v: %d hits of %d tokens, said to be %d, notes %q", in, len(found.Hits), tokens, found.Tokens, found.Notes)
		}
	}
}
