package secretscan

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Bounds on what may be between a label and its value, in bytes and words.
const (
	maxAside      = 40 // "password (production): x"
	maxOwnerWords = 6  // "the password for the staging server is x"
	maxOwnerWord  = 30
	maxLookBehind = 48
)

// bridge reads what connects the label at text[at:after] with its value, and
// returns how it does and where the value begins.
func (s *scanner) bridge(at, after int) (how introduction, from int) {
	text := s.text
	p := after
	for p < len(text) && p < after+5 && strings.IndexByte("\"'`]*\\", text[p]) >= 0 && !hasPrefix(text[p:], "'s ", false) {
		p++ // the end of a quoted or emphasized label
	}
	quoteEnd := p
	p = skipSpace(text, p)
	if p < len(text) && text[p] == '(' {
		if i := strings.IndexAny(text[p:min(p+maxAside, len(text))], ")\r\n"); i > 0 && text[p+i] == ')' {
			p = skipSpace(text, p+i+1)
		}
	}
	if how, from = separator(text, p); how != unrelated {
		if quoteEnd == after && s.endsLiteral(at, from) {
			return unrelated, 0
		}
		return how, from
	}
	if p == quoteEnd {
		switch {
		case p >= len(text):
			return unrelated, 0
		case hasPrefix(text[p:], "'s ", true), strings.HasPrefix(text[p:], "’s "):
			return stated, skipSpace(text, p+strings.IndexByte(text[p:], ' '))
		case text[p] == '>' && s.opensElement(at):
			return assigned, p + 1
		case text[p] >= utf8.RuneSelf:
			return particle(text, p)
		}
		return unrelated, 0
	}
	word := lowerWord(text, p)
	switch {
	case isCopula(word), word == "to" && strings.HasPrefix(s.text[at:], "has"): // Polish: hasło to x
		return stated, skipCopula(text, p)
	case isChange(word):
		if to := skipSpace(text, p+len(word)); lowerWord(text, to) == "to" {
			return changed, skipSpace(text, to+len("to"))
		}
	case isPreposition(word):
		if how, from = ownerBridge(text, p); how != unrelated {
			return how, from
		}
		if word == "to" || word == "a" || word == "en" || word == "auf" || word == "in" || word == "por" {
			if s.followsChange(at) {
				return changed, skipSpace(text, p+len(word))
			}
		}
	}
	if s.isFlag(at) {
		return flagged, p
	}
	return adjacent, p
}

// separator reads a sign of assignment or comparison at text[p:].
func separator(text string, p int) (how introduction, from int) {
	rest := text[p:]
	n := 0
	how = assigned
	switch {
	case strings.HasPrefix(rest, "::"):
		return unrelated, 0 // a path of a programming language
	case strings.HasPrefix(rest, "==="), strings.HasPrefix(rest, "!=="):
		n, how = 3, compared
	case strings.HasPrefix(rest, "=="), strings.HasPrefix(rest, "!="):
		n, how = 2, compared
	case strings.HasPrefix(rest, "=>"), strings.HasPrefix(rest, ":="), strings.HasPrefix(rest, "->"), strings.HasPrefix(rest, "- "):
		n = 2
	case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "="):
		n = 1
	case strings.HasPrefix(rest, "— "), strings.HasPrefix(rest, "– "):
		n = len("—")
	case strings.HasPrefix(rest, "："), strings.HasPrefix(rest, "＝"):
		n = len("：")
	default:
		return unrelated, 0
	}
	p = skipSpace(text, p+n)
	if strings.HasPrefix(text[p:], "**") { // the end of "**password:**"
		if next := skipSpace(text, p+2); next > p+2 || p > 0 && text[p-1] == ':' {
			p = next
		}
	}
	return how, p
}

// ownerBridge reads "for the staging server is" or "for staging:", up to a
// separator or a copula.
func ownerBridge(text string, p int) (how introduction, from int) {
	for range maxOwnerWords {
		end := p
		for end < len(text) && end-p < maxOwnerWord && strings.IndexByte(" \t\r\n:=\"'<>", text[end]) < 0 {
			end++
		}
		if end == p {
			return unrelated, 0
		}
		if how, from = separator(text, skipSpace(text, end)); how != unrelated {
			return how, from
		}
		next := skipSpace(text, end)
		if next == end {
			return unrelated, 0
		}
		if isCopula(lowerWord(text, next)) {
			return stated, skipCopula(text, next)
		}
		p = next
	}
	return unrelated, 0
}

// lowerWord returns the word that begins at text[p:], at most 16 bytes of it,
// in lower case.
func lowerWord(text string, p int) string {
	end := p
	for end < len(text) && end-p < 16 && (isLetter(text[end]) || text[end] >= utf8.RuneSelf) {
		end++
	}
	return lowerASCII(text[p:end])
}

func isPreposition(word string) bool {
	switch word {
	case "for", "to", "of", "on", "at", "in", "a", "en", "por", "de", "del", "para", "pour", "du", "für", "fürs", "von", "zu", "zum", "auf", "per", "do", "da", "della", "dello", "delle", "dei", "dos", "das", "van", "voor", "der", "des", "meiner", "meines", "unserer", "unseres", "od", "от", "к":
		return true
	}
	return false
}

