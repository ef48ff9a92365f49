package forget

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// A Rename finds a new name for a category whose name may come from a forgotten text. The
// category keeps its name if a remaining member contains it as well; otherwise it is
// named after a concept tag of a member.
type Rename struct {
	name      []string // terms
	forgotten []string // terms of the forgotten text
	successor string
}

// NewRename returns a search for the new name of a category and reports whether one is
// needed: whether the forgotten text contains the words of the name, in sequence.
func NewRename(name, forgotten string) (*Rename, bool) {
	r := &Rename{name: nameTerms(name), forgotten: nameTerms(forgotten)}
	return r, holds(r.forgotten, r.name)
}

// Member considers a remaining member of the category. It reports whether the category
// keeps its name because the member's text contains it.
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

// Name returns the new name, or "" if no member has a suitable tag.
func (r *Rename) Name() string { return r.successor }

// nameTerms returns the terms by which names and texts are compared. Underscores count as
// hyphens, which is what tags are written with.
func nameTerms(s string) []string { return text.Terms(strings.ReplaceAll(s, "_", "-")) }

// holds reports whether terms contains the terms of name in sequence.
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
