package memorytool

import (
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// newFront returns the front matter of a new file, followed by an empty line.
func (t *Tool) newFront(rel, text string) string {
	now := t.memory.Now()
	kind := strata.TypeUser // there is no project for it to be about
	if t.options.Scope.Workspace != "" {
		kind = strata.TypeProject
	}
	p := markdown.Provenance{Actor: t.actor(), CreatedAt: now, UpdatedAt: now}
	if t.options.Session != "" {
		p.Sessions = []string{t.options.Session}
	}
	if declared, _, ok := markdown.ParseNotePath(stored(rel)); ok {
		kind = declared // the name of the file says so
	}
	return markdown.Note{Front: markdown.Front{Name: title(rel), Description: description(rel, text), Type: kind, Provenance: p}}.Render() + "\n"
}

// renewed returns the content of a file after a change of its text or path. It keeps what
// people wrote into the front matter, and updates the name and description if this
// package had derived them. Front matter that cannot be parsed stays as it is.
func (t *Tool) renewed(f file, rel, text string) string {
	front, old := markdown.CutFront(f.doc.Content)
	if front == "" && !strings.HasPrefix(strings.TrimPrefix(old, "\ufeff"), "---") {
		return t.newFront(rel, text) + text // a file without front matter
	}
	n, err := markdown.ParseNote(front)
	if err != nil {
		return markdown.JoinFront(front, text)
	}
	was := n.Front
	if n.Name == title(f.rel) {
		n.Name = title(rel)
	}
	if n.Description == description(f.rel, old) {
		n.Description = description(rel, text)
	}
	if text != old {
		n.Provenance.Actor, n.Provenance.UpdatedAt = t.actor(), t.memory.Now().UTC().Truncate(time.Second)
	}
	if n.Name == was.Name && text == old {
		return f.doc.Content
	}
	if kind, _, ok := markdown.ParseNotePath(stored(rel)); ok {
		n.Type = kind
	}
	trimmed := strings.TrimRight(front, "\r\n")
	edited, err := markdown.EditNote(trimmed+"\n", n)
	if err != nil {
		return markdown.JoinFront(front, text)
	}
	return markdown.JoinFront(strings.TrimRight(edited, "\r\n")+front[len(trimmed):], text)
}

// actor returns the name of the agent that writes, or "tool" if unknown.
func (t *Tool) actor() string {
	if t.options.Agent != "" {
		return t.options.Agent
	}
	return string(strata.OriginTool)
}

// title derives the name of a note from the name of its file.
func title(rel string) string {
	_, name, _ := cutLast(rel)
	return strings.TrimSuffix(name, suffix)
}

// description derives the description of a note from its first line that is not blank.
func description(rel, text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.Join(strings.Fields(strings.TrimLeft(strings.TrimSpace(line), "#>*-+ ")), " "); line != "" {
			return fence.Cut(line, mostDescribed)
		}
	}
	return "an empty file, " + full(rel)
}

// mostDescribed bounds a derived description, in characters.
const mostDescribed = 200
