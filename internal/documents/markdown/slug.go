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
	slugHash = 6  // bytes of the hash, written as hexadecimal digits
)

// notSlug matches names that cannot be slugs on some file system: that of the index in
// another case, and device names.
var notSlug = lazyregexp.New(`^(memory|con|prn|aux|nul|clock\$|(com|lpt)[0-9])$`)

// Slug returns a title in a form that can be part of a file name in every file system: 1
// to 80 bytes of lower-case ASCII letters, digits, dashes, and Chinese, Japanese and
// Korean letters. Titles that differ only in case, white space and punctuation have the
// same slug; other titles have different ones. If other letters, emoji or signs such as +
// are lost, or the title is too long, a hash of the whole title is appended. The slug of
// a slug is itself.
func Slug(title string) string { return slugOf(title, eastAsian) }

// FormerSlug returns the slug that earlier versions gave a title, without Chinese,
// Japanese and Korean letters. For most titles it is the same.
func FormerSlug(title string) string { return slugOf(title, func(rune) bool { return false }) }

// eastAsian reports whether a letter is Chinese, Japanese or Korean. The prolonged sound
// mark belongs to two scripts and is listed separately.
func eastAsian(r rune) bool {
	return r == 'ー' || unicode.IsLetter(r) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo)
}

// slugOf returns the slug of a title. kept reports which letters besides ASCII are kept.
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

// cutSlug truncates a slug, at a dash if there is one near.
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

// ParseNotePath is the inverse of [NotePath]. It returns false for other paths.
func ParseNotePath(p string) (t strata.Type, slug string, ok bool) {
	base, inNotes := strings.CutPrefix(p, strata.NotesDir)
	base, isMarkdown := strings.CutSuffix(base, ".md")
	kind, slug, cut := strings.Cut(base, "_")
	if !inNotes || !isMarkdown || !cut || slug == "" || strings.Contains(slug, "/") || strata.Type(kind).Validate() != nil {
		return "", "", false
	}
	return strata.Type(kind), slug, true
}

// stem returns the base name of a file without ".md".
func stem(p string) string { return strings.TrimSuffix(path.Base(p), ".md") }
