// Package generated makes conversations from a seed, with questions about them: what a
// person told an assistant amid long talk, and what two people told each other. Later
// values replace earlier ones, preferences are told once, the assistant answers in 300 to
// 600 words with headings and lists, code is written and pasted, tools are run, notes are
// kept, and a fifth of the talk is in German.
//
// The same seed makes the same conversations on every machine. The texts are this
// project's own, so a collection made of them can be used anywhere, including tests.
// Questions share only some words with the messages that answer them, and the same words
// occur in many other places.
package generated
