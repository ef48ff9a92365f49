package store

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// A passage's number is its place in the store: numbers of one scope are
// adjacent and never reused. It is the key of every part of the index.

// Passage is what goes into the index for one fact version, turn or section.
type Passage struct {
	Number int64 // from PutFact, AppendTurn or PutDocument
	Kind   strata.Kind
	Ref    string // id of the fact, turn or document
	Scope  strata.Scope
	Parent string // category of a fact, session of a turn, path of a section's document
	Seq    int64  // place inside a session or document; 0 for facts
	// Type is that of a fact; a section has that of its document.
	Type strata.Type
	// Text is what is indexed: for a turn also its date and speaker, for a fact
	// also its slot and tags, for a section also what its document is called and
	// its headings.
	Text string
	// Said is a fact's own text, by which facts like it are found; empty for
	// others.
	Said string
	// Analysis is that of Text and Said; nil has the store make it.
	Analysis *Analysis
	// RecordedAt and RetiredAt bound the time in which the passage is found.
	RecordedAt time.Time
	RetiredAt  *time.Time
	// Model and Vector are the embedding. A passage waits for the vectors of
	// every wanted model that it does not bring: see [Embedding]. The first
	// vector of all makes its model the serving one. A vector of a model that
	// is not wanted is left out.
	Model  string
	Vector []float32
}

// Filter confines a search. It is applied before any cut-off.
type Filter struct {
	Kinds    []strata.Kind // empty: any
	Types    []strata.Type // facts and notes of these types only; empty: any
	NotTypes []strata.Type // leaves facts and notes of these types out
	Parent   int64         // inside this parent only; 0: any
	// SessionKind leaves out turns of sessions of other kinds; empty: none.
	// Passages that are no turns pass.
	SessionKind strata.SessionKind
	// NotPrivate leaves out what only main sessions see: facts of type user, and
	// sections of documents that [strata.Document.Private] reports.
	NotPrivate bool
	// System lets sections of documents of the system pass.
	System bool
	AsOf   *time.Time // recorded by then and not retired by then; nil: current
}

// MatchOptions say what a caller of Match can do without. The zero value leaves
// nothing out, and in a scope of less than some thousand passages nothing is.
type MatchOptions struct {
	// Limit leaves out all passages but so many, those that score best by BM25 with
	// its usual constants. Passages that hold none but the commonest terms may be
	// left out before. 0 leaves nothing out.
	Limit int
	// Best keeps those that hold common terms alone where they may be among so
	// many whose terms weigh most together, by inverse document frequency. 0 lets
	// them all be left out.
	Best int
}

// Meta is what ranking needs of every passage it considers.
type Meta struct {
	Number int64
	Parent int64 // number of the category, session or document
	Seq    int64
	Words  int32  // terms that are not stop words
	Speech Speech // of the turn
	Kind   strata.Kind
}

// Speech says who speaks in a turn, and to whom: an answer of an assistant is not
// worth as much as evidence as what a person says.
type Speech uint8

// The kinds of speech.
const (
	SpeechPeople    Speech = iota // a person among people; also of what is no turn
	SpeechUser                    // a person to an assistant
	SpeechAssistant               // an assistant, a tool or the system
)

// SpeechOf returns who speaks in a turn. A person who is named speaks among people.
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

// SubstringTexts is how many texts a search for a substring looks at, at least.
// Nearly all that have its groups of three letters hold it where it is long. Where
// it is short, and a guess, of 10,000 to 30,000 among a million none did, after up
// to 70 milliseconds.
const SubstringTexts = 2048

// Matches are the passages that hold any term of a query, with the match of
// each term apart.
type Matches struct {
	Passages []Meta // ascending by number
	// Terms has one entry for each term asked for, in order: its hits among
	// Passages.
	Terms [][]TermHit
	// Frequency counts, for each term, the passages of the scope that hold it.
	// It is the number of its hits, unless passages were left out: then it may
	// count some that the filter keeps out.
	Frequency []int64
	// Total counts the passages of the scope that pass Kinds, and Words their
	// terms: what BM25 calls N and, divided, avgdl.
	Total int64
	Words int64
}

