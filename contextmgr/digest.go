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
	// digestBytes is how much of each end of a turn is searched for its most informative
	// sentence.
	digestBytes = 16 << 10
	// digestLine is the longest line, in bytes.
	digestLine = 240
)

// digest returns a summary made of the conversation's own sentences: the most informative
// one of every turn and of the summary so far, as many as fit in limit tokens, in order.
// The new turns get half of the room and the older summary the rest, so that both
// survive. Sentences in said are left out.
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

// headed matches the heading of a turn, byUser that of a user's turn. See [heading].
var (
	headed = lazyregexp.New(`^\[\d+\] [^:]{1,80}: `)
	byUser = lazyregexp.New(`^\[\d+\] user\b`)
)

// line is a candidate sentence for a digest.
type line struct {
	text   string
	old    bool // from the summary so far
	cost   int
	weight float64
	picked bool
}

// pick marks the highest-weighted lines of one age that fit, and returns their cost.
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

// telling returns the turn's most informative sentence that is not already in said; of a
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

// sentences splits a text at full stops, question marks and exclamation marks that end a
// word, and at line breaks.
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

// weight returns how informative a sentence is: the number of its words, without stop
// words and with numbers counted twice, up to a limit.
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
