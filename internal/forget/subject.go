// Package forget decides what goes when a memory is forgotten: what is looked
// for, in which parts of what is stored, how it may be there cut short or
// defused, and what is left in its place. It changes values and touches no
// database: a store finds what may be concerned, asks here, and deletes and
// overwrites.
//
// Texts are compared in the normal form of package internal/text. What a person
// or a program said, a turn or a document, goes if it holds the text as words of
// its own: "cat" does not blank "concatenate". What memory made itself of its
// texts, a snapshot or a reason, goes if it holds the text at all.
package forget

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
)

// A Subject is a fact or a document that is forgotten.
type Subject struct {
	ID      string
	Path    string   // of a document; empty for a fact
	Names   []string // by which a document is asked for: its paths, titles, and types with slugs
	Sources []string // ids of the turns a fact came from
	// Wholly says that of the sources nothing stays, whatever else they say.
	Wholly bool
	// Whole are the normalized texts that are marked as forgotten, each as a
	// whole: of a fact all its versions, and the sentences that said them.
	Whole []string
	Text  Texts // all that it said
	Said  Texts // that, and the paths of a note: what turns and files name it by
	Shown Texts // that, and how it begins where a session was shown or learnt it
	// Values are what identifies it, however it is said; none of a document.
	Values Values
	// Home are the conversations in which it was told, by [Session].
	Home map[string]bool
}

// Session is the key of a conversation in [Subject.Home].
func Session(scope strata.Scope, session string) string { return scope.Key() + "/" + session }

// Where says what is known of a turn: whether what is forgotten came from it, or was told in
// its conversation.
func (s Subject) Where(scope strata.Scope, session, turn string) Where {
	switch {
	case slices.Contains(s.Sources, turn):
		return Source
	case s.Home[Session(scope, session)]:
		return Told
	}
	return Anywhere
}

// Path stands where the path of a forgotten document was, once its file is gone:
// a path says what the file is about.
func Path(documentID string) string { return "forgotten/" + documentID + ".md" }

// Telling is how a fact was told: what [Fact] looks for besides its text. Nil is unknown.
type Telling struct {
	Sources []string // ids of the turns that it came from
	Sayings []string // the sentences that said it, as [Sayings] finds them
	Values  Values
	Home    map[string]bool // see [Subject]
}

// Fact returns what is forgotten with all versions of a fact and the sentences that said
// them.
func Fact(id string, versions []strata.Fact, told *Telling) Subject {
	if told == nil {
		told = &Telling{}
	}
	s := Subject{ID: id, Values: told.Values, Home: told.Home}
	list := slices.Clone(told.Sayings)
	for _, v := range versions {
		list = append(list, v.Text)
		s.Sources = append(s.Sources, v.Sources...)
	}
	slices.Sort(s.Sources)
	s.Sources = slices.Compact(s.Sources)
	s.Whole = normalized(list)
	s.Text = newTexts(s.Whole)
	s.Said = s.Text
	s.Shown = newTexts(append(leads(list), s.Whole...))
	return s
}

// Quoted returns what is forgotten where its texts are known, how it was told and the turns
// that it came from. Where nobody knows how it was told the turns go whole.
func Quoted(texts []string, told *Telling, sources []string) Subject {
	s := Fact("", nil, told)
	s.Sources, s.Wholly = sources, told == nil
	s.Whole = normalized(texts)
	s.Text = newTexts(s.Whole)
	s.Said, s.Shown = s.Text, s.Text
	return s
}

// Document returns what is forgotten with a document: whole and parts are what it
// said in all its versions, and former are those that had other names. The path of
// one is empty where another document has it now.
func Document(d strata.Document, former []strata.Document, whole, parts []string) Subject {
	s := Subject{ID: d.ID, Path: d.Path, Whole: normalized(whole)}
	var names, paths, hooks []string
	for _, v := range append([]strata.Document{d}, former...) {
		names = append(names, v.Path, v.Name, v.Identity())
		switch v.Kind {
		case strata.DocumentNote:
			paths = append(paths, v.Path) // its line in an index
		case strata.DocumentSkill:
			hooks = append(hooks, v.Description) // its line in a snapshot
		}
	}
	all := append(slices.Clone(parts), whole...)
	s.Names, s.Text, s.Said = normalized(names), TextsOf(all), TextsOf(append(paths, all...))
	s.Shown = newTexts(append(leads(hooks), normalized(append(paths, all...))...))
	return s
}

// normalized returns the texts normalized, each once, without empty ones.
func normalized(list []string) []string {
	var out []string
	for _, s := range list {
		if n := text.Normalize(s); n != "" {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// leadChars is how much of the beginning of a text distinguishes it from others, in
// characters. What a session is shown of a long text is longer.
const leadChars = 64

// leads returns how texts begin in a snapshot and in a learning: a long text may be
// cut there, and what could be markup is defused. They are normalized.
func leads(texts []string) []string {
	var out []string
	for _, s := range texts {
		for _, harmless := range []string{fence.Line(s), fence.Neutral(s, len(s))} {
			lead := []rune(text.Normalize(harmless))
			if s := strings.TrimSpace(string(lead[:min(len(lead), leadChars)])); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}
