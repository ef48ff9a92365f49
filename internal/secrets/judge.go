package secrets

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/strata-memory/strata/internal/text/grammar"
)

// isSecret reports whether v is a secret rather than a description of one, a
// reference to one, or code that handles one.
func (v *value) isSecret() bool {
	s := v.text
	if v.how == adjacent && !v.quoted && !strings.ContainsAny(s, "0123456789") && randomness(s) <= randomEnough {
		return false // by far the most common case: "password policy", "token limit"
	}
	switch v.label.class {
	case classCVV:
		return isNumber(s, 3, 4) && v.goesOn()
	case classIdentity:
		return identityNumber().MatchString(s)
	case classPhrase:
		if v.label.seed {
			return false // handled in introduced
		}
	}
	if len(s) < 4 || isPlaceholder(s) || isNumeral(s) || isReference(s) || isTechnical(s) || isLabelWord(s) || isCommonWord(s) && !v.isLogin() {
		return false
	}
	if v.prose() && isTicket(s) {
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
		return (isNumber(strings.TrimRight(s, "#*"), 4, 8) || dial().MatchString(s)) && (v.quoted || v.goesOn())
	case classKey:
		return v.isKey(c)
	default:
		return v.isPassword(c)
	}
}

// prose reports whether a sentence states the value.
func (v *value) prose() bool {
	return v.how == stated || v.how == told || v.how == revealed || v.how == changed || v.how == adjacent
}

// isLogin reports whether the value is a common word that people use as a password, in a
// place where only a value can be: an environment variable or a connection string.
func (v *value) isLogin() bool {
	if !v.variable && !v.field {
		return false
	}
	switch strings.ToLower(v.text) {
	case "admin", "test", "testing", "demo", "sample", "user", "users", "login", "letters", "secure", "simple":
		return true
	}
	return false
}

// isStriking reports whether the value cannot be a word: it contains digits or symbols,
// its letters look random, or it changes case inside.
func (v *value) isStriking() bool {
	c := classify(v.text)
	return c.digits > 0 && c.letters+c.foreign > 0 || c.symbols > 0 || c.inner > 1 || isRandom(v.text) || v.label.class == classPIN && c.digits > 0
}

// ticket matches ticket numbers, times and the like.
var ticket = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Z]{2,10}-\d{1,6}|\d{1,2}(?::\d\d)?(?:am|pm|h|Uhr)|#\d+|v\d+)$`)
})

func isTicket(s string) bool { return len(s) <= 20 && ticket().MatchString(s) }

// dial matches the combination of a lock.
var dial = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d\d?(?:-\d\d?){2,3}$`) })

// isNumber reports whether s consists of fewest to most digits.
func isNumber(s string, fewest, most int) bool {
	return len(s) >= fewest && len(s) <= most && strings.Trim(s, "0123456789") == ""
}

// identityNumber matches United States social security numbers.
var identityNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d{3}([- ]?)\d{2}([- ]?)\d{4}$`)
})

// isKey reports whether a value is a machine-generated key. Plain words and counters,
// which usually follow "token" and "key", are not.
func (v *value) isKey(c counts) bool {
	s := v.text
	if strings.ContainsAny(s, " \t") || c.foreign > 0 || isVersionOrDate(s) {
		return false
	}
	shortest := 6
	if v.spacedEquals || v.prose() || v.how == flagged || v.how == nextLine {
		shortest = 8
	}
	if v.label.variable && v.spacedEquals && !v.quoted || v.how == nextLine && len(s) < 16 {
		return false // a constant in a program, or a table cell
	}
	if v.variable && !v.spacedEquals && c.letters == len(s) && !grammar.Describes(s) && !mentionsLabel(s) {
		return true // an environment variable contains nothing else
	}
	if len(s) < shortest || mentionsLabel(s) {
		return false
	}
	if isRandom(s) {
		return len(s) >= 8
	}
	if (v.how == adjacent || v.how == told || v.how == revealed) && (len(s) < 10 || c.digits < 3 || c.letters < 3 || isWordy(strings.TrimRight(s, "0123456789"))) {
		return false
	}
	if c.digits > 0 && (c.letters > 0 || c.symbols > 0) {
		return c.symbols > 0 || strings.HasSuffix(s, "!") || !isWordy(s) || v.field && len(s) >= 10 || isRandom(strings.TrimRight(s, "0123456789"))
	}
	if v.label.after != nil && len(s) >= 16 && c.letters == len(s) && c.inner == 0 && (v.quoted || !v.spacedEquals) {
		return true // no word is that long
	}
	// Without digits, only a long value that mixes cases more than names do counts.
	return len(s) >= 20 && c.upper*4 >= c.letters && c.upper < c.letters
}

