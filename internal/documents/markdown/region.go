package markdown

import (
	"slices"
	"strings"
)

// Paths of the files about dreams, besides MEMORY.md.
const (
	// DreamsPath is the diary of dreams.
	DreamsPath = "DREAMS.md"
	// ArchivedPath is the list of promotions archived from MEMORY.md.
	ArchivedPath = ArchiveDir + "/MEMORY.md"
)

// Region is a part of a file that is generated as a whole: a dream in the diary, or the
// list of archived promotions.
type Region struct {
	ID    string
	Lines []string
}

const (
	regionBegin = "<!-- strata:region "
	regionEnd   = "<!-- /strata:region -->"
)

// RegionLine returns text from memory in a form that is safe in a region.
func RegionLine(text string, limit int) string { return escapeMarkers(text, limit) }

// text returns the region as written in a file. The code in its first line is the hash of
// its lines.
func (r Region) text(eol string) string {
	return regionBegin + r.ID + " " + codeOfLines(r.Lines) + " -->" + eol + strings.Join(r.Lines, eol) + eol + regionEnd + eol
}

func codeOfLines(lines []string) string { return hashOfLine(strings.Join(lines, "\n")) }

// placed is a region in a file, given by the indexes of its first and last lines.
type placed struct {
	id          string
	begin, stop int
	intact      bool // as it was written; otherwise it counts as a person's
	stays       bool // a person's, or one that is wanted at this place
}

// placedRegions finds the regions of a file.
func placedRegions(lines []string) []placed {
	var out []placed
	for i := 0; i < len(lines); i++ {
		rest, begins := strings.CutPrefix(trimEOL(lines[i]), regionBegin)
		id, code, ok := strings.Cut(strings.TrimSuffix(rest, " -->"), " ")
		if !begins || !ok {
			continue
		}
		var inside []string
		for j := i + 1; j < len(lines); j++ {
			line := trimEOL(lines[j])
			if strings.HasPrefix(line, regionBegin) {
				break
			}
			if line == regionEnd {
				out = append(out, placed{id: id, begin: i, stop: j, intact: codeOfLines(inside) == code})
				i = j
				break
			}
			inside = append(inside, line)
		}
	}
	return out
}

// PutRegions returns a file with these regions in order. Other regions are removed if
// they are unchanged. Text that people wrote stays in its place. A region that a person
// changed stays as well, and replaces the one with its id. An empty file gets its initial
// content first.
func PutRegions(path, content string, regions []Region) string {
	if content == "" {
		if len(regions) == 0 {
			return ""
		}
		content = Begun(path)
	}
	lines := linesOf(content)
	all := placedRegions(lines)
	w := regionWriter{eol: lineEndOf(content), regions: regions, present: make(map[string]bool)}
	next := 0 // the first region that can follow those that stay
	for i, p := range all {
		at := slices.IndexFunc(regions, func(r Region) bool { return r.ID == p.id })
		all[i].stays = !p.intact || at >= next
		if all[i].stays {
			w.present[p.id] = true
			next = max(next, at+1)
		}
	}
	done := 0 // lines done
	for _, p := range all {
		w.text(lines[done:p.begin])
		done = p.stop + 1
		at := slices.IndexFunc(regions, func(r Region) bool { return r.ID == p.id })
		if p.stays && at >= 0 {
			w.missing(at)
			w.next = max(w.next, at+1)
		}
		switch {
		case !p.intact:
			w.text(lines[p.begin:done])
		case p.stays:
			w.region(regions[at])
		case done < len(lines) && isBlank(lines[done]):
			done++ // a blank line after it is removed too
		}
	}
	if len(all) == 0 { // regions follow what people wrote
		w.text(lines)
		done = len(lines)
	}
	w.missing(len(regions))
	w.text(lines[done:])
	return w.out.String()
}

// regionWriter writes a file with regions.
type regionWriter struct {
	out     strings.Builder
	eol     string
	regions []Region
	present map[string]bool // ids of the regions that stay
	next    int             // the first region not yet handled
}

// text writes lines as they are.
func (w *regionWriter) text(lines []string) {
	if len(lines) > 0 && !isBlank(lines[0]) && strings.HasSuffix(w.out.String(), regionEnd+w.eol) {
		w.out.WriteString(w.eol)
	}
	w.out.WriteString(strings.Join(lines, ""))
}

// region writes a region after a blank line.
func (w *regionWriter) region(r Region) {
	for s := w.out.String(); s != "" && !strings.HasSuffix(s, "\n"+w.eol); s = w.out.String() {
		w.out.WriteString(w.eol)
	}
	w.out.WriteString(r.text(w.eol))
}

// missing writes the regions before index until that the file does not have.
func (w *regionWriter) missing(until int) {
	for ; w.next < until; w.next++ {
		if r := w.regions[w.next]; !w.present[r.ID] {
			w.region(r)
		}
	}
}

// classifyRegions finds the lines of unchanged regions.
func classifyRegions(lines []string, out []class) {
	for _, p := range placedRegions(lines) {
		for i := p.begin; p.intact && i <= p.stop; i++ {
			out[i] = item
		}
	}
}

// hasRegions reports whether the file at a path can have regions.
func hasRegions(path string) bool { return path == DreamsPath || path == ArchivedPath }
