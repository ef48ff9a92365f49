package history

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// moved is a line of the log of HEAD: a move from one commit to another.
type moved struct {
	from, to plumbing.Hash // from is zero for the first commit
	action   string        // git's name for it, such as "commit (merge)" or "pull --rebase"
}

// parseReflog parses the log of a reference, newest line first, and ignores lines that
// git did not write. Neither clone nor pull transfers a log: git writes it only where it
// runs.
func parseReflog(data []byte) (out []moved) {
	for line := range bytes.Lines(data) {
		who, message, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), "\t")
		from, rest, _ := strings.Cut(who, " ")
		to, _, _ := strings.Cut(rest, " ")
		h, ok := parseHash(to)
		if !ok || !plumbing.IsHash(from) {
			continue
		}
		action, _, _ := strings.Cut(message, ":")
		out = append(out, moved{plumbing.NewHash(from), h, action})
	}
	slices.Reverse(out)
	return out
}

// isOwn reports whether the commit was made here from the work tree. Merges, picks and
// checkouts may bring in the work of others.
func (m moved) isOwn() bool {
	switch m.action {
	case "commit", "commit (initial)", "commit (amend)":
		return true
	}
	return false
}
