package contextmgr

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
	"github.com/strata-memory/strata/learnings"
)

const (
	// maxVerbatim bounds the lines that a summary keeps word for word, in tokens: about
	// 200 sentences. A small window allows at most an eighth: see [Manager.verbatimRoom].
	maxVerbatim = 4096
	// maxVerbatimLine is the longest sentence kept this way, in bytes: a rule, a path or
	// a task is shorter, and anything longer is prose.
	maxVerbatimLine = 400
)

// reason says why a sentence is kept word for word. If there is no room for all, the
// reasons last in this list lose their sentences first, oldest first.
type reason int

const (
	reasonRule       reason = iota // a standing rule
	reasonCorrection               // corrects what the assistant said
	reasonTask                     // something still to be done
	reasonName                     // a path, an address, an id or a number found nowhere else
	reasonResult                   // that a long result was shortened, and where to find it
)

// verbatim is a sentence that stays in the prompt word for word when its turn is
// summarized, because a summary loses what must be exact.
type verbatim struct {
	Seq    int64  `json:"seq"`
	Reason reason `json:"reason,omitempty"`
	Text   string `json:"text"` // with the heading of its turn
}

// verbatimMost returns the maximum cost of the sentences kept word for word in the state.
func (m *Manager) verbatimMost() int {
	return min(m.calibration.Unscale(m.budget())/8, maxVerbatim)
}

// verbatimRoom returns the maximum cost of those shown. If system prompt, tools and
// snapshot leave little room, it is a third of what the conversation may take until it is
// compacted: a compaction frees another third, and the last turns need some too.
func (m *Manager) verbatimRoom() int {
	eighth := int(float64(m.budget())/m.calibration.Factor()) / 8
	return min(eighth, maxVerbatim, m.roomBelow(m.opt.Thresholds.Compact)/3)
}

// verbatimUpTo returns the sentences of all turns up to to that must stay word for word:
// those the summary so far kept and those of later turns. If the ledger fails, it returns
// those it has with the error.
func (m *Manager) verbatimUpTo(ctx context.Context, to int64) ([]verbatim, error) {
	lines := slices.Clone(m.verbatim)
	var before strata.Turn
	for after := max(m.summarized-1, 0); after < to; { // the summary's last turn may be what the next one corrects
		turns, err := m.opt.Ledger.Turns(ctx, after, page)
		if err != nil {
			return lines, fmt.Errorf("read turns after %d: %w", after, err)
		}
		turns, _ = splitAt(turns, to)
		if len(turns) == 0 {
			break // the summary reports it
		}
		after = turns[len(turns)-1].Seq
		old, fresh := splitAt(turns, m.summarized)
		if len(old) > 0 {
			before = old[len(old)-1]
		}
		lines = addVerbatim(lines, before, standing(fresh, m.withdrawn), m.shortened)
		before = turns[len(turns)-1]
	}
	return lines, nil
}

// saidUpTo returns the lines of the turns up to to.
func saidUpTo(lines []verbatim, to int64) []verbatim {
	return slices.DeleteFunc(slices.Clone(lines), func(l verbatim) bool { return l.Seq > to })
}

// keptCost returns the cost of the lines that a summary of all turns up to to would keep.
func (m *Manager) keptCost(ctx context.Context, to int64) int {
	lines, err := m.verbatimUpTo(ctx, to)
	if err != nil {
		return m.verbatimRoom()
	}
	return m.meter.text(verbatimText(fitVerbatim(lines, m.verbatimRoom(), m.meter.text)))
}

// shortened reports whether a turn is shown shortened.
func (m *Manager) shortened(seq int64) bool {
	return slices.ContainsFunc(m.win.items, func(it *item) bool { return it.kind == kindTurn && it.from == seq && it.limit > 0 })
}

// addVerbatim adds the sentences of turns that must stay word for word. before is the
// turn that precedes them.
func addVerbatim(lines []verbatim, before strata.Turn, turns []strata.Turn, shortened func(seq int64) bool) []verbatim {
	said := make(map[string]bool, len(lines))
	named := make(map[string]bool)
	note := func(text string) {
		said[text] = true
		for _, name := range namesIn(text) {
			named[name] = true
		}
	}
	for _, l := range lines {
		note(headed.ReplaceAllString(l.Text, ""))
	}
	for _, t := range turns {
		for _, s := range exactSentences(before, t, shortened, named) {
			if !said[s.Text] {
				note(s.Text)
				lines = append(lines, verbatim{Seq: t.Seq, Reason: s.Reason, Text: heading(t) + s.Text})
			}
		}
		before = t
	}
	return lines
}

// exactSentences returns the sentences of a turn that must stay word for word. named are
// the paths and ids that other sentences contain.
func exactSentences(before, t strata.Turn, shortened func(int64) bool, named map[string]bool) []verbatim {
	switch {
	case t.Forgotten:
		return nil
	case t.Role == strata.RoleTool:
		if !shortened(t.Seq) {
			return nil
		}
		first := cutAfter(oneLine(t.Text), 80)
		return []verbatim{{Reason: reasonResult, Text: fmt.Sprintf("%s … (%d characters)", first, len(t.Text))}}
	}
	var out []verbatim
	said := sentences(withoutBlocks(cutAfter(t.Text, digestBytes)))
	add := func(why reason, s string) {
		if len(s) <= maxVerbatimLine {
			out = append(out, verbatim{Reason: why, Text: s})
		}
	}
	corrects := correction(before, t, said)
	if corrects > 0 {
		add(reasonCorrection, strings.Join(said[:corrects], " "))
	}
	for i, s := range said {
		if why, ok := mustStay(t, s, named); ok && (i >= corrects || why == reasonRule) {
			add(why, s)
		}
	}
	return out
}

