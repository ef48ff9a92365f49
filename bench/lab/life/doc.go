// Package life makes a year in the life of one person who talks to an assistant, from a
// seed: sessions at home and in two projects. The person speaks of family, health, food,
// work and more; some of it changes, is corrected or ends. There are rules for the
// assistant, plans that pass, small talk, tasks, pasted code and logs, quotations of
// others, guesses, and secrets.
//
// Besides the turns, a [Life] records what is true from when to when, which turn told it,
// and how to ask for it, so that a memory can be judged by it.
//
// The same seed and size make the same life on every machine. The wording is natural
// rather than fitted to any extraction rule: what a memory makes of it is what is
// measured.
package life
