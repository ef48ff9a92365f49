package openai

import (
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/wire"
)

// fragment is a piece of a tool call. In the protocol the first piece has id and name,
// and calls are numbered. Some servers send whole calls, omit ids or numbers, or number
// every call 0.
type fragment struct {
	Index    *int           `json:"index"`
	ID       string         `json:"id"`
	Function calledFunction `json:"function"`
}

type calledFunction struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // a string; some send an object
}

// callList assembles calls from their pieces.
type callList struct{ list []*call }

type call struct {
	index     int // as the server numbered it; -1 if it did not
	id, name  string
	arguments strings.Builder
}

// add adds the pieces of one event.
func (l *callList) add(p part) {
	for _, f := range p.ToolCalls {
		c := l.find(f)
		if c == nil {
			c = &call{index: -1}
			if f.Index != nil {
				c.index = *f.Index
			}
			l.list = append(l.list, c)
		}
		c.grow(f.ID, f.Function)
	}
	if p.FunctionCall != nil {
		if len(l.list) == 0 {
			l.list = append(l.list, &call{index: -1})
		}
		l.list[0].grow("", *p.FunctionCall)
	}
}

// find returns the call that a piece belongs to; nil means a new one.
func (l *callList) find(f fragment) *call {
	for i := len(l.list) - 1; i >= 0; i-- {
		c := l.list[i]
		switch {
		case f.Index != nil && c.index != *f.Index:
			continue
		case f.ID != "" && c.id != "" && f.ID != c.id:
			// A different id means another call, even under the same number.
			if f.Index == nil {
				continue
			}
			return l.byID(f.ID)
		case f.Function.Name != "" && c.complete() && (f.ID == "" || f.ID != c.id):
			return nil // a name after a complete call starts the next
		}
		return c
	}
	return nil
}

func (l *callList) byID(id string) *call {
	for _, c := range l.list {
		if c.id == id {
			return c
		}
	}
	return nil
}

// complete reports whether the call has a name and complete arguments.
func (c *call) complete() bool {
	return c.name != "" && json.Valid([]byte(c.arguments.String()))
}

func (c *call) grow(id string, f calledFunction) {
	if c.id == "" {
		c.id = id
	}
	// Some servers repeat the name with every piece. None splits it into equal pieces.
	if f.Name != c.name {
		c.name += f.Name
	}
	c.arguments.WriteString(wire.ArgumentsText(f.Arguments))
}

func (l *callList) finished() []strata.ToolCall {
	var out []strata.ToolCall
	for _, c := range l.list {
		out = append(out, strata.ToolCall{ID: c.id, Name: c.name, Arguments: c.arguments.String()})
	}
	return out
}