// ParentInfo describes a category, session or document.
type ParentInfo struct {
	Number   int64
	Kind     strata.Kind // of its passages: fact for a category, turn for a session, section for a document
	Name     string      // of a document, its path
	Passages int64       // current ones
	Words    int64
}

// Near is a passage or parent with its similarity to a vector.
type Near struct {
	Number     int64
	Similarity float32 // cosine, in [-1,1]
}

// Place is where a turn is in its session, or a section in its document.
type Place struct {
	Parent int64
	Seq    int64
}

// Item is a passage with the fact, turn or section that it was made from. Turns
// come without images.
type Item struct {
	Meta
	Fact *strata.Fact // of a fact passage: that version
	Turn *strata.Turn // of a turn passage
	// Span is the part of the turn's text that the passage holds; zero: all of it.
	Span strata.Span
	// Section is that of a section passage, Document its document without
	// content.
	Section  *strata.Section
	Document *strata.Document
	// Accesses counts how often a document was of use, and LastAccess says when
	// it last was; of a fact, the fact itself does.
	Accesses   int
	LastAccess time.Time
}

// CategoryVector is a category with the sum of the vectors of its facts.
type CategoryVector struct {
	Number int64
	Name   string
	Facts  int64
	Sum    []float32 // divide by Facts for the mean; nil when none has a vector
}

// CategoryChoice is what a person or a caller decided about a category: facts that
// the program would put into the one called Topic go into the one called Name, which
// it leaves as it is: pinned. A category that is pinned under its own name has one
// with both the same.
type CategoryChoice struct {
	Topic, Name string
}

// Unembedded is a passage that waits for its vector. The caller composes the
// text to embed from the fact or turn, as it does for the index.
type Unembedded struct {
	Source
	Attempts int
}

// Index is the read side of the index. All methods look at one scope; a view
// is searched scope by scope.
type Index interface {
	EmbeddingReader

	// Match returns the passages that hold any of the terms (as made by
	// package internal/text). Terms may hold any text without being syntax.
	Match(ctx context.Context, scope strata.Scope, terms []string, f Filter, o MatchOptions) (Matches, error)
	// MatchPhrase returns the passages that hold the terms one after another;
	// with prefix the last term may go on. Best first, at most limit.
	MatchPhrase(ctx context.Context, scope strata.Scope, terms []string, prefix bool, f Filter, limit int) ([]Meta, error)
	// MatchSubstring returns passages whose text holds s (3 characters or
	// more), whatever its words. Newest first, at most limit. Of those that may
	// hold s and pass the filter it may look at no more than the newest
	// [SubstringTexts].
	MatchSubstring(ctx context.Context, scope strata.Scope, s string, f Filter, limit int) ([]Meta, error)
	// Nearest returns the k passages closest to v, inside the given parents if
	// any are named, closest first. A store may keep and measure vectors in eight
	// bits a value: a cosine is off by some 0.001 then, with few dimensions by more.
	Nearest(ctx context.Context, scope strata.Scope, model string, v []float32, parents []int64, f Filter, k int) ([]Near, error)
	// NearestParents returns the k categories (kind fact), sessions (kind turn)
	// or documents (kind section) whose mean vector is closest to v. Of the
	// filter, SessionKind confines sessions; Types, NotTypes, NotPrivate and
	// System confine documents.
	NearestParents(ctx context.Context, scope strata.Scope, model string, v []float32, kind strata.Kind, f Filter, k int) ([]Near, error)
	// Similarities returns the cosine of v with each numbered passage, in
	// order; 0 where a passage has no vector of the model.
	Similarities(ctx context.Context, scope strata.Scope, model string, v []float32, numbers []int64) ([]float32, error)
	// PassagesAt returns the turns and sections at the given places, those that
	// exist and pass the filter. Facts have no place.
	PassagesAt(ctx context.Context, scope strata.Scope, places []Place, f Filter) ([]Meta, error)
	// Items returns passages with their fact, turn or section, those that exist,
	// in the order of the numbers given.
	Items(ctx context.Context, scope strata.Scope, numbers []int64) ([]Item, error)
	// ParentNumber returns the number of the category, session or document of
	// exactly this name; 0 if the index has none.
	ParentNumber(ctx context.Context, scope strata.Scope, kind strata.Kind, name string) (int64, error)
	// Parents returns the named parents, those that exist; with no numbers all
	// of the scope.
	Parents(ctx context.Context, scope strata.Scope, kind strata.Kind, numbers []int64) ([]ParentInfo, error)
	// Categories returns the categories of a scope that hold a current fact,
	// with their vectors of the model.
	Categories(ctx context.Context, scope strata.Scope, m Model) ([]CategoryVector, error)
	// CategoryChoices returns the choices of a scope, in the order of their topics.
	CategoryChoices(ctx context.Context, scope strata.Scope) ([]CategoryChoice, error)
	// Sources pages through everything the index is derived from, as passages
	// without a vector, in the order of their numbers. The caller composes what
	// is indexed.
	Sources(ctx context.Context, scope strata.Scope, after int64, limit int) ([]Source, error)
	// Undivided returns turns of any scope that an earlier version indexed whole, however
	// long, at most limit: see [IndexWriter]. One that went away has no Turn.
	Undivided(ctx context.Context, limit int) ([]Source, error)
}

