// Package forget decides what has to go when a memory is forgotten: which texts to search
// for, in which parts of the store, how they may be truncated or escaped there, and what
// replaces them. It works on values and has no access to the database. A store finds the
// candidates, asks this package, and deletes and overwrites.
//
// Texts are compared in the normal form of package internal/text. What a person or a
// program said, in a turn or a document, is removed if it contains the text as whole
// words: "cat" does not blank "concatenate". What memory derived from that, such as a
// snapshot or a reason, is removed if it contains the text anywhere.
package forget

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
)

// A Subject is a fact or a document to forget, with everything by which it is recognized.
type Subject struct {
	ID      string
	Path    string   // of a document; empty for a fact
	Names   []string // by which a document is requested: its paths, titles, and types with slugs
	Sources []string // ids of the turns from which a fact was learned
	// Wholly means that the source turns are blanked entirely, whatever else they say.
	Wholly bool
	// Whole holds the normalized texts that the store marks as forgotten, each as a
	// whole: all versions of a fact and the sentences that said them.
	Whole []string
	Text  Texts // everything that it said
	Said  Texts // Text and the paths of a note, by which turns and files refer to it
	Shown Texts // Said and its beginnings, as snapshots and learnings show them
	// Values are the words that identify a fact in any wording; none for a document.
	Values Values
	// Home holds the conversations in which it was told, keyed by [Session].
	Home map[string]bool
}

// Session returns the key of a conversation in [Subject.Home].
func Session(scope strata.Scope, session string) string { return scope.Key() + "/" + session }

// Where returns how a turn relates to the subject: whether it is one of its sources, or
// is in a conversation in which it was told.
func (s Subject) Where(scope strata.Scope, session, turn string) Where {
	switch {
	case slices.Contains(s.Sources, turn):
		return Source
	case s.Home[Session(scope, session)]:
		return Told
	}
	return Anywhere
}

// Path returns what replaces the path of a forgotten document once its file is gone. The
// path itself may tell what the document was about.
func Path(documentID string) string { return "forgotten/" + documentID + ".md" }

// Telling describes how a fact was told, for [Fact]. A nil Telling means that this is
// unknown.
type Telling struct {
	Sources []string // ids of the turns from which the fact was learned
	Sayings []string // the sentences that said it, as returned by [Sayings]
	Values  Values
	Home    map[string]bool // see [Subject]
}

// Fact returns the subject for forgetting all versions of a fact and the sentences that
// said them.
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

// Quoted returns the subject for forgetting known texts and the source turns of a fact.
// If told is nil, the source turns are blanked entirely.
func Quoted(texts []string, told *Telling, sources []string) Subject {
	s := Fact("", nil, told)
	s.Sources, s.Wholly = sources, told == nil
	s.Whole = normalized(texts)
	s.Text = newTexts(s.Whole)
	s.Said, s.Shown = s.Text, s.Text
	return s
}

// Document returns the subject for forgetting a document. whole and parts are the texts
// of all its versions. former holds its versions under other names; the Path of one is
// empty if another document has that path now.
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

// normalized returns the normalized texts, sorted, without duplicates and empty ones.
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

// leadChars is the length in characters of a beginning that distinguishes a text from
// others. Sessions are shown more than that of a long text.
const leadChars = 64

// leads returns the normalized beginnings of texts as snapshots and learnings show them,
// where long texts are truncated and possible markup is escaped.
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
