// Package ops declares every operation of Strata exactly once, some of them in packages
// below it (see [All]): its name, what it does, its typed input and output, its examples
// and its handler.
//
// The front ends (command line, MCP, HTTP) are generated from these declarations, so that
// they cannot drift apart: the names, kinds and docs of the fields become flags, help and
// the tables of docs/cli-json.md.
//
// # Contract
//
//   - An operation's name and the JSON names of its fields are permanent.
//     Fields may be added.
//   - An input is refused, with code invalid, if it has an unknown field, lacks
//     a required one, or has a value that is not in a field's list.
//   - A scope is written as its canonical key ([strata.Scope.Key]).
//   - A handler never reads configuration, files or standard streams, except what
//     Place of its [operation.Env] names: the front end gives it everything it needs.
//
// # Names
//
// A plural lists ("facts"), a singular shows one ("fact"), a verb acts ("save"). The name
// of the tool is the operation's name after "memory_".
package ops
