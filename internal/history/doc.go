// Package history keeps the version history of the directories of scopes, in
// git repositories of memory's own.
//
// # What it touches
//
// The repository of a directory is the .git inside of it and nothing else: no
// directory above is looked at, so a user's project around it is never touched.
// All access goes through [os.Root]; a link that leads out is an error. No
// program is run and no network is used.
//
// # What is go-git's
//
// Go-git reads objects, loose and packed, decodes and encodes commits, trees and
// tags, parses attributes and the configuration, decides between ignore rules and
// writes the hunks of a diff. Written here is what it would lose:
//
//   - Its work tree looks at every file to add one: 220 ms for one changed file among
//     10,000. Here git's own index serves as the cache of what each file held when it
//     was last read, with git's own rule for files that were changed too recently to be
//     sure of. So a commit costs one look at the state of each file, and the reading
//     and writing of what changed.
//   - Its index codec takes 14 ms each way for 10,000 files, against 2, and drops a mark.
//   - Its ignore patterns answer otherwise than git for one set of rules in five of
//     those in the tests, among them the common "*", "!*/", "!*.md".
//   - Its comparison of trees passes over a directory that cannot be read.
//   - Its references take an empty file for none, and its objects are not synced.
//
// # Guarantees
//
// Objects are durable before a branch points to them; a branch moves by
// compare-and-swap under git's lock on it, and the index is replaced under
// git's lock on that. Strata's own processes take turns by a lock on
// .git/strata/lock, readers too. A process that is killed leaves locks that
// the next one knows for its own and takes away; a lock of git's is never
// removed.
//
// A repository that is damaged is never deleted or written over. Commit and
// Purge return corrupt, with what to do; Log returns what it can and says what is
// wrong in its Note.
package history
