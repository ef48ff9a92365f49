// Package page is the page of a home: its files, and the door through which a browser
// comes to them.
//
// The files are plain HTML, CSS and modules of JavaScript, embedded into the program. They
// ask no other host for anything, and know memory only by the operations at /v1.
//
// # Who comes in
//
// A browser shows a code that was made for it, once, and gets a cookie; package server asks
// [Door.Holds] before it serves a request that has nothing else to show. Neither codes nor
// cookies outlive the process.
package page
