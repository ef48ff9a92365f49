// Package question reads what is asked for.
//
// [Analyze] learns all it can from a question without looking at memory: its terms and
// their weights, names, phrases and parts, the time it names, which of several values it
// asks for, whether it continues what was said before, and what it implies about its
// answer. [CuesOf] and [Asks] read the wording of possible answers, by the same word
// lists. A word that no passage holds may be a [Misspelling].
//
// The package is pure: text in, values out. It knows English; most word lists also have
// German, French and Spanish.
package question
