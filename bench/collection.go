package bench

import (
	"strings"
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
	// Superseded maps a query's id to the documents that say what a relevant one
	// has replaced. Most collections know of none.
	Superseded map[string]map[string]bool
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
	Role    strata.Role // who speaks; empty: one of several people
	At      time.Time   // when it was said; zero: unknown
	// Heading stands above the text where the text is read alone, as BM25 does:
	// who spoke and when. Strata is given both as they are.
	Heading string
}

// Empty reports whether nothing was said, so that there is nothing to find.
func (d Document) Empty() bool { return strings.TrimSpace(d.Text) == "" }

// Query is a question. It searches its own scope only.
type Query struct {
	ID    string
	Text  string
	Scope string
	// Group is a label by which results are also averaged; empty: none.
	Group string
	// AskedIn is the id of the session it was asked in, see [SessionID]. That
	// session and later ones are left out of its ranking. Empty, or a session
	// without documents: nothing is.
	AskedIn string
}

// SessionID names the session of a document where sessions are ranked: what
// stands before '#' in its id, else <scope>/<session>. A document without either
// is a session of its own.
func SessionID(d Document) string {
	if session, _, ok := strings.Cut(d.ID, "#"); ok {
		return session
	}
	switch {
	case d.Session == "":
		return d.ID
	case d.Scope == "":
		return d.Session
	}
	return d.Scope + "/" + d.Session
}

// sessionOf maps documents to their sessions.
func (c Collection) sessionOf() map[string]string {
	out := make(map[string]string, len(c.Documents))
	for _, d := range c.Documents {
		out[d.ID] = SessionID(d)
	}
	return out
}

// JudgesSessions reports whether sessions answer the queries, and not
// documents.
func (c Collection) JudgesSessions() bool {
	documents := c.sessionOf()
	for _, want := range c.Relevant {
		for id := range want {
			if _, ok := documents[id]; ok {
				return false
			}
		}
	}
	return len(c.Relevant) > 0
}

// scopeOf returns the scope of a name from a data set, which may hold anything.
func scopeOf(name string) strata.Scope {
	if name == "" {
		return strata.Global()
	}
	return strata.InWorkspace(plainName("scope", name))
}

// plainName returns a name from a data set, or a hash of one that Strata takes
// for no name.
func plainName(field, name string) string {
	if strata.ValidateName(field, name) == nil {
		return name
	}
	return "x" + hash(name)
}
