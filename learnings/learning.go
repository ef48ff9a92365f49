package learnings

import (
	"strings"
	"time"
	"unicode"

	"github.com/strata-memory/strata/internal/secrets/fence"
)

// Limits of a learning, in characters. What is longer is cut, with an ellipsis.
const (
	MaxTool       = 64
	MaxError      = 500
	MaxContext    = 300
	MaxOriginal   = 200
	MaxCorrection = 500
)

// MaxInjectLines is how many learnings of a scope a new session is shown.
const MaxInjectLines = 20

// maxCount is where the count of a learning stops.
const maxCount = 1_000_000

// Error is a tool failure worth remembering.
type Error struct {
	Tool    string `json:"tool"`
	Text    string `json:"text"`              // what the tool said
	Context string `json:"context,omitempty"` // what was tried
	Times
}

// Correction is a user setting the assistant right.
type Correction struct {
	Original   string `json:"original,omitempty"` // what the assistant had said
	Correction string `json:"correction"`         // what the user said
	Times
}

// Times is when and how often a learning was learnt.
type Times struct {
	First time.Time `json:"first"` // the zero value means the same as Last
	Last  time.Time `json:"last"`
	Count int       `json:"count"` // at least 1; 0 means 1
}

// At is one time.
func At(t time.Time) Times { return Times{First: t, Last: t, Count: 1} }

// Clean returns the learning as a file can hold it: texts on one line, without
// control characters and markup, cut to their limits; times in UTC to the
// minute. Clean of a clean learning changes nothing.
func (e Error) Clean() Error {
	return Error{Tool: toolName(e.Tool), Text: fence.Neutral(e.Text, MaxError), Context: fence.Neutral(e.Context, MaxContext), Times: e.Times.clean()}
}

// Clean returns the correction as a file can hold it, as [Error.Clean] does.
func (c Correction) Clean() Correction {
	return Correction{Original: fence.Neutral(c.Original, MaxOriginal), Correction: fence.Neutral(c.Correction, MaxCorrection), Times: c.Times.clean()}
}

func (t Times) clean() Times {
	t.First, t.Last, t.Count = minute(t.First), minute(t.Last), min(max(t.Count, 1), maxCount)
	if t.Count == 1 || t.First.IsZero() || t.First.After(t.Last) {
		t.First = t.Last
	}
	return t
}

// minute is t as a file can hold it.
func minute(t time.Time) time.Time {
	t = t.UTC().Truncate(time.Minute)
	if t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// The methods by which a File treats both kinds alike.

func (e Error) empty() bool      { return e.Text == "" }
func (c Correction) empty() bool { return c.Correction == "" }

// Key is equal for errors that teach the same.
func (e Error) Key() string { return strings.ToLower(e.Tool) + "\n" + mask(e.Text) }

// Key is equal for corrections that say the same.
func (c Correction) Key() string { return normalForm(c.Correction) }

// toolName returns the name of a tool as it can be between asterisks.
func toolName(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("_-./:", r) {
			return r
		}
		return '_'
	}, strings.TrimSpace(fence.Neutral(s, MaxTool)))
	if s == "" {
		return "unknown"
	}
	return s
}
