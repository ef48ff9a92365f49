// Package dump writes all of a home as JSON lines, and makes a home of them again with the
// same ids and answers. The format is described in docs/formats/full-export.md.
//
// # Guarantees
//
// A dump is one state of the database, whoever writes meanwhile; files of the home follow
// it. The same home gives the same bytes. Memory is bounded by the longest row.
//
// What is damaged is left out and named, where a home is written as where it is read. A
// home appears only when it is whole, indexed and looked through.
package dump
