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
	// maxVerbatim bounds what a summary keeps word for word, in tokens: some 200
	// sentences. Of a small window it is at most an eighth: see [Manager.verbatimRoom].
	maxVerbatim = 4096
	// maxVerbatimLine is the longest sentence that is kept so, in bytes: a rule, a
	// path or a task takes less, and what takes more is prose.
	maxVerbatimLine = 400
)

// reason says why a sentence is kept word for word. Where there is no room for all, the
// last of these goes first, and of one kind the oldest.
type reason int

const (
	reasonRule       reason = iota // a standing rule
	reasonCorrection               // puts right what the assistant said
	reasonTask                     // something that is still to be done
	reasonName                     // a path, an address, an id or a number that nothing else says
	reasonResult                   // that a long result was shortened, and where it is
)

// verbatim is a sentence that stays in the prompt word for word when its turn is
// summarized: a summary says what happened, and loses what must be exact.
type verbatim struct {
	Seq    int64  `json:"seq"`
	Reason reason `json:"reason,omitempty"`
	Text   string `json:"text"` // with the heading of its turn
}

// verbatimMost is how many tokens of sentences are remembered word for word at most.
func (m *Manager) verbatimMost() int {
	return min(m.calibration.Unscale(m.budget())/8, maxVerbatim)
}

// verbatimRoom is how many tokens of them are shown at most: where system prompt, tools
// and snapshot leave little, no more than a third of what the conversation may take until
// it is compacted. A third is freed then, and the last turns need some, too.
func (m *Manager) verbatimRoom() int {
	eighth := int(float64(m.budget())/m.calibration.Factor()) / 8
	return min(eighth, maxVerbatim, m.roomBelow(m.opt.Thresholds.Compact)/3)
}

// verbatimUpTo returns the sentences that must stay word for word of all turns up to the
// turn to: those that the summary so far kept, and those of the turns after it. Where the
// ledger fails, it returns those it has.
func (m *Manager) verbatimUpTo(ctx context.Context, to int64) ([]verbatim, error) {
	lines := slices.Clone(m.verbatim)
	var before strata.Turn
	for after := max(m.summarized-1, 0); after < to; { // the last turn of the summary may be what another corrects
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

// saidUpTo returns the lines of the turns up to one.
func saidUpTo(lines []verbatim, to int64) []verbatim {
	return slices.DeleteFunc(slices.Clone(lines), func(l verbatim) bool { return l.Seq > to })
}

// keptCost is what the sentences cost that a summary of all turns up to one would keep.
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

// addVerbatim adds what turns say that must stay as it was said. Before is the turn
// before them.
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

// exactSentences returns the sentences of a turn that must stay as they were said.
// Named are the paths and ids that another sentence has.
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

// fewWords is how many words say at least what is right, not only that something is not.
const fewWords = 5

// correction returns how many of the first sentences of a turn correct what was said before
// it: as few as do, and one more where that is "No!" or "That's wrong.".
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

// mustStay reports why a sentence of a turn must stay as it was said, if it corrects nothing.
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

// openTask matches a sentence that says what is still to be done: a mark that people put
// before it, or the words they use.
var openTask = lazyregexp.New(`(?i)\b(?:todo|to-do|fixme)\b|^[-*]? ?\[ \] |\b(?:still (?:need|needs|have|has|to be|open|missing|pending)|(?:is|are) (?:still )?(?:pending|open|outstanding|unfinished)|remains? to be|next steps?|not done yet|remind me (?:to|about|that)|(?:don't|do not) forget to|(?:needs?|have|has) to be (?:done|fixed|finished|written|checked)|later (?:we|you|i) (?:must|need|have to))\b`)

// exactNames matches what only helps when it is exact: addresses, paths and names of
// files, ids of tickets, commits and records, versions, and numbers of five digits and
// more. See [namesIn].
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

// namesIn returns the exact names in a text, without the punctuation around them. A name
// has a digit or a mark that words lack.
func namesIn(s string) []string {
	const marks = `0123456789/@\`
	if !strings.ContainsAny(s, marks) && !strings.Contains(strings.TrimRight(s, "."), ".") {
		return nil // as most sentences
	}
	names := exactNames.FindAllString(s, -1)
	for i := range names {
		names[i] = strings.Trim(names[i], " \t\n\"'(=:,.;!-")
	}
	return slices.DeleteFunc(names, func(n string) bool { return !strings.ContainsAny(n, marks+".") })
}

// fitVerbatim returns as many lines as limit tokens hold, in order.
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

// verbatimText lists lines; empty for none.
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

// saidVerbatim are the sentences of lines, without their headings.
func saidVerbatim(lines []verbatim) map[string]bool {
	said := make(map[string]bool, len(lines))
	for _, l := range lines {
		said[headed.ReplaceAllString(l.Text, "")] = true
	}
	return said
}
