// Package packed reads and writes rows as one blob, in the format of the functions
// unpack and pack_rows of package sqlfunc: to step through rows from Go, or to run a
// statement for each, takes longer than to find or to store them.
//
// A row is the number of its values, in one byte, and then the values, each with its
// kind in front: 8 bytes little-endian for a number, and for a text or a blob 4 for
// its length and then itself.
package packed
