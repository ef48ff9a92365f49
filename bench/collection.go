package bench

import (
	"time"

	"github.com/strata-memory/strata"
)

// Collection is documents, queries and judgments.
type Collection struct {
	Documents []Document
	Queries   []Query
	// Relevant maps a query's id to the documents that answer it, with their
	// grade (1 or more). A query without any is not scored.
	Relevant map[string]map[string]int
}

// Document is a text to be found. One with a session is a turn of it, any
// other a fact.
type Document struct {
	ID      string
	Text    string
	Scope   string // name of its scope; empty: the global one
	Session string
	Seq     int64 // place in the session, from 1; 0: after the one before
	Speaker string
	At      time.Time // when it was said; zero: unknown
}

// Query is a question. It searches its own scope only.
type Query struct {
	ID    string
	Text  string
	Scope string
	// Group is a label by which results are also averaged; empty: none.
	Group string
}

// scopeOf returns the scope of a name from a data set, which may hold anything.
func scopeOf(name string) strata.Scope {
	if name == "" {
		return strata.Global()
	}
	if strata.ValidateName("scope", name) == nil {
		return strata.InWorkspace(name)
	}
	return strata.InWorkspace("x" + hash(name))
}
