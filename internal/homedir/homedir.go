// Package homedir says which home is meant where none is named.
package homedir

import (
	"os"
	"path/filepath"

	"github.com/strata-memory/strata"
)

const (
	// Variable is the environment variable that names a home.
	Variable = "STRATA_HOME"
	// Name is what the home is called in the home directory of a user.
	Name = ".strata"
)

// Default is $STRATA_HOME, as [Expand] reads it, or .strata in the user's home directory.
func Default() (string, error) {
	if home := os.Getenv(Variable); home != "" {
		user, _ := os.UserHomeDir() // who has none is told so where it is needed
		return Expand(home, os.Getenv, user)
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return "", &strata.Error{Code: strata.CodeInvalid, Op: "find home", Message: "there is no home directory",
			Hint: "set " + Variable + ", or name a home", Err: err}
	}
	return filepath.Join(user, Name), nil
}
