// Package packed reads and writes rows as one blob, in the format of the functions
// unpack and pack_rows of package sqlfunc. Stepping through rows from Go, or running
// a statement for each, takes longer than finding or storing them.
//
// A row is one byte with the number of its values, followed by the values. Each
// value is one byte for its kind, followed by 8 bytes little-endian for a number, or
// by 4 bytes for the length of a text or blob and then its bytes.
package packed
