// Package buildcheck stops a build that lacks something Strata needs, with a line that
// says what to do: the tag sqlite_fts5, a C compiler, or the header sqlite3.h that
// sqlite-vec includes. It depends on nothing, so that the line is printed together with
// the errors of the C compiler in sqlite-vec, which is compiled at the same time.
package buildcheck
