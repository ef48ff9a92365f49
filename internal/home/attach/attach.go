// Package attach is the protocol between a command and the server of its home: who calls,
// and how errors travel unchanged. Package client calls, package server answers.
//
// A call is a request to [Path] over the socket of the home, with the [Caller] in the
// header [Header]. The server checks the caller first, and asks for the input with the
// HTTP status 100 only then. So a command knows whether it sent anything that the server
// may have acted on: until the server asks, it sent nothing. The answer is a stream of
// events, as for any program that follows long work: progress, then a result, or an error
// which is a [Failure].
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
	// Protocol is the protocol that a connection to the path of [MCP] upgrades to, in
	// order to carry MCP messages.
	Protocol = "strata-mcp"
	// MCP is the name of the MCP endpoint, for [Path].
	MCP = "mcp"
)

// Path returns the path at which to call the named operation. It differs from the paths
// for other programs, so that a server that does not know callers refuses the call.
func Path(name string) string { return "/attached/" + name }

// Caller describes a command to the server that works in its place.
type Caller struct {
	// Home, Build and Settings must equal those of the server: the directory, the
	// program, and a digest of the settings that memory is opened with.
	Home     string `json:"home"`
	Build    string `json:"build"`
	Settings string `json:"settings"`

	Project Project `json:"project"`
	Agent   string  `json:"agent,omitempty"`
	Scope   string  `json:"scope,omitempty"`   // as a person writes it
	Origin  string  `json:"origin,omitempty"`  // of the facts and turns it writes
	Tools   string  `json:"tools,omitempty"`   // set of tools, for MCP
	Session string  `json:"session,omitempty"` // id of the session, for MCP
}

// Project is the current workspace. The zero Project means none.
type Project struct {
	ID     string   `json:"id,omitempty"` // empty if the home knows the project by a key
	Root   string   `json:"root,omitempty"`
	Source string   `json:"source,omitempty"`
	Key    string   `json:"key,omitempty"`
	Keys   []string `json:"keys,omitempty"` // all keys by which the home may know it
}

// String returns the caller as a value of the header, which allows few characters. It
// returns the empty string if JSON cannot represent the caller, such as a directory whose
// name is not UTF-8: every server refuses that, and the command does the work itself.
func (c Caller) String() string {
	texts := append([]string{c.Home, c.Agent, c.Scope, c.Project.Root, c.Project.Key}, c.Project.Keys...)
	data, err := json.Marshal(c)
	if err != nil || slices.ContainsFunc(texts, func(s string) bool { return !utf8.ValidString(s) }) {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// ParseCaller parses a header.
func ParseCaller(header string) (Caller, error) {
	var c Caller
	data, err := base64.RawURLEncoding.DecodeString(header)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	return c, err
}
