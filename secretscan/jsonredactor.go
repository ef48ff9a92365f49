package secretscan

import "sync"

// JSONRedactor redacts JSON texts of which each is much like the one before, as
// the states of one conversation are: what of the last text held no secret is
// not searched again. It finds what [RedactJSON] finds. It holds on to the last
// text. The zero value is ready, and it is safe for concurrent use.
type JSONRedactor struct {
	mu   sync.Mutex
	last map[literalSeen]struct{}
}

// literalSeen is a literal as it stands in a text, and the name that holds it. Both
// together decide whether it is a secret.
type literalSeen struct{ name, raw string }

// pass are the values of the last text and those of the text at hand.
type pass struct {
	of         *JSONRedactor
	last, next map[literalSeen]struct{}
}

func (r *JSONRedactor) begin() *pass {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &pass{of: r, last: r.last, next: make(map[literalSeen]struct{}, len(r.last))}
}

// clean reports whether the value is known to hold no secret.
func (p *pass) clean(name, raw string) bool {
	v := literalSeen{name, raw}
	_, ok := p.last[v]
	if !ok {
		_, ok = p.next[v]
	}
	if ok {
		p.next[v] = struct{}{} // of the new text, so that the old one can go
	}
	return ok
}

// note remembers a value without a secret.
func (p *pass) note(name, raw string) { p.next[literalSeen{name, raw}] = struct{}{} }

func (p *pass) end() {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.of.last = p.next
}
