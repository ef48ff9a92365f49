package secrets

import (
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// longestSentence is where a sentence without an end is cut, in bytes.
const longestSentence = 600

// sentences assigns the words of a text to its sentences. It drops words that count only
// in certain positions and are elsewhere.
func sentences(text string, words []lexeme) []sentence {
	var out []sentence
	begin := 0
	for len(words) > 0 {
		end := sentenceEnd(text, begin)
		n := 0
		for n < len(words) && words[n].start < end {
			n++
		}
		if s := (sentence{start: begin, words: inPlace(text, begin, words[:n])}); len(s.words) > 0 {
			s.words = addresses(text[begin:end], begin, s.words)
			out = append(out, s)
		}
		words, begin = words[n:], end
	}
	return out
}

// sentenceEnd returns the end of the sentence that begins at begin: after its
// punctuation, before an empty line, or before a line that begins with a mark.
func sentenceEnd(text string, begin int) int {
	limit := min(len(text), begin+longestSentence)
	for i := begin; i < limit; i++ {
		switch c := text[i]; {
		case c == '!' || c == '?':
			return i + 1
		case c == '.' && (i+1 == len(text) || isSpace(text[i+1]) || strings.IndexByte(`"')]>`, text[i+1]) >= 0):
			return i + 1
		case c == '\n' && i > begin && i+1 < len(text) && strings.IndexByte("\n-*#>|<[{", text[i+1]) >= 0:
			return i + 1
		case c == 0xe3 && strings.HasPrefix(text[i:], "。"):
			return i + len("。")
		}
	}
	for limit < len(text) && !utf8.RuneStart(text[limit]) {
		limit++
	}
	return limit
}

// inPlace drops the words that count only at the beginning of a line, before a colon, and
// are elsewhere.
func inPlace(text string, begin int, words []lexeme) []lexeme {
	out := words[:0:0]
	for _, w := range words {
		if w.class&(speaker|asks|answers) == 0 || announces(text, begin, w) {
			out = append(out, w)
		}
		if w.class&(machine|servant) != 0 && isCalled(text, begin, w) {
			out = append(out, lexeme{calls, w.start, w.end})
		}
	}
	return out
}

// isCalled reports whether a sentence begins by naming its addressee.
func isCalled(text string, begin int, w lexeme) bool {
	return strings.Trim(text[begin:w.start], decoration) == "" && w.end < len(text) && strings.IndexByte(",:!", text[w.end]) >= 0
}

// decoration may surround the name of a speaker.
const decoration = " \t\r\n#*_>[](){}<-=~|`\"'"

// announces reports whether a word is where a transcript names the speaker.
func announces(text string, begin int, w lexeme) bool {
	line := max(begin, strings.LastIndexByte(text[:w.start], '\n')+1)
	before := text[line:w.start]
	if strings.Trim(before, decoration) != "" && !(w.class == speaker && isUpper(text[w.start:w.end])) {
		return false
	}
	after := strings.TrimLeft(text[w.end:min(len(text), w.end+8)], decoration)
	bracketed := w.class == speaker && strings.HasSuffix(before, "[") && strings.HasPrefix(text[w.end:], "]")
	return bracketed || strings.HasPrefix(after, ":")
}

// isUpper reports whether a text has letters but no lower-case ones, like shouting.
func isUpper(s string) bool { return strings.ToUpper(s) == s && strings.ToLower(s) != s }

var mailAddress = lazyregexp.New(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)

// addresses adds a mail address to the words of a sentence that sends a secret, and drops
// addresses that something comes from.
func addresses(sentence string, begin int, words []lexeme) []lexeme {
	var have wordClass
	kept := words[:0:0]
	for _, w := range words {
		if w.class == address && comesFrom.MatchString(sentence[max(0, w.start-begin-6):w.start-begin]) {
			continue
		}
		if w.class == address {
			for end := w.end - begin; end < len(sentence) && !isSpace(sentence[end]) && strings.IndexByte("\"'<>()", sentence[end]) < 0; end++ {
				w.end++
			}
		}
		have |= w.class
		kept = append(kept, w)
	}
	if have&send == 0 || have&secret == 0 || !strings.Contains(sentence, "@") {
		return kept
	}
	if m := mailAddress.FindStringIndex(sentence); m != nil {
		i := 0
		for i < len(kept) && kept[i].start < begin+m[0] {
			i++
		}
		kept = append(kept[:i], append([]lexeme{{address, begin + m[0], begin + m[1]}}, kept[i:]...)...)
	}
	return kept
}

// comesFrom matches the text before an address that something comes from.
var comesFrom = lazyregexp.New(`(?i)\b(?:from|von|aus|see|siehe)[\s<"']+$`)
