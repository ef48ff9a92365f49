// Package access keeps the named tokens of a home. Who shows one to the home's server may
// do what it grants, and nothing else. The file holds digests: a token is shown once, when
// it is made.
package access

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/strata-memory/strata"
)

// Grant is what a token grants.
type Grant struct {
	Name string
	// Scopes are those that may be seen and written; none means the whole home. A call
	// that names no scope means the first.
	Scopes    []strata.Scope
	ReadOnly  bool
	CreatedAt time.Time

	digest Digest
}

// Confined reports whether the grant is for some scopes only. That of nobody in particular,
// nil, is for all.
func (g *Grant) Confined() bool { return g != nil && len(g.Scopes) > 0 }

// Digest stands for a token, so that none is found by comparing and none can be read.
type Digest [sha256.Size]byte

// Digest is that of the token.
func (g *Grant) Digest() Digest { return g.digest }

// row is a grant as the file has it.
type row struct {
	Name      string    `json:"name"`
	Scopes    []string  `json:"scopes,omitempty"`
	ReadOnly  bool      `json:"read_only,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	Digest    string    `json:"sha256"`
}

// MarshalJSON writes a grant as the file has it.
func (g *Grant) MarshalJSON() ([]byte, error) {
	r := row{Name: g.Name, ReadOnly: g.ReadOnly, CreatedAt: g.CreatedAt, Digest: hex.EncodeToString(g.digest[:])}
	for _, s := range g.Scopes {
		r.Scopes = append(r.Scopes, s.Key())
	}
	return json.Marshal(r)
}

// UnmarshalJSON reads a grant. A scope that cannot be read is an error: without it the
// grant would be for more.
func (g *Grant) UnmarshalJSON(data []byte) error {
	var r row
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	*g = Grant{Name: r.Name, ReadOnly: r.ReadOnly, CreatedAt: r.CreatedAt}
	for _, key := range r.Scopes {
		s, err := strata.ParseScope(key)
		if err != nil {
			return err
		}
		g.Scopes = append(g.Scopes, s)
	}
	digest, err := hex.DecodeString(r.Digest)
	if err != nil || len(digest) != len(g.digest) {
		return strata.Invalid("read tokens", "a token has no digest", "")
	}
	copy(g.digest[:], digest)
	return nil
}

// newToken returns a token of 256 bits.
func newToken() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	return base64.RawURLEncoding.EncodeToString(secret)
}

func digestOf(token string) Digest { return sha256.Sum256([]byte(token)) }
