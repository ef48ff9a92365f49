package client

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

// Open returns a client of the server of a home, and starts the server if none is
// running. The error says why no server answers and none could be started.
func Open(ctx context.Context, o Options) (*Client, error) {
	o.Start = true
	c, err := New(o)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(c.base, version)+"/healthz", nil)
	if err != nil {
		return nil, err
	}
	res, err := c.send("connect", req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if err := readOutput("connect", res, nil); err != nil {
		return nil, err
	}
	return c, nil
}

// Saved is the outcome of saving a statement.
type Saved struct {
	ID         string    `json:"id"` // of the fact
	Decision   strata.Op `json:"decision"`
	Reason     string    `json:"reason"`
	DecisionID string    `json:"decision_id"` // pass it to operation undo to take the change back
}

// Save stores a statement, after comparing it with what memory holds.
func (c *Client) Save(ctx context.Context, statement string) (Saved, error) {
	var out Saved
	return out, c.Call(ctx, "save", c.input("content", statement), &out)
}

// Hit is a memory found by a query.
type Hit struct {
	ID       string      `json:"id"`
	Kind     strata.Kind `json:"kind"`
	Text     string      `json:"text"`
	Score    float64     `json:"score"`    // in [0,1]
	Evidence float64     `json:"evidence"` // in [0,1]: share of the question that the hit covers
	Scope    string      `json:"scope"`
	Type     strata.Type `json:"type"`
	Category string      `json:"category"`
	Session  string      `json:"session"` // of a turn
	Role     strata.Role `json:"role"`    // who said a turn
	At       time.Time   `json:"at"`
	Notes    []string    `json:"notes"` // remarks for a reader
}

// Recall answers a question from all of memory, best hits first. It leaves out what shows
// no evidence of an answer, so there may be no hits.
func (c *Client) Recall(ctx context.Context, question string) ([]Hit, error) {
	return c.hits(ctx, "recall", question)
}

// Search explores memory and returns the best hits first.
func (c *Client) Search(ctx context.Context, query string) ([]Hit, error) {
	return c.hits(ctx, "search", query)
}

func (c *Client) hits(ctx context.Context, operation, query string) ([]Hit, error) {
	var out struct {
		Hits []Hit `json:"hits"`
	}
	return out.Hits, c.Call(ctx, operation, c.input("query", query), &out)
}

// Forget deletes a fact, by its id, and every trace of its text for good.
func (c *Client) Forget(ctx context.Context, id string) error {
	in := c.input("id", id)
	in["yes"] = true
	return c.Call(ctx, "forget", in, nil)
}

// input returns an input with one field, and the scope of the client if it has one.
func (c *Client) input(field, value string) map[string]any {
	in := map[string]any{field: value}
	if c.scope != "" {
		in["scope"] = c.scope
	}
	return in
}
