package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// label matches the start of a message in plain text: "User:", "**Assistant:** ", "##
// Human:", perhaps with a time in brackets before or after the name.
var label = lazyregexp.New(`(?i)^[\s>*_#]*(?:[\[(]([^\])]{8,35})[\])]\s*)?[*_]*(user|human|me|you|assistant|ai|bot|model|system|claude|chatgpt|gpt)(?: said)?[*_]*(?:\s*[\[(]([^\])]{4,35})[\])])?[*_]*\s*:[*_]*(?:\s+|$)`)

// heading matches a heading that consists of a speaker's name and begins a message.
var heading = lazyregexp.New(`(?i)^#{1,6}\s+[*_]*(user|human|me|you|assistant|ai|bot|model|system|claude|chatgpt|gpt)(?: said)?[*_]*(?:\s*[\[(]([^\])]{4,35})[\])])?[*_]*\s*:?\s*$`)

// labels maps further names used in plain text but not in protocols.
var labels = map[string]strata.Role{
	"me": strata.RoleUser, "you": strata.RoleUser, "claude": strata.RoleAssistant, "chatgpt": strata.RoleAssistant,
}

// maxLine is the number of bytes kept of one line.
const maxLine = maxText / 2

// readText reads a conversation in plain text. A message extends to the next label.
func (r *Reader) readText(give func() bool) error {
	var t strata.Turn
	var said clip
	flush := func() bool {
		t.Text = strings.TrimSpace(said.value().str())
		if t.Role != "" {
			r.add("", false, t)
		}
		t, said = strata.Turn{}, clip{head: maxText * 3 / 5, tail: maxText * 2 / 5}
		return give()
	}
	for {
		line, err := r.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		role, at, rest, ok := labeled(line)
		switch {
		case ok:
			if !flush() {
				return errStopped
			}
			t.Role, t.At = role, at
			line = rest
		case t.Role == "" && strings.TrimSpace(line) != "":
			r.left[LeftUnlabeled]++
		}
		for i := range len(line) {
			said.add(line[i])
		}
		if errors.Is(err, io.EOF) {
			if !flush() {
				return errStopped
			}
			return nil
		}
	}
}

// labeled parses the label of a line. It returns the role, the time if there is one, and
// the rest of the line; ok is false if the line has no label.
func labeled(line string) (role strata.Role, at time.Time, rest string, ok bool) {
	head := line[:min(len(line), 200)]
	m := label.FindStringSubmatchIndex(head)
	who, when := 4, []int{2, 6}
	if m == nil {
		m = heading.FindStringSubmatchIndex(head)
		who, when = 2, []int{4}
	}
	if m == nil {
		return "", at, line, false
	}
	name := strings.ToLower(head[m[who]:m[who+1]])
	if role = roles[name]; role == "" {
		role = labels[name]
	}
	for _, i := range when {
		if m[i] >= 0 && at.IsZero() {
			at = parseTime(head[m[i]:m[i+1]])
		}
	}
	return role, at, line[m[1]:], role != ""
}

// line reads a line including its end, and returns up to maxLine bytes of it.
func (r *Reader) line() (string, error) {
	var out []byte
	for {
		part, err := r.in.in.ReadSlice('\n')
		if room := maxLine - len(out); room > 0 {
			out = append(out, part[:min(len(part), room)]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return strings.ReplaceAll(string(out), "\r\n", "\n"), err
		}
	}
}

// Looks reports whether a file that begins with head may be a transcript: JSON, or text
// whose first line names a speaker.
func Looks(head []byte) bool {
	in := newText(bytes.NewReader(head))
	for {
		line, err := in.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			_, _, _, ok := labeled(line)
			return ok || line[0] == '{' || line[0] == '['
		}
		if err != nil {
			return false
		}
	}
}
