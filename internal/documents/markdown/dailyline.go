package markdown

import "strings"

// dailyLine is a line of a daily log:
//
//   - [HH:MM] text <!-- decision -->
//
// A line that a person wrote need not have a decision.
type dailyLine struct{ clock, text, decision string }

// dailyLineOf parses a line without its line end; ok is false for other lines. It uses no
// regular expression, which would take a third of the time of adding a line to a log of
// thousands.
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
