package wordfile_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest"
	"github.com/strata-memory/strata/internal/models/wordfile"
	"github.com/strata-memory/strata/llm/builtin"
)

// vectors returns a file of word vectors of a dimension. "boot" and "schiff" are
// near each other, and no other two.
func vectors(dims int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 2))
	var out strings.Builder
	line := func(word string, v []float64) {
		out.WriteString(word)
		for _, x := range v {
			fmt.Fprintf(&out, " %.4f", x)
		}
		out.WriteString("\n")
	}
	draw := func() []float64 {
		v := make([]float64, dims)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		return v
	}
	boat := draw()
	line("boot", boat)
	boat[0] += 0.1
	line("schiff", boat)
	for i := range 200 {
		line("wort"+strings.Repeat(string(rune('a'+i%26)), 1+i/26), draw())
	}
	return out.String()
}

func in(t *testing.T, home string) *wordfile.Home {
	t.Helper()
	return wordfile.In(home, slog.New(slog.DiscardHandler))
}

func take(t *testing.T, h *wordfile.Home, file string) {
	t.Helper()
	if err := h.Import(t.Context(), strings.NewReader(file), func(int64) {}); err != nil {
		t.Fatal(err)
	}
}

// likeness is the cosine of two texts.
func likeness(t *testing.T, e *builtin.Embedder, a, b string) (sum float32) {
	t.Helper()
	v, err := e.Embed(t.Context(), []string{a, b})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range v[0] {
		sum += x * v[1][i]
	}
	return sum
}

// Every look sees the words in use, in every process, and an embedder that was
// taken before goes on as it was.
func TestImportedWordsAreUsedAndGivenBack(t *testing.T) {
	home := t.TempDir()
	here, there := in(t, home), in(t, home)
	before := here.Embedder()
	if before.Model() != builtin.Model || there.Embedder().Model() != builtin.Model {
		t.Fatalf("at first %s", before.Model())
	}
	take(t, here, vectors(50, 1))
	first := here.Embedder()
	if first.Model() == builtin.Model || first.Dimensions() != 50+284 || !builtin.HasWords(first.Model()) {
		t.Errorf("model %s of %d dimensions", first.Model(), first.Dimensions())
	}
	if other := there.Embedder(); other.Model() != first.Model() {
		t.Errorf("another process has %s", other.Model())
	}
	if now, was := likeness(t, first, "boot", "schiff"), likeness(t, before, "boot", "schiff"); now < 0.6 || was > 0.3 {
		t.Errorf("boot and schiff: %.2f before, %.2f after", was, now)
	}
	if w := here.Words(); w.Count != 202 || w.Dimensions != 50 || w.Problem != "" {
		t.Errorf("words %+v", w)
	}
	llmtest.RunEmbedder(t, first)

	take(t, there, vectors(60, 2))
	second := here.Embedder()
	if second.Model() == first.Model() {
		t.Errorf("another file has the name of the first: %s", second.Model())
	}
	if e := here.Of(first.Model()); e == nil || likeness(t, e, "boot", "schiff") != likeness(t, first, "boot", "schiff") {
		t.Error("the vectors of the first file are made no more")
	}
	if removed, err := here.Remove(); !removed || err != nil {
		t.Errorf("removed: %v, %v", removed, err)
	}
	if removed, err := there.Remove(); removed || err != nil {
		t.Errorf("removed again: %v, %v", removed, err)
	}
	if m := there.Embedder().Model(); m != builtin.Model {
		t.Errorf("in the end %s", m)
	}
}

// The same file has the same name, and nobody else may read it.
func TestFilesArePrivateAndNamedByTheirBytes(t *testing.T) {
	var models []string
	for range 2 {
		home := t.TempDir()
		h := in(t, home)
		take(t, h, vectors(20, 1))
		models = append(models, h.Embedder().Model())
		entries, err := os.ReadDir(filepath.Join(home, "words"))
		if err != nil || len(entries) != 2 {
			t.Fatalf("%v, %v", entries, err)
		}
		for _, e := range entries {
			if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v, %v", e.Name(), info.Mode(), err)
			}
		}
	}
	if models[0] != models[1] {
		t.Errorf("%q", models)
	}
}

