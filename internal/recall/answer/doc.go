// Package answer answers a question from what a recall found.
//
// An [Answer] has fewer than 150 words, cites what it rests on by number, and ends with
// a line that says what of the question memory does not hold. [Of] has a model write it,
// which is given the evidence as fenced data, and checks what the model says: a sentence
// stays if it cites evidence that exists and is about the same. Without a model, or where
// nothing of its answer can stay, the answer is the evidence itself in order of time.
package answer
