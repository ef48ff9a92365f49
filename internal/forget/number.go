package forget

import (
	"strings"
	"unicode"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// numbers matches what is written with digits: groups of them joined as in amounts, dates,
// telephone numbers and account numbers, with a letter or a multiplier behind.
var numbers = lazyregexp.New(`\+?\d+(?:(?:[.,'’:/-]|[  ]|\) ?| \(?)\d+)*(?:[ ]?(?:k|K|[mM]io)\b)?`)

// leastLong is how many digits a number has that is no other's by chance: a telephone
// number, an account.
const leastLong = 6

// numberKeys returns the digits of what [numbers] matches, in the form in which two ways of
// writing it are the same: "85,000", "85 000.00" and "85k" are 85000, and a date is the
// numbers in it.
func numberKeys(s string) []string {
	factor := ""
	trimmed := strings.TrimRight(s, "kKmMio \u00a0\u202f")
	switch tail := strings.ToLower(strings.Trim(s[len(trimmed):], " \u00a0\u202f")); {
	case tail == "k":
		factor = "000"
	case strings.HasPrefix(tail, "m"):
		factor = "000000"
	}
	groups := strings.FieldsFunc(trimmed, func(r rune) bool { return !unicode.IsDigit(r) })
	if len(groups) == 0 {
		return nil
	}
	if last := groups[len(groups)-1]; len(groups) > 1 && len(last) <= 2 && strings.Trim(last, "0") == "" {
		if at := strings.LastIndexAny(trimmed, ".,"); at > 0 && trimmed[at+1:] == last {
			groups = groups[:len(groups)-1] // cents
		}
	}
	together := strings.Join(groups, "")
	if len(groups) == 1 || thousands(groups) || len(together) >= leastLong && !dated(trimmed, groups) {
		return []string{strings.TrimLeft(together, "0") + factor}
	}
	var out []string
	for _, g := range groups {
		out = append(out, strings.TrimLeft(g, "0"))
	}
	return out
}

// thousands reports whether groups of digits are a number that was parted for reading.
func thousands(groups []string) bool {
	for i, g := range groups {
		if i > 0 && len(g) != 3 || len(g) > 3 {
			return false
		}
	}
	return true
}

// dated reports whether a number of several groups is a date: three of them with one
// separator, of which the first or the last may be a year.
func dated(s string, groups []string) bool {
	if len(groups) != 3 || strings.ContainsAny(s, "+( ") {
		return false
	}
	first, middle, last := len(groups[0]), len(groups[1]), len(groups[2])
	return middle <= 2 && (first == 4 && last <= 2 || first <= 2 && (last == 4 || last == 2))
}

// sameNumber reports whether two keys are one number. A long one may be written with or
// without what leads to it, as a country's code.
func sameNumber(a, b string) bool {
	if a == b {
		return a != ""
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= leastLong && strings.HasSuffix(b, a)
}
