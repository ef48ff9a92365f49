package store

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// A passage's number is its position in the store. Numbers of one scope are adjacent and
// never reused. The number is the key of every part of the index.

// Passage is what goes into the index for one fact version, turn or section.
type Passage struct {
	Number int64 // from PutFact, AppendTurn, DivideTurn or PutDocument
	Kind   strata.Kind
	Ref    string // id of the fact, turn or document
	Scope  strata.Scope
	Parent string // category of a fact, session of a turn, document path of a section
	Seq    int64  // place inside a session or document; 0 for facts
	// Type is the type of the fact or of the section's document.
	Type strata.Type
	// Text is the indexed text: for a turn it includes the date and the speaker, for a
	// fact the slot and the tags, for a section its headings and what its document is
	// called.
	Text string
	// Said is a fact's own text, by which similar facts are found; empty for other
	// passages.
	Said string
	// Analysis is the analysis of Text and Said; if nil, the store makes it.
	Analysis *Analysis
	// The passage is found from RecordedAt until RetiredAt.
	RecordedAt time.Time
	RetiredAt  *time.Time
	// Model and Vector are the embedding. If the store has no vectors yet, Model becomes
	// the serving model. A vector of a model that is not wanted is ignored. The passage
	// is queued for the vectors of the other wanted models: see [Embedding].
	Model  string
	Vector []float32
}

// Filter restricts a search. It is applied before any cut-off.
type Filter struct {
	Kinds    []strata.Kind // empty: any
	Types    []strata.Type // only facts and notes of these types; empty: any
	NotTypes []strata.Type // leave out facts and notes of these types
	Parent   int64         // only inside this parent; 0: any
	// SessionKind leaves out turns of sessions of other kinds; empty: none. It does not
	// affect passages that are not turns.
	SessionKind strata.SessionKind
	// NotPrivate leaves out what only main sessions see: facts of type user, and sections
	// of documents for which [strata.Document.Private] returns true.
	NotPrivate bool
	// System includes sections of system documents.
	System bool
	AsOf   *time.Time // recorded and not yet retired at this time; nil: current
}

// MatchOptions say what Match may leave out. The zero value leaves nothing out. In a
// scope of less than a few thousand passages nothing is left out.
type MatchOptions struct {
	// Limit keeps only this many passages, the best by BM25 with its usual constants.
	// Passages that hold only the commonest terms may be left out before. 0 keeps all.
	Limit int
	// Best keeps passages that hold only common terms if they may be among this many
	// whose terms weigh most together, by inverse document frequency. With 0 all of them
	// may be left out.
	Best int
}

// Meta is what ranking needs to know of a passage.
type Meta struct {
	Number int64
	Parent int64 // number of the category, session or document
	Seq    int64
	Words  int32  // terms that are not stop words
	Speech Speech // speech of a turn
	Kind   strata.Kind
}

// Speech says who speaks in a turn, and to whom. As evidence, an assistant's answer is
// worth less than what a person says.
type Speech uint8

// The kinds of speech.
const (
	SpeechPeople    Speech = iota // a person among people; also the value for passages that are not turns
	SpeechUser                    // a person to an assistant
	SpeechAssistant               // an assistant, a tool or the system
)

// SpeechOf returns the speech of a turn. A user with a name speaks among people.
func SpeechOf(t strata.Turn) Speech {
	switch {
	case t.Role != strata.RoleUser:
		return SpeechAssistant
	case t.Speaker == "":
		return SpeechUser
	}
	return SpeechPeople
}

// TermHit is the match of a term in a passage.
type TermHit struct {
	Passage int32 // index into Matches.Passages
	Count   int32 // how often the passage holds the term
}

// SubstringTexts is how many candidate texts a substring search looks at, at least. If
// the substring is long, nearly all texts with its trigrams hold it. If it is short and a
// guess, none of 10,000 to 30,000 candidates among a million texts held it, after up to
// 70 milliseconds.
const SubstringTexts = 2048

