// Package evidence says how likely a passage answers a question.
//
// The score of a hit orders what one question finds. It does not say whether the
// first of them answers: of a question that memory cannot answer the best hit has a
// score, too. Evidence says that, on one scale for all questions and sizes of
// memory: the share of what the question asks for that the passage holds, each word
// by its rarity, with what is near it in meaning. Below the [Floor] nothing is shown
// and nothing counts as found.
//
// Evidence is pure: what supports a word of the question is for the ranking to say.
package evidence
