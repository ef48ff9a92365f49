package bench

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

// maxLine is the longest line of a data file, in bytes.
const maxLine = 64 << 20

// beirRow is a line of corpus.jsonl or queries.jsonl.
type beirRow struct {
	ID       string `json:"_id"`
	Title    string `json:"title"`
	Text     string `json:"text"`
	Metadata struct {
		Scope   string `json:"scope"`
		Session string `json:"session"`
		Seq     *int64 `json:"seq"`
		Speaker string `json:"speaker"`
		Heading string `json:"heading"`
		Role    string `json:"role"`
		Time    string `json:"time"`
		Group   string `json:"group"`
		AskedIn string `json:"asked_in"`
	} `json:"metadata"`
}

// ReadBEIR reads a directory in the BEIR layout: corpus.jsonl, queries.jsonl,
// qrels/test.tsv and, if it exists, superseded.tsv. The metadata of a document may give
// scope, session, seq, speaker, heading, role and time (RFC 3339, or a date); that of a
// query scope, group and asked_in. ReadBEIR ignores anything else in it. A judgment of an
// unknown query or document is an error with code invalid.
func ReadBEIR(dir string) (Collection, error) {
	c := Collection{Relevant: make(map[string]map[string]int), Superseded: make(map[string]map[string]bool)}
	var err error
	if c.Documents, err = readCorpus(filepath.Join(dir, "corpus.jsonl")); err != nil {
		return c, err
	}
	err = readLines(filepath.Join(dir, "queries.jsonl"), func(line []byte) error {
		var row beirRow
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		m := row.Metadata
		c.Queries = append(c.Queries, Query{ID: row.ID, Text: row.Text, Scope: m.Scope, Group: m.Group, AskedIn: m.AskedIn})
		return nil
	})
	if err != nil {
		return c, err
	}
	return c, c.readJudgments(dir)
}

// readCorpus reads corpus.jsonl. It renumbers sessions that count their turns from 0 so
// that they count from 1.
func readCorpus(path string) ([]Document, error) {
	type session struct{ scope, name string }
	var docs []Document
	var counted []bool // whether the row of each document has a seq
	fromZero := make(map[session]bool)
	err := readLines(path, func(line []byte) error {
		var row beirRow
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		d, err := row.document()
		docs, counted = append(docs, d), append(counted, row.Metadata.Seq != nil)
		if counted[len(docs)-1] && d.Seq == 0 {
			fromZero[session{d.Scope, d.Session}] = true
		}
		return err
	})
	for i, d := range docs {
		if counted[i] && fromZero[session{d.Scope, d.Session}] {
			docs[i].Seq++
		}
	}
	return docs, err
}

// document returns the row as a document whose text is the row's title and text.
func (row beirRow) document() (Document, error) {
	m := row.Metadata
	d := Document{
		ID: row.ID, Text: strings.TrimSpace(row.Title + "\n" + row.Text),
		Scope: m.Scope, Session: m.Session, Speaker: m.Speaker, Heading: m.Heading, Role: strata.Role(m.Role),
	}
	if d.Role != "" {
		if err := d.Role.Validate(); err != nil {
			return d, err
		}
	}
	if m.Seq != nil {
		if d.Seq = *m.Seq; d.Seq < 0 {
			return d, errors.New("seq is negative")
		}
	}
	var err error
	d.At, err = parseTime(m.Time)
	return d, err
}

// parseTime parses a time in a data set. The empty string is the zero time.
func parseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateTime, time.DateOnly, "3:04 pm on 2 January, 2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("time %q is not RFC 3339", s)
}

// readLines calls fn for every non-blank line of a file.
func readLines(path string, fn func([]byte) error) error {
	const op = "read data"
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &strata.Error{Code: strata.CodeNotFound, Op: op, Message: "there is no " + path,
			Hint: "the BEIR layout is corpus.jsonl, queries.jsonl and qrels/test.tsv"}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	defer f.Close()
	return eachLine(f, path, fn)
}

func eachLine(r io.Reader, name string, fn func([]byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := fn(lines.Bytes()); err != nil {
			hint := "mend the line, or leave it out"
			if known := (*strata.Error)(nil); errors.As(err, &known) && known.Hint != "" {
				hint = known.Hint
			}
			return strata.Invalid("read data", fmt.Sprintf("%s line %d: %v", name, n, err), hint)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// hash returns a short name for any string.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:12])
}
