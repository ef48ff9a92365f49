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
	lockName   = "server.lock"
)

// Socket is the path of the Unix socket of the home's server.
func Socket(home string) string { return filepath.Join(home, socketName) }

// Token is the path of the file with the token that clients over TCP show.
func Token(home string) string { return filepath.Join(home, tokenName) }

// Lock is the path of the file that the home's server holds a lock on.
func Lock(home string) string { return filepath.Join(home, lockName) }

// Is reports whether a name in a home is one of these files, or of one that is about
// to become one.
func Is(name string) bool {
	return name == socketName || name == tokenName || name == lockName || strings.HasPrefix(name, partName)
}

// partName begins the names of what a server makes before it gets its place.
const partName = ".server-"

// Part is the pattern of such a name, for [os.MkdirTemp].
func Part() string { return partName + "*" }
