package strata

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Kind says what a passage is.
type Kind string

// The kinds of passage.
const (
	KindFact    Kind = "fact"
	KindTurn    Kind = "turn"
	KindSection Kind = "section" // of a note or workspace file
)

// Validate reports whether k is a known kind.
func (k Kind) Validate() error {
	switch k {
	case KindFact, KindTurn, KindSection:
		return nil
	}
	return Invalid("check kind", "no such kind: "+quote(string(k)), "use fact, turn or section")
}

// Query asks memory. It returns only hits with evidence that they answer, unless All is
// set. Only View and Text must be set.
//
// A query is either a recall, which answers, or a search, which explores. A recall leaves
// out a turn if a fact that says the same takes its place, and whatever a deeper scope
// shadows.
type Query struct {
	View View   `json:"view"`
	Text string `json:"text"`
	// Search explores instead of answering. Offset skips that many of the best hits, for
	// paging. While memory does not change, there are no gaps between pages.
	Search bool `json:"search,omitempty"`
	Offset int  `json:"offset,omitempty"` // at most [MaxOffset]; of a recall only with Pages
	// Pages makes a recall set [Result.Next], as a search always does.
	Pages bool `json:"pages,omitempty"`
	// Kinds are the kinds to search; empty: every kind that the fields below can select.
	Kinds []Kind `json:"kinds,omitempty"`
	// Category restricts the query to the facts of one category; empty: all.
	Category string `json:"category,omitempty"`
	Types    []Type `json:"types,omitempty"` // facts and notes of these types only; empty: all
	// InSession restricts the query to the turns of one session; empty: all.
	InSession string `json:"in_session,omitempty"`
	// Path confines the query to the sections of one file, or of the files below one
	// Path restricts the query to the sections of one file, or of the files below one
	// directory; it is relative to the directory of a scope. Empty: all.
	Path string `json:"path,omitempty"`
	// Since and Until restrict the query to hits whose time ([Hit.At]) is at or after
	// Since and before Until; zero: no bound.
	Since time.Time `json:"since,omitzero"`
	Until time.Time `json:"until,omitzero"`
	// Limit is the maximum number of hits; 0 means 10, at most 1,000.
	Limit int `json:"limit,omitempty"`
	// Tokens is a hard budget for the texts of all hits together, counted with cl100k; 0
	// means none. A long text is cut to the passages that answer. Hits that do not fit
	// are dropped from the end.
	Tokens int `json:"tokens,omitempty"`
	// AsOf answers from what was recorded at that time; nil means now.
	AsOf *time.Time `json:"as_of,omitempty"`
	// Seen are ids already shown, which are left out; the id of a document leaves out all
	// its sections.
	Seen []string `json:"seen,omitempty"`
	// Session and Turn identify the asker. That turn and later ones are still part of the
	// conversation in that session, so they are not hits.
	Session string `json:"session,omitempty"`
	Turn    int64  `json:"turn,omitempty"`
	// Shown are other turns of Session that the asker already sees.
	Shown []TurnRange `json:"shown,omitempty"`
	// Automatic marks a recall that nobody asked for; it does not count as interest.
	Automatic bool `json:"automatic,omitempty"`
	// Flat does without categories when looking for candidate passages. It is for
	// comparison.
	Flat bool `json:"flat,omitempty"`
	// System also searches documents of the system, those below _system and
	// _inbox. A group session never sees them.
	System bool `json:"system,omitempty"`
	// Sessions ranks sessions instead of turns: each hit is the best turn of a different
	// session, and the topic of the whole session counts. Only turns are hits.
	Sessions bool `json:"sessions,omitempty"`
	// All also returns the nearest hits without evidence that they answer. In a search it
	// also returns what an earlier scope of the view shadows. Such hits say so.
	All bool `json:"all,omitempty"`
	// Quiet records nothing: no recall event, no trace, no access.
	Quiet bool `json:"quiet,omitempty"`
}

// MaxOffset is the greatest offset of a query.
const MaxOffset = 10_000

