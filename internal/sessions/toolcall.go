package sessions

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
	"github.com/strata-memory/strata/internal/text/toolcall"
	"github.com/strata-memory/strata/learnings"
	"github.com/strata-memory/strata/store"
)

// RecordToolCall stores the outcome of a tool call in the conversation. A failure, if not
// empty, becomes a learning for later sessions; tried says in a few words what the call
// was for.
func (c *Conversation) RecordToolCall(ctx context.Context, call strata.ToolCall, failure, tried string) error {
	o := strata.ToolOutcome{
		Session: c.began.ID, Tool: call.Name, Params: learnings.ParamsHash(call.Arguments), OK: failure == "", Error: text.Clip(failure, learnings.MaxError),
	}
	if err := c.ledger.RecordOutcome(ctx, c.began.Scope, o); err != nil || failure == "" {
		return err
	}
	l := learnings.Error{Tool: call.Name, Text: redacted(failure), Context: redacted(tried)}.Clean()
	return c.learn(ctx, strata.Learning{Kind: strata.LearningError, Key: l.Key(), Tool: l.Tool, Text: l.Text, Context: l.Context})
}

// Repeats reports whether a call that is about to be made failed before in the same form,
// and returns a warning for the model.
func (c *Conversation) Repeats(ctx context.Context, call strata.ToolCall) (warning string, repeats bool, err error) {
	runs, err := c.ledger.Outcomes(ctx, c.began.Scope.View(), store.OutcomeFilter{Tool: call.Name, Limit: learnings.KeptOutcomes})
	if err != nil {
		return "", false, err
	}
	slices.Reverse(runs) // the oldest first
	history := make([]learnings.Outcome, len(runs))
	for i, r := range runs {
		history[i] = learnings.Outcome{Tool: r.Tool, ParamsHash: r.Params, OK: r.OK, Error: r.Error, At: r.At}
	}
	w, ok := learnings.Repeats(history, call.Name, call.Arguments)
	if !ok {
		return "", false, nil
	}
	return w.String(), true, nil
}

// LearnCorrection detects whether the user corrects what the assistant said before, and
// stores the correction. It reports whether it did.
func (c *Conversation) LearnCorrection(ctx context.Context, assistant, user string) (bool, error) {
	found, ok := learnings.Detect(redacted(assistant), redacted(user), c.ledger.now())
	if !ok || acknowledges(assistant, nil, user) {
		return false, nil
	}
	found = found.Clean()
	return true, c.learn(ctx, strata.Learning{
		Kind: strata.LearningCorrection, Key: found.Key(), Text: found.Correction, Context: found.Original,
	})
}

// LearnCorrections detects user messages in said that correct what the assistant said
// before them, and stores the corrections. before is only context. Reading the same turns
// again gives the same result: a correction counts once per session.
func (l *Ledger) LearnCorrections(ctx context.Context, scope strata.Scope, session string, before, said []strata.Turn) error {
	var last reply
	var user []strata.Turn // the user's last turn
	for _, t := range before {
		last, user = last.after(t), lastOf(user, t)
	}
	for _, t := range said {
		if assistant := last.text(); t.Role == strata.RoleUser && assistant != "" && !takesBack(user, assistant, t) {
			if err := l.learnCorrection(ctx, scope, session, assistant, t); err != nil {
				return err
			}
		}
		last, user = last.after(t), lastOf(user, t)
	}
	return nil
}

// reply is what the assistant did since the user last spoke.
type reply struct {
	said   string
	called string // its tool calls, in words
}

// after returns the reply after another turn.
func (r reply) after(t strata.Turn) reply {
	switch {
	case t.Role == strata.RoleUser:
		return reply{}
	case t.Role == strata.RoleAssistant && t.Text != "":
		r.said = t.Text
	case t.Role == strata.RoleAssistant:
		r.called = cmp.Or(toolcall.Shown(t), r.called)
	}
	return r
}

// text returns what a correction corrects: what was said or, without that, the tool
// calls.
func (r reply) text() string { return cmp.Or(r.said, r.called) }

