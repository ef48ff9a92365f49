// Package connect writes the entry of Strata into the configuration of the
// programs that take MCP servers, and takes it out again.
//
// A [Client] is such a program: where its configuration is, and how the entry
// reads there. [Client.Plan] says what a file would become, and [Change.Apply]
// writes it. Everything else in the file stays as it is, comments and spaces
// too. A file that cannot be read as what it should be is left alone.
package connect
