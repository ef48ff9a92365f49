// Package endpoint names the files in a home through which a server and its clients find
// each other.
package endpoint

import (
	"path/filepath"
	"strings"
)

// Names of the files. They belong to one machine and one server: no copy of a home
// includes them.
const (
	socketName = "strata.sock"
	tokenName  = "server.token"
	tokensName = "tokens.json"
	lockName   = "server.lock"
	gateName   = "tokens.lock"
)

// Socket returns the path of the Unix socket of the home's server.
func Socket(home string) string { return filepath.Join(home, socketName) }

// Token returns the path of the file with the token that clients present over TCP.
func Token(home string) string { return filepath.Join(home, tokenName) }

// Tokens returns the path of the file with the named tokens.
func Tokens(home string) string { return filepath.Join(home, tokensName) }

// TokensLock returns the path of the file that a process locks to change the named
// tokens.
func TokensLock(home string) string { return filepath.Join(home, gateName) }

// Lock returns the path of the file that the home's server keeps locked.
func Lock(home string) string { return filepath.Join(home, lockName) }

// Is reports whether a name in a home is one of these files, or a temporary file that is
// to become one.
func Is(name string) bool {
	switch name {
	case socketName, tokenName, tokensName, lockName, gateName:
		return true
	}
	return strings.HasPrefix(name, partName)
}

// partName begins the names of files that are not yet renamed into place.
const partName = ".server-"

// Part returns the pattern of such a name, for [os.CreateTemp] and [os.MkdirTemp].
func Part() string { return partName + "*" }
