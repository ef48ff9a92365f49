// Package lexical finds the passages that hold any of a set of terms, in any store
// that implements [Source].
//
// A store keeps the entries of each term ([Entry]) and the rows of passages. It may
// hold back the entries of the latest passages as pending, and it keeps a second
// copy of the rows, packed into blocks ([Block]). There are two ways to search.
// [Snapshot.Entries] reads the entries of the terms and the rows of the passages
// they name. [Snapshot.Postings] reads neither: for scopes that are queried often,
// an [Index] keeps the passages in memory, at 16 bytes each, and a posting list for
// each term queried, at 4 bytes a passage. It reads only what changed since the last
// search.
//
// A caller usually wants only the best passages of a large scope. A search then
// divides the terms into essential ones, at least one of which a passage must hold
// to be found, and the others (MaxScore), and keeps the passages with the best BM25
// scores.
package lexical
