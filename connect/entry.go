package connect

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
