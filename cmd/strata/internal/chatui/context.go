package chatui

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-memory/strata/chat"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// contents says what fills the context window, in tokens.
type contents struct {
	Session  string  `json:"session"`
	Model    string  `json:"model"`
	Window   int     `json:"window"`
	Budget   int     `json:"budget"`
	System   int     `json:"system"`
	Tools    int     `json:"tools"`
	Snapshot int     `json:"snapshot"`
	Summary  int     `json:"summary"`
	Recalled int     `json:"recalled"`
	Turns    int     `json:"turns"`
	Free     int     `json:"free"`
	Total    int     `json:"total"`
	Level    float64 `json:"level"` // share of the budget in use
	// Last is the number of the last turn, Covered that of the last turn covered by a
	// summary. Generation counts the snapshots of the session.
	Last       int64          `json:"last"`
	Covered    int64          `json:"covered"`
	Generation int            `json:"generation"`
	Parts      []contentsPart `json:"parts"` // parts of the snapshot, if known
	// Rests is until when the small model is not used, and Why the reason; nil if it is
	// used.
	Rests *time.Time `json:"rests,omitempty"`
	Why   string     `json:"why,omitempty"`
}

// contentsPart is a part of the snapshot.
type contentsPart struct {
	Kind   string `json:"kind"`
	Name   string `json:"name,omitempty"`
	Shown  int    `json:"shown"`
	Total  int    `json:"total"`
	Tokens int    `json:"tokens"`
	Why    string `json:"why,omitempty"` // why something was left out
}

func contentsOf(r chat.Report) *contents {
	out := &contents{
		Session: r.Session, Model: r.Model, Window: r.Window, Budget: r.Budget, System: r.System, Tools: r.Tools, Snapshot: r.Snapshot,
		Summary: r.Summary, Recalled: r.Recalled, Turns: r.Turns, Free: r.Free, Total: r.Usage.Total, Level: r.Usage.Level,
		Last: r.Usage.Last, Covered: r.Usage.Covered, Generation: r.Usage.Generation, Parts: make([]contentsPart, 0, len(r.Parts)),
	}
	if !r.Usage.Rests.IsZero() {
		out.Rests, out.Why = &r.Usage.Rests, r.Usage.Why
	}
	for _, p := range r.Parts {
		out.Parts = append(out.Parts, contentsPart{Kind: string(p.Kind), Name: p.Name, Shown: p.Shown, Total: p.Total, Tokens: p.Tokens, Why: p.Why})
	}
	return out
}

// context shows what fills the context window.
func (u *ui) context(context.Context, string) error {
	c := contentsOf(u.agent.Report())
	t := table.Table{Faint: map[int]bool{2: true}, Elastic: 2}
	add := func(what string, tokens int, why string) {
		t.Add(what, fmt.Sprintf("%8s", output.Thousands(tokens)), why)
	}
	add("system prompt", c.System, "")
	add("tools", c.Tools, "")
	add("snapshot of memory", c.Snapshot, fmt.Sprintf("generation %d", c.Generation))
	for _, p := range c.Parts {
		why, name := "", p.Kind
		if p.Total > p.Shown {
			why = fmt.Sprintf("%d of %d shown", p.Shown, p.Total)
		}
		if p.Name != "" {
			name += " " + p.Name
		}
		add("  "+terminal.Clean(name), p.Tokens, why)
	}
	covered := ""
	if c.Covered > 0 {
		covered = fmt.Sprintf("for the turns up to %d", c.Covered)
	}
	add("summary", c.Summary, covered)
	add("recalled memory", c.Recalled, "")
	add("turns", c.Turns, fmt.Sprintf("the last is turn %d", c.Last))
	add("free", c.Free, fmt.Sprintf("of %s; %s more are kept for the answer", output.Thousands(c.Budget), output.Thousands(c.Window-c.Budget)))
	return u.print("context", c, func(p *output.Page) {
		p.Table(t)
		p.Printf("%s  %s  session %s\n", gauge(u.agent.Usage()), terminal.Clean(c.Model), c.Session)
		if c.Rests != nil {
			p.Printf("the small model rests until %s, and rules do its work: %s\n", c.Rests.Local().Format("15:04"), terminal.Clean(c.Why))
		}
	})
}