// Matches are the passages that hold any term of a query, with the hits of each term.
type Matches struct {
	Passages []Meta // ascending by number
	// Terms has one entry for each term of the query, in order: the term's hits in
	// Passages.
	Terms [][]TermHit
	// Frequency has the number of passages of the scope that hold each term. It equals
	// the number of the term's hits unless passages were left out; then it may also count
	// passages that the filter excludes.
	Frequency []int64
	// Total is the number of passages of the scope that pass Kinds, and Words the number
	// of their terms: N and N·avgdl of BM25.
	Total int64
	Words int64
}

// ParentInfo describes a category, session or document.
type ParentInfo struct {
	Number   int64
	Kind     strata.Kind // kind of its passages: fact for a category, turn for a session, section for a document
	Name     string      // path in the case of a document
	Passages int64       // current passages
	Words    int64
}

// Near is a passage or parent with its similarity to a vector.
type Near struct {
	Number     int64
	Similarity float32 // cosine, in [-1,1]
}

// Place is the position of a turn in its session or of a section in its document.
type Place struct {
	Parent int64
	Seq    int64
}

// Item is a passage with the fact, turn or section that it was made from. Turns have no
// images.
type Item struct {
	Meta
	Fact *strata.Fact // the version of a fact passage
	Turn *strata.Turn // of a turn passage
	// Span is the part of the turn's text that the passage holds; zero: the whole text.
	Span strata.Span
	// Section and Document are those of a section passage. Document has no content.
	Section  *strata.Section
	Document *strata.Document
	// Accesses and LastAccess say how often and when last a document was of use. For a
	// fact, see the fields of Fact.
	Accesses   int
	LastAccess time.Time
}

// CategoryVector is a category with the sum of the vectors of its facts.
type CategoryVector struct {
	Number int64
	Name   string
	Facts  int64
	Sum    []float32 // divide by Facts for the mean; nil if no fact has a vector
}

// CategoryChoice is the decision of a person or caller about a category: facts that
// Strata would put into the category Topic go into the category Name instead. Name is
// pinned: Strata does not rename it. If a category is pinned under its own name, Topic
// and Name are the same.
type CategoryChoice struct {
	Topic, Name string
}

// Unembedded is a passage that waits for a vector. The caller composes the text to embed
// from the fact, turn or section, as for the index.
type Unembedded struct {
	Source
	Attempts int
}

// Index is the read side of the index. Methods with a scope search only that scope; to
// search a view, callers search its scopes one by one.
type Index interface {
	EmbeddingReader

	// Match returns the passages that hold any of the terms, which package internal/text
	// makes. Terms are never parsed as query syntax.
	Match(ctx context.Context, scope strata.Scope, terms []string, f Filter, o MatchOptions) (Matches, error)
	// MatchPhrase returns at most limit passages that hold the terms one after another,
	// best first. With prefix, the last term matches as a prefix.
	MatchPhrase(ctx context.Context, scope strata.Scope, terms []string, prefix bool, f Filter, limit int) ([]Meta, error)
	// MatchSubstring returns at most limit passages whose text holds s (3 characters or
	// more), regardless of word boundaries, newest first. It may look only at the newest
	// [SubstringTexts] of the passages that pass the filter and may hold s.
	MatchSubstring(ctx context.Context, scope strata.Scope, s string, f Filter, limit int) ([]Meta, error)
	// Nearest returns the k passages closest to v, closest first, inside the given
	// parents if any are named. A store may keep and compare vectors with eight bits per
	// value. The error of a cosine is then about 0.001, more with few dimensions.
	Nearest(ctx context.Context, scope strata.Scope, model string, v []float32, parents []int64, f Filter, k int) ([]Near, error)
	// NearestParents returns the k categories (kind fact), sessions (kind turn) or
	// documents (kind section) whose mean vector is closest to v. It applies these parts
	// of the filter: to sessions SessionKind; to documents Types, NotTypes, NotPrivate
	// and System.
	NearestParents(ctx context.Context, scope strata.Scope, model string, v []float32, kind strata.Kind, f Filter, k int) ([]Near, error)
	// Similarities returns the cosine of v with each numbered passage, in order; 0 for a
	// passage that has no vector of the model.
	Similarities(ctx context.Context, scope strata.Scope, model string, v []float32, numbers []int64) ([]float32, error)
	// PassagesAt returns the turns and sections at the given places that exist and pass
	// the filter. Facts have no place.
	PassagesAt(ctx context.Context, scope strata.Scope, places []Place, f Filter) ([]Meta, error)
	// Items returns the passages that exist, with their fact, turn or section, in the
	// order of numbers.
	Items(ctx context.Context, scope strata.Scope, numbers []int64) ([]Item, error)
	// ParentNumber returns the number of the category, session or document with exactly
	// this name; 0 if it is not in the index.
	ParentNumber(ctx context.Context, scope strata.Scope, kind strata.Kind, name string) (int64, error)
	// Parents returns the numbered parents that exist; without numbers, all parents of
	// the scope.
	Parents(ctx context.Context, scope strata.Scope, kind strata.Kind, numbers []int64) ([]ParentInfo, error)
	// Categories returns the categories of a scope that hold a current fact, with the
	// sums of their vectors of m.
	Categories(ctx context.Context, scope strata.Scope, m Model) ([]CategoryVector, error)
	// CategoryChoices returns the choices of a scope, sorted by topic.
	CategoryChoices(ctx context.Context, scope strata.Scope) ([]CategoryChoice, error)
	// Sources pages through everything that the index is derived from, in the order of
	// passage numbers. The caller composes the text to index.
	Sources(ctx context.Context, scope strata.Scope, after int64, limit int) ([]Source, error)
	// Undivided returns at most limit turns of any scope that an earlier version indexed
	// as one passage, however long they are: see [IndexWriter]. A turn that no longer
	// exists has a nil Turn.
	Undivided(ctx context.Context, limit int) ([]Source, error)
}

