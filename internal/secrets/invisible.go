package secrets

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isInvisible reports whether r is invisible, so that it can be inside a word without a
// reader noticing: zero-width and bidirectional controls, joiners, fillers, variation
// selectors, tag characters, and control characters other than white space.
func isInvisible(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\t' && r != '\n' && r != '\r' && r != '\f' && r != '\v'
	case r < 0x7f:
		return false
	case r < 0xad:
		return r != 0x85 && r <= 0x9f // C1 controls, but not the line end NEL
	}
	switch r {
	case 0xad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x3164, 0xfeff, 0xffa0:
		return true
	}
	return 0x180b <= r && r <= 0x180d || // Mongolian variation selectors
		0x200b <= r && r <= 0x200f || // zero-width space and joiners, direction marks
		0x202a <= r && r <= 0x202e || // bidirectional embeddings and overrides
		0x2060 <= r && r <= 0x206f || // word joiner, invisible operators, isolates
		0xfe00 <= r && r <= 0xfe0f || // variation selectors
		0xfff9 <= r && r <= 0xfffb || // interlinear annotation
		0xe0000 <= r && r <= 0xe01ef // tags, further variation selectors
}

// origin maps offsets in a text without its invisible characters to offsets in the text
// itself. It has one entry for each run that was removed.
type origin struct {
	plain   []int // offset in the plain text where the run was
	removed []int // bytes removed up to and including the run
}

// at maps the offset i in the plain text to the original.
func (o *origin) at(i int) int {
	n := sort.SearchInts(o.plain, i+1)
	if n == 0 {
		return i
	}
	return i + o.removed[n-1]
}

// stripInvisible returns text without its invisible characters, and the mapping back,
// which is nil if there was nothing to remove.
func stripInvisible(text string) (string, *origin) {
	if !strings.ContainsFunc(text, isInvisible) {
		return text, nil
	}
	var b strings.Builder
	b.Grow(len(text))
	o := new(origin)
	removed := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !isInvisible(r) {
			b.WriteString(text[i : i+n])
			i += n
			continue
		}
		removed += n
		i += n
		if last := len(o.plain) - 1; last >= 0 && o.plain[last] == b.Len() {
			o.removed[last] = removed
			continue
		}
		o.plain = append(o.plain, b.Len())
		o.removed = append(o.removed, removed)
	}
	return b.String(), o
}

// hiddenThreats appends the runs of invisible characters in a text that have no
// legitimate use where they are. The text has some.
func hiddenThreats(out []Threat, text string) []Threat {
	rtl := strings.ContainsFunc(text, isRightToLeft)
	prev := rune(-1)
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if rule := hiddenRule(r); rule != "" && !isHonest(r, prev, text[:i], text[i+n:], rtl) {
			if last := len(out) - 1; last >= 0 && out[last].Rule == rule && out[last].End == i {
				out[last].End = i + n
			} else {
				out = append(out, Threat{Rule: rule, Start: i, End: i + n})
			}
		}
		prev = r
		i += n
	}
	return out
}

// hiddenRule returns the rule that r falls under, or "".
func hiddenRule(r rune) string {
	switch {
	case r < 0x2000 && r != 0x061c && r != 0x180e:
		return "" // copied text has control characters and soft hyphens
	case r == 0x061c, r == 0x200e, r == 0x200f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
		return "bidi-control"
	case isInvisible(r):
		return "invisible-character"
	}
	return ""
}

// isHonest reports whether an invisible character has a legitimate use: joining emoji or
// letters of a script that needs it, marking the direction of text with both directions,
// selecting the look of a character, or marking the start of a file.
func isHonest(r, prev rune, before, after string, rtl bool) bool {
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case r == 0x200c || r == 0x200d: // ZWNJ, ZWJ
		if joins(prev) && prev >= utf8.RuneSelf && unicode.In(prev, joiningScripts...) {
			return true
		}
		return r == 0x200d && isPictograph(prev) && isPictograph(next)
	case 0xfe00 <= r && r <= 0xfe0f || 0xe0100 <= r && r <= 0xe01ef || 0x180b <= r && r <= 0x180e:
		return prev >= 0 && !isInvisible(prev) && !unicode.IsSpace(prev)
	case 0xe0020 <= r && r <= 0xe007f: // regional flags: a black flag, letters, end
		return isRegionFlag(before)
	case r == 0x200e || r == 0x200f || r == 0x061c:
		return rtl
	case r == 0xfeff:
		return before == ""
	case r == 0x3164 || r == 0xffa0: // Hangul fillers next to Hangul
		return unicode.Is(unicode.Hangul, prev) || unicode.Is(unicode.Hangul, next)
	}
	return false
}

// joiningScripts are the scripts whose spelling uses ZWJ and ZWNJ.
var joiningScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
	unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

func joins(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

func isPictograph(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sk, unicode.Sm) && r >= 0x2000 || r == 0xfe0f
}

func isRightToLeft(r rune) bool {
	return r >= 0x590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// isRegionFlag reports whether before ends with a black flag and at most six tag
// characters, the longest region code.
func isRegionFlag(before string) bool {
	for range 7 {
		r, n := utf8.DecodeLastRuneInString(before)
		if r == 0x1f3f4 {
			return true
		}
		if r < 0xe0020 || r > 0xe007e {
			return false
		}
		before = before[:len(before)-n]
	}
	return false
}
