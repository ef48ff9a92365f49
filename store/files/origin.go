package files

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// Origins tells by version control how files came to where they lie.
type Origins interface {
	// Home reports whether the files of a scope lie in the home, where nobody else writes.
	Home(scope strata.Scope) bool
	// Agents names the agents that have files in the directory of a workspace.
	Agents(workspace strata.Scope) []string
	// Origin tells it of a file as it was read. It fails only where the context
	// ends: what cannot be read is said in the origin.
	Origin(ctx context.Context, scope strata.Scope, f File) (Origin, error)
}

// Origin is how a file came to where it lies. The zero value is a file that is in no
// commit.
type Origin struct {
	// Home says that the directory of the scope lies in the home: the file is the
	// project's own.
	Home bool
	// Unread says that nobody looked, because nothing depended on it.
	Unread bool
	// Versions are those of the file in each repository that holds it, the innermost
	// first. A repository that does not know the file has none.
	Versions []Committed
}

// Committed is a file in the commit that a repository has checked out, or that a merge
// which is under way brings.
type Committed struct {
	// Hashes are the SHA-256 of its bytes in hex, with their line ends as they are
	// stored and as either system writes them.
	Hashes []string
	// Own says that a commit made in this repository brought it, and not a clone, a
	// pull, a merge or whatever else takes in what others wrote.
	Own bool
	// How says what brought it, in a word or a few, such as "pull"; or why nothing tells.
	How string
	// Commit, Author and At are of the commit that brought it, as far as git tells.
	Commit string
	Author string
	At     time.Time
}
