// Package nearest finds the passages whose vectors are closest to one, for any
// store that implements [Source].
//
// Few vectors are measured all. Of more than [CodeFrom], codes of package vector
// are scanned first: one bit a dimension, then four bits for the best, then the
// vectors themselves for those that may be among the nearest. The store keeps
// codes in blocks ([Block], [FineBlock]) of one head for each scope, model and kind;
// an [Index] keeps those of the heads that were searched in memory, and reads
// what changed since.
//
// What a save or a removal makes of codes is decided here as well ([Index.Add],
// [Writer.Remove]), over [Tables], and so is the comparison of all codes and sums
// with their vectors ([Check]).
//
// A filter is applied to rows of passages, those of the closest first. It never
// starves a result: where it leaves few of the best, who passes is found out
// first, and the scan looks at nobody else.
//
// Measured in docs/decisions/0001-vector-layout.md and 0009-nearest-of-a-million.md.
package nearest
