package secretscan

import (
	"regexp"
	"strings"
	"sync"

	"github.com/strata-memory/strata/internal/text"
)

// isSecret reports whether v is a secret rather than a description of one, a
// reference to one, or code that handles one.
func (v *value) isSecret() bool {
	s := v.text
	if v.how == adjacent && !strings.ContainsAny(s, "0123456789") {
		return false // the common case by far: "password policy", "token limit"
	}
	switch v.label.class {
	case classCVV:
		return isNumber(s, 3, 4) && v.goesOn()
	case classIdentity:
		return identityNumber().MatchString(s)
	case classPhrase:
		if v.label.seed {
			return false // see labeled
		}
	}
	if len(s) < 4 || isPlaceholder(s) || isNumeral(s) || isReference(s) || isCommonWord(s) || isTechnical(s) {
		return false
	}
	if !v.quoted && (isCode(s) || strings.HasPrefix(v.tail, "(")) {
		return false
	}
	if v.how == compared && (!v.quoted || v.checked) {
		return false
	}
	c := classify(s)
	switch v.label.class {
	case classPIN:
		return isNumber(strings.TrimRight(s, "#*"), 4, 8) && (v.quoted || v.goesOn())
	case classKey:
		return v.isKey(c)
	default:
		return v.isPassword(c)
	}
}

// isNumber reports whether s is a number of that many digits.
func isNumber(s string, fewest, most int) bool {
	return len(s) >= fewest && len(s) <= most && strings.Trim(s, "0123456789") == ""
}

// identityNumber matches social security numbers of the United States.
var identityNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{3}([- ]?)\d{2}([- ]?)\d{4}$`)
})

// isKey judges what machines make. Plain words and counters, which are what
// "token" and "key" usually introduce, are not it.
func (v *value) isKey(c counts) bool {
	s := v.text
	if strings.ContainsAny(s, " \t") || c.foreign > 0 || isVersionOrDate(s) {
		return false
	}
	shortest := 6
	if v.spacedEquals || v.how == stated || v.how == changed || v.how == flagged || v.how == nextLine {
		shortest = 8
	}
	if len(s) < shortest || mentionsLabel(s) {
		return false
	}
	if v.how == adjacent && (len(s) < 10 || c.digits < 3 || c.letters < 3 || isWordy(strings.TrimRight(s, "0123456789"))) {
		return false
	}
	if c.digits > 0 && (c.letters > 0 || c.symbols > 0) {
		return c.symbols > 0 || strings.HasSuffix(s, "!") || !isWordy(s)
	}
	if v.label.after != nil && len(s) >= 16 && c.letters == len(s) && c.inner == 0 && (v.quoted || !v.spacedEquals) {
		return true // no word is that long
	}
	// Without digits, only what is long and mixes cases more than names do.
	return len(s) >= 20 && c.upper*4 >= c.letters && c.upper < c.letters
}

// hyphenated reports whether s is words with hyphens between them, a capital and a
// number, as people make passwords that they can remember. Names of things, such as
// build-2024, have no capital.
func hyphenated(s string, c counts) bool {
	return strings.Contains(s, "-") && c.digits > 0 && c.upper > 0 && c.upper < c.letters && !isVersionOrDate(s)
}

// isPassword judges what people choose.
func (v *value) isPassword(c counts) bool {
	s := v.text
	switch {
	case strings.ContainsAny(s, " \t"): // only a quoted one can hold them
		return isPhrase(s)
	case isDigit(s[0]) && measure().MatchString(s):
		return false
	case c.digits == len(s):
		return !v.label.bare && (v.quoted || v.goesOn())
	case v.label.bare && v.tight:
		return (c.digits > 0 || v.withUser && len(s) >= 6) && c.letters > 0 && v.endsStatement()
	case v.label.bare:
		return v.quoted && (c.digits > 0 || c.symbols > 0) || c.symbols+strings.Count(s, "!") > 0 && c.digits > 0
	case v.how == adjacent:
		mixed := c.upper > 1 && c.upper < c.letters || c.inner > 0
		if hyphenated(s, c) {
			return true
		}
		return c.digits > 0 && c.letters > 0 && (c.symbols > 0 || strings.HasSuffix(s, "!") || mixed && !isWordy(s))
	case v.how == changed || v.how == flagged || v.how == nextLine:
		return (c.digits > 0 && c.letters+c.foreign > 0 && len(s) >= 6 || c.symbols > 0) && (v.how != nextLine || v.endsStatement())
	case c.digits > 0 && c.letters+c.foreign+c.symbols > 0, c.symbols > 0:
		return !(v.how == stated && isWordy(s) && strings.ContainsAny(s, "-_")) || hyphenated(s, c)
	case c.letters != len(strings.TrimRight(s, "!?-_")):
		return false // a word of another script, a snake_case name, a sentence
	case mentionsLabel(s):
		return false
	case v.quoted:
		return true
	case v.how == stated:
		return v.own && c.upper == 0 && len(s) >= 5 && v.endsStatement() && !isDescriptive(s)
	case v.spacedEquals:
		return false // a variable
	case c.inner > 0: // CorrectHorse; a name such as workDir is a variable
		return v.endsStatement() && s[0] <= 'Z'
	default:
		return c.upper == 0 && len(s) >= 5 && v.endsStatement() && !isDescriptive(s)
	}
}

// isNumeral reports whether s is a hexadecimal constant of a program, or escaped
// characters.
func isNumeral(s string) bool {
	const longest = len("-0x0123456789abcdef")
	digits, hex := strings.CutPrefix(strings.TrimPrefix(s, "-"), "0x")
	return hex && len(s) <= longest && strings.Trim(digits, "0123456789abcdefABCDEF") == "" || strings.HasPrefix(s, `\u`)
}

// measure matches numbers that describe a password: 100%, 8-16, 2nd, 1,000.
var measure = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\d+%|\d+\+?[-–]\d+\+?|\d+\+|\d+(?:st|nd|rd|th)|\d{1,3}(?:,\d{3})+|\d+(?:-?(?:chars?|characters?|digits?|bits?|days?|hours?|min|minutes?|bytes?)))$`)
})

