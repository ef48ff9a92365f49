package ops

import (
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/schema"
	"github.com/strata-memory/strata/internal/ops/upkeep"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// Text returns the output of a tool's operation in words for a model; any other output as
// JSON.
func Text(out any) string {
	switch out := out.(type) {
	case Saved:
		return savedText(out)
	case Found:
		return foundText(out)
	case Thought:
		return thoughtText(out)
	case Expanded:
		return expandedText(out)
	case Appended:
		return appendedText(out)
	case Forgotten:
		return forgottenText(out)
	case Context:
		return out.Text
	case Known:
		return knownText(out)
	case Undone:
		return undoneText(out)
	case Learnt:
		return learntText(out)
	case Learnings:
		return learningsText(out)
	case Decisions:
		return decisionsText(out)
	case upkeep.Events:
		return eventsText(out)
	case upkeep.Questions:
		return questionsText(out)
	case upkeep.Answered:
		return answeredText(out)
	case Noted:
		return notedText(out)
	case Checkpoint:
		return checkpointText(out)
	case History:
		return historyText(out)
	}
	data, err := schema.Marshal(out)
	if err != nil {
		return fmt.Sprint(out)
	}
	return string(data)
}

// savedText formats "add fact_01J… (user · pets · global): nothing like it known".
func savedText(s Saved) string {
	var b strings.Builder
	if s.DryRun {
		b.WriteString("would ")
	}
	b.WriteString(string(s.Decision))
	if s.ID != "" {
		b.WriteString(" " + s.ID)
	}
	if what := joined(string(s.Type), s.Category, s.Scope); what != "" {
		b.WriteString(" (" + what + ")")
	}
	if s.Reason != "" {
		b.WriteString(": " + beginningOf(s.Reason))
	}
	if s.DecisionID != "" && s.Decision.Changed() {
		b.WriteString("\ndecision: " + s.DecisionID)
	}
	if s.Replaced != "" {
		b.WriteString("\nno longer current: " + named(s.Replaced))
	}
	return b.String() + noteLines(s.Notes)
}

// foundText lists the hits, and says how to continue.
func foundText(f Found) string {
	if len(f.Hits) == 0 {
		return "nothing found" + noteLines(f.Notes)
	}
	out := promptOf(f.Hits)
	if f.Next > 0 {
		out += fmt.Sprintf("more: repeat the call with offset %d\n", f.Next)
	}
	if f.Cursor != "" {
		out += fmt.Sprintf("more: repeat the call with cursor %q\n", f.Cursor)
	}
	return strings.TrimSuffix(out, "\n") + noteLines(f.Notes)
}

// promptOf returns a block with the hits, one per line, so that nothing in a memory can
// look like another hit.
func promptOf(hits []Hit) string {
	if len(hits) == 0 {
		return ""
	}
	var b strings.Builder
	for i, h := range hits {
		about := []string{string(h.Kind), h.ID, string(h.Type), h.Category}
		if h.Kind == strata.KindTurn {
			about = []string{string(h.Kind), fmt.Sprintf("session %s, seq %d", h.Session, h.Seq), string(h.Role), h.Speaker}
		}
		if h.Kind == KindLearning {
			about = []string{string(h.Kind), h.ID}
		}
		if h.Section != nil {
			about = []string{string(h.Kind), h.Where, joined(h.Section.Headings...)}
		}
		about = append(about, h.Scope, h.At.UTC().Format(time.DateOnly), fmt.Sprintf("score %.2f", h.Score))
		fmt.Fprintf(&b, "%d. %s\n", i+1, fence.Item(h.Text, about, h.Notes))
	}
	return fence.Block(memoryBlock, "Memories, best first. "+fence.AsData, b.String())
}

// memoryBlock is the name of the blocks in which answers show memory. Transcripts with
// such blocks are ingested without them.
const memoryBlock = "strata-memory"

// headerLike matches the beginning of a line in a turn that looks like the headers that
// expandedText writes between turns.
var headerLike = lazyregexp.New(`(?im)^([^\S\n]*-{2,}[^\S\n]*(?:turn|more|cut)\b)`)

// expandedText shows turns word for word, each below a header, with only markup escaped.
// It quotes a line that looks like a header, so that no text can pose as another turn.
func expandedText(e Expanded) string {
	var b strings.Builder
	if len(e.Turns) == 0 {
		return "session " + e.Session + ": no such turns"
	}
	for i, t := range e.Turns {
		who := fence.Line(joined(string(t.Role), t.Speaker, t.Tool))
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "--- turn %d · %s · %s", t.Seq, who, t.At.UTC().Format("2006-01-02 15:04"))
		if t.Length > 0 {
			fmt.Fprintf(&b, " · bytes %d to %d of %d", t.Offset, t.Offset+len(t.Text), t.Length)
		}
		for _, n := range t.Notes {
			b.WriteString(" · " + n)
		}
		b.WriteString("\n")
		if t.Forgotten {
			b.WriteString("(forgotten)")
		}
		b.WriteString(headerLike.ReplaceAllString(fence.Text(t.Text), "> $1"))
		if t.Rest != "" {
			fmt.Fprintf(&b, "\n--- cut here; to read on: session %q, after %q", e.Session, t.Rest)
		}
	}
	out := fence.Block(memoryBlock, "Session "+fence.Line(e.Session)+", word for word. "+fence.AsData, b.String()+"\n")
	if e.Next != "" {
		out += fmt.Sprintf("more: repeat the call with after %q\n", e.Next)
	}
	return strings.TrimSuffix(out, "\n")
}