func isCopula(word string) bool {
	switch word {
	case "is", "was", "are", "be", "has", "es", "era", "est", "était", "ist", "war", "lautet", "é", "è", "jest", "brzmi", "это", "هي", "هو":
		return true
	}
	return false
}

// isChange reports whether a word before "to" says that a secret got a value.
func isChange(word string) bool {
	switch word {
	case "changed", "set", "reset", "updated", "rotated":
		return true
	}
	return false
}

// skipCopula returns where the value begins after the copula at text[p:], past
// words such as "now" and "set to".
func skipCopula(text string, p int) int {
	p = skipSpace(text, p+len(lowerWord(text, p)))
	for range 4 {
		word := lowerWord(text, p)
		switch word {
		case "now", "still", "currently", "set", "reset", "changed", "been", "to", "ahora", "maintenant", "jetzt", "agora":
			next := skipSpace(text, p+len(word))
			if next == p+len(word) {
				return p
			}
			p = next
		default:
			if strings.HasPrefix(text[p:], ": ") {
				p += 2
			}
			return p
		}
	}
	return p
}

// particle reads what Chinese, Japanese and Korean put between a label and its
// value.
func particle(text string, p int) (how introduction, from int) {
	for _, w := range []string{"是", "为", "為", "は", "が", "는", "은", "가", "이"} {
		if strings.HasPrefix(text[p:], w) {
			p = skipSpace(text, p+len(w))
			if how, from := separator(text, p); how == assigned {
				return stated, from
			}
			return stated, p
		}
	}
	return unrelated, 0
}

// skipSpace returns the position after the blanks at text[p:]; line ends are
// not blanks.
func skipSpace(text string, p int) int {
	for p < len(text) {
		switch {
		case text[p] == ' ' || text[p] == '\t':
			p++
		case strings.HasPrefix(text[p:], "\u00a0"):
			p += len("\u00a0")
		case strings.HasPrefix(text[p:], "\u202f"):
			p += len("\u202f")
		default:
			return p
		}
	}
	return p
}

// further returns what may be the value when v, the first candidate, is not it:
// the value behind a type annotation, as in "password: str = 'x'", or the one on
// the next line, as after "password:" alone.
func (s *scanner) further(v value) value {
	end := v.start + len(v.text)
	next := skipSpace(s.text, end)
	out := value{label: v.label}
	switch {
	case v.text != "" && strings.HasPrefix(s.text[next:], "= "):
		out = s.value(next+2, assigned)
		out.spacedEquals = true
	case v.text == "" && strings.HasPrefix(strings.TrimPrefix(s.text[next:], "\r"), "\n"):
		next += strings.IndexByte(s.text[next:], '\n') + 1
		out = s.value(skipSpace(s.text, next), nextLine)
	}
	out.label = v.label
	return out
}

// endsLiteral reports whether the quote at text[from:] closes the string in which
// the label at at is, as in "PWD=" + dir: the value is not in the text.
func (s *scanner) endsLiteral(at, from int) bool {
	if from >= len(s.text) || s.text[from] != '"' && s.text[from] != '\'' {
		return false
	}
	for at > 0 && isWordByte(s.text[at-1]) {
		at--
	}
	return at > 0 && s.text[at-1] == s.text[from]
}

// opensElement reports whether the label at at ends the name of an XML element.
func (s *scanner) opensElement(at int) bool {
	from := max(0, at-maxLookBehind)
	i := strings.LastIndexByte(s.text[from:at], '<')
	return i >= 0 && !strings.ContainsAny(s.text[from+i:at], " />")
}

// isFlag reports whether the label at at ends a command line flag.
func (s *scanner) isFlag(at int) bool {
	word := s.text[max(0, at-maxLookBehind):at]
	word = word[strings.LastIndexAny(word, " \t\n'\"`")+1:]
	return strings.HasPrefix(word, "--")
}

// changeVerb matches verbs that say a secret got a new value.
var changeVerb = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:set|sets|setting|chang(?:e|ed|es|ing)|reset|updat(?:e|ed|ing)|cambi(?:a|é|ó|ado|ar)|chang(?:é|er)|mis|geändert|ändere)\b[^.!?\n]{0,30}$`)
})

func (s *scanner) followsChange(at int) bool {
	return changeVerb().MatchString(s.text[max(0, at-maxLookBehind):at])
}

// isOwn reports whether one of the three words before at makes the label
// somebody's own, as in "my wifi password".
func (s *scanner) isOwn(at int) bool {
	before := s.text[max(0, at-maxLookBehind):at]
	for range 3 {
		before = strings.TrimRight(before, " \t")
		i := strings.LastIndexAny(before, " \t\r\n\"'`(,.:;") + 1
		switch lowerASCII(before[i:]) {
		case "my", "our", "mi", "mon", "ma", "notre", "mein", "meine", "unser", "minha", "mio", "mia", "mijn", "ons", "moje", "nasze", "мой":
			return true
		}
		before = before[:i]
	}
	return false
}
