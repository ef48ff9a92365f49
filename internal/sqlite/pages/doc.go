// Package pages reads a database file page by page, as far as it can be read. It
// follows the format that SQLite documents and does without SQLite, which gives up
// at the first damaged page. A row is found through the pages above it or, if one of
// these is damaged, through the pointer map, which records the parent of each page.
//
// See https://sqlite.org/fileformat2.html. SQLite's own recovery works the same way,
// but is not part of the SQLite that is compiled in.
package pages