// Source is a fact version, turn or section as the index is rebuilt from it.
// Turns come without images.
type Source struct {
	Number int64
	Fact   *strata.Fact
	Turn   *strata.Turn
	// Span is the part of the turn's text that the passage holds; zero: all of it.
	Span strata.Span
	// Section comes with its document, without the content.
	Section  *strata.Section
	Document *strata.Document
}

// IndexWriter is the write side of the index.
type IndexWriter interface {
	EmbeddingWriter

	// DivideTurn sets the parts of a turn's text that are passages of their own, and
	// returns the numbers by which they are to be put. The first is that of the turn. A
	// single span, or none, makes the turn one passage. What the turn was divided into
	// before is gone, unless it is the same. A turn that waits in Undivided waits no
	// longer.
	DivideTurn(ctx context.Context, turn int64, spans []strata.Span) ([]int64, error)
	// PutPassage indexes a passage: words, substrings, vector, parent. After
	// DropIndex it takes over the vectors that the passage had; without a new
	// one it also waits for that.
	PutPassage(ctx context.Context, p Passage) error
	// PutVector gives a passage its vector of a wanted model and takes it off
	// that model's queue. A vector of another model is left out.
	PutVector(ctx context.Context, number int64, model string, v []float32) error
	// RenameCategory gives a category another name, in the facts and in the choices.
	// Where there is a category of that name, the two become one. It returns
	// not_found if no current fact is in the category.
	RenameCategory(ctx context.Context, scope strata.Scope, name, to string) error
	// MoveFacts moves facts from one category into another, which begins with them
	// if it does not exist. Those that are not current or not in the first stay
	// where they are. It returns how many it moved.
	MoveFacts(ctx context.Context, scope strata.Scope, from, into string, ids []string) (int, error)
	// PutCategoryChoice keeps a choice, in place of an earlier one for its topic.
	PutCategoryChoice(ctx context.Context, scope strata.Scope, c CategoryChoice) error
	// DropCategoryChoices removes all choices that lead to a name.
	DropCategoryChoices(ctx context.Context, scope strata.Scope, name string) error
	// DropIndex removes everything derived in a scope: passages, words,
	// substrings, parents. Facts, turns and documents stay. So do the vectors of
	// their passages, because the model that makes them may not be at hand; no
	// search finds them until PutPassage takes them over.
	DropIndex(ctx context.Context, scope strata.Scope) error
}
