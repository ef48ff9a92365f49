// Package reopen reopens turns of a session from the ledger: a whole span, or
// the parts of it that match the words of a query, in pages within a budget of
// tokens. It does not matter whether the turns are still in somebody's context.
package reopen

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

const (
	// defaultTokens is the budget of a page where none is named: a few screens,
	// which also a small model can take.
	defaultTokens = 4000
	// minTokens and maxTokens bound the budget. Below, a page would hold little but
	// headings; above, it is no page.
	minTokens, maxTokens = 100, 100_000
	// turnTokens is what the fields around the text of one turn are charged:
	// its number, role, time and the names of the fields.
	turnTokens = 24
	// readBatch is how many turns are read at a time. It is small, because
	// one of them may hold 16 MiB.
	readBatch = 16
)

// Request asks for turns of a session to be reopened. Only View and Session
// must be set.
type Request struct {
	View    strata.View
	Session string
	// From and To are the first and last turn by sequence number; 0 means the
	// first and last there is.
	From, To int64
	// Query, if it is not empty, asks for the parts of the span that match its
	// words, best first, instead of the whole span in order.
	Query string
	// Tokens is the budget of the page in cl100k tokens, from 100 to 100,000; 0
	// means 4,000. Every turn is charged its text and 24 tokens for what
	// is around it.
	Tokens int
	// After is the Next of the page before; empty for the first page.
	After string
}

// Page is a page of reopened turns.
type Page struct {
	Session strata.Session
	// Turns are in order, or best first where words were asked for.
	Turns []Turn
	// Next continues after this page as [Request.After]; empty at the end.
	Next string
	// Matches counts the parts that matched, where words were asked for.
	Matches int
	Tokens  int // what the page costs, at most the budget
}

// Turn is a turn, or a part of one.
type Turn struct {
	// Turn is as it was kept, but its Text is the part shown: of the text and,
	// below it, a line for each tool call and image.
	Turn strata.Turn
	// Offset is where Text begins in the whole, Length how long the whole is,
	// both in bytes.
	Offset, Length int
	// Score is how well the part matches, in [0,1]; 0 without a query.
	Score float64
	Terms []string // words of the query that matched, as written there
	// Notes warn of the text: that it reads like an instruction.
	Notes []string
}

// Cut reports whether Text is not the whole.
func (t Turn) Cut() bool { return len(t.Turn.Text) < t.Length }

// Rest continues behind Text as [Request.After], without a query; empty where
// Text goes to the end of the turn.
func (t Turn) Rest() string {
	end := t.Offset + len(t.Turn.Text)
	if end >= t.Length {
		return ""
	}
	return mark{seq: t.Turn.Seq, offset: end}.String()
}

// Validate reports whether x can be asked.
func (x Request) Validate() error {
	const op = "expand"
	if err := x.View.Validate(); err != nil {
		return err
	}
	if err := strata.ValidateName("session", x.Session); err != nil {
		return err
	}
	switch {
	case x.From < 0 || x.To < 0:
		return strata.Invalid(op, "a turn's number is negative", "count turns from 1, or leave from and to out")
	case x.To != 0 && x.To < x.From:
		return strata.Invalid(op, fmt.Sprintf("the span ends at turn %d, before it begins at %d", x.To, x.From), "swap from and to")
	case x.Tokens != 0 && (x.Tokens < minTokens || x.Tokens > maxTokens):
		return strata.Invalid(op, fmt.Sprintf("a budget of %d tokens lies outside %d to %d", x.Tokens, minTokens, maxTokens),
			"leave it out for 4000, and read on page by page")
	case len(x.Query) > strata.MaxQueryBytes:
		return &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the query is longer than 1 MiB", Hint: "ask in a few words"}
	case !utf8.ValidString(x.Query):
		return strata.Invalid(op, "the query is not valid UTF-8", "send text in UTF-8")
	case x.Query != "" && strings.TrimSpace(x.Query) == "":
		return strata.Invalid(op, "the query is empty", "ask with at least one word, or leave the query out")
	}
	_, err := parseMark(x.After, x.Query != "")
	return err
}

// Read reopens turns of a session as of now: a whole span, or what in it answers
// a query. x is valid, and s is the session it names.
func Read(ctx context.Context, r store.Reader, s strata.Session, x Request, now time.Time) (Page, error) {
	if x.Tokens == 0 {
		x.Tokens = defaultTokens
	}
	if x.To == 0 {
		x.To = math.MaxInt64
	}
	after, err := parseMark(x.After, x.Query != "")
	if err != nil {
		return Page{}, err
	}
	out := Page{Session: s, Turns: []Turn{}}
	p := &pageFiller{out: &out, budget: x.Tokens}
	if x.Query != "" {
		err = p.search(ctx, r, x, after, now)
	} else {
		err = p.span(ctx, r, x, after)
	}
	if err != nil {
		return Page{}, err
	}
	for i := range out.Turns {
		t := &out.Turns[i]
		t.Notes = append(t.Notes, secrets.Warnings(t.Turn.Text)...)
	}
	return out, nil
}
