package bench

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
)

// The home of a size must not depend on whether it grew in steps.
func TestStatementsAreThoseOfGenerate(t *testing.T) {
	want := Generate(50, 3)
	i := 0
	for s := range Statements(3) {
		if i == 20 {
			break
		}
		if s != want[i] {
			t.Fatalf("statement %d is %+v, want %+v", i, s, want[i])
		}
		i++
	}
	if longer := Generate(60, 3); !slices.Equal(longer[:50], want) {
		t.Error("more statements begin with others")
	}
}

func TestSpreadAsksForDifferentFacts(t *testing.T) {
	all := Generate(300, 1)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, len(all)).Draw(t, "facts")
		questions := rapid.IntRange(1, 200).Draw(t, "questions")
		corpus := Corpus{Seed: 1, Scopes: rapid.IntRange(0, 7).Draw(t, "scopes")}
		got := Spread(corpus, n, questions)
		seen := make(map[string]bool)
		for _, s := range got {
			at := slices.Index(all[:n], s.Synthetic)
			if seen[s.Text] || at < 0 {
				t.Fatalf("%q comes twice, or is none of the first %d", s.Text, n)
			}
			if s.Scope != corpus.Scope(at) {
				t.Fatalf("%q is asked for in %s, and lies in %s", s.Text, s.Scope, corpus.Scope(at))
			}
			seen[s.Text] = true
		}
		if len(got) != min(n, questions) {
			t.Fatalf("%d questions, want %d", len(got), min(n, questions))
		}
	})
}

func TestSpreadWhereTheStrideDividesTheSize(t *testing.T) {
	seen := make(map[string]bool)
	for _, s := range Spread(Corpus{Seed: 1}, questionStride, 50) {
		seen[s.Text] = true
	}
	if len(seen) != 50 {
		t.Errorf("%d different questions", len(seen))
	}
}

func TestStatementsGoToScopesInTurn(t *testing.T) {
	if got := (Corpus{}).Scope(5); got != strata.Global() {
		t.Errorf("one scope: %s", got)
	}
	facts := make(map[strata.Scope]int)
	for i := range 40 {
		facts[Corpus{Scopes: 4}.Scope(i)]++
	}
	if len(facts) != 4 {
		t.Fatalf("%d scopes, want 4", len(facts))
	}
	for s, n := range facts {
		if err := s.Validate(); err != nil || n != 10 {
			t.Errorf("%s holds %d facts: %v", s, n, err)
		}
	}
}

func TestCheckSizes(t *testing.T) {
	for name, c := range map[string]struct {
		sizes []int
		ok    bool
	}{
		"rising": {[]int{1, 10, 100}, true}, "one": {[]int{5}, true}, "none": {nil, false}, "falling": {[]int{10, 1}, false},
		"the same twice": {[]int{10, 10}, false}, "zero": {[]int{0}, false}, "too many": {[]int{MaxFacts + 1}, false},
	} {
		if err := CheckSizes(c.sizes); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnonymousMemory(t *testing.T) {
	const status = "VmRSS:\t  200 kB\nRssAnon:\t   12345 kB\nRssFile:\t 7 kB\n"
	if got := anonymous(status); got != 12345<<10 {
		t.Errorf("%d bytes", got)
	}
	if got := anonymous("VmRSS: 3 kB\n"); got != 0 {
		t.Errorf("%d bytes where the system does not tell", got)
	}
}

func TestPercentilesOfUnsortedTimes(t *testing.T) {
	got := PercentilesOf([]time.Duration{5, 1, 4, 2, 3})
	if got != (Percentiles{P50: 3, P95: 5, P99: 5}) || PercentilesOf(nil) != (Percentiles{}) {
		t.Errorf("%+v", got)
	}
}

func TestHashFollowsTheContentOnly(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, err := Source{Form: CollectionLoCoMo, Path: write("a/data.json", "x")}.Hash()
	if err != nil || a.Name != "data.json" || len(a.SHA256) != 64 {
		t.Fatalf("%+v, %v", a, err)
	}
	if b, err := (Source{Form: CollectionLoCoMo, Path: write("b/data.json", "x")}).Hash(); err != nil || b != a {
		t.Errorf("another place: %+v, %v", b, err)
	}
	if c, err := (Source{Form: CollectionLoCoMo, Path: write("c/data.json", "y")}).Hash(); err != nil || c.SHA256 == a.SHA256 {
		t.Errorf("another content: %+v, %v", c, err)
	}
	write("beir/corpus.jsonl", "1")
	write("beir/queries.jsonl", "2")
	if _, err := (Source{Form: CollectionBEIR, Path: filepath.Join(dir, "beir")}).Hash(); err == nil {
		t.Error("a directory without judgments has a hash")
	}
	write("beir/qrels/test.tsv", "3")
	if d, err := (Source{Form: CollectionBEIR, Path: filepath.Join(dir, "beir")}).Hash(); err != nil || d.Name != "beir" {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestDiskUsage(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"a": 10, "b": 7} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := DiskUsage(dir); err != nil || got != 17 {
		t.Errorf("%d, %v", got, err)
	}
	if _, err := DiskUsage(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory that is not there has a size")
	}
}
