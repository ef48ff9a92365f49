// Package attach is what a command and the server of its home say to each other: who calls,
// and errors as they were. Package client calls, package server answers.
//
// A call is a request to [Path] over the socket of the home, with the [Caller] in the
// header [Header]. The server looks at the caller first and then asks for the input, by
// the status 100 of HTTP. So a command knows whether anything was sent that may have been
// done: until it is asked, nothing was. The answer is events, as for a program that follows
// long work: progress, then a result, or an error which is a [Failure].
package attach

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"unicode/utf8"
)

const (
	// Header holds the caller.
	Header = "Strata-Caller"
	// Protocol is what a connection changes to that carries messages of MCP, at the path
	// of [MCP].
	Protocol = "strata-mcp"
	// MCP is the name of that path, among those of operations.
	MCP = "mcp"
)

// Path is where the operation of a name is called. It is none of those for programs, so
// that a server which does not know callers refuses them.
func Path(name string) string { return "/attached/" + name }

// Caller is a command, as the server needs to know it to work in its place.
type Caller struct {
	// Home, Build and Settings must be those of the server: the directory, the program,
	// and a digest of the settings that a memory is opened with.
	Home     string `json:"home"`
	Build    string `json:"build"`
	Settings string `json:"settings"`

	Project Project `json:"project"`
	Agent   string  `json:"agent,omitempty"`
	Scope   string  `json:"scope,omitempty"`   // as a person writes it
	Origin  string  `json:"origin,omitempty"`  // of what it writes
	Tools   string  `json:"tools,omitempty"`   // set of tools, for MCP
	Session string  `json:"session,omitempty"` // id of the session, for MCP
}

// Project is the workspace at hand. The zero Project is none.
type Project struct {
	ID     string   `json:"id,omitempty"` // empty where the home knows it by a key
	Root   string   `json:"root,omitempty"`
	Source string   `json:"source,omitempty"`
	Key    string   `json:"key,omitempty"`
	Keys   []string `json:"keys,omitempty"` // all under which the home may know it
}

// String is the caller as it stands in the header, which holds few characters. It is
// empty for one that JSON does not hold whole, such as a directory whose name is no UTF-8:
// every server refuses that, and the command does its work by itself.
func (c Caller) String() string {
	texts := append([]string{c.Home, c.Agent, c.Scope, c.Project.Root, c.Project.Key}, c.Project.Keys...)
	data, err := json.Marshal(c)
	if err != nil || slices.ContainsFunc(texts, func(s string) bool { return !utf8.ValidString(s) }) {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// ParseCaller reads a header.
func ParseCaller(header string) (Caller, error) {
	var c Caller
	data, err := base64.RawURLEncoding.DecodeString(header)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	return c, err
}
