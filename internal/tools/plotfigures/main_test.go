package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	speed = `{"kind":"scale","data":{"name":"generated","seed":1},"settings":{"embedder":"e"},"points":[{"facts":1000,` +
		`"recall":{"p50_ns":3000000,"p95_ns":4000000,"p99_ns":5000000},"open_ns":1000000,"shell_ns":2000000,"bytes":4000000,"anonymous_bytes":20000000}]}`
	before = `{"kind":"retrieval","data":{"name":"d","sha256":"aa"},"settings":{"embedder":"e","unit":"turn"},` +
		`"scores":{"queries":3,"recall":[0.3333,0.3333,0.6667,0.6667]}}`
)

// kept writes two results, as strata bench keeps them.
func kept(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"speed.json": speed, "before.json": before} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestResultsAreDrawn(t *testing.T) {
	dir := kept(t)
	for name, args := range map[string][]string{"light.svg": nil, "dark.svg": {"-dark"}} {
		to := filepath.Join(dir, name)
		var out bytes.Buffer
		if err := run(append(args, "-to", to, filepath.Join(dir, "speed"), filepath.Join(dir, "before.json")), &out); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), to+" drawn from ") {
			t.Errorf("it says %q", out.String())
		}
		svg, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"<svg", ">Strata: before<", ">recall, p50<"} {
			if !bytes.Contains(svg, []byte(want)) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
		const ground = "#0D1117" // of a dark page
		if got := bytes.Contains(svg, []byte(ground)); got != (name == "dark.svg") {
			t.Errorf("%s has something in %s: %v", name, ground, got)
		}
	}
}

func TestNothingIsWrittenWhenDrawingFails(t *testing.T) {
	dir := kept(t)
	to := filepath.Join(dir, "out.svg")
	speed := filepath.Join(dir, "speed")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no result":       {[]string{"-to", to}, "name the picture"},
		"no file":         {[]string{speed}, "name the picture"},
		"a size twice":    {[]string{"-to", to, speed, speed + ".json"}, "both have a point of 1000 facts"},
		"a missing one":   {[]string{"-to", to, filepath.Join(dir, "nowhere")}, "nowhere.json"},
		"no directory":    {[]string{"-to", filepath.Join(dir, "none", "out.svg"), speed}, "no such file"},
		"an unknown flag": {[]string{"-pale"}, "not defined"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := run(c.args, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := os.Stat(to); !os.IsNotExist(err) {
		t.Errorf("the file is there: %v", err)
	}
}
