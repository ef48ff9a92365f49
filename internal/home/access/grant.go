// Package access keeps the named tokens of a home. A client that presents a token to the
// home's server may do what the token grants, and nothing else. The file stores digests
// only: a token is shown once, when it is created.
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
	// Scopes are the scopes that may be read and written; none means the whole home. A
	// call that names no scope uses the first.
	Scopes    []strata.Scope
	ReadOnly  bool
	CreatedAt time.Time

	digest Digest
}

// Confined reports whether the grant is limited to some scopes. A nil grant is not.
func (g *Grant) Confined() bool { return g != nil && len(g.Scopes) > 0 }

// Digest is the hash of a token. It reveals neither the token nor, in comparisons, parts
// of it.
type Digest [sha256.Size]byte

// Digest returns the digest of the token.
func (g *Grant) Digest() Digest { return g.digest }

// row is a grant as the file stores it.
type row struct {
	Name      string    `json:"name"`
	Scopes    []string  `json:"scopes,omitempty"`
	ReadOnly  bool      `json:"read_only,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	Digest    string    `json:"sha256"`
}

// MarshalJSON encodes a grant as the file stores it.
func (g *Grant) MarshalJSON() ([]byte, error) {
	r := row{Name: g.Name, ReadOnly: g.ReadOnly, CreatedAt: g.CreatedAt, Digest: hex.EncodeToString(g.digest[:])}
	for _, s := range g.Scopes {
		r.Scopes = append(r.Scopes, s.Key())
	}
	return json.Marshal(r)
}

// UnmarshalJSON decodes a grant. A scope that cannot be parsed is an error: without it
// the grant would cover more.
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

// newToken returns a random token of 256 bits.
func newToken() string {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	return base64.RawURLEncoding.EncodeToString(secret)
}

func digestOf(token string) Digest { return sha256.Sum256([]byte(token)) }
