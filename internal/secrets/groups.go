package secrets

import (
	"regexp"
	"strings"
	"sync"
)

// Bounds on secrets that are written in groups.
const (
	fewestGroups = 3
	maxGroups    = 16
	maxGroup     = 10 // characters
	minGroup     = 3
)

// ungrouped removes the separators of groups.
var ungrouped = strings.NewReplacer(" ", "", "-", "")

// groupsLength returns the length of the grouped key that a text begins with, such as
// "abcd efgh ijkl mnop": three or more groups of the same length that contain digits or
// look random. It returns 0 if there is none.
func groupsLength(s string) int {
	size, count, end := 0, 0, 0
	for pos := 0; count < maxGroups; {
		n := 0
		for pos+n < len(s) && n <= maxGroup && isAlnum(s[pos+n]) {
			n++
		}
		if n < minGroup || n > maxGroup || count > 0 && n != size {
			break
		}
		size, count, end = n, count+1, pos+n
		pos = end
		if pos < len(s) && (s[pos] == ' ' || s[pos] == '-') {
			pos++
		} else {
			break
		}
	}
	if count < fewestGroups || end < len(s) && isWordByte(s[end]) {
		return 0
	}
	key := ungrouped.Replace(s[:end])
	c := classify(key)
	if c.letters == 0 && (count < 4 || size < 4) || c.digits == 0 && !isRandom(key) || isPlaceholder(s[:end]) {
		return 0
	}
	return end
}

// backupCode matches one of the recovery codes that a service hands out in case a second
// factor is lost: digits, or letters and digits, in one group or several.
var backupCode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,7}|\d{3,5} \d{3,5}(?: \d{3,5})*|[A-Za-z0-9]{6,32})`)
})

// codeSeparator matches the text between two codes: blanks, commas, or a line end with a
// list mark or a number.
var codeSeparator = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[ \t,;/|]*(?:\r?\n[ \t]*){0,2}(?:(?:[-*•]|\d{1,2}[.)])[ \t]+)?|[ \t]*(?:and|und|et|y|e|en)[ \t]+)`)
})

// backupCodes locates the codes that begin at text[pos:], as one secret from the first to
// the last.
func (s *scanner) backupCodes(pos int) (start, end int, ok bool) {
	const most = 32
	for range most {
		pos += len(codeSeparator().FindString(s.text[pos:min(pos+16, len(s.text))]))
		quote := pos < len(s.text) && strings.IndexByte("\"'`", s.text[pos]) >= 0
		if quote {
			pos++
		}
		code := backupCode().FindString(s.text[pos:min(pos+maxValue, len(s.text))])
		if code == "" || !isBackupCode(code) || pos+len(code) < len(s.text) && isWordByte(s.text[pos+len(code)]) {
			break
		}
		if !ok {
			start = pos
		}
		pos += len(code)
		end, ok = pos, true
		if quote && pos < len(s.text) {
			pos++
		}
		if pos < len(s.text) && strings.IndexByte(" \t,;/|\r\n", s.text[pos]) < 0 {
			break
		}
	}
	return start, end, ok && !isVersionOrDate(s.text[start:end])
}

// isBackupCode reports whether a code is not one of the words around it.
func isBackupCode(code string) bool {
	c := classify(code)
	switch {
	case c.digits == len(code):
		return len(code) >= 6
	case c.digits > 0:
		return !isWordy(code) || c.letters <= 4 || c.digits > 2 || strings.Contains(code, "-")
	}
	return isRandom(strings.ReplaceAll(code, "-", ""))
}

// passportNumber matches passport numbers: up to three letters and six to nine digits,
// nine characters of which most are digits, or the groups of a Russian one.
var passportNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Z]{1,3} ?\d{6,8}[A-Z]?|\d{8,9}|\d{2} ?[A-Z]{2} ?\d{5}|\d{2} ?\d{2} ?\d{6}|[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{7,8}\d?|\d{7}[A-Z]?)`)
})

// numberWord matches the text between "passport" and its number.
var numberWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ :#("']*(?i:number|no\.?|nr\.?|n[°º]|num\.?|nummer|numéro|número|numero)?[ :#"']*`)
})

// passport locates the passport number at text[at:].
func (s *scanner) passport(at int) (start, end int, ok bool) {
	start = at + len(numberWord().FindString(s.text[at:min(at+24, len(s.text))]))
	n := len(passportNumber().FindString(s.text[start:min(start+24, len(s.text))]))
	end = start + n
	if n == 0 || end < len(s.text) && isWordByte(s.text[end]) {
		return 0, 0, false
	}
	c := classify(s.text[start:end])
	return start, end, c.digits >= 4 && !isVersionOrDate(s.text[start:end])
}
