// Package connect writes the entry of Strata into the configuration of the
// programs that take MCP servers, and takes it out again.
//
// A [Client] is such a program: where its configuration is, and how the entry
// reads there. [Client.Plan] says what a file would become, and [Change.Apply]
// writes it. Everything else in the file stays as it is, comments and spaces
// too. A file that cannot be read as what it should be is left alone.
package connect

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Server is the program that a client starts to talk MCP with it on standard input
// and output.
type Server struct {
	Command string
	Args    []string
}

// Equal reports whether two servers are started in the same way.
func (s Server) Equal(other Server) bool {
	return s.Command == other.Command && slices.Equal(s.Args, other.Args)
}

// Name is what the entry of Strata is called in every configuration.
const Name = "strata"

// System is where clients keep what is theirs.
type System struct {
	OS     string              // as runtime.GOOS
	Home   string              // the user's home directory
	Getenv func(string) string // the environment
}

// ThisSystem is the system that the program runs on.
func ThisSystem() (System, error) {
	home, err := os.UserHomeDir()
	return System{OS: runtime.GOOS, Home: home, Getenv: os.Getenv}, err
}

// in returns a path below the directory that a variable names, else below the home.
func (s System) in(variable string, standard, rest []string) string {
	if dir := s.Getenv(variable); variable != "" && filepath.IsAbs(dir) {
		return filepath.Join(append([]string{dir}, rest...)...)
	}
	return filepath.Join(append(append([]string{s.Home}, standard...), rest...)...)
}

// config returns a path below the directory in which programs of the desktop keep
// their configuration.
func (s System) config(rest ...string) string {
	switch s.OS {
	case "darwin":
		return s.in("", []string{"Library", "Application Support"}, rest)
	case "windows":
		return s.in("APPDATA", []string{"AppData", "Roaming"}, rest)
	}
	return s.in("XDG_CONFIG_HOME", []string{".config"}, rest)
}

// dotConfig is [System.config] of a program that uses ~/.config on macOS too.
func (s System) dotConfig(rest ...string) string {
	return s.in("XDG_CONFIG_HOME", []string{".config"}, rest)
}

// Client is a program that takes MCP servers.
type Client struct {
	ID   string // by which it is named in commands: "claude-code"
	Name string // for people: "Claude Code"

	file  func(System) string // its configuration
	marks func(System) string // a file or directory that is there where it is installed
	entry entry
	// hooks are those that memory answers, and settings the file they are in; nil where
	// it has none.
	hooks    entry
	settings func(System) string
	// Note says what is left to do in the client itself; empty for nothing.
	Note string
}

// noHooks is what is left to do where a client calls nobody at the end of a conversation.
const noHooks = "Agents without hooks save and recall by their tools; strata watch DIR takes in conversations that they export."

// Clients are all that are known, by id.
func Clients() []Client {
	return []Client{
		{ID: "claude-code", Name: "Claude Code", entry: standard{at: []string{"mcpServers"}, kind: "stdio"},
			// With the variable set, the file lies inside of the directory and not beside it.
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
				// Either is read; the one that is there is the user's.
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

// File is the configuration of a client on a system, which may not be there.
func (c Client) File(s System) string { return c.file(s) }

// Installed reports whether the client has left anything of its own on a system.
func (c Client) Installed(s System) bool { return exists(c.marks(s)) || exists(c.file(s)) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// entry is how a client's configuration names a server.
type entry interface {
	// set returns the text of a configuration with a server in it, and remove without
	// any. A text that has it already, or lacks it, comes back as it was. An empty text
	// is a file that is not there.
	set(text string, s Server) (string, error)
	remove(text string) (string, error)
	// get returns the server that a configuration has, if there is one. One that is
	// switched off, or cannot be read, is there with no command.
	get(text string) (s Server, there bool, err error)
}

// standard is the form that most clients share: an object with the command, and its
// arguments, in JSON.
type standard struct {
	at   []string // the object that holds servers by name
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

// opencode writes the command and its arguments as one list.
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
