// Mutants changes a package in small ways, one at a time, and runs the package's tests
// against each change. A mutant that no test notices survives, and shows what the tests
// do not cover.
//
//	go run ./internal/tools/mutants -n 60 -seed 1 ./controller
//
// The source tree stays unchanged: each mutant is overlaid on it (go test -overlay).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 60, "mutants to try")
	seed := flag.Uint64("seed", 1, "the same seed picks the same mutants")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: mutants [-n N] [-seed SEED] PACKAGE")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, flag.Arg(0), *n, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// Outcomes of a mutant.
const (
	killed   = "killed"   // a test failed
	survived = "survived" // all tests passed
	timedOut = "timed out"
	invalid  = "does not compile"
)

// run tries n mutants of a package and prints the outcome of each.
func run(ctx context.Context, to io.Writer, pkg string, n int, seed uint64) error {
	dir, files, err := sources(ctx, pkg)
	if err != nil {
		return err
	}
	var all []mutant
	for _, name := range files {
		found, err := mutantsOf(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:min(n, len(all))]

	begin := time.Now()
	if outcome, said := test(ctx, pkg, mutant{}, 30*time.Minute); outcome != survived {
		return fmt.Errorf("the tests fail without a mutant (%s):\n%s", outcome, said)
	}
	// A mutant that takes much longer than the tests without one hangs.
	limit := 3*time.Since(begin) + 30*time.Second
	counts := make(map[string]int)
	for _, m := range all {
		outcome, _ := test(ctx, pkg, m, limit)
		counts[outcome]++
		fmt.Fprintf(to, "%-16s  %s\n", outcome, m)
	}
	tried := len(all) - counts[invalid]
	fmt.Fprintf(to, "\n%s: %d mutants, %d killed, %d timed out, %d survived\n", pkg, tried, counts[killed], counts[timedOut], counts[survived])
	return nil
}

// sources returns the directory of a package and its files without tests.
func sources(ctx context.Context, pkg string) (dir string, files []string, err error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-json=Dir,GoFiles", pkg).Output()
	if err != nil {
		return "", nil, fmt.Errorf("list %s: %w", pkg, err)
	}
	var p struct {
		Dir     string
		GoFiles []string
	}
	err = json.Unmarshal(out, &p)
	return p.Dir, p.GoFiles, err
}

// test runs the tests of a package with a mutant. The zero mutant changes nothing.
func test(ctx context.Context, pkg string, m mutant, limit time.Duration) (outcome, said string) {
	args := []string{"test", "-short", "-count=1", "-failfast", "-timeout", limit.String()}
	if m.path != "" {
		temp, err := os.MkdirTemp("", "mutant")
		if err != nil {
			return invalid, err.Error()
		}
		defer os.RemoveAll(temp)
		overlay, err := m.overlay(temp)
		if err != nil {
			return invalid, err.Error()
		}
		args = append(args, "-overlay", overlay)
	}
	out, err := exec.CommandContext(ctx, "go", append(args, pkg)...).CombinedOutput()
	said = string(out)
	switch {
	case err == nil:
		return survived, said
	case strings.Contains(said, "[build failed]"), strings.Contains(said, "[setup failed]"):
		return invalid, said
	case strings.Contains(said, "panic: test timed out"):
		return timedOut, said
	}
	return killed, said
}

// mutant is a change to a file: the bytes from start to end are replaced by with.
type mutant struct {
	path       string
	line       int
	start, end int
	was, with  string
}

func (m mutant) String() string {
	show := func(s string) string {
		s = strings.Join(strings.Fields(s), " ")
		if len(s) > 60 {
			s = s[:60] + "…"
		}
		return s
	}
	return fmt.Sprintf("%s:%d  %s  →  %s", filepath.Base(m.path), m.line, show(m.was), show(m.with))
}

// overlay writes the changed file and an overlay description for go test into a
// directory, and returns the path of the description.
func (m mutant) overlay(dir string) (string, error) {
	source, err := os.ReadFile(m.path)
	if err != nil {
		return "", err
	}
	changed := slices.Concat(source[:m.start], []byte(m.with), source[m.end:])
	file, list := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	description, err := json.Marshal(map[string]any{"Replace": map[string]string{m.path: file}})
	return list, errors.Join(err, os.WriteFile(file, changed, 0o600), os.WriteFile(list, description, 0o600))
}

// mutantsOf returns the mutants of a file.
func mutantsOf(path string) ([]mutant, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []mutant
	change(file, func(start, end token.Pos, with string) {
		from, to := set.Position(start), set.Position(end)
		out = append(out, mutant{path: path, line: from.Line, start: from.Offset, end: to.Offset,
			was: string(source[from.Offset:to.Offset]), with: with})
	})
	return out, nil
}
