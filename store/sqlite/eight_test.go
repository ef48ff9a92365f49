package sqlite_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestEight(t *testing.T) {
	if os.Getenv("EIGHT") == "" {
		t.Skip()
	}
	path := filepath.Join(t.TempDir(), "home", "strata.db")
	var cs []*exec.Cmd
	var out, errs [8]bytes.Buffer
	start := time.Now()
	for i := range 8 {
		c := child(t, "write", path, fmt.Sprint("p", i), 1000)
		c.Stdout, c.Stderr = &out[i], &errs[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		cs = append(cs, c)
	}
	for i, c := range cs {
		if err := c.Wait(); err != nil {
			t.Errorf("%d: %v %s", i, err, errs[i].String())
		}
		t.Log(i, time.Since(start), errs[i].String())
	}
	t.Log(len(facts(t, open(t, path, nil))))
}