// TurnRange is a range of turns of a session by Seq, both ends included.
type TurnRange struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Validate reports whether q is a valid query.
func (q Query) Validate() error {
	const op = "check query"
	if err := q.View.Validate(); err != nil {
		return err
	}
	switch {
	case len(q.Text) > MaxQueryBytes:
		return &Error{Code: CodeTooLarge, Op: op, Message: "the query is longer than 1 MiB", Hint: "ask in a sentence or two"}
	case !utf8.ValidString(q.Text):
		return Invalid(op, "the query is not valid UTF-8", "send text in UTF-8")
	case strings.TrimSpace(q.Text) == "":
		return Invalid(op, "the query is empty", "ask with at least one word")
	case q.Limit < 0 || q.Limit > 1000:
		return Invalid(op, "the limit lies outside 0 to 1000", "ask for at most 1000 hits")
	case q.Tokens < 0:
		return Invalid(op, "the token budget is negative", "use 0 for no budget")
	case q.Offset < 0 || q.Offset > MaxOffset:
		return Invalid(op, "the offset lies outside 0 to 10000", "start with 0, then use the offset that an answer names")
	case q.Offset > 0 && !q.Search && !q.Pages:
		return Invalid(op, "a recall has pages only if they are asked for", "ask for pages, search, or ask for more hits")
	case !q.Since.IsZero() && !q.Until.IsZero() && !q.Since.Before(q.Until):
		return Invalid(op, "no time lies between the two that are named", "name the earlier one as since, the later as until")
	}
	for _, k := range q.Kinds {
		if err := k.Validate(); err != nil {
			return err
		}
	}
	for _, t := range q.Types {
		if err := t.Validate(); err != nil {
			return err
		}
	}
	for _, n := range []struct{ field, name string }{{"category", q.Category}, {"session", q.InSession}, {"session", q.Session}} {
		if n.name == "" {
			continue
		}
		if err := ValidateName(n.field, n.name); err != nil {
			return err
		}
	}
	if q.Path != "" {
		p := strings.TrimSuffix(q.Path, "/")
		if !strings.HasSuffix(p, ".md") {
			p += "/any.md" // a directory path is valid if a file path below it is
		}
		if err := ValidatePath(p); err != nil {
			return err
		}
	}
	return q.checkSelection()
}

// checkSelection rejects combinations of fields that no passage can satisfy.
func (q Query) checkSelection() error {
	selected := map[Kind]string{}
	if q.Category != "" {
		selected[KindFact] = "a category"
	}
	if q.InSession != "" {
		selected[KindTurn] = "a session"
	}
	if q.Path != "" {
		selected[KindSection] = "a path"
	}
	if len(selected) > 1 {
		return Invalid("check query", "only facts have a category, only turns a session, only sections a path", "name one of them")
	}
	for kind, what := range selected {
		if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, kind) {
			return Invalid("check query", "none of the kinds asked for has "+what, "ask for the kind "+string(kind)+", or for none")
		}
	}
	switch {
	case q.InSession != "" && len(q.Types) > 0:
		return Invalid("check query", "turns have no type", "leave the type or the session out")
	case q.Sessions && (q.Category != "" || q.Path != "" || len(q.Types) > 0):
		return Invalid("check query", "a session has no category, type or path", "leave these out, or do not rank sessions")
	}
	return nil
}

// Result answers a query.
type Result struct {
	// Trace is the id of the stored explanation; empty for a quiet query.
	Trace string `json:"trace,omitempty"`
	Hits  []Hit  `json:"hits"`
	// Embedder names the model whose vectors were used; empty if none were.
	Embedder string `json:"embedder,omitempty"`
	// Tokens is the total number of tokens in the texts of the hits, if a budget was set.
	Tokens int `json:"tokens,omitempty"`
	// Notes are remarks for a reader: that vectors were not available, that hits were
	// left out for the budget, that a text looks like an instruction.
	Notes []string `json:"notes,omitempty"`
	// Next is the offset of the next page; 0 at the end. A recall sets it only with
	// [Query.Pages].
	Next int `json:"next,omitempty"`
	// Steps are the parts of the recall with the time each took, in order.
	Steps []Step `json:"steps,omitempty"`
}

// Step is a named part of a recall or save and the time it took.
type Step struct {
	Name string        `json:"name"`
	Took time.Duration `json:"took_ns"`
}

