package secrets

import "strings"

// rarePairs lists, for each letter, the letters that hardly ever follow it: fewer than
// one pair in 2,000 in the words of each of English, German, French, Spanish, Italian,
// Portuguese, Dutch, Polish and Swedish.
var rarePairs = [26]string{
	'b' - 'a': "cdfhjkmnpqvwxz", 'c' - 'a': "bdfgmnpqvwx", 'd' - 'a': "bcfhjmqtx", 'f' - 'a': "bchjkmnpqvwxyz", 'g' - 'a': "bcfjkmpqvwxyz",
	'h' - 'a': "bcdfghjkpqvxz", 'i' - 'a': "hxy", 'j' - 'a': "bghjlpqrtvwxyz", 'k' - 'a': "bcdfghmpqxz", 'l' - 'a': "qrwxz", 'm' - 'a': "cfghjkqrvwxz",
	'n' - 'a': "jmqx", 'o' - 'a': "x", 'p' - 'a': "bcdgjkmnqvwxz", 'q' - 'a': "abcdefghijklmnopqrstvwxyz", 'r' - 'a': "jqx", 's' - 'a': "x", 't' - 'a': "dfmpqx",
	'u' - 'a': "qy", 'v' - 'a': "bcdfghjkmpqtuwxyz", 'w' - 'a': "bdfgjlmpqrtvwxz", 'x' - 'a': "bcdefghjklmnopqrstuvwyz", 'y' - 'a': "fhoquvxy", 'z' - 'a': "fhjqsvx",
}

// isRandom reports whether letters look random rather than like a word. It is wrong for 1
// word in 200, and right for 9 in 10 random strings of 12 letters.
func isRandom(s string) bool { return randomness(s) >= randomEnough }

// randomEnough is a randomness that hardly any word has.
const randomEnough = 2

// randomness counts signs that letters are random: rare pairs, and changes of case where
// no word begins. It is 0 for text with anything but letters.
func randomness(s string) int {
	const shortest, shortWord = 6, 9
	if len(s) < shortest || len(s) > maxValue {
		return 0
	}
	score, pieces := 0, 1 // parts that begin with a capital, as in variable names
	vowel, capitals, small := false, false, false
	for i := 0; i < len(s); i++ {
		if !isLetter(s[i]) {
			return 0
		}
		c := lower(s[i])
		isUpper, wasUpper := c != s[i], i > 0 && lower(s[i-1]) != s[i-1]
		small = small || !isUpper
		capitals = capitals || isUpper && wasUpper
		if i > 0 && isUpper && !wasUpper {
			pieces++
			if !vowel {
				score++
			}
			vowel = false
		} else if i > 0 && strings.IndexByte(rarePairs[lower(s[i-1])-'a'], c) >= 0 {
			score++
		}
		vowel = vowel || strings.IndexByte("aeiouy", c) >= 0
	}
	if !vowel {
		score++
	}
	switch {
	case capitals && small:
		score++
	case pieces == 2 || pieces == 1 && len(s) < shortWord:
		score-- // one odd pair may be where two words join; short words are odd more often
	}
	return score
}

// cannotBeWord reports whether a string is neither a word nor the name of a thing: random
// letters, or letters and digits mixed as no name has them.
func cannotBeWord(s string) bool {
	c := classify(s)
	return isRandom(s) || c.digits > 0 && len(s) >= 6 && (c.symbols > 0 || c.letters > 0 && !isWordy(s))
}
