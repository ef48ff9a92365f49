// Package recall ranks what memory holds against a question.
//
// One question travels in five steps, all inside one read transaction:
//
//  1. [Analyze] reads the question: index terms, names, quoted parts and a
//     time expression. It is pure.
//  2. Candidates are gathered scope by scope, the view applied by the store
//     before any cut-off: by words, by quoted phrase, by the beginning of a
//     word or by substring where words are unknown, and by vector in three
//     tiers (nearest parents, passages inside them, flat).
//  3. Every candidate gets one score in [0,1], the sum of six bounded
//     components (see [Weights] for the formula).
//  4. What is shadowed by a document of a deeper scope, what was seen, what says
//     the same again, more than a few sections of one document and what does not
//     fit the limit or the budget is left out.
//  5. Every hit carries its components; they add up to its score.
//
// The hierarchy does most of the work: a turn is read together with its
// neighbors and its session, a fact together with its category, a section
// together with its document. Popularity only decides between matches that are about equally good.
package recall
