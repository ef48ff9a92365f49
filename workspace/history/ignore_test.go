package history

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestWhatIsIgnoredIsWhatGitIgnores writes .gitignore files, those that people write and
// random ones, and compares what is left out with git check-ignore.
func TestWhatIsIgnoredIsWhatGitIgnores(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the git program is not there, so what it ignores is not compared")
	}
	known := []string{
		"*.log\n!keep.log", "build/", "/build", "build", "/a/b", "a/b", "a/*", "a/**", "**/b", "a/**/b", "**/b/**", "/*\n!/a", "*\n!*/\n!*.md", "a/\n!a/b.md",
		"!a", "# comment", "\\#odd", "\\!odd", "#odd", "*.md  ", "*.md\\ ", "b.md\\  ", "[ab].md", "[!ab].md", "[^ab].md", "[a-c].md", "[]x].md", "[[:upper:]].md", "[![:lower:]].md",
		"[[:ascii:]].md", "[c-a].md", "[a-", "[", "a\\", "\\a", "?.md", "??.md", "ü.md", "?ü.md", "[ü].md", "x\\[1\\].md", "x[1].md", "a?b", "a[/]b", "a*b", "a**b", "b**/*", "a**/b.md", "x/b**/*", "a/**b", "**.md", "***", "***/b", "//a", "/", "", "./a", "a//b",
		"\ufeff*.md", "*.log\r\n*.tmp\r\n", "a b/", "back\\\\slash", "*/b.md", "*/*/*.md", ".*", "!.gitignore", "node_modules/\n*.py[cod]\n.env*\n!.env.example", "*.md\n!/b.md\n/a/*.md",
	}
	pieces := []string{"a", "b", "c", "B", "ü", ".md", ".log", "*", "*", "**", "**/", "/**", "/", "/", "?", "[ab]", "[!a]", "[^.]", "[a-c]", "[[:alpha:]]", "[]]", "[", "]", "\\", "!", "#", " ", "-", "[a\\]b]", "[[:", "[--c]"}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	line := func() string {
		if rng.IntN(3) == 0 {
			return known[rng.IntN(len(known))]
		}
		text := []string{"", "", "!"}[rng.IntN(3)]
		for range 1 + rng.IntN(5) {
			text += pieces[rng.IntN(len(pieces))]
		}
		return text
	}
	dir := t.TempDir()
	git(t, dir, "", "init", "-q")
	var all strings.Builder
	for _, in := range []string{"a/b/c", "c/a/x/b", "a b", "a/build", "build", "ab", "b", "a/b", "a", ""} {
		for _, name := range []string{"a.md", "b.md", "B.md", "c", "ü.md", "b.log", "keep.log", ".env", "x[1].md", "]", "-", "#odd", "!odd", "b.md ", `back\slash`} {
			file := filepath.Join(dir, in, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Lstat(file); err == nil && info.IsDir() {
				continue // it is one of the directories
			}
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			all.WriteString(filepath.ToSlash(filepath.Join(in, name)) + "\x00")
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	compare := func(rules map[string]string) {
		for _, in := range []string{"", "a", "a/b"} {
			if err := os.WriteFile(filepath.Join(dir, in, ignoreName), []byte(rules[in]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want := strings.Split(strings.TrimSuffix(all.String(), "\x00"), "\x00")
		for name := range strings.SplitSeq(git(t, dir, all.String(), "check-ignore", "--no-index", "-z", "--stdin"), "\x00") {
			want = slices.DeleteFunc(want, func(s string) bool { return s == name })
		}
		w := walker{r: &repo{tree: root}}
		if err := w.walk(t.Context(), nil, nil, false); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range w.found {
			if filepath.Base(f.path) != ignoreName {
				got = append(got, f.path)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("with %q %q stay, with git %q", rules, without(got, want), without(want, got))
		}
	}
	for _, text := range known {
		compare(map[string]string{"": text})
		compare(map[string]string{"a": text})
	}
	for range 300 {
		rules := make(map[string]string)
		for _, in := range []string{"", "a", "a/b"} {
			for range rng.IntN(3) {
				rules[in] += line() + "\n"
			}
		}
		compare(rules)
	}
}

// without are the items of a list that are not in another.
func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

// git runs the real git. That nothing is ignored is no error.
func git(t *testing.T, dir, input string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}
