// Package vector computes with embedding vectors: similarity, storage, compact
// codes, categories and the three tiers of a search. Everything is pure: values
// in, values out.
//
// # Exact
//
// [Dot] compares vectors; [Encode] and [Decode] are float32 as sqlite-vec has it, and
// [EncodeInt8] the form in which vectors are stored; [Check] guards
// whatever comes from outside. No function panics on a vector of the wrong length or with
// values that are not finite.
//
// # Codes
//
// A [Coder] turns a vector of 384 values into 384 bits. Codes are arranged in groups of
// 32 ([Interleave]), which a [Probe] of the query scores at the memory's speed; a
// [Histogram] separates the best scores from the rest. Of 10,000 sentences the best 200
// by score hold 99 of 100 true nearest neighbors.
//
// The loops are in C, one kernel for each kind of processor, chosen at run time;
// they compute with integers, so that all agree with the one in Go.
//
// # Categories
//
// [Assign] says which category a new passage is most like, [Split] divides one that
// has grown too large, [Nearest] finds those that a question is about. What they are
// about and are called is the business of package concept.
//
// # Tiers
//
// [Tiers] searches parents, then the passages inside them, then everything.
package vector
