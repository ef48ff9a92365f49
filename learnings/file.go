package learnings

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// MaxFile is how long a learnings file may grow, in bytes; then the oldest
// learnings go. What people wrote into it never does: where that alone takes
// more, a tenth of MaxFile is left for learnings.
const MaxFile = 50_000

// learning is what a file holds.
type learning[T any] interface {
	comparable
	Clean() T
	empty() bool
	render() string
}

// File is a learnings file: learnings, the newest last, and what people wrote
// between them. The zero value is an empty file.
type File[T learning[T]] struct {
	parts []part[T]
}

// part is a learning, or lines that are none.
type part[T any] struct {
	raw      string // as it is in the file
	learning T
	is       bool // a learning
}

func newPart[T learning[T]](l T, raw string) part[T] {
	return part[T]{raw: raw, learning: l, is: true}
}

// ParseErrors reads the text of errors.md. Every text can be read: lines that
// are no learning are kept as they are.
func ParseErrors(s string) File[Error] { return parse(s, readError) }

// ParseCorrections reads the text of corrections.md, as [ParseErrors] does.
func ParseCorrections(s string) File[Correction] { return parse(s, readCorrection) }

// parse splits a file into learnings and other lines. read returns the learning
// that begins with a line, which may take the line after it too.
func parse[T learning[T]](s string, read func(line, next string) (l T, lines int, ok bool)) File[T] {
	var f File[T]
	lines := strings.SplitAfter(s, "\n")
	for i := 0; i < len(lines); {
		next := ""
		if i+1 < len(lines) {
			next = strings.TrimRight(lines[i+1], "\r\n")
		}
		l, n, ok := read(strings.TrimRight(lines[i], "\r\n"), next)
		if l = l.Clean(); ok && !l.empty() {
			f.parts = append(f.parts, newPart(l, strings.Join(lines[i:i+n], "")))
			i += n
			continue
		}
		if last := len(f.parts) - 1; last >= 0 && !f.parts[last].is {
			f.parts[last].raw += lines[i]
		} else if lines[i] != "" {
			f.parts = append(f.parts, part[T]{raw: lines[i]})
		}
		i++
	}
	return f
}

// String returns the text of the file. Of a file that was not changed it is the
// text that was read.
func (f File[T]) String() string {
	var b strings.Builder
	for _, p := range f.parts {
		b.WriteString(p.raw)
	}
	return b.String()
}

// Learnings returns the learnings in the order of the file, clean.
func (f File[T]) Learnings() []T {
	var out []T
	for _, p := range f.parts {
		if p.is {
			out = append(out, p.learning)
		}
	}
	return out
}

// Set returns the file with these learnings for those it holds, in their order:
// the projection of a list that is kept elsewhere. Learnings that it holds already
// stay where they are, as people left them; nothing is merged.
func (f File[T]) Set(learnings []T) File[T] {
	open := make(map[T]int)
	for _, l := range learnings {
		open[l.Clean()]++
	}
	var out File[T]
	for _, p := range f.parts {
		if p.is && open[p.learning] == 0 {
			continue
		}
		if p.is {
			open[p.learning]--
		}
		out.parts = append(out.parts, p)
	}
	for _, l := range learnings {
		l = l.Clean()
		if open[l] > 0 && !l.empty() {
			open[l]--
			out.parts = append(out.parts, newPart(l, l.render()))
		}
	}
	return out.ended().capped()
}

// ended returns the file with every part but the last ending in a new line.
func (f File[T]) ended() File[T] {
	for i := range f.parts[:max(0, len(f.parts)-1)] {
		if !strings.HasSuffix(f.parts[i].raw, "\n") {
			f.parts[i].raw += "\n"
		}
	}
	return f
}

// capped returns the file without the oldest learnings that are too much.
func (f File[T]) capped() File[T] {
	learnings, prose, count := 0, 0, 0
	for _, p := range f.parts {
		if p.is {
			learnings += len(p.raw)
			count++
		} else {
			prose += len(p.raw)
		}
	}
	room := max(MaxFile-prose, MaxFile/10)
	var out File[T]
	for _, p := range f.parts {
		if p.is && learnings > room && count > 1 {
			learnings -= len(p.raw)
			count--
			continue
		}
		out.parts = append(out.parts, p)
	}
	return out
}

// stamp is how a time is written, in UTC.
const stamp = "2006-01-02 15:04"

var (
	head = lazyregexp.New(`^- \[(\d{4}-\d\d-\d\d \d\d:\d\d)\] (?:×(\d+) since (\d{4}-\d\d-\d\d \d\d:\d\d) )?(.*)$`)
	tool = lazyregexp.New(`^\*\*([^*]+)\*\*: (.*)$`)
)

// writeHead writes the beginning of a learning.
func writeHead(t Times) string {
	if t.Count <= 1 {
		return fmt.Sprintf("- [%s] ", t.Last.Format(stamp))
	}
	return fmt.Sprintf("- [%s] ×%d since %s ", t.Last.Format(stamp), t.Count, t.First.Format(stamp))
}

// readHead reads the beginning of a learning and returns the rest of its line.
func readHead(line string) (t Times, rest string, ok bool) {
	m := head.FindStringSubmatch(line)
	if m == nil {
		return t, "", false
	}
	last, err := time.Parse(stamp, m[1])
	if err != nil {
		return t, "", false
	}
	t = At(last)
	if m[2] != "" {
		if t.Count, err = strconv.Atoi(m[2]); err != nil {
			return t, "", false
		}
		if t.First, err = time.Parse(stamp, m[3]); err != nil {
			return t, "", false
		}
	}
	return t, m[4], true
}

const contextMark, originalMark, correctionMark = "  Context: ", "Original:", "  Correction: "

func (e Error) render() string {
	s := writeHead(e.Times) + "**" + e.Tool + "**: " + e.Text + "\n"
	if e.Context != "" {
		s += contextMark + e.Context + "\n"
	}
	return s
}

func readError(line, next string) (e Error, lines int, ok bool) {
	times, rest, ok := readHead(line)
	if !ok {
		return e, 0, false
	}
	m := tool.FindStringSubmatch(rest)
	if m == nil {
		return e, 0, false
	}
	e = Error{Tool: m[1], Text: m[2], Times: times}
	if c, ok := strings.CutPrefix(next, contextMark); ok {
		e.Context = c
		return e, 2, true
	}
	return e, 1, true
}

func (c Correction) render() string {
	s := writeHead(c.Times) + originalMark
	if c.Original != "" {
		s += " " + c.Original
	}
	return s + "\n" + correctionMark + c.Correction + "\n"
}

func readCorrection(line, next string) (c Correction, lines int, ok bool) {
	times, rest, ok := readHead(line)
	if !ok {
		return c, 0, false
	}
	original, isOriginal := strings.CutPrefix(rest, originalMark)
	said, isCorrection := strings.CutPrefix(next, correctionMark)
	if !isOriginal || !isCorrection {
		return c, 0, false
	}
	return Correction{Original: original, Correction: said, Times: times}, 2, true
}
