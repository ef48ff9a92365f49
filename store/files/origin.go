package files

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// Origins finds out from version control where files come from.
type Origins interface {
	// Home reports whether the files of a scope are in the home, where nobody else
	// writes.
	Home(scope strata.Scope) bool
	// Agents returns the agents that have files in the directory of a workspace.
	Agents(workspace strata.Scope) []string
	// Origin returns the origin of a file as it was read. It returns an error only if ctx
	// ends; the origin itself says what could not be read.
	Origin(ctx context.Context, scope strata.Scope, f File) (Origin, error)
}

// Origin says where a file comes from. The zero value is the origin of a file that is in
// no commit.
type Origin struct {
	// Home says that the scope's directory is in the home, so that only the project's own
	// file, [ProjectFile], can have come from elsewhere.
	Home bool
	// Unread says that version control was not examined, because nothing depended on it.
	Unread bool
	// Versions are the versions of the file in the repositories that hold it, innermost
	// first. A repository that does not know the file has none.
	Versions []Committed
}

// Committed is a file in the commit that a repository has checked out, or in one that a
// merge under way brings in.
type Committed struct {
	// Hashes are the SHA-256 of its bytes in hex, with line ends as stored and as each
	// system writes them.
	Hashes []string
	// Own says that a commit made in this repository brought it in, rather than a clone,
	// a pull, a merge or anything else that takes in the work of others.
	Own bool
	// How says in a few words what brought it in, such as "pull", or why that is unknown.
	How string
	// Commit, Author and At describe the commit that brought it in, as far as git can
	// tell.
	Commit string
	Author string
	At     time.Time
}
