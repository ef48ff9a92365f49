// Package lexical finds the passages that hold any of some terms, for any store
// that implements [Source].
//
// A store keeps the entries of each term ([Entry]), of which those of the latest
// passages may be pending, and the rows of passages, a second time packed into
// blocks ([Block]). There are two ways to search them. [Snapshot.Entries] reads
// the entries of the terms and the rows of the passages that these name.
// [Snapshot.Postings] needs neither: an [Index] keeps in memory the passages of
// scopes that are asked again and again, 16 bytes each, and of every term that
// was asked for a posting list, 4 bytes for each passage, and reads only what
// changed since the last search.
//
// Of a large scope a caller mostly wants the best passages. Then terms are parted
// into essential ones, of which a passage must hold one to be found, and the
// others (MaxScore), and what is found is cut to the best by BM25.
package lexical
