package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// Forgotten describes what the history of files contains of a forgotten text.
type Forgotten struct {
	// Commits are the commits in which a file still contains the text, newest first.
	Commits []files.Commit `json:"commits,omitempty"`
	// Rewritten is the number of commits from which the text was removed.
	Rewritten int `json:"rewritten,omitempty"`
}

// Forget makes a commit of the files of a scope after texts were forgotten. With purge,
// it removes the texts, which may also be paths, from earlier commits. It returns the
// commits that still contain one, and names in remaining what is left. failed is why the
// history could not be changed or searched, which remaining states as well. With dryRun,
// Forget changes nothing and reports what would be left.
func (r *Recorder) Forget(ctx context.Context, scope strata.Scope, texts []string, purge, dryRun bool) (out Forgotten, remaining []string, failed error) {
	fail := func(doing string, err error) {
		r.log.Warn("the history may hold forgotten text", "scope", scope.Key(), "error", err)
		remaining = append(remaining, fmt.Sprintf("the history of %s, perhaps: %s: %s", scope.Key(), doing, strata.MessageOf(err)))
		failed = errors.Join(failed, err)
	}
	if dryRun && purge {
		return out, nil, nil // purging rewrites them all
	}
	if !dryRun {
		if _, err := r.commit(ctx, scope, files.Message{Subject: subjectForget, Agent: scope.Agent}); err != nil {
			fail("no new commit", err)
		}
	}
	wanted := newSought(texts)
	var err error
	if purge {
		if out.Rewritten, err = r.history.Purge(ctx, scope, wanted.blank); err != nil {
			fail("not purged whole", err)
		}
	}
	if out.Commits, err = r.history.Holding(ctx, scope, wanted.holds); err != nil {
		fail("it cannot be looked through", err)
	}
	for _, c := range out.Commits {
		remaining = append(remaining, "commit "+c.ID+" in the history of "+scope.Key())
	}
	return out, remaining, failed
}

// Elsewhere names the commits in the histories of other scopes that contain one of the
// texts. They are kept, because they belong to those scopes. It also names the histories
// that could not be searched, and returns why in err. Histories that are not available
// are skipped. If within is not nil, only those scopes are searched.
func (r *Recorder) Elsewhere(ctx context.Context, tree files.Tree, scope strata.Scope, texts []string, within []strata.Scope) (names []string, err error) {
	scopes, err := store.Read(ctx, r.store, func(v store.Reader) ([]strata.Scope, error) { return v.Scopes(ctx) })
	if err != nil {
		return nil, err
	}
	wanted := newSought(texts)
	wanted.paths = nil // another scope may have a file of the same name
	seen := map[strata.Scope]bool{historyOwner(scope): true}
	for _, s := range scopes {
		_, atHand := tree.Directory(s)
		if !atHand || seen[historyOwner(s)] || within != nil && !slices.Contains(within, s) {
			continue
		}
		seen[historyOwner(s)] = true
		commits, unseen := r.history.Holding(ctx, s, wanted.holds)
		if unseen != nil {
			names = append(names, fmt.Sprintf("the history of %s, perhaps: it cannot be looked through: %s", s.Key(), strata.MessageOf(unseen)))
			err = errors.Join(err, unseen)
		}
		for _, c := range commits {
			names = append(names, "commit "+c.ID+" in the history of "+s.Key())
		}
	}
	return names, err
}

// historyOwner returns the scope whose history records the files of s. The files of an
// agent in a workspace are below those of the workspace.
func historyOwner(s strata.Scope) strata.Scope {
	if s.Workspace != "" {
		return strata.InWorkspace(s.Workspace)
	}
	return s
}

