package secrets

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a normalized copy of a text in which threats are looked for: characters
// written to look like a word, or to hide one, become that word. If the text needs no
// folding, the copy is the text itself.
type folded struct {
	text string
	// The run that begins at at[i] in the copy is at at[i]+from[i] in the original.
	at, from []int
}

// fold returns the copy. It drops invisible characters, replaces mathematical, full-width
// and circled letters by plain ones, removes accents, and lowers the case of letters
// beyond ASCII. In a word of several scripts it replaces letters that look like Latin
// ones by those.
func fold(text string) folded {
	if !needsFolding(text) {
		return folded{text: text}
	}
	f := folder{out: make([]byte, 0, len(text))}
	for i := 0; i < len(text); {
		if end := wordEnd(text, i); end > i {
			mixed := isMixed(text[i:end])
			for i < end {
				i += f.add(text, i, mixed)
			}
			continue
		}
		i += f.add(text, i, false)
	}
	f.folded.text = string(f.out)
	return f.folded
}

// origin maps the offset i in the copy to the original.
func (f folded) origin(i int) int {
	n := sort.SearchInts(f.at, i+1)
	if n == 0 {
		return i
	}
	return i + f.from[n-1]
}

// end maps the end offset i in the copy to the original.
func (f folded) end(i int) int {
	n := sort.SearchInts(f.at, i)
	if n == 0 {
		return i
	}
	return i + f.from[n-1]
}

func needsFolding(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= utf8.RuneSelf || c < 0x20 && isInvisible(rune(c)) {
			return true
		}
	}
	return false
}

type folder struct {
	folded
	out []byte
}

// add appends the folded character at text[i:] to the copy, and returns its size in text.
func (f *folder) add(text string, i int, mixed bool) int {
	r, n := utf8.DecodeRuneInString(text[i:])
	if isInvisible(r) {
		return n
	}
	if shift := i - len(f.out); shift != f.shift() {
		f.at, f.from = append(f.at, len(f.out)), append(f.from, shift)
	}
	if r < utf8.RuneSelf {
		f.out = append(f.out, byte(r))
		return n
	}
	whole := text[i : i+n]
	if parts := norm.NFKD.PropertiesString(whole).Decomposition(); parts != nil {
		whole = string(parts)
	}
	for _, r := range whole {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		if latin, ok := lookalikes[r]; ok && mixed {
			r = latin
		}
		if r >= utf8.RuneSelf {
			r = unicode.ToLower(r)
		}
		f.out = utf8.AppendRune(f.out, r)
	}
	return n
}

func (f *folder) shift() int {
	if n := len(f.from); n > 0 {
		return f.from[n-1]
	}
	return 0
}

// wordEnd returns the end of the word that begins at text[i:], or i if there is none.
// Invisible characters do not end a word.
func wordEnd(text string, i int) int {
	end := i
	for j := i; j < len(text); {
		r, n := utf8.DecodeRuneInString(text[j:])
		if !isWordRune(r) && (!isInvisible(r) || j == i) {
			break
		}
		j += n
		end = j
	}
	return end
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isLetter(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

// isMixed reports whether a word has both Latin letters and look-alikes.
func isMixed(word string) bool {
	latin, other := false, false
	for _, r := range word {
		_, alike := lookalikes[r]
		other = other || alike
		latin = latin || r < utf8.RuneSelf && isLetter(byte(r))
	}
	return latin && other
}

// lookalikes maps Cyrillic, Greek and Armenian letters to the Latin ones they look like.
// Source: the confusables of Unicode Technical Standard 39.
var lookalikes = func() map[rune]rune {
	out := make(map[rune]rune)
	for _, pair := range strings.Fields("аa вb сc ԁd еe ғf ԍg һh іi јj кk ӏl мm пn оo рp ԛq гr ѕs тt υu ѵv ѡw хx уy зz " +
		"АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX УY " +
		"αa βb γy ιi κk νv οo ρp τt χx ωw ηn εe ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX " +
		"օo ոn սu հh զq ցg") {
		from, n := utf8.DecodeRuneInString(pair)
		to, _ := utf8.DecodeRuneInString(pair[n:])
		out[from] = to
	}
	return out
}()
