package forget

import (
	"strings"
	"unicode"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// numbers matches numbers: groups of digits joined as in amounts, dates, phone numbers
// and account numbers, with an optional multiplier behind them.
var numbers = lazyregexp.New(`\+?\d+(?:(?:[.,'’:/-]|[  ]|\) ?| \(?)\d+)*(?:[ ]?(?:k|K|[mM]io)\b)?`)

// leastLong is the number of digits from which a number, such as a phone or account
// number, is unlikely to occur twice by chance.
const leastLong = 6

// numberKeys returns the keys by which a match of [numbers] is compared. Different ways
// of writing a number have the same key: "85,000", "85 000.00" and "85k" are all 85000. A
// date has one key for each of its numbers.
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

// thousands reports whether groups of digits are one number with thousands separators.
func thousands(groups []string) bool {
	for i, g := range groups {
		if i > 0 && len(g) != 3 || len(g) > 3 {
			return false
		}
	}
	return true
}

// dated reports whether groups of digits are a date: three groups, the first or the last
// of which may be a year, without a space, plus sign or parenthesis in s.
func dated(s string, groups []string) bool {
	if len(groups) != 3 || strings.ContainsAny(s, "+( ") {
		return false
	}
	first, middle, last := len(groups[0]), len(groups[1]), len(groups[2])
	return middle <= 2 && (first == 4 && last <= 2 || first <= 2 && (last == 4 || last == 2))
}

// sameNumber reports whether two keys stand for the same number. A long number also
// matches itself behind a prefix, such as a country code.
func sameNumber(a, b string) bool {
	if a == b {
		return a != ""
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= leastLong && strings.HasSuffix(b, a)
}
