package history

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/strata-memory/strata/files"
)

// Who commits where nothing else is said.
const (
	defaultAuthor = "{agent} <agent@localhost>"
	defaultAgent  = "strata"
	defaultMail   = "agent@localhost"
)

// defaultSubject is the subject of a commit that was given none.
const defaultSubject = "checkpoint"

// signature is who did something and when, as git writes it.
func signature(author, agent string, at time.Time) string {
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
	return fmt.Sprintf("%s <%s> %d %s", name, mail, max(at.Unix(), 0), at.Format("-0700"))
}

// plain removes from a name what git does not allow in one.
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

// text is the message of a commit.
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

// commitObject is a commit as it is stored.
type commitObject struct {
	// headers are the lines before the message, each with its continuations.
	headers []header
	message string
}

type header struct{ key, value string }

// parseCommit reads a commit, or a tag, which looks the same.
func parseCommit(h plumbing.Hash, data []byte) (commitObject, error) {
	var c commitObject
	for len(data) > 0 {
		line, rest, found := bytes.Cut(data, []byte("\n"))
		if !found {
			return c, damaged("object %s is cut short", h)
		}
		data = rest
		if len(line) == 0 {
			c.message = string(data)
			break
		}
		if line[0] == ' ' {
			if len(c.headers) == 0 {
				return c, damaged("object %s begins with half a line", h)
			}
			c.headers[len(c.headers)-1].value += "\n" + string(line)
			continue
		}
		key, value, _ := strings.Cut(string(line), " ")
		c.headers = append(c.headers, header{key, value})
	}
	return c, nil
}

func (c commitObject) encode() []byte {
	var out bytes.Buffer
	for _, h := range c.headers {
		fmt.Fprintf(&out, "%s %s\n", h.key, h.value)
	}
	out.WriteString("\n" + c.message)
	return out.Bytes()
}

// get returns the first header of a name.
func (c commitObject) get(key string) string {
	for _, h := range c.headers {
		if h.key == key {
			return h.value
		}
	}
	return ""
}

// tree is the tree of a commit.
func (c commitObject) tree(of plumbing.Hash) (plumbing.Hash, error) {
	h, ok := parseHash(c.get("tree"))
	if !ok {
		return h, damaged("commit %s has no tree", of)
	}
	return h, nil
}

// parents are the commits before a commit.
func (c commitObject) parents(of plumbing.Hash) ([]plumbing.Hash, error) {
	var out []plumbing.Hash
	for _, h := range c.headers {
		if h.key != "parent" {
			continue
		}
		p, ok := parseHash(h.value)
		if !ok {
			return nil, damaged("commit %s has a parent without a name", of)
		}
		out = append(out, p)
	}
	return out, nil
}

// describe is a commit as the history shows it.
func (c commitObject) describe(h plumbing.Hash) files.Commit {
	message := strings.ToValidUTF8(c.message, "�")
	subject, body, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n")
	author, at := parseSignature(c.get("author"))
	return files.Commit{
		ID: h.String(), Subject: subject, Body: strings.Trim(body, "\n"),
		Author: strings.ToValidUTF8(author, "�"), At: at,
	}
}

// committed is when a commit was made, in seconds.
func (c commitObject) committed() int64 {
	_, at := parseSignature(c.get("committer"))
	return at.Unix()
}

// parseSignature parts who from when. A time that cannot be read is the zero of
// Unix.
func parseSignature(s string) (who string, at time.Time) {
	end := strings.LastIndexByte(s, '>')
	who, when := s[:end+1], strings.Fields(s[end+1:])
	at = time.Unix(0, 0).UTC()
	if len(when) == 0 {
		return who, at
	}
	sec, err := strconv.ParseInt(when[0], 10, 64)
	if err != nil || sec < 0 || sec > 1<<40 {
		return who, at
	}
	at = time.Unix(sec, 0).UTC()
	if len(when) > 1 {
		if zone, err := time.Parse("-0700", when[1]); err == nil {
			at = at.In(zone.Location())
		}
	}
	return who, at
}
