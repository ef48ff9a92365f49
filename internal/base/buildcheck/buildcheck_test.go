package buildcheck

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A build that lacks something ends with a line that says what to do; one that
// has all of it ends well, as the build of this test does.
func TestABuildThatLacksSomethingSaysWhatToDo(t *testing.T) {
	for name, c := range map[string]struct{ variable, value, want string }{
		"no tag":        {"GOFLAGS", "", "Strata needs GOFLAGS=-tags=sqlite_fts5: in a checkout run eval"},
		"no header":     {"CGO_CFLAGS", "-O2", "Strata needs GOFLAGS and CGO_CFLAGS with the path of sqlite3.h"},
		"no C compiler": {"CGO_ENABLED", "0", "Strata needs CGO_ENABLED=1 and a C compiler: see docs/install.md"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("go", "build", ".")
			cmd.Env = append(os.Environ(), c.variable+"="+c.value)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), c.want) {
				t.Errorf("error %v, without %q:\n%s", err, c.want, out)
			}
		})
	}
}
