package markdown

import "strings"

// dailyLine is a line of the log of a day:
//
//   - [HH:MM] text <!-- decision -->
//
// A line that a person wrote need not name a decision.
type dailyLine struct{ clock, text, decision string }

// dailyLineOf parses a line without its end; false for another line. It
// does so by hand: every line of a log of thousands is read whenever one is
// added, and a regular expression took a third of the time to do that.
func dailyLineOf(line string) (l dailyLine, ok bool) {
	const form = "- [00:00] "
	if len(line) < len(form) || strings.IndexByte(line, '\n') >= 0 {
		return l, false
	}
	for i, want := range []byte(form) {
		if c := line[i]; c != want && (want != '0' || c < '0' || c > '9') {
			return l, false
		}
	}
	l.clock, l.text = line[3:8], line[len(form):]
	rest, ends := strings.CutSuffix(l.text, " -->")
	if at := strings.LastIndex(rest, " <!-- "); ends && at >= 0 && isDecision(rest[at+len(" <!-- "):]) {
		l.text, l.decision = rest[:at], rest[at+len(" <!-- "):]
	}
	return l, true
}
