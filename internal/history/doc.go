// Package history keeps the version history of the directories of scopes in git
// repositories that belong to Strata.
//
// # What it touches
//
// The repository of a directory is the .git inside it and nothing else. The package never
// looks at directories above, so it never touches a user's project around the directory.
// All access goes through [os.Root]; a link that leads out is an error. The package runs
// no program and uses no network.
//
// # What go-git does
//
// Go-git reads objects, loose and packed; decodes and encodes commits, trees and tags;
// parses attributes and the configuration; decides between ignore rules; and writes the
// hunks of a diff. This package does itself what go-git does too slowly or not as git
// does:
//
//   - Go-git's work tree examines every file to add one: 220 ms for one changed file
//     among 10,000. Here git's own index is the cache of what each file held when it
//     was last read, with git's rule for files that changed too recently to be sure of.
//     So a commit costs one stat of each file, plus reading and writing what changed.
//   - Go-git's index codec takes 14 ms each way for 10,000 files instead of 2, and
//     drops a flag.
//   - Go-git's ignore patterns differ from git's for one in five of the rule sets in the
//     tests, among them the common "*", "!*/", "!*.md".
//   - Go-git's comparison of trees skips a directory that cannot be read.
//   - Go-git takes an empty reference file for a missing one, and does not sync objects.
//
// # Guarantees
//
// Objects are durable before a branch points to them. A branch moves by compare-and-swap
// under git's lock on it, and the index is replaced under git's lock on the index.
// Strata's processes, readers included, take turns by a lock on .git/strata/lock. The
// next process recognizes and removes the locks that a killed process of Strata left; it
// never removes a lock of git's.
//
// A damaged repository is never deleted or overwritten. Commit and Purge return corrupt,
// with a hint what to do; Log returns what it can read and says in its Note what is
// wrong.
// wrong in its Note.
package history
