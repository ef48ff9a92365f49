package page

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"
)

const (
	// codeLife is how long a code is valid, visitLife how long a visit lasts without a
	// request.
	codeLife  = 10 * time.Minute
	visitLife = 12 * time.Hour
	// most bounds the codes and the visits that are kept, each; the oldest give way.
	most = 64
)

// Header is the header that a request must carry for its cookie to count. A page of
// another site cannot send it without a CORS preflight, which the server denies.
const Header = "Strata-Page"

// Door decides which browsers are let in. It is safe for concurrent use.
type Door struct {
	cookie string // its name
	now    func() time.Time

	mu     sync.Mutex // guards the fields below
	codes  map[digest]time.Time
	visits map[digest]time.Time // by when each was last seen
}

// digest is the hash of a secret. Looking secrets up by digest leaks nothing through
// timing.
type digest [sha256.Size]byte

// NewDoor returns a door that has let nobody in yet.
func NewDoor() *Door {
	// Browsers send a cookie to every port of a host: the name keeps servers apart.
	name := make([]byte, 4)
	_, _ = rand.Read(name) // it never fails
	return &Door{cookie: "strata-" + hex.EncodeToString(name), now: time.Now,
		codes: make(map[digest]time.Time), visits: make(map[digest]time.Time)}
}

// Code makes a code that lets one browser in, once, within ten minutes.
func (d *Door) Code() string {
	code := rand.Text()
	d.mu.Lock()
	defer d.mu.Unlock()
	remember(d.codes, code, d.now(), codeLife)
	return code
}

// Redeem uses a code up, and reports whether it was valid.
func (d *Door) Redeem(code string) bool {
	key := sha256.Sum256([]byte(code))
	d.mu.Lock()
	defer d.mu.Unlock()
	made, ok := d.codes[key]
	delete(d.codes, key)
	return ok && d.now().Sub(made) < codeLife
}

// Enter begins a visit and sets its cookie.
func (d *Door) Enter(w http.ResponseWriter) {
	secret := rand.Text()
	d.mu.Lock()
	remember(d.visits, secret, d.now(), visitLife)
	d.mu.Unlock()
	http.SetCookie(w, d.made(secret, int(visitLife/time.Second)))
}

// Leave ends the visit of a request, if it has one, and clears its cookie.
func (d *Door) Leave(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(d.cookie); err == nil {
		d.mu.Lock()
		delete(d.visits, sha256.Sum256([]byte(c.Value)))
		d.mu.Unlock()
	}
	http.SetCookie(w, d.made("", -1))
}

// Holds reports whether a request belongs to a visit and was sent by the page itself. It
// prolongs the visit.
func (d *Door) Holds(r *http.Request) bool {
	c, err := r.Cookie(d.cookie)
	if err != nil || r.Header.Get(Header) == "" {
		return false
	}
	key := sha256.Sum256([]byte(c.Value))
	d.mu.Lock()
	defer d.mu.Unlock()
	seen, ok := d.visits[key]
	if !ok || d.now().Sub(seen) >= visitLife {
		delete(d.visits, key)
		return false
	}
	d.visits[key] = d.now()
	return true
}

// made returns the cookie with a value; a negative age has the browser delete it. It is
// not marked Secure, because the address is on this machine and has no TLS.
func (d *Door) made(value string, age int) *http.Cookie {
	return &http.Cookie{Name: d.cookie, Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode}
}

// remember stores the digest of a secret. It drops expired ones, and then the oldest if
// there are still too many.
func remember(in map[digest]time.Time, secret string, now time.Time, life time.Duration) {
	var oldest digest
	first := now
	for key, at := range in {
		if now.Sub(at) >= life {
			delete(in, key)
		} else if !at.After(first) {
			oldest, first = key, at
		}
	}
	if len(in) >= most {
		delete(in, oldest)
	}
	in[sha256.Sum256([]byte(secret))] = now
}
