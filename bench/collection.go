package bench

import (
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

// Collection holds documents, queries and judgments.
type Collection struct {
	Documents []Document
	Queries   []Query
	// Relevant maps a query's id to the documents that answer it, with their grade (1 or
	// more). A query without any is not scored.
	Relevant map[string]map[string]int
	// Superseded maps a query's id to the documents whose statement a relevant one has
	// replaced. Most collections have none.
	Superseded map[string]map[string]bool
}

// Document is a text to find. A document with a session is a turn of it; any other is a
// fact.
type Document struct {
	ID      string
	Text    string
	Scope   string // name of its scope; empty means the global one
	Session string
	Seq     int64 // place in the session, from 1; 0 means after the one before
	Speaker string
	Role    strata.Role // who speaks; empty for one of several people
	At      time.Time   // when it was said; zero if unknown
	// Heading says who spoke and when. It precedes the text for readers that see only
	// text, such as BM25. Strata gets speaker and time as they are.
	Heading string
}

// Empty reports whether the document has no text, so that there is nothing to find.
func (d Document) Empty() bool { return strings.TrimSpace(d.Text) == "" }

// Query is a question. It searches only its own scope.
type Query struct {
	ID    string
	Text  string
	Scope string
	// Group is a label by which results are also averaged; it may be empty.
	Group string
	// AskedIn is the id of the session in which the query was asked, see [SessionID].
	// That session and later ones are left out of the query's ranking. If it is empty or
	// names a session without documents, nothing is left out.
	AskedIn string
}

// SessionID returns the session of a document when sessions are ranked: the part of its
// id before '#', or else <scope>/<session>. A document without either is a session of its
// own.
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

// JudgesSessions reports whether the judgments name sessions rather than documents.
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

// scopeOf returns the scope for a name in a data set, which may be any string.
func scopeOf(name string) strata.Scope {
	if name == "" {
		return strata.Global()
	}
	return strata.InWorkspace(plainName("scope", name))
}

// plainName returns a name from a data set, or a hash of it if Strata does not accept it
// as a name.
func plainName(field, name string) string {
	if strata.ValidateName(field, name) == nil {
		return name
	}
	return "x" + hash(name)
}
