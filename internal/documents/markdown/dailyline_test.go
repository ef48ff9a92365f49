package markdown

import (
	"regexp"
	"testing"
)

// dailyPattern says what a line of a log is.
var dailyPattern = regexp.MustCompile(`^- \[(\d\d:\d\d)\] (.*?)(?: <!-- (dec_[0-9A-Za-z]{1,40}) -->)?$`)

func checkDailyLine(t *testing.T, line string) {
	t.Helper()
	got, ok := dailyLineOf(line)
	var want dailyLine
	m := dailyPattern.FindStringSubmatch(line)
	if m != nil {
		want = dailyLine{m[1], m[2], m[3]}
	}
	if ok != (m != nil) || ok && got != want {
		t.Errorf("%q is %+v, %v, want %+v, %v", line, got, ok, want, m != nil)
	}
}

var dailyLines = []string{
	"", "- [12:34] ", "- [12:34]", "- [12:34] a", "- [1x:34] a", "- [99:99] a", "- [12:34] a <!-- dec_1 -->", "- [12:34]  <!-- dec_1 -->",
	"- [12:34] <!-- dec_1 -->", "- [12:34] a <!-- dec_1 --> b", "- [12:34] a <!-- dec_ -->", "- [12:34] a <!-- dec_1 <!-- dec_2 -->",
	"- [12:34] a <!-- dec_1 --> <!-- dec_2 -->", "- [12:34] a <!-- dec_é -->", "- [12:34] a\nb", "- [12:34] \xff <!-- dec_1 -->",
	"- [12:34] a <!-- dec_1 -->\r", "* [12:34] a", "- [12-34] a", "- [12:34] a <!-- -->",
	"- [12:34] a <!-- dec_01234567890123456789012345678901234567890 -->", "- [12:34] a <!-- dec_0123456789012345678901234567890123456789 -->",
}

func TestDailyLineIsWhatThePatternSays(t *testing.T) {
	for _, line := range dailyLines {
		checkDailyLine(t, line)
	}
}

func FuzzDailyLine(f *testing.F) {
	for _, line := range dailyLines {
		f.Add(line)
	}
	f.Fuzz(checkDailyLine)
}
