package decide

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// rejectSecret refuses a text that holds a secret, whoever proposes it. The
// reason names the rules, never the text.
func rejectSecret(in *trial) (Outcome, bool) {
	if len(in.Secrets) == 0 {
		return Outcome{}, false
	}
	names := slices.Compact(slices.Sorted(slices.Values(in.Secrets)))
	what := "the text holds a secret"
	if !in.Candidate.Origin.Explicit() {
		what = "dropped, because the text holds a secret"
	}
	return Outcome{Op: strata.OpReject, Reason: what + " (" + strings.Join(names, ", ") + ")", Confidence: sureReject}, true
}

// keepForgotten stops a forgotten text from coming back by itself. A person or
// agent who says it again means it, so an explicit request is left to the next rules.
func keepForgotten(in *trial) (Outcome, bool) {
	if !in.Forgotten || in.Candidate.Origin.Explicit() {
		return Outcome{}, false
	}
	return Outcome{Op: strata.OpNoop, Reason: "forgotten on request", Confidence: sureNoop}, true
}

// deleteFact handles every request to delete, by id or by exact text.
func deleteFact(in *trial) (Outcome, bool) {
	c := in.Candidate
	if c.Action != strata.ActionDelete {
		return Outcome{}, false
	}
	if c.Target == "" {
		return deleteText(in), true
	}
	switch {
	case in.Target == nil:
		return noop("nothing to delete: no fact "+c.Target+" in this scope", nil), true
	case !in.Target.Current():
		return noop("nothing to delete: "+c.Target+" is no longer believed", in.Target), true
	case isStale(c, *in.Target):
		return stale(c, *in.Target), true
	}
	return change(strata.OpDelete, "deleted by id", in.Target), true
}

// deleteText deletes the newest fact with the candidate's text. More than one
// can only exist after an update or a revert made two facts alike; the request can
// then be repeated.
func deleteText(in *trial) Outcome {
	switch n := len(in.SameText); n {
	case 0:
		return noop("nothing to delete: no fact says exactly this", nil)
	case 1:
		return change(strata.OpDelete, "deleted by its exact text", &in.SameText[0])
	default:
		return change(strata.OpDelete, fmt.Sprintf("deleted the newest of %d facts that say exactly this", n), &in.SameText[0])
	}
}

// updateTarget handles every save that names the fact to change.
func updateTarget(in *trial) (Outcome, bool) {
	c := in.Candidate
	if c.Target == "" {
		return Outcome{}, false
	}
	f := in.Target
	switch {
	case f == nil:
		err := strata.NotFound("update fact", "fact", c.Target)
		return failed(err), true
	case !f.Current():
		return failed(&strata.Error{
			Code: strata.CodeConflict, Op: "update fact",
			Message: "fact " + f.ID + " is no longer believed",
			Hint:    "save the text without a target, or revert the decision that retired the fact",
		}), true
	case isStale(c, *f):
		return stale(c, *f), true
	case saysNothingNew(c, in.Said, *f):
		return noop(f.ID+" says exactly this already", f), true
	}
	return change(strata.OpUpdate, fmt.Sprintf("updated by id, was %s", quote(f.Text)), f), true
}

// saysNothingNew reports whether an update would leave the text as it is. A
// person who changes nothing but spelling or capitals means the change.
func saysNothingNew(c strata.Candidate, said *text.Analysis, f strata.Fact) bool {
	if c.Origin.Explicit() {
		return strings.TrimSpace(c.Content) == strings.TrimSpace(f.Text)
	}
	return said.Normal() == text.Normalize(f.Text)
}

// isStale reports whether the caller saw another version of f.
func isStale(c strata.Candidate, f strata.Fact) bool {
	return c.BaseGeneration != 0 && c.BaseGeneration != f.Generation
}

// stale answers a change that is based on an old version of f: an error for whoever
// asked, silence for a replay, whose work has been overtaken.
func stale(c strata.Candidate, f strata.Fact) Outcome {
	what := fmt.Sprintf("fact %s changed since it was read: it is at generation %d, not %d", f.ID, f.Generation, c.BaseGeneration)
	if !c.Origin.Explicit() {
		return noop(what, &f)
	}
	out := failed(&strata.Error{
		Code: strata.CodeConflict, Op: "write fact", Message: what,
		Hint: "read the fact again and repeat the change",
	})
	out.Target = &f
	return out
}

// skipSameText does nothing when a current fact has the same normalized text.
func skipSameText(in *trial) (Outcome, bool) {
	if len(in.SameText) == 0 {
		return Outcome{}, false
	}
	f := &in.SameText[0]
	return noop("already known as "+f.ID, f), true
}

// replaceCorrected lets a correction take the place of the fact that it puts right.
func replaceCorrected(in *trial) (Outcome, bool) {
	if len(in.Replaced) == 0 {
		return Outcome{}, false
	}
	f := &in.Replaced[0]
	return change(strata.OpSupersede, "puts right "+quote(f.Text), f), true
}

// SaidBefore is the outcome in place of out for a candidate that was said before the
// fact whose place it would take, as in an older transcript that is read later: the
// fact stands.
func SaidBefore(out Outcome) Outcome {
	stands := noop("was said before what is known", out.Target)
	stands.Rules = append(slices.Clip(out.Rules), "said_before")
	return stands
}

// addFact is the last rule: whatever no other rule claims is new.
func addFact(in *trial) (Outcome, bool) {
	why := "nothing like it known"
	if len(in.Near) > 0 {
		why = "says something else than what is known near it"
	}
	return change(strata.OpAdd, why, nil), true
}

func noop(reason string, f *strata.Fact) Outcome {
	return Outcome{Op: strata.OpNoop, Reason: reason, Confidence: sureNoop, Target: f}
}

func change(op strata.Op, reason string, f *strata.Fact) Outcome {
	return Outcome{Op: op, Reason: reason, Confidence: sureChange, Target: f}
}

func failed(err *strata.Error) Outcome {
	return Outcome{Op: strata.OpReject, Reason: err.Message, Confidence: sureReject, Err: err}
}

// newestFirst orders facts by the time they were recorded, then by id.
func newestFirst(a, b strata.Fact) int {
	if d := b.RecordedAt.Compare(a.RecordedAt); d != 0 {
		return d
	}
	return cmp.Compare(b.ID, a.ID)
}

// closestFirst orders by similarity, then as [newestFirst].
func closestFirst(a, b Near) int {
	if d := cmp.Compare(b.Similarity, a.Similarity); d != 0 {
		return d
	}
	return newestFirst(a.Fact, b.Fact)
}
