package memorytool

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// file is a note as the model sees it.
type file struct {
	rel string // below /memories
	doc strata.Document
}

// files lists the files by path, with their content if wanted.
func (t *Tool) files(ctx context.Context, content bool) ([]file, error) {
	list, err := t.memory.Documents(ctx, t.options.Scope.View(), strata.DocumentFilter{Kind: strata.DocumentNote, Content: content, Limit: mostFiles})
	if err != nil {
		return nil, err
	}
	var out []file
	for _, d := range list {
		if rel, ok := shown(d.Path); ok {
			out = append(out, file{rel, d})
		}
	}
	slices.SortFunc(out, func(a, b file) int { return slices.Compare(strings.Split(a.rel, "/"), strings.Split(b.rel, "/")) })
	return out, nil
}

// mostFiles is how many files are considered.
const mostFiles = 100_000

// at returns the file at a path with its content, or nil if there is none.
func (t *Tool) at(ctx context.Context, rel string) (*file, error) {
	d, err := t.memory.Document(ctx, t.options.Scope.View(), stored(rel))
	switch {
	case strata.CodeOf(err) == strata.CodeNotFound, err == nil && d.Path != stored(rel):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &file{rel, d}, nil
}

// file returns the file at the path of a call, or an error for the model.
func (t *Tool) file(ctx context.Context, path string) (file, error) {
	rel, err := parsePath(path)
	if err != nil {
		return file{}, err
	}
	if rel != "" {
		f, err := t.at(ctx, rel)
		switch {
		case err != nil:
			return file{}, err
		case f != nil && strings.HasSuffix(path, "/"):
			return file{}, refuse("The path %s is not a directory.", clip(path))
		case f != nil:
			return *f, nil
		}
	}
	list, err := t.files(ctx, false)
	switch {
	case err != nil:
		return file{}, err
	case rel == "" || len(below(list, rel)) > 0:
		return file{}, refuse("The path %s is not a file.", clip(path))
	}
	return file{}, refuse("The path %s does not exist. Please provide a valid path.", clip(path))
}

// below returns the files in a directory and its subdirectories.
func below(list []file, dir string) (out []file) {
	for _, f := range list {
		if dir == "" || strings.HasPrefix(f.rel, dir+"/") {
			out = append(out, f)
		}
	}
	return out
}

// find returns the file at a path, or the files below it if it is a directory.
func find(list []file, rel string) []file {
	for _, f := range list {
		if f.rel == rel {
			return []file{f}
		}
	}
	return below(list, rel)
}

// view shows a file with line numbers, or the content of a directory.
func (t *Tool) view(ctx context.Context, c Call) (string, error) {
	rel, err := parsePath(c.Path)
	if err != nil {
		return "", err
	}
	var f *file
	if rel != "" {
		if f, err = t.at(ctx, rel); err != nil {
			return "", err
		}
	}
	if f == nil {
		return t.directory(ctx, rel, c.Path)
	}
	if strings.HasSuffix(c.Path, "/") {
		return "", refuse("The path %s is not a directory.", clip(c.Path))
	}
	lines := strings.Split(f.text(), "\n")
	first, last := 1, len(lines)
	if c.ViewRange != nil {
		if first, last, err = viewRange(c.ViewRange, len(lines)); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("Here's the content of %s with line numbers:\n", fence.Line(full(rel))) + numbered(lines, first, last) + f.notes(), nil
}

// text returns the part of a file that the model sees.
func (f file) text() string {
	_, text := markdown.CutFront(f.doc.Content)
	return text
}

// viewRange returns the first and last line of a range in a file of n lines.
func viewRange(r []int, n int) (first, last int, err error) {
	if len(r) != 2 {
		return 0, 0, refuse("Invalid `view_range` parameter: it should be a list of two numbers.")
	}
	first, last = max(r[0], 1), min(r[1], n)
	if r[1] == -1 {
		last = n
	}
	if first > n || last < first {
		return 0, 0, refuse("Invalid `view_range` parameter: [%d, %d]. It should be within the range of lines of the file: [1, %d]", r[0], r[1], n)
	}
	return first, last, nil
}

// numbered formats the lines from first to last, counted from 1, with their numbers.
func numbered(lines []string, first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		if i > first {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%6d\t%s", i, shownLine(lines[i-1]))
	}
	return b.String()
}

// directory shows the content of a directory, two levels deep, with sizes.
func (t *Tool) directory(ctx context.Context, dir, path string) (string, error) {
	list, err := t.files(ctx, true)
	if err != nil {
		return "", err
	}
	inside := below(list, dir)
	if dir != "" && len(inside) == 0 {
		return "", refuse("The path %s does not exist. Please provide a valid path.", clip(path))
	}
	return listing(dir, inside), nil
}

// listing lists each name in a directory once, after its size.
func listing(dir string, inside []file) string {
	sizes, names := make(map[string]int), []string(nil)
	add := func(path string, size int) {
		if _, ok := sizes[path]; !ok {
			names = append(names, path)
		}
		sizes[path] += size
	}
	total := 0
	for _, f := range inside {
		size := len(f.text())
		total += size
		parts := strings.SplitN(strings.TrimPrefix(strings.TrimPrefix(f.rel, dir), "/"), "/", 3)
		for depth := 1; depth < len(parts); depth++ {
			add(strings.Join(parts[:depth], "/")+"/", size)
		}
		if len(parts) < 3 {
			add(strings.Join(parts, "/"), size)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Here're the files and directories up to 2 levels deep in %s, excluding hidden items and node_modules:\n", full(dir))
	fmt.Fprintf(&b, "%s\t%s", size(total), fence.Line(full(dir)))
	for _, name := range names {
		fmt.Fprintf(&b, "\n%s\t%s/%s", size(sizes[name]), fence.Line(full(dir)), fence.Line(name))
	}
	return b.String()
}

// size formats a number of bytes as file managers do: 512B, 1.5K.
func size(bytes int) string {
	n, unit := float64(bytes), 0
	for n >= 1024 && unit < 2 {
		n, unit = n/1024, unit+1
	}
	text := strconv.FormatFloat(n, 'f', 1, 64)
	return strings.TrimSuffix(text, ".0") + []string{"B", "K", "M"}[unit]
}
