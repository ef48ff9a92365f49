// Package id creates the identifiers of facts, turns, decisions, documents, traces,
// learnings, dreams and questions: a short word for the kind, and a ULID, which sorts by
// time.
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
	Archive   = "" // a bare ULID, as in a file name
	Workspace = "" // a bare ULID, as in workspace.toml
)

// Maker creates identifiers that ascend within the process, even within one millisecond.
// It is safe for concurrent use. The zero Maker is ready to use.
type Maker struct {
	mu      sync.Mutex // guards entropy
	entropy *ulid.MonotonicEntropy
}

// New returns a new identifier of a kind for the given time, or for the nearest time that
// an identifier can represent.
func (m *Maker) New(kind string, at time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entropy == nil {
		m.entropy = ulid.Monotonic(rand.Reader, 0)
	}
	ms := ulid.Timestamp(clock.Bound(at))
	u, err := ulid.New(ms, m.entropy)
	if err != nil {
		// The entropy of one millisecond is exhausted after 2^79 identifiers, or the
		// clock went back; fresh entropy helps in both cases.
		m.entropy = ulid.Monotonic(rand.Reader, 0)
		u = ulid.MustNew(ms, io.Reader(m.entropy))
	}
	if kind == "" {
		return u.String()
	}
	return kind + "_" + u.String()
}

// Of returns the identifier of a kind that is derived from parts: the same parts always
// give the same identifier. It does not sort by time.
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

// ShortLetters is how many letters of an identifier people are shown: the last ones. The
// first encode a time, and are the same for identifiers of one moment; the last 32 bits
// are random even within one millisecond. Among 100,000 identifiers, the chance that
// another one ends the same is 3 in a million.
const ShortLetters = 7

// Short returns an identifier as shown to people: the kind and the last letters. It
// returns anything other than an identifier with a kind unchanged.
func Short(id string) string {
	kind, letters, ok := strings.Cut(id, "_")
	if !ok || len(letters) != ulid.EncodedSize {
		return id
	}
	return kind + "_" + letters[len(letters)-ShortLetters:]
}

// IsWhole reports whether s is a complete identifier of the kind.
func IsWhole(kind, s string) bool {
	letters, ok := strings.CutPrefix(s, kind+"_")
	return ok && len(letters) == ulid.EncodedSize
}

// Letters returns the letters of a shortened identifier of the kind, which may be written
// without the kind and in lower case; ok is false if s cannot be one.
func Letters(kind, s string) (string, bool) {
	letters, named := strings.CutPrefix(s, kind+"_")
	if !named && len(letters) < leastLetters || letters == "" || len(letters) > ulid.EncodedSize {
		return "", false
	}
	letters = strings.ToUpper(letters)
	return letters, strings.Trim(letters, ulid.Encoding) == ""
}

// leastLetters is the least number of letters in an identifier without its kind, so that
// numbers and words are not taken for one.
const leastLetters = 4