// versionOrDate matches what else is made of digits and letters by convention.
var versionOrDate = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:v?\d+(?:\.\d+)+(?:-[\w.]{1,12})?|\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\d+(?:\.\d+)?(?:ms|s|m|h|d|k|kb|mb|gb|tokens?)|[\d.,]+)$`)
})

func isVersionOrDate(s string) bool {
	return len(s) <= 40 && versionOrDate().MatchString(strings.ToLower(s))
}

// isWordy reports whether s is made of words, as identifiers and file names
// are: pieces of letters only, or with a small number at the end.
func isWordy(s string) bool {
	for _, piece := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-_./:", r) }) {
		word := strings.TrimRight(piece, "0123456789")
		digits := len(piece) - len(word)
		if digits > 2 || classify(word).digits > 0 {
			return false
		}
	}
	return true
}

// maxPhrase bounds an unquoted passphrase, in bytes.
const maxPhrase = 256

// isPhrase reports whether s is a passphrase: three words or more, none of them
// one that holds sentences together, and few that describe passwords.
func isPhrase(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t-.", r) })
	common := 0
	for _, w := range words {
		w = strings.ToLower(strings.Trim(w, ",;:!?"))
		if text.IsStop(w) || w == "not" || w == "no" {
			return false
		}
		if isCommonWord(w) {
			common++
		}
	}
	return len(words) >= 3 && 3*common <= len(words)
}

// phraseLength returns the length of the passphrase that a text begins with:
// four plain words or more up to the end of the line, or of the sentence that
// states it. 0 if there is none.
func phraseLength(s string, how introduction) int {
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		s = s[:i]
	}
	if i := strings.Index(s, ". "); i >= 0 && how == stated {
		s = s[:i]
	}
	s = strings.TrimRight(s, " \t.,;\"'")
	if strings.Count(s, " ") < 3 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz ") != "" || !isPhrase(s) {
		return 0
	}
	for w := range strings.FieldsSeq(s) {
		if how == stated && isDescriptive(w) {
			return 0
		}
	}
	return len(s)
}
