package learnings

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/strata-memory/strata/internal/secrets/fence"
)

// KeptOutcomes is how many outcomes of each tool are kept and looked at.
const KeptOutcomes = 50

// Outcome is what became of one tool call.
type Outcome struct {
	Tool       string    `json:"tool"`
	ParamsHash string    `json:"params_hash"` // see ParamsHash
	Params     string    `json:"params"`      // the parameters, shortened
	OK         bool      `json:"ok"`
	Error      string    `json:"error,omitempty"` // where it is not OK
	At         time.Time `json:"at"`
}

// ParamsHash returns 16 hexadecimal digits that are equal for arguments that
// are equal as JSON, whatever the order of their fields and their white space.
// Malformed arguments are equal only as they were written; no arguments, null
// and an empty object are the same.
func ParamsHash(arguments string) string {
	sum := sha256.Sum256([]byte(canonical(arguments)))
	return hex.EncodeToString(sum[:8])
}

// canonical returns arguments with sorted fields and without white space, or as
// they are if they are no JSON.
func canonical(arguments string) string {
	arguments = strings.TrimSpace(arguments)
	if arguments == "" {
		return "{}"
	}
	d := json.NewDecoder(strings.NewReader(arguments))
	d.UseNumber() // so that long numbers keep their digits
	var v any
	if err := d.Decode(&v); err != nil {
		return arguments
	}
	if _, err := d.Token(); err != io.EOF { // something follows
		return arguments
	}
	if v == nil {
		return "{}"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return arguments
	}
	return string(b)
}

// Warning says that a call failed before.
type Warning struct {
	Tool   string    `json:"tool"`
	Params string    `json:"params"` // the parameters, shortened
	Times  int       `json:"times"`  // how often it failed since it last succeeded
	Error  string    `json:"error"`  // the last one; may be empty
	At     time.Time `json:"at"`     // of the last failure
}

// Repeats reports whether a call with these arguments failed before, as far as
// the history shows, oldest first. A success of the same call clears what was
// before it.
func Repeats(history []Outcome, tool, arguments string) (Warning, bool) {
	hash := ParamsHash(arguments)
	w := Warning{Tool: tool}
	seen := 0
	for i := len(history) - 1; i >= 0 && seen < KeptOutcomes; i-- {
		h := history[i]
		if h.Tool != tool {
			continue
		}
		seen++
		if h.ParamsHash != hash {
			continue
		}
		if h.OK {
			break
		}
		if w.Times++; w.Times == 1 {
			w.Params, w.Error, w.At = h.Params, h.Error, h.At
		}
	}
	return w, w.Times > 0
}

// String is the warning in words, for the model.
func (w Warning) String() string {
	times := "once"
	if w.Times > 1 {
		times = fmt.Sprintf("%d times", w.Times)
	}
	s := fmt.Sprintf("This same call of %s failed %s before", toolName(w.Tool), times)
	if w.Error != "" {
		s += ", last with: " + strings.TrimRight(fence.Neutral(w.Error, MaxError), ".")
	}
	return s + ". Change the call, or say why it should work now."
}
