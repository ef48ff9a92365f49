package files

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// Tree is the directories of scopes and the Markdown files in them. Paths are
// those of [strata.Document]: with slashes, below the scope's directory. Nothing
// outside of a scope's directory can be reached, by links or otherwise, save what
// the user allowed by name. A Tree is safe for concurrent use, by several processes too.
//
// Errors have the codes invalid for a path that names no document, not_found,
// conflict for a file that is not as expected, unavailable for a directory that
// is not at hand, too_large, full and read_only.
type Tree interface {
	// Directory returns the directory of a scope; false where it has none at
	// hand. It need not exist yet.
	Directory(scope strata.Scope) (dir string, ok bool)
	// Lock gives the files of a scope to one caller at a time, among those who
	// ask for it in this process and in others, until release is called or the
	// process ends. It keeps nobody from Read and Write. It waits as long as the
	// context lasts, but may give up before with busy. Releasing twice does nothing.
	Lock(ctx context.Context, scope strata.Scope) (release func(), err error)
	// Read reads a file.
	Read(ctx context.Context, scope strata.Scope, path string) (File, error)
	// Write puts content in the place of the file whose hash is base;
	// [strata.NoFile] expects that there is none. Where content stands already
	// nothing is written and the file is returned. Where neither stands it is a
	// conflict and nothing is changed. A file is replaced whole or not at all,
	// and durable on return.
	Write(ctx context.Context, scope strata.Scope, path string, content []byte, base string) (File, error)
	// Remove removes the file whose hash is base; one that is gone is no error.
	Remove(ctx context.Context, scope strata.Scope, path, base string) error
	// Scan compares the files of a scope with what is known of them, and reads
	// only those whose size or time of change differ.
	Scan(ctx context.Context, scope strata.Scope, known map[string]Stat) (Changes, error)
	// Watch calls changed some time after files of a scope changed, until the
	// context ends, and not for what did not change. It returns once the watch is
	// in place; unsupported or unavailable where it cannot be.
	Watch(ctx context.Context, scopes []strata.Scope, changed func(strata.Scope)) error
}

// File is a file as it stood when it was read.
type File struct {
	Path    string
	Content []byte
	Stat
}

// Stat is what tells one state of a file from another.
type Stat struct {
	Hash       string // SHA-256 in hex
	Size       int64
	ModifiedAt time.Time
}

// Changes is what a scan found.
type Changes struct {
	// Changed are new files and those with other bytes, by path.
	Changed []File
	// Touched are files with the same bytes that were written again, by path.
	Touched map[string]Stat
	// Removed are the known paths where no file is any more, sorted.
	Removed []string
	// Skipped are files that are no documents as they are.
	Skipped []Skipped
}

// Skipped is a file that was left out, with the reason in a few words: too
// large, not text, a link, a name that no document can have, not readable.
type Skipped struct {
	Path   string
	Reason string
}

// History is the version history of the directories of scopes. Scopes that
// share a root directory share its history.
type History interface {
	// Commit records the files of a scope's root as they stand. Where nothing
	// changed it commits nothing and says so in Commit.Skipped. Before, check
	// sees the content of every file that would be new in it; its error keeps
	// that file out, and the commit names it.
	Commit(ctx context.Context, scope strata.Scope, m Message, check func(path string, content []byte) error) (Commit, error)
	// Log lists the newest commits of a scope's root, newest first, at most
	// limit (0: 10, at most 100). With diff the changes between the oldest of
	// them and the newest come as a unified diff.
	Log(ctx context.Context, scope strata.Scope, limit int, diff bool) (Log, error)
	// Holding names the commits in which a file, its path or the message holds what
	// match reports, newest first. Match is called with the path of each file and
	// no content, and with each content and message without a path. Text that is stored and in no commit comes last,
	// named by the id of its object.
	Holding(ctx context.Context, scope strata.Scope, match func(path string, content []byte) bool) ([]Commit, error)
	// Purge rewrites the history of a scope's root so that every version of a
	// file for which blank reports true holds what it returns instead, or is not
	// there if that is nil; messages of commits go through blank as well, with an
	// empty path. What was there is gone from the disk. It reports how many commits
	// were rewritten. A copy of the files elsewhere that still holds what was blanked
	// is a conflict, and named, once the history is rewritten.
	Purge(ctx context.Context, scope strata.Scope, blank func(path string, content []byte) ([]byte, bool)) (int, error)
}

// Message is what a commit says.
type Message struct {
	Subject string // one line
	Body    string // may be empty
	Agent   string // the author: {agent} <agent@localhost>; empty means strata
	At      time.Time
}

// Commit is a recorded state of a root.
type Commit struct {
	ID      string    `json:"oid"` // 40 hex digits; empty if skipped
	Subject string    `json:"subject"`
	Body    string    `json:"body,omitempty"`
	Author  string    `json:"author"`
	At      time.Time `json:"timestamp"`
	// Skipped says why nothing was committed; empty for a commit.
	Skipped string `json:"skipped,omitempty"`
	// LeftOut are files that were kept out, with the reason.
	LeftOut []Skipped `json:"left_out,omitempty"`
	// Files counts the files that differ from the commit before.
	Files int `json:"files"`
}

// Log is a part of a history.
type Log struct {
	Commits []Commit `json:"commits"`
	Diff    string   `json:"diff,omitempty"`
	// Note says what is wrong with the history, such as a damaged repository;
	// empty for a sound one.
	Note string `json:"note,omitempty"`
}