// PurgeBefore purges from the history what was forgotten earlier in a view under a name;
// see [documents.ForgottenBefore]. With dryRun, it purges nothing. The database has only
// the tombstones, so the texts are found in the history. d describes what was forgotten.
// It has no id, since it is not a new decision, and its Op is empty if nothing was
// forgotten under the name.
func (r *Recorder) PurgeBefore(ctx context.Context, view strata.View, name string, dryRun bool) (d strata.Decision, out Forgotten, remaining []string, failed, err error) {
	gone, err := store.Read(ctx, r.store, func(v store.Reader) (documents.Before, error) { return documents.ForgottenBefore(ctx, v, view, name) })
	if err != nil || gone.ID == "" {
		return d, out, nil, nil, err
	}
	d = strata.Decision{Scope: gone.Scope, Op: strata.OpForget, Reason: "forgotten before; now from the history of files"}
	if !documents.IsNamed(gone.ID) {
		d.FactID = gone.ID
	}
	if dryRun {
		return d, out, nil, nil, nil
	}
	texts, err := r.texts(ctx, gone.Scope, gone.Tombstones)
	if err != nil {
		return d, out, nil, nil, err
	}
	out, remaining, failed = r.Forget(ctx, gone.Scope, append(texts, gone.Decisions...), true, false)
	return d, out, remaining, failed, nil
}

// texts finds the texts of tombstones in the history of a scope: whole files, paths,
// whole lines, and parts of lines of up to longestWithin words.
func (r *Recorder) texts(ctx context.Context, scope strata.Scope, gone store.Tombstones) ([]string, error) {
	var out []string
	seen := make(map[string]bool) // lines already checked
	_, err := r.history.Holding(ctx, scope, func(path string, content []byte) bool {
		before := len(out)
		switch said := string(content); {
		case content == nil:
			if gone.Is(path) {
				out = append(out, path)
			}
		case gone.Is(said):
			out = append(out, documents.Texts(said)...)
		default:
			for line := range strings.Lines(said) {
				if !seen[line] {
					seen[line] = true
					out = append(out, within(line, gone.Is)...)
				}
			}
		}
		return len(out) > before
	})
	slices.Sort(out)
	return slices.Compact(out), err
}

// longestWithin is the maximum number of words of a text that is found inside a line.
const longestWithin = 64

// within returns the sequences of words in a line that are forgotten texts.
func within(line string, is func(string) bool) (found []string) {
	if line = strings.Trim(line, " \t\r\n-*>#"); is(line) {
		return []string{line}
	}
	words := strings.Fields(line)
	for i := range words {
		for n := min(longestWithin, len(words)-i); n > 0; n-- {
			part := strings.Join(words[i:i+n], " ")
			bare := strings.Trim(part, ".,:;!?()[]\"'«»“”‘’*_`")
			switch {
			case is(part):
				found = append(found, part)
			case bare != part && is(bare):
				found = append(found, bare)
			}
		}
	}
	return found
}

// sought holds what to search for in files.
type sought struct {
	texts []string        // in the normal form of package internal/text
	paths map[string]bool // of files to remove
}

// leadChars is the number of bytes of a long text that identify it, since a line may
// contain it truncated.
const leadChars = 120

func newSought(texts []string) sought {
	out := sought{paths: make(map[string]bool)}
	for _, s := range texts {
		if n := text.Normalize(s); n != "" {
			out.texts = append(out.texts, lead(n))
		}
		if strata.ValidatePath(s) == nil {
			out.paths[s] = true
		}
	}
	return out
}

// lead returns the beginning of a normalized text, cut between characters.
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

// holds reports whether a file contains one of the texts, or its path is one of those
// sought.
func (w sought) holds(path string, content []byte) bool { return w.paths[path] || w.in(content) }

// in reports whether content contains one of the texts.
func (w sought) in(content []byte) bool {
	normal := text.Normalize(string(content))
	for _, s := range w.texts {
		if strings.Contains(normal, s) {
			return true
		}
	}
	return false
}

// blank returns the content of a file with the lines blanked that contain one of the
// texts, and whether there were any. If a text spans lines, the whole file is blanked. If
// the path itself is sought, blank returns nil.
func (w sought) blank(path string, content []byte) ([]byte, bool) {
	if w.paths[path] {
		return nil, true
	}
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
