package history

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// moved is a line of the log of HEAD: how it came from one commit to another.
type moved struct {
	from, to plumbing.Hash // from is zero for the first commit
	action   string        // what git calls it, such as "commit (merge)" or "pull --rebase"
}

// parseReflog reads the log of a reference, the newest line first. Lines that are none of
// git's are left out. No clone and no pull brings one: git writes it where it works.
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

// isOwn reports whether a commit was made here, of what lay in the work tree. What merges,
// picks or checks out takes in what may be of others.
func (m moved) isOwn() bool {
	switch m.action {
	case "commit", "commit (initial)", "commit (amend)":
		return true
	}
	return false
}
