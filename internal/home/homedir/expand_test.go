package homedir

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

func TestExpand(t *testing.T) {
	getenv := func(name string) string {
		return map[string]string{"HOME": "/home/nora", "USERPROFILE": "/users/nora", "X1": "rel", "ProgramFiles(x86)": "/programs"}[name]
	}
	for path, want := range map[string]string{
		"~": "/home/nora", "~/mem": "/home/nora/mem", "~/": "/home/nora", `~\mem`: "/home/nora/mem", "~/~": "/home/nora/~",
		"$HOME": "/home/nora", "$HOME/mem": "/home/nora/mem", "${HOME}/mem": "/home/nora/mem", "${HOME}2": "/home/nora2",
		"$HOME-mem": "/home/nora-mem", "$X1/mem": "rel/mem",
		`%USERPROFILE%\.strata`: "/users/nora/.strata", "%USERPROFILE%/.strata": "/users/nora/.strata",
		`%USERPROFILE%\a\b`: "/users/nora/a/b", `%ProgramFiles(x86)%\a`: "/programs/a",
		// What is no beginning of this kind stays as it is.
		"": "", "mem": "mem", "/mem": "/mem", "./~": "./~", "./$HOME": "./$HOME", "./%HOME%": "./%HOME%", "/a/$HOME": "/a/$HOME", "a/~": "a/~",
		"a~": "a~", "$": "$", "$1": "$1", "50%": "50%", "%": "%", "%%": "%%", "100%/a%": "100%/a%", "-": "-", `a\b`: `a\b`,
	} {
		want = filepath.FromSlash(want)
		if got, err := Expand(path, getenv, "/home/nora"); err != nil || filepath.ToSlash(got) != filepath.ToSlash(want) {
			t.Errorf("%s: %q, %v; want %q", path, got, err, want)
		}
	}
	for _, path := range []string{"~bob", "~bob/mem", "~~", "~+", "$NONE", "$NONE/mem", "${NONE}/mem", "${}", "${HOME", "${a b}/c", "%NONE%", `%NONE%\mem`, "$HOMEX/mem"} {
		var known *strata.Error
		if got, err := Expand(path, getenv, "/home/nora"); !errors.As(err, &known) || known.Code != strata.CodeInvalid || !strings.Contains(known.Hint, "./"+path) {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	if got, err := Expand("~/mem", getenv, ""); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("without a home directory: %q, %v", got, err)
	}
}

func TestDefault_Expands(t *testing.T) {
	user := t.TempDir()
	t.Setenv("HOME", user)
	t.Setenv("USERPROFILE", user)
	t.Setenv(Variable, "$HOME/mem")
	if got, err := Default(); err != nil || got != filepath.Join(user, "mem") {
		t.Errorf("%q, %v", got, err)
	}
	t.Setenv(Variable, "~bob/mem")
	if got, err := Default(); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("%q, %v", got, err)
	}
}
