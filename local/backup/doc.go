// Package backup writes a home into one file while it is in use, and makes a home of
// such a file again.
//
// # Format
//
// A backup is a tar file, compressed as zstandard is, with a seal. Its first entry is
// manifest.json, a [Manifest]; the entries of what it names follow in the same order,
// below home/. The seal is a skippable frame that holds "strata-backup sha256:" and the
// SHA-256 of all bytes before it in hexadecimal: a change of any byte of the file is found
// before anything of it is read. zstd and tar read such a file like any other. An encrypted
// backup is a file of age around all of this. Backups of earlier versions are compressed by
// gzip, and their seal is the comment of an empty member; they are read as well.
//
// # Guarantees
//
// What was acknowledged before [Create] was called is in the backup. The database is
// one state of it; files are copied after it, so that they are never older. Nobody who
// writes meanwhile waits. A file under the name of a backup is whole, synced and was read
// back. [Restore] puts nothing in place before all of it was compared with its hashes
// and the database was looked through.
package backup
