package ops

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/ops/operation"
	"github.com/strata-memory/strata/secretscan"
)

const (
	// KindLearning is the kind of a hit that is a learning.
	KindLearning strata.Kind = "learning"

	searchedLearnings = 500 // the newest learnings of a scope that are looked through
	maxLearnings      = 3   // learnings in an answer: they go with what answers, and are not it
	// learningCover is how much of the words of a question a learning holds at least.
	learningCover = 0.5
)

// findLearnings returns the learnings that bear on a question: those that hold most of its words.
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
			Notes: secretscan.Warnings(said),
		})
	}
	slices.SortStableFunc(out, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Evidence, a.Evidence), b.At.Compare(a.At)) })
	return out[:min(len(out), maxLearnings)], nil
}

// withoutFile leaves out the sections of a file of learnings that a learning of the answer
// stands for.
func withoutFile(hits, learnings []Hit) []Hit {
	return slices.DeleteFunc(hits, func(h Hit) bool {
		return h.Section != nil && strings.HasPrefix(h.Section.Path, "learnings/") &&
			slices.ContainsFunc(learnings, func(l Hit) bool { return l.Scope == h.Scope })
	})
}

// learningText says a learning in a line.
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

// among puts learnings among hits: before the first that holds less of what is asked. Scores
// stay in order.
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
