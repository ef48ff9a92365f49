package contextmgr

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/prompt"
	"github.com/strata-memory/strata/llm"
)

// bytesCounter is a counter that costs nothing to ask.
type bytesCounter struct{}

func (bytesCounter) Count(s string) int { return (len(s) + 3) / 4 }

var clock = func() time.Time { return time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) }

func say(role strata.Role, text string) strata.Turn { return strata.Turn{Role: role, Text: text} }

// fakeLedger is a ledger whose effects can be made to fail. What it holds
// outlives the manager, as a disk does.
type fakeLedger struct {
	turns []strata.Turn
	state []byte
	aside []string
	// effect is asked before each change; an error from it means nothing happened.
	effect func(name string) error
	reads  func() error
}

func (l *fakeLedger) before(name string) error {
	if l.effect == nil {
		return nil
	}
	return l.effect(name)
}

func (l *fakeLedger) Append(_ context.Context, turns []strata.Turn) ([]strata.Turn, error) {
	if err := l.before("append"); err != nil {
		return nil, err
	}
	kept := slices.Clone(turns)
	for i := range kept {
		kept[i].Seq = int64(len(l.turns) + i + 1)
		kept[i].ID = fmt.Sprintf("turn_%04d", kept[i].Seq)
		kept[i].Session = "test"
	}
	l.turns = append(l.turns, kept...)
	return kept, nil
}

func (l *fakeLedger) Turns(_ context.Context, after int64, limit int) ([]strata.Turn, error) {
	if l.reads != nil {
		if err := l.reads(); err != nil {
			return nil, err
		}
	}
	rest := l.turns[min(after, int64(len(l.turns))):]
	if limit > 0 && len(rest) > limit {
		rest = rest[:limit]
	}
	return rest, nil
}

func (l *fakeLedger) LoadState(context.Context) ([]byte, error) { return l.state, nil }

func (l *fakeLedger) SaveState(_ context.Context, state []byte) error {
	if err := l.before("state"); err != nil {
		return err
	}
	l.state = slices.Clone(state)
	return nil
}

func (l *fakeLedger) SetStateAside(_ context.Context, reason string) error {
	if err := l.before("aside"); err != nil {
		return err
	}
	l.aside = append(l.aside, reason)
	l.state = nil
	return nil
}

// fakeMemory keeps candidates by request id, as an engine does.
type fakeMemory struct {
	saved   []strata.Candidate
	byID    map[string]int
	effect  func(name string) error
	after   func(name string) error // an error from it comes after the effect
	hits    func(RecallRequest) ([]strata.Hit, error)
	recalls []RecallRequest
	meant   []strata.Fact
}

func (f *fakeMemory) Save(_ context.Context, cs []strata.Candidate) ([]strata.Decision, error) {
	if f.effect != nil {
		if err := f.effect("memory"); err != nil {
			return nil, err
		}
	}
	if f.byID == nil {
		f.byID = make(map[string]int)
	}
	var out []strata.Decision
	for _, c := range cs {
		if err := c.Validate(); err != nil {
			return nil, err
		}
		op := strata.OpNoop
		if _, again := f.byID[c.RequestID]; !again {
			f.byID[c.RequestID] = len(f.saved)
			f.saved = append(f.saved, c)
			op = strata.OpAdd
		}
		out = append(out, strata.Decision{RequestID: c.RequestID, Op: op, After: &strata.Fact{Text: c.Content}})
	}
	if f.after != nil {
		if err := f.after("memory"); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (f *fakeMemory) RelatedFacts(context.Context, []strata.Turn, int) ([]strata.Fact, error) {
	return f.meant, nil
}

func (f *fakeMemory) Recall(_ context.Context, r RecallRequest) ([]strata.Hit, error) {
	f.recalls = append(f.recalls, r)
	if f.hits == nil {
		return nil, nil
	}
	return f.hits(r)
}

func (f *fakeMemory) texts() []string {
	var out []string
	for _, c := range f.saved {
		out = append(out, c.Content)
	}
	return out
}

// fakeModel answers with functions, one for each thing it is asked.
type fakeModel struct {
	chat      func(ctx context.Context, req llm.Request) (llm.Reply, error)
	extract   func(ctx context.Context, piece string) (string, error)
	summarize func(ctx context.Context, material string) (string, error)
	requests  []llm.Request
}

func (f *fakeModel) Model() string { return "fake" }

func (f *fakeModel) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	f.requests = append(f.requests, req)
	system := ""
	if req.Messages[0].Role == strata.RoleSystem {
		system = req.Messages[0].Text
	}
	var text string
	var err error
	switch system {
	case prompt.Instructions():
		if f.extract == nil {
			return llm.Reply{}, errDown
		}
		text, err = f.extract(ctx, req.Messages[1].Text)
	case promptSummarize:
		if f.summarize == nil {
			return llm.Reply{}, errDown
		}
		text, err = f.summarize(ctx, req.Messages[1].Text)
	default:
		if f.chat != nil {
			return f.chat(ctx, req)
		}
		text = "Understood."
		if onDelta != nil {
			if err := onDelta(llm.Delta{Text: text}); err != nil {
				return llm.Reply{}, err
			}
		}
	}
	return reply(text), err
}

func reply(text string) llm.Reply {
	return llm.Reply{Message: llm.Message{Role: strata.RoleAssistant, Text: text}, Stop: llm.StopEnd}
}

var errDown = &strata.Error{Code: strata.CodeUnavailable, Op: "chat", Message: "the server is down"}

// materials are the texts that the model was given under a system prompt.
func (f *fakeModel) materials(system string) []string {
	var out []string
	for _, r := range f.requests {
		if r.Messages[0].Text == system {
			out = append(out, r.Messages[1].Text)
		}
	}
	return out
}

// remembered finds the lines of a transcript that state a fact.
var remembered = regexp.MustCompile(`\[(\d+)\] user: (My [^.\n]*\.)`)

// honestExtract does what the prompt asks.
func honestExtract(_ context.Context, piece string) (string, error) {
	type operation struct {
		Op    string `json:"op"`
		Fact  int    `json:"fact"`
		Text  string `json:"text"`
		Type  string `json:"type"`
		Turn  int    `json:"turn"`
		Quote string `json:"quote"`
	}
	out := struct {
		Operations []operation `json:"operations"`
	}{Operations: []operation{}}
	for _, match := range remembered.FindAllStringSubmatch(piece, 64) {
		var n int
		_, _ = fmt.Sscan(match[1], &n)
		out.Operations = append(out.Operations, operation{
			Op: "add", Text: "User's" + strings.TrimPrefix(match[2], "My"), Type: "user", Turn: n, Quote: match[2],
		})
	}
	raw, err := json.Marshal(out)
	return string(raw), err
}

// honestSummary is a short text of the material's own words.
func honestSummary(_ context.Context, material string) (string, error) {
	words := strings.Fields(material)
	return "They spoke of " + strings.Join(words[max(len(words)-12, 0):], " ") + ".", nil
}
