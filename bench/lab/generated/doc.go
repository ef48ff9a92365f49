// Package generated makes conversations by a seed, with questions about them:
// what an assistant was told among long talk, and two people told each other.
// Values are replaced by later ones, preferences are told once, the assistant
// answers in 300 to 600 words with headings and lists, code is written and
// pasted, tools are run, notes are kept, and a fifth of the talk is in German.
//
// The same seed makes the same conversations on every machine. The texts are
// this project's own, so that a collection made of them can be asked anywhere,
// also in tests. Questions share only some of their words with what answers
// them, and the same words stand in many other places.
package generated