// appendedText counts the turns and says what became of the facts in them.
func appendedText(a Appended) string {
	var b strings.Builder
	fmt.Fprintf(&b, "kept %d new turns", a.Added)
	for _, f := range a.Facts {
		fmt.Fprintf(&b, "\n%s %s: %s", f.Decision, joined(named(f.Text), f.ID), beginningOf(f.Reason))
		if f.DecisionID != "" && f.Decision.Changed() {
			b.WriteString("\ndecision: " + f.DecisionID)
		}
	}
	return b.String()
}

// blockOf puts lines into a block, below an introduction.
func blockOf(intro string, lines []string) string {
	return strings.TrimSuffix(fence.Block(memoryBlock, intro, strings.Join(lines, "\n")+"\n"), "\n")
}

// noteLines puts each note on a line of its own.
func noteLines(notes []string) string {
	var b strings.Builder
	for _, n := range notes {
		b.WriteString("\nnote: " + fence.Line(n))
	}
	return b.String()
}

// joined joins the parts that are not empty.
func joined(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " · ")
}

// mostNamed bounds the text that an answer shows beside an id, in characters: enough to
// tell it from others. The id leads to the whole.
const mostNamed = 400

// beginningOf returns the beginning of a text, on one line.
func beginningOf(s string) string { return fence.Cut(fence.Line(s), mostNamed) }

// named returns the beginning of a stored text, with warnings about it.
func named(s string) string { return fence.Item(beginningOf(s), nil, secrets.Warnings(s)) }

// notedText formats "add notes/project_how-we-deploy.md: nothing stood there".
func notedText(n Noted) string {
	var b strings.Builder
	if n.DryRun {
		b.WriteString("would ")
	}
	b.WriteString(string(n.Decision))
	if n.Path != "" {
		b.WriteString(" " + n.Path)
	}
	if n.Scope != "" {
		b.WriteString(" (" + n.Scope + ")")
	}
	if n.Reason != "" {
		b.WriteString(": " + beginningOf(n.Reason))
	}
	return b.String() + noteLines(n.Notes)
}

// eventsText lists events, one per line.
func eventsText(e upkeep.Events) string {
	var lines []string
	for _, one := range e.Events {
		lines = append(lines, fmt.Sprintf("%s %s (%s)", one.At.UTC().Format("2006-01-02 15:04"), one.Kind, joined(one.Ref, beginningOf(one.Detail), one.Scope)))
	}
	return strings.Join(append(lines, fmt.Sprintf("to go on: since %q", fmt.Sprint(e.Next))), "\n")
}

// questionsText shows each question with its two facts.
func questionsText(q upkeep.Questions) string {
	if len(q.Questions) == 0 {
		return "no open questions"
	}
	var lines []string
	for _, one := range q.Questions {
		lines = append(lines, fmt.Sprintf("%s (%s): %s", one.ID, one.Scope, beginningOf(one.Reason)))
		for _, f := range one.Facts {
			lines = append(lines, "- "+fence.Item(beginningOf(f.Text), []string{f.ID, f.RecordedAt.UTC().Format(time.DateOnly)}, secrets.Warnings(f.Text)))
		}
	}
	return blockOf("Pairs of facts that cannot both hold. "+fence.AsData, lines)
}

// answeredText says which fact remains valid.
func answeredText(a upkeep.Answered) string {
	out := fmt.Sprintf("%s: %s holds", a.ID, a.Kept)
	if a.Retired != "" {
		out += "; no longer believed: " + a.Retired
	}
	return out
}
