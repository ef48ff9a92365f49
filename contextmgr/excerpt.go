package contextmgr

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// minLimit is the fewest tokens to which a turn is shortened: what the marker
// takes, and a few words of either end.
const minLimit = 64

// excerpt returns the beginning and the end of a text with a marker between
// them that says what is left out and how to see it. It costs at most limit
// tokens, unless limit is less than the marker alone takes. Three fifths go to
// the beginning: that is where a text says what it is.
func excerpt(text string, limit int, count func(string) int, seq int64, reopen string, images int) string {
	whole := utf8.RuneCountInString(text)
	budget := min(limit*4, len(text))
	for {
		head, tail := text, ""
		if budget < len(text) {
			head = cutAfter(text, budget*3/5)
			tail = cutBefore(text, budget-budget*3/5)
		}
		left := whole - utf8.RuneCountInString(head) - utf8.RuneCountInString(tail)
		out := head + cutMarker(seq, left, whole, images, reopen) + tail
		if budget == 0 || count(out) <= limit {
			return out
		}
		budget = budget * 4 / 5
		if budget < 8 {
			budget = 0
		}
	}
}

// cutMarker says in the text what is not shown.
func cutMarker(seq int64, left, whole, images int, reopen string) string {
	var what []string
	if left > 0 {
		what = append(what, fmt.Sprintf("%d of %d characters", left, whole))
	}
	if images > 0 {
		what = append(what, fmt.Sprintf("%d image(s)", images))
	}
	if len(what) == 0 { // of an assistant's turn: the arguments of its calls
		what = []string{"arguments"}
	}
	return fmt.Sprintf("\n[… turn %d is shortened, %s left out; %s …]\n", seq, strings.Join(what, " and "), reopen)
}

// cutAfter returns at most n bytes from the beginning of s, up to the end of a
// line or word where one is near.
func cutAfter(s string, n int) string {
	if n >= len(s) {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	for _, end := range []byte{'\n', ' '} {
		if at := strings.LastIndexByte(s[:n], end); at > n*3/4 {
			return s[:at]
		}
	}
	return s[:n]
}

// cutBefore returns at most n bytes from the end of s, from the beginning of a
// line or word where one is near.
func cutBefore(s string, n int) string {
	if n >= len(s) {
		return s
	}
	start := len(s) - n
	for start < len(s) && !utf8.RuneStart(s[start]) {
		start++
	}
	if at := strings.IndexAny(s[start:], " \n"); at >= 0 && at < n/4 {
		start += at + 1
	}
	return s[start:]
}
