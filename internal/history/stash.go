package history

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// stashLog is where git keeps all stashes except the newest. It is the only reference log
// that holds more than a record of moves, so a purge rewrites it instead of removing it.
const stashLog = "logs/refs/stash"

// stashes rewrites the log of stashes. It returns the new log, empty if there is none,
// and the stashes that it names.
func (rw *rewriter) stashes() (log string, named []plumbing.Hash, err error) {
	data, err := rw.r.git.ReadFile(stashLog)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	var out strings.Builder
	before := plumbing.ZeroHash
	for line := range strings.Lines(string(data)) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), " ", 3)
		if len(fields) < 3 {
			return "", nil, damaged("%s cannot be read", stashLog)
		}
		h, ok := parseHash(fields[1])
		if !ok {
			return "", nil, damaged("%s names no commit", stashLog)
		}
		if h, err = rw.object(h, 0); err != nil {
			return "", nil, err
		}
		who, message, _ := strings.Cut(fields[2], "\t")
		message, _ = rw.message(message)
		fmt.Fprintf(&out, "%s %s %s\t%s\n", before, h, who, strings.ReplaceAll(message, "\n", " "))
		before, named = h, append(named, h)
	}
	return out.String(), named, nil
}
