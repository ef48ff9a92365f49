// Package connect adds the entry of Strata to the configuration of programs that use MCP
// servers, and removes it again.
//
// A [Client] is such a program: where its configuration is, and what the entry looks
// like. [Client.Plan] says what a file would become, and [Change.Apply] writes it.
// Everything else in the file stays as it is, including comments and spaces. A file that
// cannot be parsed is left alone.
package connect

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Server is the command that a client starts to speak MCP over its standard input and
// output.
type Server struct {
	Command string
	Args    []string
}

// Equal reports whether two servers are the same command.
func (s Server) Equal(other Server) bool {
	return s.Command == other.Command && slices.Equal(s.Args, other.Args)
}

// Name is the name of Strata's entry in every configuration.
const Name = "strata"

// System says where clients keep their files.
type System struct {
	OS     string              // a value of runtime.GOOS
	Home   string              // the user's home directory
	Getenv func(string) string // looks up an environment variable
}

// ThisSystem returns the system that the program runs on.
func ThisSystem() (System, error) {
	home, err := os.UserHomeDir()
	return System{OS: runtime.GOOS, Home: home, Getenv: os.Getenv}, err
}

// in returns the path rest below the directory that a variable names, or below the
// directory standard of the home.
func (s System) in(variable string, standard, rest []string) string {
	if dir := s.Getenv(variable); variable != "" && filepath.IsAbs(dir) {
		return filepath.Join(append([]string{dir}, rest...)...)
	}
	return filepath.Join(append(append([]string{s.Home}, standard...), rest...)...)
}

// config returns a path below the directory in which desktop programs keep their
// configuration.
func (s System) config(rest ...string) string {
	switch s.OS {
	case "darwin":
		return s.in("", []string{"Library", "Application Support"}, rest)
	case "windows":
		return s.in("APPDATA", []string{"AppData", "Roaming"}, rest)
	}
	return s.in("XDG_CONFIG_HOME", []string{".config"}, rest)
}

// dotConfig is like [System.config], for a program that uses ~/.config on every system.
func (s System) dotConfig(rest ...string) string {
	return s.in("XDG_CONFIG_HOME", []string{".config"}, rest)
}

// Client is a program that uses MCP servers.
type Client struct {
	ID   string // its name in commands: "claude-code"
	Name string // for people: "Claude Code"

	file  func(System) string // its configuration
	marks func(System) string // a file or directory that exists where the client is installed
	entry entry
	// hooks writes the hooks that memory answers into the file settings. Both are nil if
	// the client has no hooks.
	hooks    entry
	settings func(System) string
	// Note says what the user still has to do in the client itself; empty for nothing.
	Note string
}

// noHooks is the note for a client that calls no hook at the end of a conversation.
const noHooks = "Agents without hooks save and recall by their tools; strata watch DIR takes in conversations that they export."

