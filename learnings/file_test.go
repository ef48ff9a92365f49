package learnings

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func day(d, h, m int) time.Time { return time.Date(2026, 3, d, h, m, 0, 0, time.UTC) }

// add returns a file with one more learning.
func add[T learning[T]](f File[T], l T) File[T] { return f.Set(append(f.Learnings(), l)) }

func TestFileFormats(t *testing.T) {
	errors := File[Error]{}.Set([]Error{
		{Tool: "read_file", Text: "no such file", Times: At(day(3, 9, 0))},
		{Tool: "bash", Text: "go: command not found", Context: "go test ./...", Times: Times{First: day(3, 8, 12), Last: day(4, 10, 30), Count: 2}},
	})
	want := "- [2026-03-03 09:00] **read_file**: no such file\n" +
		"- [2026-03-04 10:30] ×2 since 2026-03-03 08:12 **bash**: go: command not found\n" +
		"  Context: go test ./...\n"
	if got := errors.String(); got != want {
		t.Errorf("errors.md:\n%s\nwant\n%s", got, want)
	}

	corrections := File[Correction]{}.Set([]Correction{{Original: "I will use MySQL.", Correction: "No, it's PostgreSQL.", Times: At(day(3, 8, 12))}})
	want = "- [2026-03-03 08:12] Original: I will use MySQL.\n  Correction: No, it's PostgreSQL.\n"
	if got := corrections.String(); got != want {
		t.Errorf("corrections.md:\n%s\nwant\n%s", got, want)
	}
}

func TestWhatPeopleWroteSurvives(t *testing.T) {
	const written = "# What went wrong\r\n\nKeep an eye on **bash**: it hides errors.\n" +
		"- [2026-03-01 08:00] **bash**: <b>disk</b> full\r\n" +
		"  Context: df -h\r\n" +
		"    (this was our own fault — N.)\n" +
		"- a plain item\n- [yesterday] **bash**: not ours\n" +
		"- [2026-03-02 08:00] ×99999999999999999999 since 2026-03-01 08:00 **bash**: too often\n" +
		"- [2026-13-02 08:00] **bash**: no such month\n" +
		"last words \xff without an end"
	f := ParseErrors(written)
	if got := f.String(); got != written {
		t.Errorf("reading changed the file:\n%q\nwant\n%q", got, written)
	}
	if got, want := f.Learnings(), []Error{{Tool: "bash", Text: "‹b›disk‹/b› full", Context: "df -h", Times: At(day(1, 8, 0))}}; !reflect.DeepEqual(got, want) {
		t.Errorf("learnings = %+v", got)
	}
	f = add(f, Error{Tool: "curl", Text: "timeout", Times: At(day(5, 8, 0))})
	if got, want := f.String(), written+"\n- [2026-03-05 08:00] **curl**: timeout\n"; got != want {
		t.Errorf("with one more:\n%q\nwant\n%q", got, want)
	}
}

func TestRepeatedErrorsHaveOneKey(t *testing.T) {
	tests := []struct {
		a, b  string
		merge bool
	}{
		{"open /home/nora/a.go: no such file or directory", "open /tmp/x/b.go: no such file or directory", true},
		{"open ./a.go: no such file", "open ../pkg/b.go: no such file", true},
		{`open C:\Users\a.txt: denied`, `open D:\b.txt: denied`, true},
		{"GET http://127.0.0.1:8080/a?x=1: connection refused", "GET http://127.0.0.1:9090/b: connection refused", true},
		{"timeout after 30 s", "Timeout after 45  s", true},
		{"bad object 9f86d081884c7d65", "bad object 1b2b0b822cd15d6c", true},
		{"nil pointer at 0xc000012345", "nil pointer at 0xc0000aabbc", true},
		{"no fact fact_01j8xk3v7q2m", "no fact fact_01j9aa3v7q2z", true},
		{"no session 5f0c1a52-7f0e-4d0e-8a52-7f0e4d0e8a52", "no session 6f0c1a52-7f0e-4d0e-8a52-7f0e4d0e8a53", true},
		{"expired at 2026-03-01T08:00:00Z", "expired at 2026-04-02 09:30", true},
		{"exit status 1", "exit status 127", false},
		{"HTTP 404", "HTTP 500", false},
		{"status code: 401", "status code: 429", false},
		{"no such file", "permission denied", false},
	}
	for _, tt := range tests {
		a, b := Error{Tool: "bash", Text: tt.a}, Error{Tool: "Bash", Text: tt.b}
		if same := a.Clean().Key() == b.Clean().Key(); same != tt.merge {
			t.Errorf("%q and %q have one key: %v (%q, %q)", tt.a, tt.b, same, mask(tt.a), mask(tt.b))
		}
	}
	if (Error{Tool: "bash", Text: "timeout"}).Key() == (Error{Tool: "curl", Text: "timeout"}).Key() {
		t.Error("errors of two tools have one key")
	}
}

