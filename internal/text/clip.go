package text

// Clip shortens s to at most n bytes at a character boundary, and says so with
// an ellipsis behind them.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
