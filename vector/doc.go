// Package vector computes with embedding vectors: similarity, storage, compact
// codes, categories and the three tiers of a search. Everything is pure: values
// in, values out.
//
// # Exact
//
// [Dot], [L2Squared] and [Cosine] compare vectors; [Encode] and [Decode] are the
// stored form; [Check] guards whatever comes from outside. No function panics on
// a vector of the wrong length or with values that are not finite.
//
// # Codes
//
// A [Coder] turns a vector of 384 values into 384 bits. A block of codes is
// small enough to be kept in memory and scanned whole: [Scan] with a code,
// [Table] with more care, either into a [TopK]. What they select is re-scored
// with the full vectors. Of 10,000 sentences the best 200 by [Table] hold 99 of
// 100 true nearest neighbors.
//
// # Categories
//
// [Assign] says which category a new passage belongs to, [Merge] keeps their
// number in bounds, [Nearest] finds those that a question is about. Nobody has
// to define categories or to run a model for it.
//
// # Tiers
//
// [Tiers] searches parents, then the passages inside them, then everything.
package vector
