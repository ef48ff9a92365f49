package token

import "encoding/json"

// What a report is believed to say. Tokenizers with tables of 30,000 to 260,000
// entries take between a half and twice of the estimate for ordinary text; what
// lies far outside counts something else: only what was not cached, the whole
// bill, bytes.
const (
	// minRatio is the share of the estimate below which a report says nothing
	// of it, and mostRatio how many times the estimate is one too many.
	minRatio, maxRatio = 0.3, 6.0
	// lowSurprise and highSurprise are the multiples of what was expected
	// outside of which a report must be confirmed by the next one. More than
	// expected is believed sooner, because a full window is worse than an
	// early compaction.
	lowSurprise, highSurprise = 0.7, 1.5
	// slack is by how much a report may be off whatever the text is: the frame
	// that a server puts round a request, in tokens.
	slack = 200
	// lowFactor is the least factor for text that no report has covered. A
	// conversation in a language that takes few tokens may turn to another.
	lowFactor = 1.0
	// steady is the size of a turn, in raw tokens, that says as much about the
	// factor as was known before: a turn of a few tokens is mostly frame.
	steady = 25
	// fall is the part of the way that the factor goes down at a report; up it
	// goes at once.
	fall = 0.25
)

// Calibration turns raw estimates into the tokens that a model will report. It
// learns from the reports: what was reported of a conversation is known, and
// only what came after it is estimated, by a factor that follows the reports.
// A report that surprises is believed when the next one confirms it, so that
// one wrong report does not lead it astray.
//
// The zero value has seen nothing and takes the estimate as it is. Copies are
// independent. It is not safe for concurrent use.
type Calibration struct {
	factor      float64 // 0 means 1
	known       report  // last believed of this conversation; zero if none
	uncertainty report  // last one, where it surprised; zero if none
}

// report is what a model counted for a raw estimate.
type report struct{ raw, tokens float64 }

// NewCalibration returns a calibration that begins with a factor, such as one
// that [Calibration.Factor] gave for the same model earlier. Anything but a
// number from 1 to 6 means 1.
func NewCalibration(factor float64) Calibration {
	if !(factor >= lowFactor && factor <= maxRatio) {
		factor = 1
	}
	return Calibration{factor: factor}
}

// Factor is how many tokens the model is expected to count for one of the raw
// estimate, in text that no report has covered: 1 to 6. It is all that is worth
// keeping for other conversations with the same model.
func (c Calibration) Factor() float64 {
	if c.factor == 0 {
		return 1
	}
	return c.factor
}

// Scale returns the tokens to expect for the raw estimate of a whole request: 0
// for 0 and less, and never less for more. A request longer than the one last
// observed is taken for that one with more at its end.
func (c Calibration) Scale(raw int) int {
	if raw <= 0 {
		return 0
	}
	return int(c.known.extend(float64(raw), c.Factor()) + 0.5)
}

// extend continues a report to another raw estimate. Of a shorter request the
// text counts by the factor, but not for more than the longer one did.
func (r report) extend(raw, factor float64) float64 {
	if raw < r.raw {
		return min(factor*raw, r.tokens)
	}
	return r.tokens + factor*(raw-r.raw)
}

// Unscale returns how many raw tokens may be expected to fit into so many real
// ones: the most whose Scale is not above them.
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

// Refused learns that a model refused a request with this raw estimate as
// larger than so many tokens: it was at least that large.
func (c *Calibration) Refused(raw, window int) {
	c.factor = min(max(1.25*c.Factor(), float64(window)/float64(max(raw, 1))), maxRatio)
	c.Rebase()
}

// Bound keeps the factor from rising above most. What was reported of the
// conversation is forgotten with it, as it says otherwise.
func (c *Calibration) Bound(most float64) {
	if most = max(most, lowFactor); c.Factor() > most {
		c.factor = most
		c.Rebase()
	}
}

// savedCalibration is a calibration as JSON.
type savedCalibration struct {
	Factor float64 `json:"factor,omitempty"`
	Raw    float64 `json:"raw,omitempty"`
	Tokens float64 `json:"tokens,omitempty"`
}

// MarshalJSON keeps what a conversation needs to go on counting as before,
// save for a report that waits to be confirmed.
func (c Calibration) MarshalJSON() ([]byte, error) {
	return json.Marshal(savedCalibration{c.factor, c.known.raw, c.known.tokens})
}

// UnmarshalJSON is the inverse of MarshalJSON. Numbers out of all proportion
// count as nothing learnt.
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

// Observe learns that a request with this raw estimate was reported as so many
// tokens, all of its prompt, cached or not. It reports whether that is
// believed already. A report of 0, a negative one and one out of all proportion
// change nothing; one that surprises waits for the next.
func (c *Calibration) Observe(raw, reported int) bool {
	now := report{float64(raw), float64(reported)}
	if raw <= 0 || reported <= 0 || now.tokens < minRatio*now.raw || now.tokens > maxRatio*now.raw+slack {
		return false
	}
	if !now.follows(c.known, c.Factor()) && (c.uncertainty == report{} || !now.follows(c.uncertainty, c.Factor())) {
		c.uncertainty = now
		return false
	}
	c.learn(now)
	c.known, c.uncertainty = now, report{}
	return true
}

// follows reports whether r is about what one expects after an earlier report.
func (r report) follows(before report, factor float64) bool {
	expected := before.extend(r.raw, factor)
	return r.tokens >= lowSurprise*expected-slack && r.tokens <= highSurprise*expected+slack
}

// learn moves the factor towards what the request says as a whole and what its
// new part says, whichever is more.
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

// weigh returns the factor that a report speaks for, held back by the present
// one where it covers little.
func weigh(r report, factor float64) float64 {
	return (r.tokens + steady*factor) / (r.raw + steady)
}

// Rebase says that the next request does not begin with the one observed last,
// as after a compaction. What was learnt of the model stays.
func (c *Calibration) Rebase() { c.known, c.uncertainty = report{}, report{} }
