// Package token counts tokens: as a model's own tokenizer makes them where that
// is known, else by an estimate that learns from what the model reports.
//
//   - [ForModel] gives the [Counter] of a model. A counter is a pure function of
//     the text, so the count of a message can be kept and summed. Its table may
//     be loading: then it waits, and [Ready] says so.
//   - [Calibration] turns such a sum into the tokens the model will see. It is
//     the part that learns; there is one for each conversation.
//   - [Window] is how much a model reads at once, where that is known.
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
	// Count returns the tokens of a text: 0 for the empty one, else at least 1,
	// for any bytes. Of an [Estimate] it is the raw estimate, which a
	// [Calibration] scales. The parts of a text count at least as much as the
	// whole, save for a few tokens at each seam.
	Count(text string) int
}

var (
	_ Counter = (*encoding)(nil)
	_ Counter = Estimate{}
)

// Ready reports whether a counter counts at once. One of [ForModel] may have a
// table to load first; until then an [Estimate] serves whoever cannot wait.
func Ready(c any) bool {
	waits, ok := c.(interface{ Ready() bool })
	return !ok || waits.Ready()
}

// Count returns the number of cl100k tokens of s. Names of control tokens, such
// as "<|endoftext|>", count as the plain text they are. The first call waits for
// the table, which is part of the program; see [Load]. It is safe for concurrent use.
func Count(s string) int { return cl100k.Count(s) }

// Load begins to load the table of [Count] in the background, for programs that
// will count soon.
func Load() { cl100k.load() }
