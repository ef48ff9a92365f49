// Package evidence estimates how likely a passage answers a question.
//
// The score of a hit orders the hits of one question. It does not say whether the first
// of them answers, since even a question that memory cannot answer has a best hit.
// Evidence says so, on one scale for all questions and sizes of memory: it is the share
// of what the question asks for that the passage holds, with each word weighted by its
// rarity and similar words counted in part. A hit below the [Floor] is not shown and does
// not count as found.
//
// The package is pure: the ranking computes how well a passage supports each word.
package evidence
