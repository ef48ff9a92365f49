package secrets

import (
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// cardPrefixes returns the pairs of digits that payment card numbers begin with (ISO/IEC
// 7812).
func cardPrefixes() []string {
	out := []string{"22", "23", "24", "25", "26", "27", "30", "34", "35", "36", "37", "38", "51", "52", "53", "54", "55", "60", "62", "64", "65"}
	for d := '0'; d <= '9'; d++ {
		out = append(out, "4"+string(d))
	}
	return out
}

// cardDigits returns how many digits the number of a card with a prefix has.
func cardDigits(prefix string) int {
	switch prefix {
	case "34", "37": // American Express
		return 15
	case "30", "36", "38": // Diners
		return 14
	}
	return 16
}

// cardNumber locates the number of a payment card: digits in one run, or in the groups
// printed on the card, with a valid Luhn check digit. One run of digits in ten also has
// one, so a number that the text calls something else is left alone.
func (s *scanner) cardNumber(at int) (start, end int, ok bool) {
	if at > 0 && (isWordByte(s.text[at-1]) || strings.IndexByte(".,/#$:", s.text[at-1]) >= 0 && s.text[max(0, at-2)] != ' ') {
		return 0, 0, false
	}
	want := cardDigits(s.text[at : at+2])
	var digits [16]byte
	var groups [8]int // number of digits before each separator
	n, seps := 0, 0
	end = at
	for end < len(s.text) && n < want {
		c := s.text[end]
		switch {
		case isDigit(c):
			digits[n] = c - '0'
			n++
		case (c == ' ' || c == '-') && seps < len(groups) && end+1 < len(s.text) && isDigit(s.text[end+1]):
			groups[seps] = n
			seps++
		default:
			return 0, 0, false
		}
		end++
	}
	if n < want || end < len(s.text) && (isWordByte(s.text[end]) || s.text[end] == '.' && end+1 < len(s.text) && isDigit(s.text[end+1])) || !luhn(digits[:n]) {
		return 0, 0, false
	}
	switch {
	case seps == 0 && s.isCalledOtherwise(at):
		return 0, 0, false
	case seps > 0 && !(want == 16 && seps == 3 && groups[0] == 4 && groups[1] == 8 && groups[2] == 12 ||
		want < 16 && seps == 2 && groups[0] == 4 && groups[1] == 10):
		return 0, 0, false
	}
	return at, end, !s.isTestCard(at)
}

// luhn reports whether the last digit is the check digit of the others.
func luhn(digits []byte) bool {
	sum := 0
	for i, d := range digits {
		v := int(d)
		if (len(digits)-i)%2 == 0 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}

// numbered are words for other things that have long numbers.
var numbered = text.WordSet(`order orders invoice ticket issue case id ids trace tracking parcel shipment request run job build row rows
	timestamp nonce offset revision serial imei isbn ean sku seed commit bytes account customer user message thread chat channel`)

// isCalledOtherwise reports whether one of the three words before a number says that it
// is not a card number.
func (s *scanner) isCalledOtherwise(at int) bool {
	before := lowerASCII(s.text[max(0, at-maxLookBehind):at])
	words := strings.FieldsFunc(before, func(r rune) bool { return r < 'a' || r > 'z' })
	for _, w := range words[max(0, len(words)-3):] {
		if numbered[w] {
			return true
		}
	}
	return false
}

// isTestCard reports whether a number is introduced as a test card, which payment
// services publish.
func (s *scanner) isTestCard(at int) bool {
	before := lowerASCII(s.text[max(0, at-maxLookBehind):at])
	return strings.Contains(before, "test card") || strings.Contains(before, "test number") || strings.Contains(before, "sandbox card")
}

// ibanLengths is the length of the account numbers of each country (ISO 13616, IBAN
// registry).
var ibanLengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28,
	"EE": 20, "EG": 29, "ES": 24, "FI": 18, "FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27,
	"JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18, "NO": 15,
	"OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24,
	"TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// ibanPrefixes returns each country code combined with each first check digit.
func ibanPrefixes() []string {
	var out []string
	for c := range ibanLengths {
		for d := '0'; d <= '9'; d++ {
			out = append(out, c+string(d))
		}
	}
	return out
}

// iban locates the bank account number whose country code is at text[at:]: letters and
// digits, in one run or in groups of four, with valid check digits (ISO 7064).
func (s *scanner) iban(at int) (start, end int, ok bool) {
	if at > 0 && isWordByte(s.text[at-1]) || at+4 > len(s.text) || !isDigit(s.text[at+3]) {
		return 0, 0, false
	}
	want := ibanLengths[s.text[at:at+2]]
	number := make([]byte, 0, 34)
	for end = at; end < len(s.text) && len(number) < want; end++ {
		switch c := s.text[end]; {
		case isAlnum(c):
			number = append(number, c)
		case (c == ' ' || c == '-') && len(number)%4 == 0 && isAlnum(s.text[end-1]):
		default:
			return 0, 0, false
		}
	}
	if len(number) < want || end < len(s.text) && isWordByte(s.text[end]) {
		return 0, 0, false
	}
	return at, end, mod97(append(number[4:len(number):len(number)], number[:4]...)) == 1
}

// mod97 returns the remainder of a number in which each letter stands for two digits.
func mod97(number []byte) int {
	r := 0
	for _, c := range number {
		if isDigit(c) {
			r = (r*10 + int(c-'0')) % 97
			continue
		}
		r = (r*100 + int(lower(c)-'a') + 10) % 97
	}
	return r
}
