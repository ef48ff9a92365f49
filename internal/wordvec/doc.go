// Package wordvec holds vectors of words: how they are made ready to be added up
// to the vector of a text, and the file that keeps them.
//
// Vectors as they are trained share directions that say how frequent a word is
// rather than what it means, and frequent words say little. a [Builder] removes
// the former and weighs the words by smooth inverse frequency (Arora, Liang and Ma, "A
// simple but tough-to-beat baseline for sentence embeddings", 2017; Mu and
// Viswanath, "All-but-the-top", 2018), so that a reader only has to add.
//
// The file is read where it lies: [Open] and [OpenFile] look at its beginning, and
// [Table.Find] at the few places that a binary search needs. A program that embeds
// it loads nothing and holds no map. [Read] takes vectors from files of others, of
// any size.
package wordvec