func TestABadFileChangesNothing(t *testing.T) {
	home := t.TempDir()
	h := in(t, home)
	take(t, h, vectors(20, 1))
	before := h.Embedder().Model()
	bad := vectors(20, 2) + "ente 1 2\n"
	err := h.Import(t.Context(), strings.NewReader(bad), func(int64) {})
	if strata.CodeOf(err) != strata.CodeInvalid || !strings.Contains(err.Error(), "line 203") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Import(ctx, strings.NewReader(vectors(20, 3)), func(int64) {}); strata.CodeOf(err) != strata.CodeCanceled {
		t.Errorf("given up: %v", err)
	}
	if m := h.Embedder().Model(); m != before {
		t.Errorf("%s became %s", before, m)
	}
	if entries, _ := os.ReadDir(filepath.Join(home, "words")); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

// Whatever becomes of a file, the words of the program are there, and it is said
// which file is not used and why.
func TestADamagedFileIsNotUsed(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(path string) error
		want   string
	}{
		"missing":   {os.Remove, "missing"},
		"cut short": {func(path string) error { return os.Truncate(path, 5000) }, "not all of it"},
		"another":   {func(path string) error { return os.WriteFile(path, []byte("no vectors"), 0o600) }, "not a file of word vectors"},
		"nameless": {func(path string) error {
			return os.WriteFile(filepath.Join(filepath.Dir(path), "current"), []byte("../x"), 0o600)
		}, "not a file of word vectors"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			h := in(t, home)
			take(t, h, vectors(20, 1))
			was := h.Embedder()
			if err := c.damage(h.Words().Path); err != nil {
				t.Fatal(err)
			}
			var log strings.Builder
			fresh := wordfile.In(home, slog.New(slog.NewTextHandler(&log, nil)))
			for _, h := range []*wordfile.Home{h, fresh} {
				if m := h.Embedder().Model(); m != builtin.Model {
					t.Errorf("model %s", m)
				}
				if w := h.Words(); !strings.Contains(w.Problem, c.want) || w.Path == "" {
					t.Errorf("%+v", w)
				}
			}
			if !strings.Contains(log.String(), fresh.Words().Path) || !strings.Contains(log.String(), "strata embedder import") {
				t.Errorf("log %q", log.String())
			}
			likeness(t, was, "boot", "schiff") // is still answered, if by less

			take(t, h, vectors(20, 1))
			if m := fresh.Embedder().Model(); m != was.Model() {
				t.Errorf("mended, the model is %s", m)
			}
		})
	}
}

// A look at all of the file finds what a look at its length does not.
func TestCheckReadsAllOfTheFile(t *testing.T) {
	h := in(t, t.TempDir())
	take(t, h, vectors(20, 1))
	if w, err := h.Check(t.Context()); err != nil || w.Problem != "" {
		t.Fatalf("%+v, %v", w, err)
	}
	data, err := os.ReadFile(h.Words().Path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1]++
	if err := os.WriteFile(h.Words().Path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if w, err := h.Check(t.Context()); err != nil || !strings.Contains(w.Problem, "damaged") {
		t.Errorf("%+v, %v", w, err)
	}
}

// Files that no vectors need go, but not those that may just have been made.
func TestFilesThatNothingNeedsGo(t *testing.T) {
	home := t.TempDir()
	h := in(t, home)
	var models []string
	for seed := range uint64(3) {
		take(t, h, vectors(20, seed))
		models = append(models, h.Embedder().Model())
	}
	count := func() int {
		entries, err := os.ReadDir(filepath.Join(home, "words"))
		if err != nil {
			t.Fatal(err)
		}
		return len(entries) - 1
	}
	h.Keep(nil)
	if count() != 3 {
		t.Errorf("%d files are left of three new ones", count())
	}
	old := time.Now().Add(-2 * time.Hour)
	for _, m := range models {
		if err := os.Chtimes(filepath.Join(home, "words", builtin.DigestOf(m)+".words"), old, old); err != nil {
			t.Fatal(err)
		}
	}
	h.Keep([]string{models[1], builtin.Model, ""})
	if h.Of(models[0]) != nil || h.Of(models[1]) == nil || h.Embedder().Model() != models[2] {
		t.Error("the wrong file went")
	}
}