// Clients returns all known clients, by id.
func Clients() []Client {
	return []Client{
		{ID: "claude-code", Name: "Claude Code", entry: standard{at: []string{"mcpServers"}, kind: "stdio"},
			// With the variable set, the file is inside the directory, not beside it.
			file: func(s System) string { return s.in("CLAUDE_CONFIG_DIR", nil, []string{".claude.json"}) },
			marks: func(s System) string {
				return s.in("CLAUDE_CONFIG_DIR", []string{".claude"}, nil)
			},
			hooks: hooks{tools: "Edit|MultiEdit|Write|NotebookEdit|Bash"},
			settings: func(s System) string {
				return s.in("CLAUDE_CONFIG_DIR", []string{".claude"}, []string{"settings.json"})
			}},
		{ID: "claude-desktop", Name: "Claude Desktop", entry: standard{at: []string{"mcpServers"}},
			file:  func(s System) string { return s.config("Claude", "claude_desktop_config.json") },
			marks: func(s System) string { return s.config("Claude") },
			Note:  noHooks},
		{ID: "codex", Name: "Codex", entry: codex{},
			file:  func(s System) string { return s.in("CODEX_HOME", []string{".codex"}, []string{"config.toml"}) },
			marks: func(s System) string { return s.in("CODEX_HOME", []string{".codex"}, nil) },
			hooks: hooks{tools: "Bash|apply_patch"},
			settings: func(s System) string {
				return s.in("CODEX_HOME", []string{".codex"}, []string{"hooks.json"})
			},
			Note: "Codex runs hooks once you trust them: enter /hooks there."},
		{ID: "cursor", Name: "Cursor", entry: standard{at: []string{"mcpServers"}},
			file:  func(s System) string { return s.in("", []string{".cursor"}, []string{"mcp.json"}) },
			marks: func(s System) string { return s.in("", []string{".cursor"}, nil) },
			Note:  noHooks},
		{ID: "gemini", Name: "Gemini CLI", entry: standard{at: []string{"mcpServers"}},
			file:  func(s System) string { return s.in("", []string{".gemini"}, []string{"settings.json"}) },
			marks: func(s System) string { return s.in("", []string{".gemini"}, nil) },
			Note:  noHooks},
		{ID: "opencode", Name: "opencode", entry: opencode{},
			file: func(s System) string {
				// opencode reads either file; the existing one is the user's.
				if commented := s.dotConfig("opencode", "opencode.jsonc"); exists(commented) {
					return commented
				}
				return s.dotConfig("opencode", "opencode.json")
			},
			marks:    func(s System) string { return s.dotConfig("opencode") },
			hooks:    plugin{},
			settings: func(s System) string { return s.dotConfig("opencode", "plugins", "strata.js") }},
		{ID: "vscode", Name: "VS Code", entry: standard{at: []string{"servers"}, kind: "stdio"},
			file:  func(s System) string { return s.config("Code", "User", "mcp.json") },
			marks: func(s System) string { return s.config("Code", "User") },
			Note:  noHooks},
		{ID: "zed", Name: "Zed", entry: standard{at: []string{"context_servers"}},
			file: func(s System) string {
				if s.OS == "windows" {
					return s.config("Zed", "settings.json")
				}
				return s.dotConfig("zed", "settings.json")
			},
			marks: func(s System) string {
				if s.OS == "windows" {
					return s.config("Zed")
				}
				return s.dotConfig("zed")
			},
			Note: noHooks},
	}
}

// File returns the path of the configuration of a client, which may not exist.
func (c Client) File(s System) string { return c.file(s) }

// Installed reports whether the client has left any files on a system.
func (c Client) Installed(s System) bool { return exists(c.marks(s)) || exists(c.file(s)) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// entry reads and writes one form of configuration.
type entry interface {
	// set returns the text of a configuration with a server added, and remove the text
	// without it. A text that needs no change comes back as it was. An empty text is a
	// missing file.
	set(text string, s Server) (string, error)
	remove(text string) (string, error)
	// get returns the server in a configuration, if there is one. A server that is
	// disabled or cannot be parsed is there, without a command.
	get(text string) (s Server, there bool, err error)
}

// standard is the form that most clients share: a JSON object with the command and its
// arguments.
type standard struct {
	at   []string // path of the object that holds servers by name
	kind string   // "type" of the entry; empty for none
}

// standardEntry is the entry itself.
type standardEntry struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func (f standard) set(text string, s Server) (string, error) {
	return setMember(text, f.at, Name, standardEntry{Type: f.kind, Command: s.Command, Args: s.Args})
}

func (f standard) remove(text string) (string, error) { return removeMember(text, f.at, Name) }

func (f standard) get(text string) (Server, bool, error) {
	var got standardEntry
	there, err := member(text, f.at, Name, &got)
	return Server{Command: got.Command, Args: got.Args}, there, err
}

// opencode is the form with the command and its arguments in one list.
type opencode struct{}

var opencodeServers = []string{"mcp"}

// opencodeEntry is the entry itself.
type opencodeEntry struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
}

func (opencode) set(text string, s Server) (string, error) {
	return setMember(text, opencodeServers, Name, opencodeEntry{Type: "local", Command: append([]string{s.Command}, s.Args...), Enabled: true})
}

func (opencode) remove(text string) (string, error) { return removeMember(text, opencodeServers, Name) }

func (opencode) get(text string) (Server, bool, error) {
	var got opencodeEntry
	there, err := member(text, opencodeServers, Name, &got)
	if err != nil || !got.Enabled || len(got.Command) == 0 {
		return Server{}, there, err
	}
	return Server{Command: got.Command[0], Args: got.Command[1:]}, there, nil
}
