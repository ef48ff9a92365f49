package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/strata-memory/strata/local"
)

var update = flag.Bool("update", false, "rewrite golden files and generated documents")

// programs are what scripts run beside the tools of the machine. The test binary is
// all of them: a script that runs strata runs Main.
var programs = map[string]func(){"strata": runMeasured, "longtalk": printLongTalk}

// statusInto names the file to which a process of strata writes its /proc/self/status at its
// end.
const statusInto = "COMMAND_TEST_STATUS_INTO"

func runMeasured() {
	code := run()
	if file := os.Getenv(statusInto); file != "" {
		status, _ := os.ReadFile("/proc/self/status")
		os.WriteFile(file, status, 0o600)
	}
	os.Exit(code)
}

func TestMain(m *testing.M) { testscript.Main(m, programs) }

func TestScripts(t *testing.T) {
	testscript.Run(t, scriptParams())
}

// scriptParams are those of scripts, all of them.
func scriptParams() testscript.Params {
	return testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: false,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":        cmdExits,
			"model":        cmdModel,
			"json":         cmdJSON,
			"setenv":       cmdSetenv,
			"raw":          cmdRaw,
			"absent":       cmdAbsent,
			"entries":      cmdEntries,
			"newer":        cmdNewer,
			"overwrite":    cmdOverwrite,
			"alter":        cmdAlter,
			"unprivileged": cmdUnprivileged,
		},
	}
}

// setup gives every script a user, a home and a directory for temporary files
// of its own, and no setting of the machine. At the end doctor must find the
// home clean.
func setup(env *testscript.Env) error {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "STRATA_") {
			env.Setenv(name, "")
		}
	}
	home := filepath.Join(env.WorkDir, "home")
	env.Setenv("HOME", filepath.Join(env.WorkDir, "user"))
	env.Setenv("STRATA_HOME", home)
	env.Setenv("STRATA_HOOK_SERVER", "off")
	env.Setenv("TMPDIR", filepath.Join(env.WorkDir, "tmp"))
	// Under the race detector every process would sleep for a second at its end.
	env.Setenv("GORACE", "atexit_sleep_ms=0")
	for _, dir := range []string{"user", "tmp"} {
		if err := os.MkdirAll(filepath.Join(env.WorkDir, dir), 0o700); err != nil {
			return err
		}
	}
	env.Defer(func() { checkup(env.T(), home) })
	return nil
}

// checkup runs doctor over a home, if there is one.
func checkup(t testscript.T, home string) {
	if _, err := os.Stat(local.Database(home)); err != nil {
		return
	}
	var stdout, stderr bytes.Buffer
	args := []string{"doctor", "--home", home, "-o", "json"}
	code := Main(context.Background(), args, strings.NewReader(""), &stdout, &stderr, []string{"HOME=" + filepath.Dir(home)})
	var report struct {
		Problems []any `json:"problems"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); code != 0 || err != nil || len(report.Problems) > 0 {
		t.Fatal("doctor after the script: exit code ", code, "\n", stdout.String(), stderr.String())
	}
}
