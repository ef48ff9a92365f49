// Package nearest finds the passages whose vectors are closest to a given one, in
// any store that implements [Source].
//
// The store measures distances ([Source.Closest]); this package decides which
// vectors it measures. If there are few, it measures all; of more than [CodeFrom],
// it measures those that are closest by their codes of one bit per dimension
// (package vector). The store keeps codes in blocks ([Block]), with one head for
// each scope, model and kind. An [Index] keeps the codes of the heads that were
// searched in memory, and reads only what changed since.
//
// This package also decides how saving and removing vectors changes the codes
// ([Index.Add], [Writer.Remove]), working on [Tables], and it compares all codes and
// sums with their vectors ([Check]).
//
// A filter is applied to the closest passages. A selective filter never leaves a
// result short: if too few of the closest pass, the search lists all passages that
// do and measures only those.
//
// Measured in docs/decisions/0001-vector-layout.md and 0009-nearest-of-a-million.md.
package nearest
