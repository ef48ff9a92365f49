package backup

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// settingsName is the file of the settings of a home.
const settingsName = "config.toml"

// LeftReason is why a restore does not take an entry of a backup.
type LeftReason string

// The reasons.
const (
	// LeftSettings is config.toml, and what settings git repositories have:
	// [RestoreOptions.WithSettings] takes them.
	LeftSettings LeftReason = "settings"
	LeftLink     LeftReason = "link"
	LeftUnknown  LeftReason = "no part of memory" // such as a token
)

// Left is what a restore does not take.
type Left struct {
	Path   string     `json:"path"`           // inside of the home, with slashes
	Link   string     `json:"link,omitempty"` // where a link leads
	Reason LeftReason `json:"reason"`
}

// memoryDirs are the directories of a home that memory consists of, beside the database:
// files of scopes, archives of sessions, word vectors, and which sessions are in use.
// Whatever else lies in a home is of its owner or of this machine.
var memoryDirs = []string{"global", "agents", "workspaces", "archive", "words", "chat"}

// leftReason is why an entry is not taken; empty for one that is. Who wrote the backup may
// be anybody: memory is brought, and nothing by which it would be opened to others, led
// elsewhere or have programs run.
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

// folded is a path as file systems see it that tell no capitals from small letters, or
// pass over characters that cannot be seen.
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
