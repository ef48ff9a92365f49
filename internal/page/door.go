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
	// codeLife is how long a code may be shown, visitLife how long a visit lasts without
	// a request.
	codeLife  = 10 * time.Minute
	visitLife = 12 * time.Hour
	// most bounds the codes and the visits that are remembered; the oldest give way.
	most = 64
)

// Header must be on what a browser asks for by its cookie. A page of another site cannot
// send it without being asked first, and is told no.
const Header = "Strata-Page"

// Door lets browsers in. It is safe for concurrent use.
type Door struct {
	cookie string // its name
	now    func() time.Time

	mu     sync.Mutex // guards what follows
	codes  map[digest]time.Time
	visits map[digest]time.Time // when they were seen last
}

// digest stands for a secret, so that none is found by comparing.
type digest [sha256.Size]byte

// NewDoor returns a door that nobody has come through.
func NewDoor() *Door {
	// A cookie belongs to a host with all of its ports: the name tells servers apart.
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

// Redeem takes a code, and reports whether it was one.
func (d *Door) Redeem(code string) bool {
	key := sha256.Sum256([]byte(code))
	d.mu.Lock()
	defer d.mu.Unlock()
	made, ok := d.codes[key]
	delete(d.codes, key)
	return ok && d.now().Sub(made) < codeLife
}

// Enter begins a visit, and has the browser keep its cookie.
func (d *Door) Enter(w http.ResponseWriter) {
	secret := rand.Text()
	d.mu.Lock()
	remember(d.visits, secret, d.now(), visitLife)
	d.mu.Unlock()
	http.SetCookie(w, d.made(secret, int(visitLife/time.Second)))
}

// Leave ends the visit of a request, if it has one.
func (d *Door) Leave(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(d.cookie); err == nil {
		d.mu.Lock()
		delete(d.visits, sha256.Sum256([]byte(c.Value)))
		d.mu.Unlock()
	}
	http.SetCookie(w, d.made("", -1))
}

// Holds reports whether a request is of a visit, and sent by the page itself.
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

// made is the cookie with a value; a negative age has the browser forget it. It is not
// marked secure: the address is of this machine, and has no TLS.
func (d *Door) made(value string, age int) *http.Cookie {
	return &http.Cookie{Name: d.cookie, Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode}
}

// remember keeps a secret by its digest. What is too old goes, and then the oldest.
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
