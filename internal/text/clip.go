package text

// Head returns the beginning of s, at most n bytes, cut at a character boundary. Of
// what is not UTF-8 it takes less, but no more than a character.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for least := n - 3; n > 0 && n > least && s[n]&0xC0 == 0x80; {
		n--
	}
	return s[:n]
}

// Clip is [Head], and says with an ellipsis behind it that something was cut.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Head(s, n) + "…"
}
