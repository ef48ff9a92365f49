// Package id makes the identifiers of facts, turns, decisions, documents, traces, learnings, dreams and questions: a
// short word for the kind and a ULID, which sorts by time.
package id

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/strata-memory/strata/internal/base/clock"
)

// The kinds of identifier.
const (
	Fact      = "fact"
	Turn      = "turn"
	Decision  = "dec"
	Trace     = "trace"
	Session   = "session"
	Learning  = "lrn"
	Document  = "doc"
	Dream     = "dream"
	Question  = "question"
	Archive   = "" // a bare ULID, as it is in the name of a file
	Workspace = "" // a bare ULID, as it is in workspace.toml
)

// Maker makes identifiers that ascend within the process, also within one
// millisecond. It is safe for concurrent use. The zero Maker is ready.
type Maker struct {
	mu      sync.Mutex // guards entropy
	entropy *ulid.MonotonicEntropy
}

// New returns a new identifier of the kind for the given time, or the nearest one that
// an identifier can tell.
func (m *Maker) New(kind string, at time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entropy == nil {
		m.entropy = ulid.Monotonic(rand.Reader, 0)
	}
	ms := ulid.Timestamp(clock.Bound(at))
	u, err := ulid.New(ms, m.entropy)
	if err != nil {
		// The entropy of one millisecond is used up after 2^79 identifiers, or
		// the clock went back; fresh entropy serves both.
		m.entropy = ulid.Monotonic(rand.Reader, 0)
		u = ulid.MustNew(ms, io.Reader(m.entropy))
	}
	if kind == "" {
		return u.String()
	}
	return kind + "_" + u.String()
}

// Of returns the identifier of the kind that follows from the parts, so that the
// same parts always have the same. It does not sort by time.
func Of(kind string, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(p)))
		h.Write(size[:])
		io.WriteString(h, p)
	}
	return kind + "_" + ulid.ULID(h.Sum(nil)[:16]).String()
}

// ShortLetters is how many letters of an identifier a person is shown. They are its
// last: the first are a time, which those of one moment have in common, the last 32
// bits are random even in identifiers of one millisecond. Of 100,000 identifiers
// another ends alike with a chance of 3 in a million.
const ShortLetters = 7

// Short returns an identifier as people are shown it: the kind and the last letters.
// What is no identifier with a kind stays as it is.
func Short(id string) string {
	kind, letters, ok := strings.Cut(id, "_")
	if !ok || len(letters) != ulid.EncodedSize {
		return id
	}
	return kind + "_" + letters[len(letters)-ShortLetters:]
}

// IsWhole reports whether s is a whole identifier of the kind.
func IsWhole(kind, s string) bool {
	letters, ok := strings.CutPrefix(s, kind+"_")
	return ok && len(letters) == ulid.EncodedSize
}

// Letters returns the letters of a shortened identifier of the kind, which may be
// written without the kind and in lower case; false if it cannot be one.
func Letters(kind, s string) (string, bool) {
	letters, named := strings.CutPrefix(s, kind+"_")
	if !named && len(letters) < leastLetters || letters == "" || len(letters) > ulid.EncodedSize {
		return "", false
	}
	letters = strings.ToUpper(letters)
	return letters, strings.Trim(letters, ulid.Encoding) == ""
}

// leastLetters is how many letters an identifier without its kind has at least, so that
// it is not taken for a number or a word.
const leastLetters = 4
