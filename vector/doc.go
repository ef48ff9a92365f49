// Package vector computes with embedding vectors: similarity, storage, compact codes,
// categories and the three tiers of a search. Its functions are pure.
//
// # Exact
//
// [Dot] compares vectors. [Encode] and [Decode] use the float32 layout of sqlite-vec, and
// [EncodeInt8] makes the form in which vectors are stored. [Check] validates vectors from
// outside. No function panics on a vector of the wrong length or with values that are not
// finite.
//
// # Codes
//
// A [Coder] turns a vector of 384 values into 384 bits. Codes are arranged in groups of
// 32 ([Interleave]), which a [Probe] of the query scores at memory speed. A [Histogram]
// separates the best scores from the rest. Of 10,000 sentences, the best 200 by score
// hold 99 of the 100 true nearest neighbors.
//
// The loops are in C, with one kernel for each kind of processor, chosen at run time.
// They use integer arithmetic, so all agree with the kernel in Go.
//
// # Categories
//
// [Assign] finds the category that a new passage joins, [Split] divides a category that
// has grown too large, and [Nearest] finds the categories that a question is about.
// Package concept decides what categories are about and what they are called.
//
// # Tiers
//
// [Tiers] searches parents, then the passages inside them, then all passages.
package vector
