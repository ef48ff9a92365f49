// Package endpoint names the files of a home by which a server and its clients meet.
package endpoint

import (
	"path/filepath"
	"strings"
)

// Names of the files. They are of one machine and one server: no copy of a home
// carries them.
const (
	socketName = "strata.sock"
	tokenName  = "server.token"
	tokensName = "tokens.json"
	lockName   = "server.lock"
	gateName   = "tokens.lock"
)

// Socket is the path of the Unix socket of the home's server.
func Socket(home string) string { return filepath.Join(home, socketName) }

// Token is the path of the file with the token that clients over TCP show.
func Token(home string) string { return filepath.Join(home, tokenName) }

// Tokens is the path of the file with the named tokens, TokensLock of the one that who
// changes it holds a lock on.
func Tokens(home string) string { return filepath.Join(home, tokensName) }

// TokensLock is described at [Tokens].
func TokensLock(home string) string { return filepath.Join(home, gateName) }

// Lock is the path of the file that the home's server holds a lock on.
func Lock(home string) string { return filepath.Join(home, lockName) }

// Is reports whether a name in a home is one of these files, or of one that is about
// to become one.
func Is(name string) bool {
	switch name {
	case socketName, tokenName, tokensName, lockName, gateName:
		return true
	}
	return strings.HasPrefix(name, partName)
}

// partName begins the names of what a server makes before it gets its place.
const partName = ".server-"

// Part is the pattern of such a name, for [os.MkdirTemp].
func Part() string { return partName + "*" }
