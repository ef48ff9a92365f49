package ops

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/learnings"
)

// Learning is a learning as it is shown.
type Learning struct {
	ID      string              `json:"id" doc:"id of the learning"`
	Scope   string              `json:"scope" doc:"who owns it"`
	Kind    strata.LearningKind `json:"kind" doc:"error (a tool failed) or correction (the user corrected the agent)"`
	Tool    string              `json:"tool,omitempty" tool:"-" doc:"the tool that failed"`
	Text    string              `json:"text" tool:"-" doc:"what the tool or the user said"`
	Context string              `json:"context,omitempty" tool:"-" doc:"what the tool was called for, or what was corrected"`
	Session string              `json:"session,omitempty" tool:"-" doc:"session it was last learned in"`
	Count   int64               `json:"count" doc:"how often it was learned"`
	FirstAt time.Time           `json:"first_at" tool:"-" doc:"when it was first learned"`
	LastAt  time.Time           `json:"last_at" doc:"when it was last learned"`
}

func learningOf(l strata.Learning) Learning {
	return Learning{
		ID: l.ID, Scope: l.Scope.Key(), Kind: l.Kind, Tool: l.Tool, Text: l.Text, Context: l.Context,
		Session: l.Session, Count: l.Count, FirstAt: l.FirstAt, LastAt: l.LastAt,
	}
}

// LearningsIn is the input of learnings.
type LearningsIn struct {
	Kind  string `json:"kind,omitempty" enum:"error,correction" doc:"only this kind"`
	Limit int    `json:"limit,omitempty" short:"n" default:"100" range:"1-10000" doc:"most learnings of each scope"`
}

// Learnings lists learnings.
type Learnings struct {
	Learnings []Learning `json:"learnings" doc:"last learned first, scope by scope"`
}

// Rows returns the learnings, for output line by line.
func (l Learnings) Rows() []any { return operation.Rows(l.Learnings) }