// Source is a fact version, turn or section from which the index is rebuilt. Turns have
// no images.
type Source struct {
	Number int64
	Fact   *strata.Fact
	Turn   *strata.Turn
	// Span is the part of the turn's text that the passage holds; zero: the whole text.
	Span strata.Span
	// Document is the document of Section, without content.
	Section  *strata.Section
	Document *strata.Document
}

// IndexWriter is the write side of the index.
type IndexWriter interface {
	EmbeddingWriter

	// DivideTurn sets the parts of a turn's text that are passages of their own and
	// returns the passage numbers for them; the first is the number of the turn. With one
	// span or none, the turn is one passage. Unless the division is unchanged, it
	// replaces the earlier one. DivideTurn removes the turn from those that Undivided
	// lists.
	DivideTurn(ctx context.Context, turn int64, spans []strata.Span) ([]int64, error)
	// PutPassage indexes a passage: words, substrings, vector, parent. After DropIndex it
	// takes over the vectors that the passage had; if p has no vector, the passage also
	// waits for one.
	PutPassage(ctx context.Context, p Passage) error
	// PutVector stores a passage's vector of a wanted model and removes the passage from
	// that model's queue. It ignores a vector of another model.
	PutVector(ctx context.Context, number int64, model string, v []float32) error
	// RenameCategory renames a category in the facts and in the choices. If a category
	// with the new name exists, the two are merged. It returns not_found if no current
	// fact is in the category.
	RenameCategory(ctx context.Context, scope strata.Scope, name, to string) error
	// MoveFacts moves facts from one category into another, which it creates if
	// necessary, and returns how many it moved. Facts that are not current or not in the
	// first category stay where they are.
	MoveFacts(ctx context.Context, scope strata.Scope, from, into string, ids []string) (int, error)
	// PutCategoryChoice stores a choice. It replaces an earlier choice for the same
	// topic.
	PutCategoryChoice(ctx context.Context, scope strata.Scope, c CategoryChoice) error
	// DropCategoryChoices removes all choices with the given Name.
	DropCategoryChoices(ctx context.Context, scope strata.Scope, name string) error
	// DropIndex removes everything derived in a scope: passages, words, substrings,
	// parents. Facts, turns and documents stay. The vectors of their passages stay too,
	// because the model that makes them may be unavailable, but no search finds them
	// until PutPassage takes them over.
	DropIndex(ctx context.Context, scope strata.Scope) error
}
