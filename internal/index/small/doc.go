// Package small answers searches for the current facts of scopes that fit in
// memory whole, for any store that implements [Source].
//
// In a store of many scopes the entries of a word are those of all of them: to
// look for the words of a question in one takes longer than to go through a few
// hundred facts. A [Cache] keeps the facts of such scopes, and of scopes whose few
// facts stand beside many turns. Every change of a passage has a number, and a
// removal leaves a record: a search sees at once whether what is kept is what its
// transaction sees, and reads what changed since.
//
// Texts are added when they are first asked for. Vectors are the store's to measure.
package small