func listLearnings() operation.Operation {
	return operation.Op[LearningsIn, Learnings]{
		Info: operation.Info{
			Name: "learnings", Summary: "List learnings from failed tools and corrections",
			Toolset:     operation.AllTools,
			Advice:      "Lists learnings: failed tool calls, and what the user corrected. Call it to see all of them; memory_recall finds those on a subject.",
			Description: "Every new session begins with the newest learnings. A repeated learning counts up.",
			ReadOnly:    true,
			Examples: []operation.Example{
				{Doc: "the newest", Input: `{"limit": 10}`},
				{Doc: "what the user corrected", Input: `{"kind": "correction"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in LearningsIn) (Learnings, error) {
			list, err := env.Engine.Learnings(ctx, env.View, strata.LearningKind(in.Kind), in.Limit)
			return Learnings{operation.Each(list, learningOf)}, err
		},
	}
}

// LearnIn is the input of learn.
type LearnIn struct {
	Text    string `json:"text" opt:"arg,required,file" doc:"what the tool or the user said" agents:"what was said"`
	Kind    string `json:"kind,omitempty" tool:"-" enum:"error,correction" doc:"what it is (default: an error if a tool is named, else a correction)"`
	Tool    string `json:"tool,omitempty" doc:"the tool that failed"`
	Context string `json:"context,omitempty" doc:"what the tool was called for, or what is corrected" agents:"what is corrected"`
}

// Learnt is a learning as it is stored.
type Learnt struct {
	Learning
	Notes []string `json:"notes,omitempty" tool:"-" doc:"what was changed before it was kept"`
}

func learn() operation.Operation {
	return operation.Op[LearnIn, Learnt]{
		Info: operation.Info{
			Name: "learn", Summary: "Add a learning by hand",
			Toolset: operation.CoreTools,
			Advice: "Keeps a learning about how you work: what the user corrected in your work, or why a tool call failed. Call it when that happens; " +
				"facts go to memory_save.",
			Description: "Keeps a tool error or a correction, in the named scope, or else in that of the workspace, or else in the global one. If it says the " +
				"same as a known one, that one counts up. Texts are kept on one line and cut to a few hundred characters, without secrets.",
			Examples: []operation.Example{
				{Doc: "a correction", Input: `{"text": "Use tabs, not spaces", "context": "indented with spaces"}`},
				{Doc: "a tool error", Input: `{"text": "no such option: -P", "tool": "grep", "context": "search with a Perl pattern"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in LearnIn) (Learnt, error) {
			l, notes := in.learning()
			if l.Text == "" {
				return Learnt{}, strata.Invalid("learn", "the text holds nothing to learn", "say what the tool or the user said")
			}
			l.Session = env.Session
			learnt, err := env.Engine.Learn(ctx, env.MainScope(), l)
			return Learnt{Learning: learningOf(learnt), Notes: notes}, err
		},
	}
}

// learning converts the input to a learning, normalized for comparison. It removes
// secrets before it cuts the texts: half a secret is not recognized.
func (in LearnIn) learning() (l strata.Learning, notes []string) {
	text, found := secrets.Redact(in.Text)
	about, more := secrets.Redact(in.Context)
	if len(found)+len(more) > 0 {
		notes = append(notes, "a secret was removed")
	}
	tool, kind := strings.TrimSpace(in.Tool), strata.LearningKind(in.Kind)
	if kind == "" {
		if kind = strata.LearningCorrection; tool != "" {
			kind = strata.LearningError
		}
	}
	switch kind {
	case strata.LearningError:
		e := learnings.Error{Tool: tool, Text: text, Context: about}.Clean()
		if tool == "" {
			e.Tool = "" // Clean fills in a name, but an error must name its tool
		}
		l = strata.Learning{Kind: kind, Key: e.Key(), Tool: e.Tool, Text: e.Text, Context: e.Context}
	default:
		c := learnings.Correction{Original: about, Correction: text}.Clean()
		l = strata.Learning{Kind: kind, Key: c.Key(), Tool: tool, Text: c.Correction, Context: c.Original}
	}
	if wasCut(text, l.Text) || wasCut(about, l.Context) {
		notes = append(notes, "a long text was cut")
	}
	return l, notes
}

// wasCut reports whether cleaning cut the end off a text.
func wasCut(whole, clean string) bool {
	return strings.HasSuffix(clean, "…") && !strings.HasSuffix(strings.TrimSpace(whole), "…")
}

// learntText formats "learnt correction learn_01J… (global), 2 times".
func learntText(l Learnt) string {
	return fmt.Sprintf("learnt %s %s (%s), %d times", l.Kind, l.ID, l.Scope, l.Count) + noteLines(l.Notes)
}

// learningsText lists learnings, one per line.
func learningsText(l Learnings) string {
	if len(l.Learnings) == 0 {
		return "no learnings yet"
	}
	lines := make([]string, len(l.Learnings))
	for i, one := range l.Learnings {
		what := joined(one.Tool, one.Text, one.Context)
		about := []string{string(one.Kind), one.ID, one.Scope, one.LastAt.UTC().Format(time.DateOnly)}
		lines[i] = "- " + fence.Item(beginningOf(what), about, secrets.Warnings(what))
	}
	return blockOf("Learnings, the latest first. "+fence.AsData, lines)
}

const (
	// KindLearning is the kind of a hit on a learning.
	KindLearning strata.Kind = "learning"

	searchedLearnings = 500 // newest learnings of a scope that are searched
	maxLearnings      = 3   // learnings in an answer: they accompany the hits
	// learningCover is the share of the words of a question that a learning must contain.
	learningCover = 0.5
)

// findLearnings returns the learnings that bear on a question: those that contain at
// least half of its words.
func findLearnings(ctx context.Context, env *operation.Env, q strata.Query) ([]Hit, error) {
	if q.Offset > 0 || q.Category != "" || len(q.Types) > 0 {
		return nil, nil
	}
	asked := text.Vocabulary(text.Head(q.Text, 4<<10))
	if len(asked) == 0 {
		return nil, nil
	}
	list, err := env.Engine.Learnings(ctx, env.View, "", searchedLearnings)
	if err != nil {
		return nil, err
	}
	var out []Hit
	for _, l := range list {
		said := joined(l.Tool, l.Text, l.Context)
		held := make(map[string]bool)
		for _, term := range text.Terms(said) {
			if asked[term] {
				held[term] = true
			}
		}
		cover := float64(len(held)) / float64(len(asked))
		if cover < learningCover || q.AsOf != nil && l.FirstAt.After(*q.AsOf) || slices.Contains(q.Seen, l.ID) {
			continue
		}
		out = append(out, Hit{
			ID: l.ID, Kind: KindLearning, Text: learningText(l), Score: cover, Evidence: cover, Scope: l.Scope.Key(), Session: l.Session, At: l.LastAt,
			Notes: secrets.Warnings(said),
		})
	}
	slices.SortStableFunc(out, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Evidence, a.Evidence), b.At.Compare(a.At)) })
	return out[:min(len(out), maxLearnings)], nil
}

// withoutFile drops hits in a learnings file where the answer has a learning of the same
// scope.
func withoutFile(hits, learnings []Hit) []Hit {
	return slices.DeleteFunc(hits, func(h Hit) bool {
		return h.Section != nil && strings.HasPrefix(h.Section.Path, "learnings/") &&
			slices.ContainsFunc(learnings, func(l Hit) bool { return l.Scope == h.Scope })
	})
}

// learningText formats a learning as one line.
func learningText(l strata.Learning) string {
	said := l.Text
	if l.Tool != "" {
		said = l.Tool + " failed: " + said
	}
	if l.Context != "" {
		said += " (" + l.Context + ")"
	}
	return said
}

// among inserts each learning before the first hit with less evidence. It adjusts the
// scores of learnings so that the scores stay in order.
func among(hits, learnings []Hit) []Hit {
	for _, l := range learnings {
		at := slices.IndexFunc(hits, func(h Hit) bool { return h.Evidence < l.Evidence })
		if at < 0 {
			at = len(hits)
		}
		if at > 0 {
			l.Score = min(l.Score, hits[at-1].Score)
		}
		if at < len(hits) {
			l.Score = max(l.Score, hits[at].Score)
		}
		hits = slices.Insert(hits, at, l)
	}
	return hits
}
