package text

// Head returns at most the first n bytes of s, cut at a character boundary. In invalid
// UTF-8, it may cut up to three bytes more than necessary.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for least := n - 3; n > 0 && n > least && s[n]&0xC0 == 0x80; {
		n--
	}
	return s[:n]
}

// Clip is like [Head], but appends an ellipsis if it cuts something.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Head(s, n) + "…"
}
