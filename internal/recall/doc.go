// Package recall ranks what memory holds against a question.
//
// [Find] answers one question inside one read transaction. It runs these stages in order,
// each a function of its own:
//
//  1. Before Find, [question.Analyze] reads the question: index terms, phrases, names,
//     subquestions and a time. It is pure.
//  2. Find looks for candidates by words, scope by scope. The store returns the passages
//     that hold terms or phrases. Find expands the question by related words, and looks
//     for a term that no passage holds by prefix, substring and spelling. BM25 over
//     passages and over their parents selects the candidates.
//  3. It looks for candidates by vector, in three tiers: the nearest parents, the
//     passages inside them, the whole scope. A model other than the built-in embedder
//     then re-ranks, as far as its cosines agree with the words beyond chance.
//  4. It reads the best candidates and gives each one score in [0,1], the sum of six
//     bounded components (see [Weights] for the formula).
//  5. A recall drops turns that say the same as a fact. It also drops what is shadowed by
//     a deeper scope: by a document of the same identity, or by a fact that fills the
//     same slot. A search shows both, and a later page never reorders an earlier one.
//  6. Find builds the results: it leaves out what was seen and what repeats another text,
//     limits the sections of one document, and stays within the limit and the token
//     budget. The components of a hit add up to its score.
//
// Find never sees the turns that the asking conversation still shows (see hideShown). The
// pure parts have packages of their own: package question reads the question, and package
// evidence tells how likely a hit answers it.
//
// A parent is the category of a fact, the session of a turn or the document of a section.
// A turn is scored with its neighbors and its session, a fact with its category, a
// section with its document. How often something was useful decides only between matches
// that are about equally good.
package recall
