package files

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// Tree holds the directories of scopes with their Markdown files. Paths are those of
// [strata.Document]: relative to the scope's directory, with slashes. Nothing outside a
// scope's directory can be reached, through links or otherwise, except what the user
// allowed by name. A Tree is safe for concurrent use, even by several processes.
//
// Errors have the codes invalid for a path that names no document, not_found, conflict
// for a file that is not as expected, unavailable for a directory that is not available,
// too_large, full and read_only.
type Tree interface {
	// Directory returns the directory of a scope; false if none is available. The
	// directory need not exist yet.
	Directory(scope strata.Scope) (dir string, ok bool)
	// Lock locks the files of a scope against other callers of Lock, in this process and
	// others, until release is called or the process ends. It does not block Read and
	// Write. Lock waits until ctx ends, but may give up earlier with busy. Calling
	// release again does nothing.
	Lock(ctx context.Context, scope strata.Scope) (release func(), err error)
	// Read reads a file.
	Read(ctx context.Context, scope strata.Scope, path string) (File, error)
	// Write replaces the file whose hash is base with content; [strata.NoFile] means that
	// there must be none. If the file already has the content, Write writes nothing and
	// returns the file. If it has neither hash, Write changes nothing and returns
	// conflict. Replacing is atomic, and the file is durable when Write returns.
	Write(ctx context.Context, scope strata.Scope, path string, content []byte, base string) (File, error)
	// Remove removes the file whose hash is base. It is no error if there is no file.
	Remove(ctx context.Context, scope strata.Scope, path, base string) error
	// Scan compares the files of a scope with what is known of them. It reads only files
	// whose size or modification time may have changed.
	Scan(ctx context.Context, scope strata.Scope, known map[string]Stat) (Changes, error)
	// Watch calls changed some time after files of a scope changed, until ctx ends. It
	// returns once the watch is in place, or unsupported or unavailable if it cannot be.
	Watch(ctx context.Context, scopes []strata.Scope, changed func(strata.Scope)) error
}

// File is a file as it was when it was read.
type File struct {
	Path    string
	Content []byte
	Stat
}

// Stat distinguishes states of a file.
type Stat struct {
	Hash       string // SHA-256 in hex
	Size       int64
	ModifiedAt time.Time
}

// Changes is what a scan found.
type Changes struct {
	// Changed are files that are new or have other bytes.
	Changed []File
	// Touched are files that were rewritten with the same bytes, by path.
	Touched map[string]Stat
	// Removed are the known paths that no longer have a file, sorted.
	Removed []string
	// Skipped are files that cannot be documents as they are.
	Skipped []Skipped
}

// Skipped is a file that was left out, with a short reason: too large, not text, a link,
// a name that no document can have, not readable.
type Skipped struct {
	Path   string
	Reason string
}

// History is the version history of the directories of scopes. Scopes that
// share a root directory share its history.
type History interface {
	// Commit records the files of a scope's root as they are. If nothing changed, it
	// makes no commit and says so in Commit.Skipped. check is called with the content of
	// every file that would be new in the commit; if it returns an error, the file is
	// left out and named in Commit.LeftOut.
	Commit(ctx context.Context, scope strata.Scope, m Message, check func(path string, content []byte) error) (Commit, error)
	// Log lists the newest commits of a scope's root, newest first, at most limit (0: 10;
	// maximum 100). With diff, it adds a unified diff of what changed between the oldest
	// of them and the newest.
	Log(ctx context.Context, scope strata.Scope, limit int, diff bool) (Log, error)
	// Holding returns the commits for which match reports true, newest first. match is
	// called with the path of each file and no content, and with each content and each
	// commit message without a path. Stored content that is in no commit comes last, with
	// the id of its object.
	Holding(ctx context.Context, scope strata.Scope, match func(path string, content []byte) bool) ([]Commit, error)
	// Purge rewrites the history of a scope's root. Every version of a file for which
	// blank returns true gets the content that blank returns, or is removed if that is
	// nil. Commit messages also go through blank, with an empty path. What was there is
	// deleted from the disk. Purge returns how many commits it rewrote. If a copy of the
	// files elsewhere still holds what was blanked, Purge rewrites the history and then
	// returns a conflict that names the copy.
	Purge(ctx context.Context, scope strata.Scope, blank func(path string, content []byte) ([]byte, bool)) (int, error)
}

// Message is the message of a commit, with its author and time.
type Message struct {
	Subject string // one line
	Body    string // may be empty
	Agent   string // the author: {agent} <agent@localhost>; empty means strata
	At      time.Time
}

// Commit is a recorded state of a root directory.
type Commit struct {
	ID      string    `json:"oid"` // 40 hex digits; empty if skipped
	Subject string    `json:"subject"`
	Body    string    `json:"body,omitempty"`
	Author  string    `json:"author"`
	At      time.Time `json:"timestamp"`
	// Skipped says why no commit was made; empty for a commit.
	Skipped string `json:"skipped,omitempty"`
	// LeftOut are files that were left out, with the reasons.
	LeftOut []Skipped `json:"left_out,omitempty"`
	// Files counts the files that differ from the commit before.
	Files int `json:"files"`
}

// Log is part of a history.
type Log struct {
	Commits []Commit `json:"commits"`
	Diff    string   `json:"diff,omitempty"`
	// Note says what is wrong with the history, such as damage to the repository; empty
	// for a sound one.
	Note string `json:"note,omitempty"`
}
