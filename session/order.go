package session

import (
	"cmp"
	"slices"
	"strings"
)

// byScope returns the documents from the least specific scope to the most: what
// is said last is nearest to the conversation.
func byScope(docs []Document) []Document {
	out := slices.Clone(docs)
	slices.SortStableFunc(out, func(a, b Document) int {
		return cmp.Or(depth(a.Scope)-depth(b.Scope), cmp.Compare(a.Scope.Key(), b.Scope.Key()))
	})
	return out
}

// isPrivate reports whether a file of the workspace speaks of the user, so that
// it stays out where others listen.
func isPrivate(name string) bool {
	base := strings.ToLower(name[strings.LastIndexAny(name, `/\`)+1:])
	switch strings.TrimSpace(base) {
	case "user.md", "memory.md", "dreams.md", "memory_summary.md":
		return true
	}
	return false
}
