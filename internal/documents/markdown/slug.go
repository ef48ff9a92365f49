package markdown

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text/lazyregexp"

	"golang.org/x/text/unicode/norm"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

const (
	maxSlug  = 80 // bytes
	keptSlug = 60 // bytes of a longer one that are kept before its hash
	slugHash = 6  // bytes of the hash, written as twice as many digits
)

// notSlug matches what is no slug on some disk: the index of another name, and
// the names of devices.
var notSlug = lazyregexp.New(`^(memory|con|prn|aux|nul|clock\$|(com|lpt)[0-9])$`)

// Slug returns the name of a title as it can be in the name of a file on
// every disk: 1 to 80 bytes of small letters, digits, dashes, and the letters of
// Chinese, Japanese and Korean. Titles that differ only in case, white space and
// punctuation have the same slug, others another one: where other letters, emoji
// or signs such as + are lost, or the title is too long, a hash of the whole
// title follows. A slug is its own slug.
func Slug(title string) string { return slugOf(title, eastAsian) }

// FormerSlug is the slug that earlier versions gave a title, in which letters of
// Chinese, Japanese and Korean were lost. Of most titles it is the same.
func FormerSlug(title string) string { return slugOf(title, func(rune) bool { return false }) }

// eastAsian reports whether a letter is one of Chinese, Japanese or Korean. The
// mark of a long vowel is shared by two scripts.
func eastAsian(r rune) bool {
	return r == 'ー' || unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo)
}

// slugOf is the slug of a title in which some other letters are kept.
func slugOf(title string, kept func(rune) bool) string {
	title = text.Normalize(title)
	var letters strings.Builder
	for _, r := range title {
		if kept(r) {
			letters.WriteRune(r)
		} else {
			letters.WriteString(norm.NFKD.String(string(r)))
		}
	}
	var b strings.Builder
	lost := false
	for _, r := range letters.String() {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9', kept(r):
			b.WriteRune(r)
		case r == '\'' || r == '’': // it's -> its
		case unicode.IsSpace(r), unicode.IsPunct(r) && !strings.ContainsRune("#%&@*", r):
			b.WriteByte('-')
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != '\u200d':
		default:
			lost = true
		}
	}
	slug := strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == '-' }), "-")
	if len(slug) > maxSlug {
		slug, lost = cutSlug(slug), true
	}
	if !lost && slug != "" && !notSlug.MatchString(slug) {
		return slug
	}
	if len(slug) > keptSlug {
		slug = cutSlug(slug)
	}
	sum := sha256.Sum256([]byte(title))
	hash := hex.EncodeToString(sum[:slugHash])
	if slug == "" {
		return hash
	}
	return slug + "-" + hash
}

// cutSlug shortens a slug, at a dash where one is near.
func cutSlug(s string) string {
	n := keptSlug
	for !utf8.RuneStart(s[n]) {
		n--
	}
	s = s[:n]
	if i := strings.LastIndexByte(s, '-'); i > keptSlug/2 {
		s = s[:i]
	}
	return strings.TrimRight(s, "-")
}

// NotePath returns the path of a note: notes/<type>_<slug>.md.
func NotePath(t strata.Type, slug string) string {
	return strata.NotesDir + string(t) + "_" + slug + ".md"
}

// ParseNotePath is the inverse of [NotePath]; false for a path of another form.
func ParseNotePath(p string) (t strata.Type, slug string, ok bool) {
	base, inNotes := strings.CutPrefix(p, strata.NotesDir)
	base, isMarkdown := strings.CutSuffix(base, ".md")
	kind, slug, cut := strings.Cut(base, "_")
	if !inNotes || !isMarkdown || !cut || slug == "" || strings.Contains(slug, "/") || strata.Type(kind).Validate() != nil {
		return "", "", false
	}
	return strata.Type(kind), slug, true
}

// stem is the name of a file without its ending.
func stem(p string) string { return strings.TrimSuffix(path.Base(p), ".md") }
