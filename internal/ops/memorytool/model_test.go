package memorytool_test

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/strata-memory/strata/internal/ops/memorytool"
)

// disk is a file system in memory that answers as the tool should: texts by path below
// /memories. Directories are those that hold a file.
type disk map[string]string

// isDirectory reports whether a path holds files.
func (d disk) isDirectory(rel string) bool {
	for p := range d {
		if rel == "" || strings.HasPrefix(p, rel+"/") {
			return true
		}
	}
	return rel == ""
}

// taken reports whether there is anything at a path.
func (d disk) taken(rel string) bool {
	_, ok := d[rel]
	return ok || d.isDirectory(rel)
}

// blocked is the file that stands where a directory of a path has to be.
func (d disk) blocked(rel string) string {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if _, ok := d[dir]; ok {
			return dir
		}
	}
	return ""
}

func relative(p string) string { return strings.TrimPrefix(strings.TrimPrefix(p, "/memories"), "/") }

func refused(format string, args ...any) memorytool.Answer {
	return memorytool.Answer{Content: fmt.Sprintf(format, args...), IsError: true}
}

func said(format string, args ...any) memorytool.Answer {
	return memorytool.Answer{Content: fmt.Sprintf(format, args...)}
}

// run answers a call with paths that are sound.
func (d disk) run(c memorytool.Call) memorytool.Answer {
	rel := relative(c.Path)
	text, isFile := d[rel]
	switch c.Command {
	case "view":
		return d.view(c, rel)
	case "create":
		switch {
		case rel == "":
			return refused("The path /memories is a directory")
		case d.taken(rel):
			return refused("File %s already exists", c.Path)
		case d.blocked(rel) != "":
			return refused("The path /memories/%s is not a directory.", d.blocked(rel))
		}
		d[rel] = *c.FileText
		return said("File created successfully at: %s", c.Path)
	case "delete":
		switch {
		case rel == "":
			return refused("Cannot delete the /memories directory itself")
		case !d.taken(rel):
			return refused("The path %s does not exist", c.Path)
		}
		for p := range d {
			if p == rel || strings.HasPrefix(p, rel+"/") {
				delete(d, p)
			}
		}
		return said("Successfully deleted %s", c.Path)
	case "rename":
		return d.rename(c)
	}
	switch {
	case isFile:
	case d.isDirectory(rel):
		return refused("The path %s is not a file.", c.Path)
	default:
		return refused("The path %s does not exist. Please provide a valid path.", c.Path)
	}
	lines := strings.Split(text, "\n")
	if c.Command == "insert" {
		if *c.InsertLine < 0 || *c.InsertLine > len(lines) {
			return refused("Invalid `insert_line` parameter: %d. It should be within the range of lines of the file: [0, %d]", *c.InsertLine, len(lines))
		}
		d[rel] = strings.Join(slices.Insert(lines, *c.InsertLine, strings.TrimSuffix(*c.InsertText, "\n")), "\n")
		return said("The file %s has been edited.", c.Path)
	}
	switch pieces := strings.Split(text, *c.OldStr); len(pieces) {
	case 1:
		return refused("No replacement was performed, old_str `%s` did not appear verbatim in %s.", *c.OldStr, c.Path)
	case 2:
		d[rel] = pieces[0] + *c.NewStr + pieces[1]
		at := len(strings.Split(pieces[0], "\n"))
		return said("The memory file has been edited. Here is the snippet showing the change (with line numbers):\n%s",
			count(strings.Split(d[rel], "\n"), at-2, at+2))
	default:
		var at []string
		for i := 1; i < len(pieces); i++ {
			at = append(at, fmt.Sprint(len(strings.Split(strings.Join(pieces[:i], *c.OldStr), "\n"))))
		}
		return refused("No replacement was performed. Multiple occurrences of old_str `%s` in lines: %s. Please ensure it is unique", *c.OldStr, strings.Join(at, ", "))
	}
}

func (d disk) rename(c memorytool.Call) memorytool.Answer {
	from, to := relative(c.OldPath), relative(c.NewPath)
	switch {
	case from == "":
		return refused("Cannot rename the /memories directory itself")
	case strings.HasPrefix(to, from+"/"):
		return refused("The path %s cannot be moved into itself", c.OldPath)
	case d.taken(to):
		return refused("The destination %s already exists", c.NewPath)
	case !d.taken(from):
		return refused("The path %s does not exist", c.OldPath)
	case d.isDirectory(from) && strings.HasSuffix(to, ".md"):
		return refused("The destination %s is the name of a file, and %s is a directory", c.NewPath, c.OldPath)
	case d.blocked(to) != "":
		return refused("The path /memories/%s is not a directory.", d.blocked(to))
	}
	for p, text := range d {
		if p == from || strings.HasPrefix(p, from+"/") {
			delete(d, p)
			d[to+strings.TrimPrefix(p, from)] = text
		}
	}
	return said("Successfully renamed %s to %s", c.OldPath, c.NewPath)
}

func (d disk) view(c memorytool.Call, rel string) memorytool.Answer {
	text, isFile := d[rel]
	if !isFile && !d.isDirectory(rel) {
		return refused("The path %s does not exist. Please provide a valid path.", c.Path)
	}
	if !isFile {
		return said("Here're the files and directories up to 2 levels deep in %s, excluding hidden items and node_modules:\n%s", c.Path, d.list(c.Path, rel))
	}
	lines, first, last := strings.Split(text, "\n"), 1, 1<<20
	if len(c.ViewRange) == 2 {
		first = max(c.ViewRange[0], 1)
		if c.ViewRange[1] != -1 {
			last = c.ViewRange[1]
		}
		if first > len(lines) || last < first {
			return refused("Invalid `view_range` parameter: [%d, %d]. It should be within the range of lines of the file: [1, %d]", c.ViewRange[0], c.ViewRange[1], len(lines))
		}
	}
	return said("Here's the content of %s with line numbers:\n%s", c.Path, count(lines, first, last))
}

// count shows lines with their numbers.
func count(lines []string, first, last int) string {
	var out []string
	for i, l := range lines {
		if n := i + 1; n >= first && n <= last {
			out = append(out, fmt.Sprintf("%6d\t%s", n, l))
		}
	}
	return strings.Join(out, "\n")
}

// list shows a directory as a walk through it does.
func (d disk) list(shown, rel string) string {
	out := []string{fmt.Sprintf("%dB\t%s", d.size(rel), shown)}
	for _, name := range d.names(rel) {
		child := path.Join(rel, name)
		if _, isFile := d[child]; isFile {
			out = append(out, fmt.Sprintf("%dB\t%s/%s", d.size(child), shown, name))
			continue
		}
		out = append(out, fmt.Sprintf("%dB\t%s/%s/", d.size(child), shown, name))
		for _, inner := range d.names(child) {
			end := ""
			if _, isFile := d[path.Join(child, inner)]; !isFile {
				end = "/"
			}
			out = append(out, fmt.Sprintf("%dB\t%s/%s/%s%s", d.size(path.Join(child, inner)), shown, name, inner, end))
		}
	}
	return strings.Join(out, "\n")
}

// names are those in a directory.
func (d disk) names(rel string) (names []string) {
	for p := range d {
		if rel != "" && !strings.HasPrefix(p, rel+"/") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(p, rel), "/"), "/")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// size is that of a file, or of all in a directory.
func (d disk) size(rel string) (n int) {
	for p, text := range d {
		if rel == "" || p == rel || strings.HasPrefix(p, rel+"/") {
			n += len(text)
		}
	}
	return n
}