func TestNearEqualCorrectionsHaveOneKey(t *testing.T) {
	tests := []struct {
		a, b  string
		merge bool
	}{
		{"No, it's PostgreSQL.", "no it's postgresql!", true},
		{"No, we use tabs here", "Actually, we use tabs.", true},
		{"No, the deadline is Friday.", "Sorry, no: the deadlines are Friday", true},
		{"No, use tabs, not spaces.", "No, use spaces, not tabs.", false},
		{"We deploy on Fridays.", "We never deploy on Fridays.", false},
		{"The port is 5432.", "The port is 5433.", false},
		{"It is not MySQL.", "It is MySQL.", false},
		{"No.", "No!!!", false},
		{"No es MySQL, es PostgreSQL.", "no es mysql; es postgresql", true},
		{"日本語で書いてください。", "日本語で書いてください", true},
	}
	for _, tt := range tests {
		a, b := Correction{Correction: tt.a}, Correction{Correction: tt.b}
		if same := a.Clean().Key() == b.Clean().Key(); same != tt.merge {
			t.Errorf("%q and %q have one key: %v (%q, %q)", tt.a, tt.b, same, normalForm(tt.a), normalForm(tt.b))
		}
	}
}

func TestFileDropsTheOldestLearningsAndNoWordOfPeople(t *testing.T) {
	f := ParseErrors("# Ours\nKeep this.\n")
	letters := "abcdefghijklmnopqrstuvwxyz"
	var many []Error
	for i := range 500 {
		many = append(many, Error{Tool: "bash", Text: strings.Repeat(string(letters[i%26])+string(letters[i/26]), 100), Times: At(noon.Add(time.Duration(i) * time.Minute))})
	}
	f = f.Set(many)
	s := f.String()
	if len(s) > MaxFile || len(s) < MaxFile-1000 {
		t.Errorf("the file has %d bytes", len(s))
	}
	if !strings.HasPrefix(s, "# Ours\nKeep this.\n") {
		t.Error("the words of people are gone")
	}
	got := f.Learnings()
	if last := got[len(got)-1]; !last.Last.Equal(noon.Add(499 * time.Minute)) {
		t.Errorf("the newest learning is of %s", last.Last)
	}

	long := strings.Repeat("People write much.\n", 4000)
	f = ParseErrors(long).Set(many)
	if s := f.String(); !strings.HasPrefix(s, long) || len(s) > len(long)+MaxFile/10 || len(f.Learnings()) < 10 {
		t.Errorf("%d bytes with %d learnings", len(s), len(f.Learnings()))
	}
}

func TestEmptyLearningsAreNotAdded(t *testing.T) {
	if f := add(File[Error]{}, Error{Tool: "bash", Text: " \u200b\n "}); f.String() != "" {
		t.Errorf("added an error without text: %q", f.String())
	}
	if f := add(File[Correction]{}, Correction{Original: "x"}); f.String() != "" {
		t.Errorf("added a correction without text: %q", f.String())
	}
}

func TestSetProjectsAListAndIsIdempotent(t *testing.T) {
	a := Error{Tool: "a", Text: "first", Times: At(day(1, 8, 0))}
	b := Error{Tool: "b", Text: "second", Times: At(day(2, 8, 0))}
	c := Error{Tool: "c", Text: "third", Times: At(day(3, 8, 0))}
	f := File[Error]{}.Set([]Error{a, b})
	f = ParseErrors("# Title\n" + f.String() + "A remark.")
	f = f.Set([]Error{b, c})
	want := "# Title\n" + b.Clean().render() + "A remark.\n" + c.Clean().render()
	for range 2 {
		if got := f.String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		f = ParseErrors(f.String()).Set([]Error{b, c})
	}
}

