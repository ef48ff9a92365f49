// Package nearest finds the passages whose vectors are closest to one, for any
// store that implements [Source].
//
// The store measures ([Source.Closest]); what it is to measure is decided here: few
// vectors all, and of more than [CodeFrom] those that are closest by their codes of
// package vector, of one bit a dimension. The store keeps codes in blocks ([Block])
// of one head for each scope, model and kind; an [Index] keeps those of the heads that
// were searched in memory, and reads what changed since.
//
// What a save or a removal makes of codes is decided here as well ([Index.Add],
// [Writer.Remove]), over [Tables], and so is the comparison of all codes and sums
// with their vectors ([Check]).
//
// A filter is applied to the closest. It never starves a result: where it leaves too
// few of them, who passes is found out first, and nobody else is looked at.
//
// Measured in docs/decisions/0001-vector-layout.md and 0009-nearest-of-a-million.md.
package nearest