// lastOf returns the user's last turn, once t has followed.
func lastOf(user []strata.Turn, t strata.Turn) []strata.Turn {
	if t.Role == strata.RoleUser {
		return []strata.Turn{t}
	}
	return user
}

// takesBack reports whether a turn of the user replaces a value that the user gave
// before: "Sorry, I meant Porto". An agent cannot learn from that: it was told the wrong
// value and only acknowledged it.
func takesBack(user []strata.Turn, assistant string, t strata.Turn) bool {
	return acknowledges(assistant, user, t.Text) || slices.ContainsFunc(extract.After(user, []strata.Turn{t}), func(c strata.Candidate) bool { return c.Replaces != "" })
}

// acknowledges reports whether the assistant only acknowledged what the user had said:
// "Thanks for telling me", "Noted, Porto". After a mere "Okay" the assistant may also
// have done something; then the correction must say that the slip was the user's own.
func acknowledges(assistant string, user []strata.Turn, correction string) bool {
	rest := takesNote.ReplaceAllString(assistant, " ")
	if rest == assistant && !ownSlip.MatchString(correction) {
		return false
	}
	told := make(map[string]bool)
	for _, t := range user {
		maps.Copy(told, text.Vocabulary(t.Text))
	}
	rest = agrees.ReplaceAllString(rest, " ")
	return len(text.Vocabulary(rest)) == 0 || text.Grounding(rest, told) == 1
}

var (
	// takesNote matches acknowledgments of something told, and agrees general agreement.
	takesNote = lazyregexp.New(`(?i)\b(?:(?:i(?:'ve| have) )?(?:noted|got (?:it|that))(?: down)?|thanks? (?:you )?for (?:telling|letting|sharing)(?: me)?(?: know)?(?: that| this)?|understood|good to know|(?:that |it )?makes sense|i(?:'ll| will) (?:remember|(?:keep|bear) (?:that|this|it) in mind)(?: that| this| it)?)\b`)
	agrees    = lazyregexp.New(`(?i)\b(?:okay|ok|alright|all right|sure(?: thing)?|great|anything else)\b`)
	// ownSlip matches people correcting themselves.
	ownSlip = lazyregexp.New(`(?i)\b(?:i (?:mis\w+|mixed (?:that|it|this|them) up|meant|(?:just )?(?:said|wrote) [^.!?]+ but|should have (?:said|written)|always confuse)|what i (?:just )?(?:said|wrote)|my (?:mistake|bad|typo)|scratch that)\b`)
)

// learnCorrection stores the correction in a turn, unless it was learnt in this session
// already or was forgotten.
func (l *Ledger) learnCorrection(ctx context.Context, scope strata.Scope, session, assistant string, t strata.Turn) error {
	found, ok := learnings.Detect(redacted(assistant), redacted(t.Text), t.At)
	if !ok {
		return nil
	}
	learning := l.prepareLearning(scope, strata.Learning{
		Kind: strata.LearningCorrection, Key: found.Key(), Text: found.Correction, Context: found.Original, Session: session, LastAt: t.At,
	})
	kept := false
	err := l.store.Update(ctx, func(w store.Writer) error {
		known, err := w.LearningByKey(ctx, scope, learning.Kind, learning.Key)
		if err == nil && known.Session == session || err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return err
		}
		if err := refuseForgotten(ctx, w, learning); err != nil {
			return err
		}
		_, err = w.PutLearning(ctx, learning)
		kept = err == nil
		return err
	})
	if strata.CodeOf(err) == strata.CodeForgotten {
		return nil
	}
	if err == nil && kept {
		l.projector.Want(scope, markdown.PartLearnings)
	}
	return err
}

// learn stores a learning in the scope of the conversation, unless its text was
// forgotten.
func (c *Conversation) learn(ctx context.Context, l strata.Learning) error {
	if l.Text == "" {
		return nil
	}
	l.Session = c.began.ID
	_, err := c.ledger.Learn(ctx, c.began.Scope, l)
	if strata.CodeOf(err) == strata.CodeForgotten {
		return nil
	}
	return err
}
