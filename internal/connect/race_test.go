package connect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

// Several connects and removals at once leave each configuration whole: what others put
// there keeps its bytes, the entry is there wholly or not at all, and a backup of what was
// there first stays. Who comes second is told, or does the same once more.
func TestSeveralConnectAtOnce(t *testing.T) {
	for _, c := range Clients() {
		t.Run(c.ID, func(t *testing.T) {
			sys := System{Home: t.TempDir(), OS: "linux", Getenv: func(string) string { return "" }}
			file := c.File(sys)
			before := "{\n  // by hand\n  \"theme\": \"dark\"\n}\n"
			if strings.HasSuffix(file, ".toml") {
				before = "# by hand\ntheme = \"dark\"\n"
			}
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			server := Server{Command: "strata", Args: []string{"mcp"}}
			var all sync.WaitGroup
			for i := range 8 {
				all.Go(func() {
					for range 20 {
						plan := func() ([]Change, error) { return c.Plan(sys, server) }
						if i%4 == 3 {
							plan = func() ([]Change, error) { return c.PlanRemoval(sys) }
						}
						changes, err := plan()
						if err != nil {
							t.Error(err)
							return
						}
						for _, change := range changes {
							if _, err := change.Apply(time.Now()); err != nil && strata.CodeOf(err) != strata.CodeConflict {
								t.Error(err)
							}
						}
					}
				})
			}
			all.Wait()
			if err := connectOnce(c, sys, server); err != nil {
				t.Fatal(err)
			}
			got, there, err := c.Entry(sys)
			if err != nil || !there || !got.Equal(server) {
				t.Errorf("the entry is %+v, %t, %v", got, there, err)
			}
			text, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(text), "by hand") || strings.Count(string(text), "dark") != 1 {
				t.Errorf("%v\n%s", err, text)
			}
			if !holdsBackup(t, filepath.Dir(file), before) {
				t.Error("no backup of what was there first")
			}
		})
	}
}

// connectOnce is a connect with nobody beside.
func connectOnce(c Client, sys System, s Server) error {
	changes, err := c.Plan(sys, s)
	for _, change := range changes {
		_, applied := change.Apply(time.Now())
		err = errors.Join(err, applied)
	}
	return err
}

// holdsBackup reports whether a directory has a backup with the text, and fails the test
// for a file that was left behind.
func holdsBackup(t *testing.T, dir, text string) (found bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if strings.Contains(name, ".strata-") {
			found = found || string(data) == text
		} else if strings.HasPrefix(d.Name(), ".") && strings.Count(d.Name(), ".") > 2 {
			return fmt.Errorf("%s was left behind", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return found
}
