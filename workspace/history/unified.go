package history

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/strata-memory/strata/internal/textdiff"
)

const (
	// diffContext is how many unchanged lines are around changed ones.
	diffContext = 3
	// maxDiff is the size of a diff, in bytes, after which no more files are
	// added to it.
	maxDiff = 1 << 20
	// sniffed is how many bytes git searches for a NUL, as a sign of binary content.
	sniffed = 8000
)

// unified returns what changed between two trees as git shows it, so that git
// apply takes it.
func (r *repo) unified(ctx context.Context, from, to plumbing.Hash) (string, error) {
	var out strings.Builder
	more := 0
	err := r.diffTrees(ctx, from, to, func(c change) error {
		if out.Len() >= maxDiff {
			more++
			return nil
		}
		if c.from.mode != 0 && c.to.mode != 0 && c.from.mode&^0o777 != c.to.mode&^0o777 {
			// A file that became a link, or the like, is another one.
			if err := r.writeChange(&out, change{path: c.path, from: c.from}); err != nil {
				return err
			}
			return r.writeChange(&out, change{path: c.path, to: c.to})
		}
		return r.writeChange(&out, c)
	})
	if more > 0 {
		fmt.Fprintf(&out, "... and %d more files differ\n", more)
	}
	return out.String(), err
}

// writeChange writes what changed in one file.
func (r *repo) writeChange(out *strings.Builder, c change) error {
	before, err := r.shown(c.from)
	if err != nil {
		return err
	}
	after, err := r.shown(c.to)
	if err != nil {
		return err
	}
	a, b := quotePath("a/"+c.path), quotePath("b/"+c.path)
	fmt.Fprintf(out, "diff --git %s %s\n", a, b)
	mode := ""
	switch {
	case c.from.mode == 0:
		fmt.Fprintf(out, "new file mode %o\n", c.to.mode)
	case c.to.mode == 0:
		fmt.Fprintf(out, "deleted file mode %o\n", c.from.mode)
	case c.from.mode != c.to.mode:
		fmt.Fprintf(out, "old mode %o\nnew mode %o\n", c.from.mode, c.to.mode)
	default:
		mode = fmt.Sprintf(" %o", c.to.mode)
	}
	if c.from.hash == c.to.hash {
		return nil
	}
	fmt.Fprintf(out, "index %s..%s%s\n", c.from.hash.String()[:7], c.to.hash.String()[:7], mode)
	if c.from.mode == 0 {
		a = "/dev/null"
	}
	if c.to.mode == 0 {
		b = "/dev/null"
	}
	if isBytes(before) || isBytes(after) {
		fmt.Fprintf(out, "Binary files %s and %s differ\n", a, b)
		return nil
	}
	if len(before) == 0 && len(after) == 0 {
		return nil
	}
	fmt.Fprintf(out, "--- %s\n+++ %s\n", endName(a), endName(b))
	writeHunks(out, textdiff.Lines(string(before)), textdiff.Lines(string(after)))
	return nil
}

// shown is what a diff shows of a file.
func (r *repo) shown(e entry) ([]byte, error) {
	switch e.mode {
	case 0:
		return nil, nil
	case modeRepository:
		return []byte("Subproject commit " + e.hash.String() + "\n"), nil
	}
	return r.read(blob, e.hash)
}

// isBytes reports whether content is shown as bytes, which is not at all.
func isBytes(content []byte) bool {
	return len(content) > MaxFile || bytes.IndexByte(content[:min(len(content), sniffed)], 0) >= 0
}

// quotePath writes a path in quotes if it has what would break a line of a
// diff.
func quotePath(path string) string {
	if !strings.ContainsFunc(path, func(c rune) bool { return c < ' ' || c == 0x7f || c == '"' || c == '\\' }) {
		return path
	}
	var out strings.Builder
	out.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&out, `\%03o`, c)
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// endName marks the end of a name with spaces, as git does.
func endName(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}

// writeHunks writes the changed lines with those around them.
func writeHunks(out *strings.Builder, a, b []string) {
	edits := textdiff.Edits(a, b)
	for len(edits) > 0 {
		n := 1 // edits whose surroundings touch are one hunk
		for n < len(edits) && edits[n].A-edits[n-1].AEnd <= 2*diffContext {
			n++
		}
		first, last := edits[0], edits[n-1]
		before := min(diffContext, first.A)
		after := min(diffContext, len(a)-last.AEnd)
		fmt.Fprintf(out, "@@ -%s +%s @@\n",
			span(first.A-before, last.AEnd+after), span(first.B-before, last.BEnd+after))
		at := first.A - before
		for _, e := range edits[:n] {
			writeLines(out, ' ', a[at:e.A])
			writeLines(out, '-', a[e.A:e.AEnd])
			writeLines(out, '+', b[e.B:e.BEnd])
			at = e.AEnd
		}
		writeLines(out, ' ', a[at:at+after])
		edits = edits[n:]
	}
}

// span names lines, counted from 1; of no lines, the one before.
func span(from, to int) string {
	switch to - from {
	case 0:
		return strconv.Itoa(from) + ",0"
	case 1:
		return strconv.Itoa(from + 1)
	}
	return strconv.Itoa(from+1) + "," + strconv.Itoa(to-from)
}

func writeLines(out *strings.Builder, mark byte, lines []string) {
	for _, l := range lines {
		out.WriteByte(mark)
		out.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
