// Package page serves the web page of a home, and decides which browsers may use it.
//
// The page is plain HTML, CSS and JavaScript modules, embedded into the program. It
// requests nothing from any other host, and reaches memory only through the operations at
// /v1.
//
// # Who is let in
//
// A browser presents a single-use code and gets a cookie in return. Package server asks
// [Door.Holds] before it serves a request that carries no other credentials. Neither
// codes nor cookies outlive the process.
package page
