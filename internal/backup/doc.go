// Package backup backs up, exports and restores homes: [Create] and [Restore] work on one
// archive, written while the home is in use; [ExportFull] and [Import] on a full export
// as JSON lines; [ExportDamaged] and [Salvage] on what can be read of a damaged home.
//
// # Format
//
// A backup is a tar file compressed with zstandard and sealed. Its first entry is
// manifest.json, a [Manifest]. The database and the files follow under home/. The seal is
// a skippable frame with "strata-backup sha256:" and the SHA-256 of all bytes before it
// in hexadecimal. It is verified first, so that any change to the file is found before
// anything is read from it. zstd and tar read such a file like any other. An encrypted
// backup is an age file around all of this. Earlier versions compressed backups with gzip
// and sealed them by the comment of an empty member; these can still be read.
// docs/formats/export.md describes the lines of an export.
//
// # Guarantees
//
// A backup contains everything that was acknowledged before [Create] was called. The
// database in it is a single state. The files are copied later, so that they are never
// older than the database. Concurrent writers do not wait. A file under the name of a
// backup is complete, synced and has been read back. [Restore] puts nothing in place
// before it has compared everything with its hash and checked the database. A home made
// from an export or by a salvage appears only when it is complete, indexed and checked;
// damaged parts are left out and reported.
package backup
