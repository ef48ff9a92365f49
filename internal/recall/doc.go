// Package recall ranks what memory holds against a question.
//
// [Find] answers one question inside one read transaction. Its file shows the
// stages in order, each a function of its own:
//
//  1. [question.Analyze] reads the question: index terms, phrases, names, subquestions and
//     a time. It is pure, and is done before.
//  2. Candidates by words, scope by scope. The store returns the passages that
//     hold terms or phrases; the question is expanded by related words; a term that
//     no passage holds is looked for by prefix, substring and spelling. BM25 over
//     passages and over their parents selects the candidates.
//  3. Candidates by vector, in three tiers: the nearest parents, the passages
//     inside them, the whole scope. A model other than the built-in embedder then
//     re-ranks, as far as its cosines stand out from chance.
//  4. The best candidates are read, and each gets one score in [0,1], the sum of
//     six bounded components (see [Weights] for the formula).
//  5. A recall is without turns of which a fact says the same, and without what a
//     document of the same identity or a fact of the same slot of a deeper scope
//     shadows. A search shows these, in blocks that later ones never move.
//  6. Results: without what was seen and what repeats another text, with few sections
//     of one document, within the limit and the budget of tokens. The components of
//     a hit add up to its score.
//
// Turns that the conversation of whoever asks still shows are left out from the
// beginning (package shown). What is pure has rooms of its own: reading the question
// (package question), and telling whether a hit answers (package evidence).
//
// A parent is the category of a fact, the session of a turn or the document of a
// section. A turn is scored with its neighbors and its session, a fact with its
// category, a section with its document. How often something was of use decides
// only between matches that are about equally good.
package recall
