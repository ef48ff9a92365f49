package history

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/diff"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/strata-memory/strata/internal/text/textdiff"
)

const (
	// maxDiff is the size of a diff, in bytes, beyond which no more files are added.
	maxDiff = 1 << 20
	// sniffed is how many bytes git searches for a NUL, as a sign of binary content.
	sniffed = 8000
)

// unified returns the difference between two trees in git's format, so that git apply
// accepts it.
func (r *repo) unified(ctx context.Context, from, to plumbing.Hash) (string, error) {
	changes, err := r.diffTrees(ctx, from, to)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for i, c := range changes {
		if out.Len() >= maxDiff {
			fmt.Fprintf(&out, "... and %d more files differ\n", len(changes)-i)
			break
		}
		a, b := c.from, c.to
		if a.Mode != 0 && b.Mode != 0 && !(isFile(a.Mode) && isFile(b.Mode)) && a.Mode != b.Mode {
			// A file that became a link, or the like, counts as removed and added.
			if err := r.writeChange(&out, c.path, a, object.TreeEntry{}); err != nil {
				return "", err
			}
			a = object.TreeEntry{}
		}
		if err := r.writeChange(&out, c.path, a, b); err != nil {
			return "", err
		}
	}
	return out.String(), nil
}

// writeChange writes the difference in one file; the mode of a side without the file is
// 0. It writes the header itself, because go-git does not quote paths.
func (r *repo) writeChange(out *strings.Builder, path string, from, to object.TreeEntry) error {
	before, err := r.shown(from)
	if err != nil {
		return err
	}
	after, err := r.shown(to)
	if err != nil {
		return err
	}
	a, b := quotePath("a/"+path), quotePath("b/"+path)
	fmt.Fprintf(out, "diff --git %s %s\n", a, b)
	mode := ""
	switch {
	case from.Mode == 0:
		a = "/dev/null"
		fmt.Fprintf(out, "new file mode %o\n", to.Mode)
	case to.Mode == 0:
		b = "/dev/null"
		fmt.Fprintf(out, "deleted file mode %o\n", from.Mode)
	case from.Mode != to.Mode:
		fmt.Fprintf(out, "old mode %o\nnew mode %o\n", from.Mode, to.Mode)
	default:
		mode = fmt.Sprintf(" %o", to.Mode)
	}
	if from.Hash == to.Hash {
		return nil
	}
	fmt.Fprintf(out, "index %s..%s%s\n", from.Hash.String()[:7], to.Hash.String()[:7], mode)
	switch {
	case isBytes(before) || isBytes(after):
		fmt.Fprintf(out, "Binary files %s and %s differ\n", a, b)
	case len(before) > 0 || len(after) > 0:
		fmt.Fprintf(out, "--- %s\n+++ %s\n", endName(a), endName(b))
		return writeHunks(out, textdiff.Parts(string(before), string(after)))
	}
	return nil
}

// shown returns what a diff shows of a file.
func (r *repo) shown(e object.TreeEntry) ([]byte, error) {
	switch e.Mode {
	case 0:
		return nil, nil
	case filemode.Submodule:
		return []byte("Subproject commit " + e.Hash.String() + "\n"), nil
	}
	return r.readFile(e.Hash)
}

// isBytes reports whether content is treated as binary, so that a diff does not show it.
func isBytes(content []byte) bool {
	return len(content) > MaxFile || bytes.IndexByte(content[:min(len(content), sniffed)], 0) >= 0
}

// quotePath quotes a path if it holds characters that would break a line of a diff.
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

// endName adds a tab after a name with spaces, as git does.
func endName(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}

// writeHunks writes the changed lines with their context. It removes the text after the
// header of a hunk: go-git always puts the line before the hunk there, but git only a
// line that looks like the head of a function.
func writeHunks(out *strings.Builder, parts hunks) error {
	var text strings.Builder
	if err := diff.NewUnifiedEncoder(&text, diff.DefaultContextLines).Encode(parts); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		if head, _, named := strings.Cut(line, " @@ "); named && strings.HasPrefix(line, "@@ ") {
			line = head + " @@\n"
		}
		out.WriteString(line)
	}
	return nil
}

// hunks passes the lines of one file to go-git's encoder, without file names, so that the
// encoder writes no header.
type hunks []textdiff.Part

func (h hunks) FilePatches() []diff.FilePatch { return []diff.FilePatch{h} }
func (h hunks) Message() string               { return "" }
func (h hunks) IsBinary() bool                { return false }
func (h hunks) Files() (from, to diff.File)   { return nil, nil }
func (h hunks) Chunks() []diff.Chunk {
	chunks := make([]diff.Chunk, len(h))
	for i, p := range h {
		chunks[i] = chunk(p)
	}
	return chunks
}

// chunk is a part of a file that stayed, was removed or was added.
type chunk textdiff.Part

func (c chunk) Content() string { return c.Text }
func (c chunk) Type() diff.Operation {
	return map[textdiff.Kind]diff.Operation{textdiff.Same: diff.Equal, textdiff.Removed: diff.Delete, textdiff.Added: diff.Add}[c.Kind]
}
