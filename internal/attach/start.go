package attach

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata/internal/detached"
	"github.com/strata-memory/strata/internal/homedir"
)

// placed are the variables that say where a command works. They are not for a server, which
// works for commands everywhere.
var placed = []string{homedir.Variable, "STRATA_WORKSPACE", "STRATA_SCOPE", "STRATA_AGENT"}

// Start starts a server of a home by the command strata, beside this process. It ends when
// nothing was asked for so long. Of two servers that are started at once one finds the home
// served, and ends.
func Start(command, home string, idle time.Duration) error {
	cmd := exec.Command(command, "--home", home, "serve", "--idle", idle.String())
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(placed, name)
	})
	if info, err := os.Stat(home); err == nil && info.IsDir() {
		cmd.Dir = home // a project may be moved or removed meanwhile
	}
	return detached.Start(cmd)
}