// Hit is one passage that answers a query.
type Hit struct {
	// ID is the id of the fact or turn. For a section it is the id of the document, a
	// slash and the number of the section.
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	// Text is the memory itself. With a token budget it may be a part of a long one: then
	// Length is the size of the whole in bytes, and Offset is where Text begins in it.
	// Both are 0 if Text is the whole.
	Text   string `json:"text"`
	Offset int    `json:"offset,omitempty"`
	Length int    `json:"length,omitempty"`
	// Match is the passage of a long text that matches best, in bytes of the whole;
	// nil where the text is a single passage.
	Match *Span   `json:"match,omitempty"`
	Score float64 `json:"score"` // in [0,1]
	// Evidence is the share of what the query asks for that the hit contains, in [0,1].
	// Unlike the score it is comparable between queries.
	Evidence float64 `json:"evidence"`
	// Tier is where the hit was first found: 1 inside the category the query
	// named, 2 inside the nearest categories, sessions or documents, 3 by flat search or
	// by words.
	Tier     int    `json:"tier"`
	Why      Why    `json:"why"`
	Scope    Scope  `json:"scope"`
	Type     Type   `json:"type,omitempty"`
	Category string `json:"category,omitempty"`
	Session  string `json:"session,omitempty"`
	Seq      int64  `json:"seq,omitempty"`
	Role     Role   `json:"role,omitempty"` // who said a turn
	Speaker  string `json:"speaker,omitempty"`
	// Section locates a section; nil for facts and turns.
	Section *Place `json:"section,omitempty"`
	// At is when the fact was recorded, the turn was said or the file was written.
	At time.Time `json:"at"`
	// Notes warn about the text, such as that it reads like an instruction.
	Notes []string `json:"notes,omitempty"`
	// Foreign means that the text comes from a foreign document: see [Document.Foreign].
	Foreign bool `json:"foreign,omitempty"`
	// OlderThan is the id of a later fact or turn that fills the same slot, or says
	// nearly the same with another value; empty if none was found.
	OlderThan string `json:"older_than,omitempty"`
}

// Span is a half-open range [Start, End) of a text, in bytes.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Place locates the best passage of a hit in its file.
type Place struct {
	Path     string   `json:"path"` // below the scope's directory
	Line     int      `json:"line"` // of the best passage, from 1
	EndLine  int      `json:"end_line"`
	Headings []string `json:"headings,omitempty"` // the outermost first
	// Name is the name of the note; empty for other files.
	Name string `json:"name,omitempty"`
}

// Why holds the components of a hit's score, which add up to it.
type Why struct {
	Words    float64 `json:"words"`    // the passage's own words
	Vector   float64 `json:"vector"`   // closeness of the embedding
	Around   float64 `json:"around"`   // neighboring turns
	Parent   float64 `json:"parent"`   // the session, category or document as a whole
	Recency  float64 `json:"recency"`  // how new it is
	Salience float64 `json:"salience"` // how often it was useful
	// Order, in [-1,1], is what the hit gains or loses by reordering: of several hits
	// that say nearly the same with different values, the one asked for comes first, and
	// a fact can take the place of a turn that says the same.
	Order float64 `json:"order,omitempty"`
	// Terms are the words of the query that matched, as written in the query.
	Terms []string `json:"terms,omitempty"`
}

// String lists the components of at least 0.005, such as "words .48 · vector .31 · parent
// .12".
func (w Why) String() string {
	var parts []string
	for _, c := range []struct {
		name  string
		value float64
	}{
		{"words", w.Words}, {"vector", w.Vector}, {"around", w.Around},
		{"parent", w.Parent}, {"recency", w.Recency}, {"salience", w.Salience}, {"order", w.Order},
	} {
		if math.Abs(c.value) >= 0.005 {
			parts = append(parts, c.name+" "+strings.Replace(fmt.Sprintf("%.2f", c.value), "0.", ".", 1))
		}
	}
	return strings.Join(parts, " · ")
}

// Category is a group of facts on one subject.
type Category struct {
	Scope Scope  `json:"scope"`
	Name  string `json:"name"`
	Facts int64  `json:"facts"`
	// Pinned means that the engine leaves the category unchanged because somebody named,
	// merged or pinned it.
	Pinned bool `json:"pinned,omitempty"`
}
