// Package small answers searches for the current facts of scopes that fit in memory
// as a whole, for any store that implements [Source].
//
// In a store of many scopes, the entries of a word belong to all of them: looking up
// the words of a question for one scope takes longer than scanning a few hundred
// facts. A [Cache] keeps the facts of such scopes, and of scopes that have few facts
// but many turns. Every change of a passage has a number, and a removal leaves a
// record, so a search can tell at once whether the facts in memory are what its
// transaction sees, and reads what changed since.
//
// Texts are read when they are first needed. Measuring vectors is left to the store.
package small
