package backup

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// settingsName is the file of the settings of a home.
const settingsName = "config.toml"

// LeftReason is why a restore leaves out an entry of a backup.
type LeftReason string

// The reasons.
const (
	// LeftSettings is for config.toml and for the configuration and hooks of git
	// repositories. [RestoreOptions.WithSettings] restores them.
	LeftSettings LeftReason = "settings"
	LeftLink     LeftReason = "link"
	LeftUnknown  LeftReason = "no part of memory" // such as a token
)

// Left is an entry that a restore leaves out.
type Left struct {
	Path   string     `json:"path"`           // inside of the home, with slashes
	Link   string     `json:"link,omitempty"` // target of a link
	Reason LeftReason `json:"reason"`
}

// memoryDirs are the directories in a home that belong to memory, besides the database:
// the files of scopes, archived sessions, word vectors, and the sessions in use.
// Everything else belongs to the owner or to the machine.
var memoryDirs = []string{"global", "agents", "workspaces", "archive", "words", "chat"}

// leftReason returns why an entry is left out, or "" if it is restored. Anybody may have
// written the backup. Therefore only memory is restored, and nothing that could open it
// to others, redirect it or run programs.
func (o RestoreOptions) leftReason(e entry) LeftReason {
	top, _, _ := strings.Cut(e.path, "/")
	switch {
	case e.link != "":
		return LeftLink
	case e.path == settingsName && e.isFile(), slices.Contains(memoryDirs, top) && isGitSetting(e):
		if !o.WithSettings {
			return LeftSettings
		}
	case e.path == databaseName:
	case !slices.Contains(memoryDirs, top), top == e.path && !e.dir:
		return LeftUnknown
	}
	return ""
}

// isGitSetting reports whether git would read an entry as its configuration, or run it.
func isGitSetting(e entry) bool {
	dirs := strings.Split(folded(e.path), "/")
	base := dirs[len(dirs)-1]
	return e.isFile() && (base == "config" || base == "config.worktree" || base == ".git") ||
		slices.Contains(dirs, ".git") && slices.Contains(dirs, "hooks")
}

// folded returns a path as seen by file systems that ignore case or invisible characters.
func folded(name string) string {
	name = strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name))
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = strings.TrimRight(p, ". ")
	}
	return path.Join(parts...)
}
