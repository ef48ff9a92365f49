package secrets

import (
	"strings"

	"github.com/strata-memory/strata"
)

// Name is a name that somebody gave: an id, a session, a path, a title.
type Name struct {
	Field string // what it names, for the error
	Text  string
}

// Refuse returns an error with code rejected_secret if a name contains a secret, and nil
// otherwise. Unlike a text, a name cannot be redacted, because it would become another
// name. The error gives the field, never the content.
func Refuse(op string, names ...Name) error {
	for _, n := range names {
		if found := scanName(n.Text); len(found) > 0 {
			return &strata.Error{Code: strata.CodeRejectedSecret, Op: op, Message: "the " + n.Field + " holds a secret: " + found[0].Rule,
				Hint: "use another " + n.Field + ", without the secret"}
		}
	}
	return nil
}

// HasSecret reports whether a name contains a secret.
func (n Name) HasSecret() bool { return len(scanName(n.Text)) > 0 }

// scanName returns the secrets in a name or in one of its ends: words joined by a hyphen
// or an underscore are one word in a text, but several in a name.
func scanName(s string) []Finding {
	for {
		if found := Scan(s); found != nil {
			return found
		}
		i := strings.IndexAny(s, "_-")
		if i < 0 {
			return nil
		}
		s = s[i+1:]
	}
}
