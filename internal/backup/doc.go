// Package backup writes a home out and makes a home of that again: one archive, written
// while the home is in use ([Create], [Restore]), a full export as JSON lines ([ExportFull],
// [Import]), and what can be read of a damaged home ([ExportDamaged], [Salvage]).
//
// # Format
//
// A backup is a tar file, compressed as zstandard is, with a seal. Its first entry is
// manifest.json, a [Manifest]; the database and files follow below home/. The seal is a
// skippable frame that holds "strata-backup sha256:" and the SHA-256 of all bytes before it
// in hexadecimal: a change of any byte of the file is found before anything of it is read.
// zstd and tar read such a file like any other. An encrypted backup is a file of age around
// all of this. Backups of earlier versions are compressed by
// gzip, and their seal is the comment of an empty member; they are read as well. The lines of
// an export are described in docs/formats/export.md.
//
// # Guarantees
//
// What was acknowledged before [Create] was called is in the backup. The database is
// one state of it; files are copied after it, so that they are never older. Nobody who
// writes meanwhile waits. A file under the name of a backup is whole, synced and was read
// back. [Restore] puts nothing in place before all of it was compared with its hash and the
// database was looked through. A home that an export or a salvage becomes appears only when
// it is whole, indexed and looked through, and what is damaged is left out and named.
package backup