// fewWords is the length, in words, at which a correction says what is right and not only
// that something is wrong.
const fewWords = 5

// correction returns how many of the first sentences of a turn correct what was said
// before it: as few as suffice, and one more after a bare "No!" or "That's wrong.".
func correction(before, t strata.Turn, said []string) int {
	if t.Role != strata.RoleUser || before.Role != strata.RoleAssistant {
		return 0
	}
	if _, ok := learnings.Detect(before.Text, t.Text, t.At); !ok {
		return 0
	}
	for n := range min(len(said), 3) {
		begins := strings.Join(said[:n+1], " ")
		if _, ok := learnings.Detect(before.Text, begins, t.At); !ok {
			continue
		}
		if len(strings.Fields(begins)) < fewWords && n+1 < len(said) && len(begins)+len(said[n+1]) < maxVerbatimLine {
			n++
		}
		return n + 1
	}
	return min(len(said), 1)
}

// mustStay reports why a sentence that corrects nothing must stay word for word, and
// whether it must.
func mustStay(t strata.Turn, s string, named map[string]bool) (reason, bool) {
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
		return 0, false
	}
	if t.Role == strata.RoleUser {
		if kind, entity, _ := extract.Classify(text.Analyze(s)); kind == strata.TypeFeedback && entity != "" {
			return reasonRule, true
		}
	}
	if openTask.MatchString(s) {
		return reasonTask, true
	}
	isNew := func(name string) bool { return !named[name] }
	return reasonName, slices.ContainsFunc(namesIn(s), isNew)
}

// openTask matches a sentence about something still to be done, by a mark before it or by
// its wording.
var openTask = lazyregexp.New(`(?i)\b(?:todo|to-do|fixme)\b|^[-*]? ?\[ \] |\b(?:still (?:need|needs|have|has|to be|open|missing|pending)|(?:is|are) (?:still )?(?:pending|open|outstanding|unfinished)|remains? to be|next steps?|not done yet|remind me (?:to|about|that)|(?:don't|do not) forget to|(?:needs?|have|has) to be (?:done|fixed|finished|written|checked)|later (?:we|you|i) (?:must|need|have to))\b`)

// exactNames matches what is only useful if exact: addresses, paths and file names, ids
// of tickets, commits and records, versions, and numbers of five digits or more. See
// [namesIn].
var exactNames = lazyregexp.New(strings.Join([]string{
	`\b[a-z][a-z0-9+.-]*://[^\s<>"')]+`,                                         // addresses
	`(?:^|[\s"'(=:,])(?:~|\.{1,2})?(?:/[\w.@+-]+)+/?`, `\b[A-Za-z]:\\[\w.\\-]+`, // paths from a root
	`\b[\w.@+-]+(?:/[\w.@+-]+){2,}`, `\b[\w@+-]+/[\w@+-]*[._-][\w.@+-]*`, // and from here
	`\b[\w-]+\.(?:go|py|js|ts|tsx|jsx|rs|c|h|cc|cpp|java|kt|rb|php|swift|cs|sh|sql|md|txt|json|ya?ml|toml|ini|conf|cfg|env|lock|xml|html|css|csv|log|db|proto|tf)\b`,
	`\b[\w.+-]+@[\w-]+\.[\w.-]+\b`,     // mail
	`\b[A-Z][A-Z0-9]+-\d+\b`, `#\d+\b`, // tickets
	`\b[0-9a-f]{7,}(?:-[0-9a-f]{4,})*\b`,       // hashes and UUIDs
	`\b[a-z]+_[0-9A-Za-z]{6,}\b`, `\b\d{5,}\b`, // ids of records
	`\bv?\d+(?:\.\d+){2,3}\b`, // versions, addresses of hosts
}, "|"))

// namesIn returns the exact names in a text, without surrounding punctuation. A name has
// a digit or a mark that ordinary words lack.
func namesIn(s string) []string {
	const marks = `0123456789/@\`
	if !strings.ContainsAny(s, marks) && !strings.Contains(strings.TrimRight(s, "."), ".") {
		return nil // like most sentences
	}
	names := exactNames.FindAllString(s, -1)
	for i := range names {
		names[i] = strings.Trim(names[i], " \t\n\"'(=:,.;!-")
	}
	return slices.DeleteFunc(names, func(n string) bool { return !strings.ContainsAny(n, marks+".") })
}

// fitVerbatim returns the lines that fit in limit tokens, the most important ones first
// to be chosen, in their original order.
func fitVerbatim(lines []verbatim, limit int, count func(string) int) []verbatim {
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if lines[a].Reason != lines[b].Reason {
			return int(lines[a].Reason) - int(lines[b].Reason)
		}
		return b - a
	})
	fits := make([]bool, len(lines))
	for _, i := range order {
		if cost := count(lines[i].Text) + 1; cost <= limit {
			limit -= cost
			fits[i] = true
		}
	}
	var out []verbatim
	for i, l := range lines {
		if fits[i] {
			out = append(out, l)
		}
	}
	return out
}

// verbatimText formats lines as a list; empty for none.
func verbatimText(lines []verbatim) string {
	if len(lines) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Word for word:\n")
	for _, l := range lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// saidVerbatim returns the set of sentences in lines, without their headings.
func saidVerbatim(lines []verbatim) map[string]bool {
	said := make(map[string]bool, len(lines))
	for _, l := range lines {
		said[headed.ReplaceAllString(l.Text, "")] = true
	}
	return said
}
