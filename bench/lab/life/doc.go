// Package life makes a year in the life of one person who talks to an assistant,
// by a seed: sessions at home and in two projects, with what the person says
// about family, health, food, work and more, what of it changes, is corrected or
// ends, rules for the assistant, plans that pass, small talk, tasks, pasted code
// and logs, words of others, guesses, and secrets.
//
// Beside the turns it says what is true from when to when, which turn told it,
// and how to ask for it, so that a memory can be judged by it.
//
// The same seed and size make the same life on every machine. The phrasings are
// written as people talk, not as any rule reads: what a memory makes of them is
// what is measured.
package life
