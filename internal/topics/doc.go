// Package topics says what a text is about, in a few words, without a model.
//
// There are two answers. [Derive] returns concept tags: the terms that are in the text itself, such as "postgresql" or "config.yaml".
// [Describe] also returns a category, from a fixed list of topics such as "pets"
// or "deployment", which the text need not name: a sentence about a kitten is
// about pets. Tags distinguish texts of one subject, topics bring together those
// that share no word.
//
// A [Classifier] also knows the topic of texts that hold no word of the lists, by the
// meaning of their words, and [Group] puts texts into as few categories as make sense:
// topics that have enough of them, and fields of several that have not.
//
// All know English best, and the words of their lists in Spanish, French,
// German, Chinese, Japanese and Korean too.
//
// The package is pure and deterministic: equal texts give equal answers, in
// equal order.
package topics