// hyphenated reports whether s consists of hyphenated words with a capital and a number,
// like the passwords that people choose to remember. Names of things, such as build-2024,
// have no capital.
func hyphenated(s string, c counts) bool {
	return strings.Contains(s, "-") && c.digits > 0 && c.upper > 0 && c.upper < c.letters && !isVersionOrDate(s)
}

// isPassword reports whether a value is a password that a person chose.
func (v *value) isPassword(c counts) bool {
	s := v.text
	switch {
	case strings.ContainsAny(s, " \t"): // only a quoted value can have spaces
		return isPhrase(s)
	case isDigit(s[0]) && measure().MatchString(s):
		return false
	case c.digits == len(s):
		return !v.label.bare && !v.label.everyday && (v.quoted || v.goesOn()) && v.how != told && v.how != revealed
	case v.field:
		return !grammar.Describes(s)
	case v.label.bare && v.tight:
		return (c.digits > 0 || v.withUser && len(s) >= 6 || isRandom(s)) && c.letters > 0 && v.endsStatement()
	case v.label.bare:
		return v.quoted && (c.digits > 0 || c.symbols > 0) || c.symbols+strings.Count(s, "!") > 0 && c.digits > 0 || v.how == assigned && isRandom(s)
	case c.digits > 0 || c.symbols > 0:
		return v.isMixedPassword(c)
	}
	return v.isWordPassword(c)
}

// isMixedPassword is isPassword for values with digits or symbols.
func (v *value) isMixedPassword(c counts) bool {
	s := v.text
	switch v.how {
	case adjacent:
		mixed := c.upper > 1 && c.upper < c.letters || c.inner > 0
		return hyphenated(s, c) || c.digits > 0 && c.letters > 0 && (c.symbols > 0 || strings.HasSuffix(s, "!") || mixed && !isWordy(s) || v.quoted)
	case changed, flagged, nextLine, told, revealed:
		return (c.digits > 0 && c.letters+c.foreign > 0 && len(s) >= 6 || c.symbols > 0) && (v.how != nextLine || v.endsStatement())
	case stated:
		return c.letters+c.foreign+c.symbols > 0 && (!isWordy(s) || !strings.ContainsAny(s, "-_") || hyphenated(s, c))
	}
	return c.letters+c.foreign+c.symbols > 0
}

// isWordPassword is isPassword for values of letters only, which may be ordinary words.
// In a sentence, a password is the last word of its clause and does not describe
// anything; after a sign it is all there is.
func (v *value) isWordPassword(c counts) bool {
	const shortestWord = 5
	s := v.text
	word := strings.TrimRight(s, "!?-_")
	if !isWritten(word) || mentionsLabel(s) {
		return false // a snake_case name, a sentence in another script
	}
	if isRandom(word) {
		return v.how != nextLine || v.endsStatement()
	}
	if v.label.everyday && !v.quoted {
		return false
	}
	if v.variable && !v.spacedEquals && !grammar.Describes(word) {
		return true
	}
	if grammar.IsDescription(word, v.copula, v.label.language) || len(word) < shortestWord && !v.quoted {
		return false
	}
	switch v.how {
	case stated, told:
		return v.quoted || v.goesOn()
	case revealed:
		return true // revealed checks the rest
	case adjacent:
		return v.quoted
	case nextLine:
		return false
	case changed:
		return v.quoted || v.copula != "" && v.label.grammar().Into[v.copula] && v.goesOn()
	case flagged:
		return v.quoted || v.endsStatement() || strings.HasPrefix(v.tail, " -")
	}
	switch {
	case v.quoted:
		return true
	case v.spacedEquals && !v.setting:
		return false // a variable
	case c.inner > 0: // CorrectHorse; a name like workDir is a variable
		return v.endsStatement() && s[0] <= 'Z' || v.line && !v.spacedEquals
	}
	return v.endsStatement()
}

// isWritten reports whether s consists of letters in a script in which people write
// passwords.
func isWritten(s string) bool {
	for _, r := range s {
		if !unicode.In(r, unicode.Latin, unicode.Cyrillic) {
			return false
		}
	}
	return s != ""
}

// isNumeral reports whether s is a hexadecimal constant in a program, or escaped
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

// versionOrDate matches other conventional combinations of digits and letters.
var versionOrDate = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:v?\d+(?:\.\d+)+(?:-[\w.]{1,12})?|\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\d+(?:\.\d+)?(?:ms|s|m|h|d|k|kb|mb|gb|tokens?)|[\d.,]+)$`)
})

func isVersionOrDate(s string) bool {
	return len(s) <= 40 && versionOrDate().MatchString(strings.ToLower(s))
}

// isWordy reports whether s is made of words, as identifiers and file names are: of parts
// with only letters, or with a small number at the end.
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
