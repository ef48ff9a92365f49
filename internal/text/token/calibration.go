package token

import "encoding/json"

// The limits within which a report is believed. Tokenizers with 30,000 to 260,000 entries
// produce between half and twice the estimate for ordinary text. A report far outside of
// that counts something else: only uncached tokens, the whole bill, or bytes.
const (
	// minRatio and maxRatio bound a report, as multiples of the estimate. A report
	// outside of them is ignored.
	minRatio, maxRatio = 0.3, 6.0
	// lowSurprise and highSurprise are multiples of the expected tokens. A report outside
	// of them must be confirmed by the next one. The upper one allows a wider margin,
	// because a full window is worse than an early compaction.
	lowSurprise, highSurprise = 0.7, 1.5
	// slack is how much a report may be off for any text, in tokens: the frame that a
	// server puts around a request.
	slack = 200
	// lowFactor is the least factor for text that no report covers. A conversation in a
	// language that needs few tokens may switch to another one.
	lowFactor = 1.0
	// steady is the size of a turn, in raw tokens, that says as much about the
	// factor as was known before: a turn of a few tokens is mostly frame.
	steady = 25
	// fall is the fraction of the way by which one report lowers the factor. A report
	// raises it all the way at once.
	fall = 0.25
)

// Calibration turns raw estimates into the tokens that a model will report. It learns
// from reports: the part of a conversation that a report covers is known, and only what
// came after is estimated, by a factor that follows the reports. It believes a surprising
// report only once the next one confirms it, so that a single wrong report does no harm.
//
// The zero value has seen no report and uses a factor of 1. Copies are independent. It is
// not safe for concurrent use.
type Calibration struct {
	factor      float64 // 0 means 1
	known       report  // last report of this conversation that was believed; zero if none
	unconfirmed report  // last report if it was a surprise; zero if not
}

// report is the number of tokens that a model counted for a raw estimate.
type report struct{ raw, tokens float64 }

// NewCalibration returns a calibration that begins with a factor, such as one that
// [Calibration.Factor] returned earlier for the same model. A factor that is not between
// 1 and 6 means 1.
func NewCalibration(factor float64) Calibration {
	if !(factor >= lowFactor && factor <= maxRatio) {
		factor = 1
	}
	return Calibration{factor: factor}
}

// Factor returns how many tokens the model is expected to count per raw token in text
// that no report covers, from 1 to 6. It is all that is worth keeping for other
// conversations with the same model.
func (c Calibration) Factor() float64 {
	if c.factor == 0 {
		return 1
	}
	return c.factor
}

// Scale returns the tokens to expect for the raw estimate of a whole request; 0 if raw is
// 0 or less. It never decreases as raw grows. It takes a request longer than the last
// observed one to be that request with text appended.
func (c Calibration) Scale(raw int) int {
	if raw <= 0 {
		return 0
	}
	return int(c.known.extend(float64(raw), c.Factor()) + 0.5)
}

// extend extrapolates a report to another raw estimate. For a shorter request, it
// multiplies the estimate by factor, but returns no more than the report's tokens.
func (r report) extend(raw, factor float64) float64 {
	if raw < r.raw {
		return min(factor*raw, r.tokens)
	}
	return r.tokens + factor*(raw-r.raw)
}

// Unscale returns how many raw tokens can be expected to fit into the given number of
// real tokens: the most whose Scale does not exceed it.
func (c Calibration) Unscale(tokens int) int {
	t := float64(tokens)
	if t <= 0 {
		return 0
	}
	if t < c.known.tokens {
		return int(min(t/c.Factor(), c.known.raw))
	}
	return int(c.known.raw + (t-c.known.tokens)/c.Factor())
}

// Refused records that a model refused a request with this raw estimate as longer than
// window tokens, so it was at least that long.
func (c *Calibration) Refused(raw, window int) {
	c.factor = min(max(1.25*c.Factor(), float64(window)/float64(max(raw, 1))), maxRatio)
	c.Rebase()
}

// Bound limits the factor to most. If that lowers it, Bound also discards what was
// reported about the conversation, which contradicts the limit.
func (c *Calibration) Bound(most float64) {
	if most = max(most, lowFactor); c.Factor() > most {
		c.factor = most
		c.Rebase()
	}
}

// savedCalibration is the JSON form of a Calibration.
type savedCalibration struct {
	Factor float64 `json:"factor,omitempty"`
	Raw    float64 `json:"raw,omitempty"`
	Tokens float64 `json:"tokens,omitempty"`
}

// MarshalJSON encodes what a conversation needs to continue counting as before, except
// for a report that waits to be confirmed.
func (c Calibration) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedCalibration{c.factor, c.known.raw, c.known.tokens})
}

// UnmarshalJSON is the inverse of MarshalJSON. It ignores implausible numbers.
func (c *Calibration) UnmarshalJSON(data []byte) error {
	var s savedCalibration
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	*c = NewCalibration(s.Factor)
	if s.Raw > 0 && s.Tokens >= minRatio*s.Raw && s.Tokens <= maxRatio*s.Raw+slack {
		c.known = report{s.Raw, s.Tokens}
	}
	return nil
}

// Observe records that a request with this raw estimate was reported as so many tokens:
// its whole prompt, cached or not. It returns whether the report was believed. It ignores
// a report that is not positive or is implausible; a surprising one waits for the next.
func (c *Calibration) Observe(raw, reported int) bool {
	now := report{float64(raw), float64(reported)}
	if raw <= 0 || reported <= 0 || now.tokens < minRatio*now.raw || now.tokens > maxRatio*now.raw+slack {
		return false
	}
	if !now.follows(c.known, c.Factor()) && (c.unconfirmed == report{} || !now.follows(c.unconfirmed, c.Factor())) {
		c.unconfirmed = now
		return false
	}
	c.learn(now)
	c.known, c.unconfirmed = now, report{}
	return true
}

// follows reports whether r is about what an earlier report lets expect.
func (r report) follows(before report, factor float64) bool {
	expected := before.extend(r.raw, factor)
	return r.tokens >= lowSurprise*expected-slack && r.tokens <= highSurprise*expected+slack
}

// learn moves the factor toward that of the whole request or that of its new part,
// whichever is greater.
func (c *Calibration) learn(now report) {
	factor := c.Factor()
	said := weigh(now, factor)
	if now.raw > c.known.raw {
		said = max(said, weigh(report{now.raw - c.known.raw, now.tokens - c.known.tokens}, factor))
	}
	if said < factor {
		said = factor + fall*(said-factor)
	}
	c.factor = min(max(said, lowFactor), maxRatio)
}

// weigh returns the factor that a report implies, pulled toward the current one if the
// report covers little text.
func weigh(r report, factor float64) float64 {
	return (r.tokens + steady*factor) / (r.raw + steady)
}

// Rebase tells c that the next request does not begin with the last observed one, as
// after a compaction. What c learned about the model stays.
func (c *Calibration) Rebase() { c.known, c.unconfirmed = report{}, report{} }
