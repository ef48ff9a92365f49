// Package reopen returns turns of a session from the ledger again: a whole span, or the
// parts of it that match the words of a query, in pages within a token budget. It does
// not matter whether a conversation still shows the turns.
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
	// defaultTokens is the budget of a page if the request sets none: a few screens,
	// which fit even a small model.
	defaultTokens = 4000
	// minTokens and maxTokens bound the budget. A smaller page would hold little but
	// headings; a larger one would not be a page.
	minTokens, maxTokens = 100, 100_000
	// turnTokens is the cost of the fields around the text of one turn: its number, role,
	// time and the names of the fields.
	turnTokens = 24
	// readBatch is how many turns are read at a time. It is small because a single turn
	// may hold 16 MiB.
	readBatch = 16
)

// Request asks to reopen turns of a session. Only View and Session are required.
type Request struct {
	View    strata.View
	Session string
	// From and To are the sequence numbers of the first and last turn; 0 means the first
	// and last of the session.
	From, To int64
	// Query, if it is not empty, asks for the parts of the span that match its
	// words, best first, instead of the whole span in order.
	Query string
	// Tokens is the budget of the page in cl100k tokens, from 100 to 100,000; 0 means
	// 4,000. Each turn costs its text plus 24 tokens for the fields around it.
	Tokens int
	// After is the Next of the previous page; empty for the first page.
	After string
}

// Page is a page of reopened turns.
type Page struct {
	Session strata.Session
	// Turns are in order, or best first if the request has a query.
	Turns []Turn
	// Next is the [Request.After] of the next page; empty if this is the last one.
	Next string
	// Matches is the number of parts that match the query; 0 without one.
	Matches int
	Tokens  int // cost of the page, at most the budget
}

// Turn is a turn, or a part of one.
type Turn struct {
	// Turn is the stored turn, except that its Text is the part shown: a part of the text
	// and of the lines below it, one for each tool call and image.
	Turn strata.Turn
	// Offset is where Text begins in the whole, and Length the length of the whole, both
	// in bytes.
	Offset, Length int
	// Score is how well the part matches, in [0,1]; 0 without a query.
	Score float64
	Terms []string // words of the query that matched, as written there
	// Notes holds warnings about the text, such as that it reads like an instruction.
	Notes []string
}

// Cut reports whether Text is only a part of the whole.
func (t Turn) Cut() bool { return len(t.Turn.Text) < t.Length }

// Rest returns the [Request.After] that continues after Text in a request without a
// query; "" if Text reaches the end of the turn.
func (t Turn) Rest() string {
	end := t.Offset + len(t.Turn.Text)
	if end >= t.Length {
		return ""
	}
	return mark{seq: t.Turn.Seq, offset: end}.String()
}

// Validate reports an error if x is not a valid request.
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

// Read reopens turns of a session as of now: a whole span, or the parts that match a
// query. x must be valid, and s must be the session that it names.
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
