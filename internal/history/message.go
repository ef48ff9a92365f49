package history

import (
	"strings"
	"time"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/strata-memory/strata/store/files"
)

// The author of commits if nothing else is specified.
const (
	defaultAuthor = "{agent} <agent@localhost>"
	defaultAgent  = "strata"
	defaultMail   = "agent@localhost"
)

// defaultSubject is the subject of a commit without one.
const defaultSubject = "checkpoint"

// signature returns who did something and when, in git's form.
func signature(author, agent string, at time.Time) object.Signature {
	if strings.TrimSpace(agent) == "" {
		agent = defaultAgent
	}
	author = strings.ReplaceAll(author, "{agent}", agent)
	name, mail := author, defaultMail
	if open := strings.LastIndexByte(author, '<'); open >= 0 {
		name, mail = author[:open], author[open:]
	}
	if name = plain(name); name == "" {
		name = defaultAgent
	}
	if mail = strings.Join(strings.Fields(plain(mail)), ""); mail == "" {
		mail = defaultMail
	}
	return object.Signature{Name: name, Email: mail, When: time.Unix(max(at.Unix(), 0), 0).In(at.Location())}
}

// plain removes what git does not allow in a name.
func plain(s string) string {
	s = strings.Map(func(c rune) rune {
		switch {
		case c == '<' || c == '>' || c == unicode.ReplacementChar:
			return -1
		case unicode.IsControl(c):
			return ' '
		}
		return c
	}, s)
	return strings.Trim(strings.Join(strings.Fields(s), " "), " .,:;\"'")
}

// text returns the commit message for m.
func text(m files.Message) string {
	clean := strings.NewReplacer("\x00", "", "\r\n", "\n", "\r", "\n")
	subject := strings.Join(strings.Fields(clean.Replace(m.Subject)), " ")
	if subject == "" {
		subject = defaultSubject
	}
	out := strings.ToValidUTF8(subject, "�") + "\n"
	if body := strings.Trim(clean.Replace(m.Body), "\n"); strings.TrimSpace(body) != "" {
		out += "\n" + strings.ToValidUTF8(body, "�") + "\n"
	}
	return out
}

// describeCommit converts a commit to the form that the history returns.
func describeCommit(c *object.Commit) files.Commit {
	subject, body, _ := strings.Cut(strings.TrimLeft(strings.ToValidUTF8(c.Message, "�"), "\n"), "\n")
	at := c.Author.When
	if year := at.Year(); year < 1970 || year > 9999 {
		at = time.Unix(0, 0).UTC() // git cannot read such a time
	}
	return files.Commit{
		ID: c.Hash.String(), Subject: subject, Body: strings.Trim(body, "\n"),
		Author: strings.ToValidUTF8(c.Author.String(), "�"), At: at,
	}
}
