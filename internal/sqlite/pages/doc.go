// Package pages reads a database file page by page, as far as it can be read: by
// the format that SQLite documents, and without SQLite, which gives up at the first
// page that is not sound. A row is found by the pages above it or, where one of
// these is damaged, by the pointer map, which says of each page which is above it.
//
// See https://sqlite.org/fileformat2.html. SQLite's own recovery goes about it in
// the same way; it is no part of the SQLite that is compiled in.
package pages
