package forget

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// A Rename finds the name of a category whose name may have come from a forgotten
// text: it is a word of it. The name stays if a member that is left holds it too;
// else a concept tag of a member takes its place.
type Rename struct {
	name      []string // terms
	forgotten []string // those of the forgotten text
	successor string
}

// NewRename reports whether the words of a name are in a forgotten text, one
// after another, and returns the search for its successor.
func NewRename(name, forgotten string) (*Rename, bool) {
	r := &Rename{name: nameTerms(name), forgotten: nameTerms(forgotten)}
	return r, holds(r.forgotten, r.name)
}

// Member takes a member that is left into account, and reports whether the
// category keeps its name because of it.
func (r *Rename) Member(s string, tags []string) (keeps bool) {
	if holds(nameTerms(s), r.name) {
		return true
	}
	for _, tag := range tags {
		if r.successor == "" && strata.ValidateName("category", tag) == nil && !holds(r.forgotten, nameTerms(tag)) {
			r.successor = tag
		}
	}
	return false
}

// Name returns the successor; empty if no member has one.
func (r *Rename) Name() string { return r.successor }

// nameTerms are the terms by which names and texts are compared. A tag writes
// a hyphen where a text may have an underscore.
func nameTerms(s string) []string { return text.Terms(strings.ReplaceAll(s, "_", "-")) }

// holds reports whether terms hold those of a name, one after another.
func holds(terms, name []string) bool {
	if len(name) == 0 {
		return false
	}
	for i := 0; i+len(name) <= len(terms); i++ {
		if slices.Equal(terms[i:i+len(name)], name) {
			return true
		}
	}
	return false
}
