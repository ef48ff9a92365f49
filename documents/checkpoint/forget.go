package checkpoint

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/internal/text"
)

// Forgotten says what the history of files holds of a text that was forgotten.
type Forgotten struct {
	// Commits are those in which a file still holds the text, newest first.
	Commits []files.Commit `json:"commits,omitempty"`
	// Rewritten counts the commits that were rewritten without it.
	Rewritten int `json:"rewritten,omitempty"`
}

// Forget records the files of a scope, from which texts were forgotten, in a new
// commit, and names the commits that still hold one; with purge they are
// rewritten. remaining names what is left, and what could not be done.
func (r *Recorder) Forget(ctx context.Context, scope strata.Scope, texts []string, purge bool) (out Forgotten, remaining []string) {
	fail := func(doing string, err error) {
		r.log.Warn("the history may hold forgotten text", "scope", scope.Key(), "error", err)
		remaining = append(remaining, fmt.Sprintf("the history of %s, perhaps: %s: %s", scope.Key(), doing, strata.MessageOf(err)))
	}
	if _, err := r.commit(ctx, scope, files.Message{Subject: subjectForget, Agent: scope.Agent}); err != nil {
		fail("no new commit", err)
	}
	wanted := newSought(texts)
	var err error
	if purge {
		if out.Rewritten, err = r.history.Purge(ctx, scope, wanted.blank); err != nil {
			fail("it is not rewritten", err)
		}
	}
	if out.Commits, err = r.history.Holding(ctx, scope, wanted.in); err != nil {
		fail("it cannot be looked through", err)
	}
	for _, c := range out.Commits {
		remaining = append(remaining, "commit "+c.ID+" in the history of "+scope.Key())
	}
	return out, remaining
}

// sought are texts that are looked for in files, in the normal form of package
// internal/text.
type sought []string

// leadChars is how much of a long text tells that a line holds it, though it was
// cut there.
const leadChars = 120

func newSought(texts []string) sought {
	var out sought
	for _, s := range texts {
		if n := text.Normalize(s); n != "" {
			out = append(out, lead(n))
		}
	}
	return out
}

// lead is the beginning of a normal text, whole characters.
func lead(s string) string {
	if len(s) <= leadChars {
		return s
	}
	n := leadChars
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimSpace(s[:n])
}

// in reports whether a file holds one of the texts.
func (w sought) in(content []byte) bool {
	normal := text.Normalize(string(content))
	for _, s := range w {
		if strings.Contains(normal, s) {
			return true
		}
	}
	return false
}

// blank returns a file with the lines gone that hold one of the texts, and
// whether there were any. A file in which a text spans lines goes whole.
func (w sought) blank(_ string, content []byte) ([]byte, bool) {
	if !w.in(content) {
		return nil, false
	}
	lines := strings.SplitAfter(string(content), "\n")
	for i, line := range lines {
		if w.in([]byte(line)) {
			lines[i] = strata.ForgottenText + line[len(strings.TrimRight(line, "\r\n")):]
		}
	}
	if out := []byte(strings.Join(lines, "")); !w.in(out) {
		return out, true
	}
	return []byte(strata.ForgottenText + "\n"), true
}
