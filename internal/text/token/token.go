// Package token counts tokens: with a model's own tokenizer if that is known, and
// otherwise by an estimate that learns from what the model reports.
//
//   - [ForModel] returns the [Counter] of a model. A counter is a pure function of
//     the text, so the count of each message can be stored and added up. If its table
//     is still loading, a counter waits; [Ready] tells.
//   - [Calibration] turns such a sum into the tokens that the model will see. It is
//     the part that learns; each conversation has its own.
//   - [Window] is how many tokens a model reads at once, if that is known.
//   - [Count] counts for budgets that belong to no model.
//
// A conversation is counted like this:
//
//	counter := token.ForModel(model)
//	cal := token.NewCalibration(1)
//	raw += counter.Count(message)     // each message once
//	expected := cal.Scale(raw)        // before a request
//	cal.Observe(raw, usage.Prompt)    // after it
package token

// Counter counts the tokens of texts. Counters are safe for concurrent use.
type Counter interface {
	// Count returns the number of tokens in a text: 0 if it is empty, otherwise at least
	// 1, even for invalid UTF-8. For an [Estimate], it is the raw estimate, which a
	// [Calibration] scales. The counts of the parts of a text add up to at least that of
	// the whole, except for a few tokens at each seam.
	Count(text string) int
}

var (
	_ Counter = (*encoding)(nil)
	_ Counter = Estimate{}
)

// Ready reports whether a counter counts without waiting. One from [ForModel] may have to
// load a table first; callers that cannot wait can use an [Estimate] until then.
func Ready(c any) bool {
	waits, ok := c.(interface{ Ready() bool })
	return !ok || waits.Ready()
}

// Count returns the number of cl100k tokens in s. It counts the names of control tokens,
// such as "<|endoftext|>", as plain text. The first call waits for the table to load; see
// [Load]. It is safe for concurrent use.
func Count(s string) int { return cl100k.Count(s) }

// Load begins to load the table of [Count] in the background, for programs that
// will count soon.
func Load() { cl100k.load() }
