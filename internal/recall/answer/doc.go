// Package answer answers a question from what a recall found.
//
// An [Answer] has fewer than 150 words, cites its evidence by number, and ends with a
// line that says which parts of the question memory does not hold. [Of] gives a model the
// evidence as fenced data and checks what it writes: a sentence stays only if it cites
// existing evidence and shares words with it. Without a model, or if nothing of its
// answer can stay, the answer is the evidence itself, oldest first.
package answer
