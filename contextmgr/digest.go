package contextmgr

import (
	"maps"
	"sort"
	"strings"
	"unicode"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

const (
	// digestBytes is how much of either end of a turn is looked at for its most
	// telling sentence.
	digestBytes = 16 << 10
	// digestLine is the longest line, in bytes.
	digestLine = 240
)

// digest is a summary made of the conversation's own sentences: the most
// telling one of every turn and of the summary so far, as many as limit tokens
// hold, in order. The new turns have half of the room, the older summary what
// they leave, so that both survive.
// What is said elsewhere is left out.
func digest(previous string, turns []strata.Turn, said map[string]bool, limit int, count func(string) int) string {
	var lines []line
	said = maps.Clone(said)
	if said == nil {
		said = make(map[string]bool)
	}
	add := func(heading, s string, old bool) {
		if s != "" && !said[s] {
			said[s] = true
			lines = append(lines, line{text: heading + s, old: old})
		}
	}
	for _, s := range sentences(previous) {
		head := headed.FindString(s)
		add(head, cutAfter(s[len(head):], digestLine), true)
	}
	for _, t := range turns {
		add(heading(t), telling(t, said), false)
	}
	for i := range lines {
		lines[i].cost = count(lines[i].text) + 1
		lines[i].weight = weight(lines[i].text)
		if byUser.MatchString(lines[i].text) {
			lines[i].weight *= 1.5
		}
	}
	left := limit - pick(lines, limit/2, false)
	left -= pick(lines, left, true)
	pick(lines, left, false)
	var out []string
	for _, l := range lines {
		if l.picked {
			out = append(out, l.text)
		}
	}
	return strings.Join(out, "\n")
}

// headed matches what [heading] puts before a turn, byUser that of a user's.
var (
	headed = lazyregexp.New(`^\[\d+\] [^:]{1,80}: `)
	byUser = lazyregexp.New(`^\[\d+\] user\b`)
)

// line is a sentence that a digest may hold.
type line struct {
	text   string
	old    bool // of the summary so far
	cost   int
	weight float64
	picked bool
}

// pick marks the weightiest lines of one age that fit, and returns their cost.
func pick(lines []line, room int, old bool) int {
	order := make([]int, 0, len(lines))
	for i, l := range lines {
		if l.old == old && !l.picked {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return lines[order[a]].weight > lines[order[b]].weight })
	used := 0
	for _, i := range order {
		if used+lines[i].cost <= room {
			lines[i].picked = true
			used += lines[i].cost
		}
	}
	return used
}

// telling returns the sentence of a turn that says most and is not said elsewhere; of a
// turn that only calls tools, their names.
func telling(t strata.Turn, said map[string]bool) string {
	s := whole(t)
	if len(s) > 2*digestBytes {
		s = cutAfter(s, digestBytes) + "\n" + cutBefore(s, digestBytes)
	}
	best, most := "", -1.0
	for _, sentence := range sentences(withoutBlocks(s)) {
		if w := weight(sentence); w > most && !said[sentence] {
			best, most = sentence, w
		}
	}
	if len(best) > digestLine {
		best = cutAfter(best, digestLine) + " …"
	}
	for _, c := range t.Calls {
		best = strings.TrimSpace(best + " (calls " + c.Name + ")")
	}
	return best
}

// sentences cuts a text at full stops, question and exclamation marks that end
// a word, and at line breaks.
func sentences(s string) []string {
	var out []string
	start := 0
	keep := func(end int) {
		if one := oneLine(s[start:end]); one != "" {
			out = append(out, one)
		}
		start = end
	}
	var before rune
	for i, r := range s {
		switch {
		case r == '\n', unicode.IsSpace(r) && strings.ContainsRune(".!?", before):
			keep(i)
		case strings.ContainsRune("。！？", before):
			keep(i)
		}
		before = r
	}
	keep(len(s))
	return out
}

// weight returns how much a sentence says: words that are no stop words, names
// and numbers more, up to what a sentence can hold.
func weight(s string) float64 {
	w := 0.0
	for t := range text.Tokens(cutAfter(s, 2*digestLine)) {
		switch {
		case t.Stop:
		case strings.ContainsAny(t.Word, "0123456789"):
			w += 2
		default:
			w++
		}
	}
	return min(w, 16)
}