func TestLearningsAreNeutralized(t *testing.T) {
	f := add(File[Error]{}, Error{
		Tool:    "ba*sh**: x\n",
		Text:    "a\n- [2026-01-01 00:00] **evil**: <script>`rm`</script>\u202e~~x~~\x00\u200b\ufeff",
		Context: "one\r\ntwo\u2028three",
		Times:   At(noon),
	})
	want := Error{Tool: "ba_sh__:_x", Text: "a - [2026-01-01 00:00] **evil**: ‹script›'rm'‹/script›∼∼x∼∼", Context: "one two three", Times: At(noon)}
	if got := ParseErrors(f.String()).Learnings(); len(got) != 1 || got[0] != want {
		t.Errorf("read back %+v", got)
	}
}

func drawTimes(t *rapid.T) Times {
	draw := func(name string) time.Time {
		return time.Unix(rapid.Int64Range(-1e10, 1e11).Draw(t, name), 0)
	}
	return Times{First: draw("first"), Last: draw("last"), Count: rapid.IntRange(-1, 5).Draw(t, "count")}
}

var anyText = rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z0-9*<>~\[\]:×. \n-]{0,80}`),
	rapid.SampledFrom([]string{"- [2026-03-03 08:12] **x**: y", "Original: x", "  Context: y", "  Correction: z", "×3 since 2026-03-03 08:12 ", "**: "}))

func TestErrorsSurviveTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f File[Error]
		for range rapid.IntRange(0, 6).Draw(t, "learnings") {
			f = add(f, Error{Tool: anyText.Draw(t, "tool"), Text: anyText.Draw(t, "text"), Context: anyText.Draw(t, "context"), Times: drawTimes(t)})
		}
		if got := ParseErrors(f.String()); !reflect.DeepEqual(got, f) {
			t.Fatalf("read back %+v, want %+v", got, f)
		}
	})
}

func TestCorrectionsSurviveTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f File[Correction]
		for range rapid.IntRange(0, 6).Draw(t, "learnings") {
			f = add(f, Correction{Original: anyText.Draw(t, "original"), Correction: anyText.Draw(t, "correction"), Times: drawTimes(t)})
		}
		if got := ParseCorrections(f.String()); !reflect.DeepEqual(got, f) {
			t.Fatalf("read back %+v, want %+v", got, f)
		}
	})
}

// Whatever stands in a file: reading changes nothing, adding takes nothing away
// but learnings, and a learning is read back.
func checkFile[T learning[T]](t *testing.T, s string, parse func(string) File[T], l T) {
	f := parse(s)
	if f.String() != s {
		t.Fatalf("reading changed %q to %q", s, f.String())
	}
	for _, l := range f.Learnings() {
		if l.Clean() != l || l.empty() {
			t.Fatalf("read %+v", l)
		}
	}
	g := add(f, l)
	read := parse(g.String()).Learnings()
	if len(read) == 0 || read[len(read)-1] != l.Clean() {
		t.Fatalf("added %+v to %q, read back %+v", l, s, read)
	}
	var prose, kept strings.Builder
	for _, p := range f.parts {
		if !p.is {
			prose.WriteString(strings.TrimRight(p.raw, "\n"))
		}
	}
	for _, p := range g.parts {
		if !p.is {
			kept.WriteString(strings.TrimRight(p.raw, "\n"))
		}
	}
	if prose.String() != kept.String() {
		t.Fatalf("the words of people became %q, were %q", kept.String(), prose.String())
	}
}

func FuzzParseErrors(f *testing.F) {
	f.Add("# Title\n- [2026-03-03 08:12] **bash**: no\n  Context: x\nremark")
	f.Add("- [2026-03-03 08:12] ×3 since 2026-03-01 08:00 **bash**: no\r\n\r\n- [0000-00-00 00:00] **x**: y")
	f.Fuzz(func(t *testing.T, s string) {
		checkFile(t, s, ParseErrors, Error{Tool: "t", Text: "new", Times: At(noon)})
	})
}

func FuzzParseCorrections(f *testing.F) {
	f.Add("# Title\n- [2026-03-03 08:12] Original: a\n  Correction: b\nremark")
	f.Add("- [2026-03-03 08:12] ×3 since 2026-03-01 08:00 Original:\n  Correction: b\n- [2026-03-03 08:12] Original: a\n")
	f.Fuzz(func(t *testing.T, s string) {
		checkFile(t, s, ParseCorrections, Correction{Correction: "new", Times: At(noon)})
	})
}
