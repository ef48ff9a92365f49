package connect

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// plugin is a file that belongs to Strata as a whole: the plugin of opencode, which calls
// the hooks.
type plugin struct{}

// pluginText is the plugin. It runs the program as strata, found in PATH.
//
//go:embed plugin.js
var pluginText string

const (
	// pluginMark begins the file.
	pluginMark = "// Written by strata connect"
	// pluginCommand begins the line that sets the command.
	pluginCommand = "const strata = "
)

func (p plugin) set(text string, s Server) (string, error) {
	if err := p.check(text); err != nil {
		return "", err
	}
	words := []string{s.Command}
	for _, a := range s.Args {
		if a != "mcp" {
			words = append(words, a)
		}
	}
	command, err := json.Marshal(words)
	if err != nil {
		return "", err
	}
	return strings.Replace(pluginText, pluginCommand+`["strata"];`, pluginCommand+string(command)+";", 1), nil
}

func (p plugin) remove(text string) (string, error) { return "", p.check(text) }

func (p plugin) get(text string) (Server, bool, error) {
	if text == "" {
		return Server{}, false, nil
	}
	if err := p.check(text); err != nil {
		return Server{}, false, err
	}
	var words []string
	for line := range strings.Lines(text) {
		if list, ok := strings.CutPrefix(line, pluginCommand); ok {
			_ = json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimSpace(list), ";")), &words) // an edited list stays empty
		}
	}
	if len(words) == 0 {
		return Server{}, true, nil
	}
	return Server{Command: words[0], Args: words[1:]}, true, nil
}

// check returns an error if a file is not Strata's and must not be overwritten.
func (plugin) check(text string) error {
	if text != "" && !strings.HasPrefix(text, pluginMark) {
		return fmt.Errorf("it is not of Strata")
	}
	return nil
}
