package topics

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/strata-memory/strata/internal/text"
)

// Version counts the changes of what [Derive] makes of a text. Tags that were kept of
// an earlier version may be made anew.
const Version = 1

const (
	// MaxTags is the most tags a text can have. More would say nothing about it.
	MaxTags = 8
	// MaxTagRunes is the length of the longest tag, in characters, not bytes: a
	// limit in bytes would cut scripts of three bytes a character at ten.
	MaxTagRunes = 32

	minTagRunes     = 3
	minTagRunesEast = 2 // in Chinese, Japanese and Korean, where two make a word
	maxScanned      = 16 << 10
)

// Derive returns the concept tags of a text, at most limit of them; a limit that
// is not between 1 and [MaxTags] means MaxTags. First come terms of a glossary
// in any of its languages, under one name; then compound names such as
// "src/main.rs"; then single words. Each group is in order of first occurrence,
// and no tag comes twice. Only the first 16 KiB of the text count.
func Derive(a *text.Analysis, limit int) []string { return read(a).tags(limit) }

// tags is [Derive] for a text that was read.
func (r reading) tags(limit int) []string {
	if limit < 1 || limit > MaxTags {
		limit = MaxTags
	}
	s, parted := r.composed, r.parted()
	set := tagSet{limit: limit, tags: make([]string, 0, limit)}
	for _, hit := range glossaryHits(s, parted) {
		set.add(hit)
	}
	for c := range compounds(s) {
		set.add(c)
	}
	for _, w := range parted.known {
		set.put(w.tag)
	}
	for _, run := range hanRuns(s) {
		set.add(run)
	}
	if len(set.tags) == 0 {
		return nil
	}
	return set.tags
}

// Tag returns the form in which s is a tag: NFKC, lower case, hyphens for
// underscores, nothing but letters and numbers at its ends. It is not ok if s
// cannot be a tag: too long, too short, a number, a date, a word that carries
// no subject, or several words.
func Tag(s string) (tag string, ok bool) {
	ascii := text.IsASCII(s)
	if !ascii {
		s = norm.NFKC.String(strings.ToValidUTF8(s, " "))
	}
	s = strings.TrimFunc(s, func(r rune) bool { return !isWordRune(r) })
	s = strings.ToLower(strings.ReplaceAll(s, "_", "-"))
	if s == "" || !ascii && !norm.NFKC.IsNormalString(s) || strings.ContainsFunc(s, unsuitable) {
		return "", false
	}
	n := utf8.RuneCountInString(s)
	shortest := minTagRunes
	if isEastern(s) {
		shortest = minTagRunesEast
	}
	if n < shortest || n > MaxTagRunes || !strings.ContainsFunc(s, unicode.IsLetter) {
		return "", false
	}
	if isDate(s) || text.IsStop(s) || isNoise(s) {
		return "", false
	}
	return s, true
}

// tagSet collects tags up to a limit, in order and without repeats.
type tagSet struct {
	limit int
	tags  []string
}

// add adds the tag that a candidate makes, if it makes one.
func (t *tagSet) add(candidate string) {
	if tag, ok := Tag(candidate); ok {
		t.put(tag)
	}
}

// put adds a tag; an empty one is none.
func (t *tagSet) put(tag string) {
	if tag != "" && len(t.tags) < t.limit && !slices.Contains(t.tags, tag) {
		t.tags = append(t.tags, tag)
	}
}

// isWordRune reports whether r belongs to words: a letter, a number, or a mark
// on one.
func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// unsuitable reports whether r keeps a string from being one name.
func unsuitable(r rune) bool {
	return !isWordRune(r) && r != '-' && r != '.' && r != '/' && r != '\'' && r != '’' && r != '·' && r != '・' || unicode.IsSpace(r)
}

// isEastern reports whether s is written in scripts where two characters make a
// word. Kana alone do not: a pair of them is mostly grammar.
func isEastern(s string) bool {
	return !text.IsASCII(s) && strings.ContainsFunc(s, func(r rune) bool {
		return r >= firstEastern && unicode.In(r, unicode.Han, unicode.Hangul)
	})
}

// firstEastern is the first letter of Chinese, Japanese and Korean, Hangul ᄀ.
const firstEastern = 0x1100

var datePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{4}[-./]\d{1,2}[-./]\d{1,2}(?:t[\d:.-]+z?)?(?:\.\w{1,8})?$`)
})

// isDate reports whether s is an ISO date, or a file named by one.
func isDate(s string) bool {
	return datePattern().MatchString(s)
}
