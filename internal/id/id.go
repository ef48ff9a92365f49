// Package id makes the identifiers of facts, turns, decisions, documents, traces and learnings: a
// short word for the kind and a ULID, which sorts by time.
package id

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
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
	Workspace = "" // a bare ULID, as it is in workspace.toml
)

// Maker makes identifiers that ascend within the process, also within one
// millisecond. It is safe for concurrent use. The zero Maker is ready.
type Maker struct {
	mu      sync.Mutex // guards entropy
	entropy *ulid.MonotonicEntropy
}

// New returns a new identifier of the kind for the given time.
func (m *Maker) New(kind string, at time.Time) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entropy == nil {
		m.entropy = ulid.Monotonic(rand.Reader, 0)
	}
	ms := ulid.Timestamp(at)
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
