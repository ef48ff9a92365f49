// Package question reads what is asked for.
//
// [Analyze] is all there is to a question before memory is looked at: its terms and
// what each weighs, names, phrases, parts, the time it speaks of, which of several
// values it asks for, whether it goes on from what was said before, and what it lets
// expect of its answer. [CuesOf] and [Asks] read the wording of what may answer it,
// by the same lists of words. A word that no passage holds may be a [Misspelling].
//
// The package is pure: text in, values out. It knows English, and of most lists of
// words German, French and Spanish, too.
package question
