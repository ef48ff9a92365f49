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
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

// maxLine bounds a line of a data file.
const maxLine = 64 << 20

// beirRow is a line of corpus.jsonl or queries.jsonl.
type beirRow struct {
	ID       string `json:"_id"`
	Title    string `json:"title"`
	Text     string `json:"text"`
	Metadata struct {
		Scope   string `json:"scope"`
		Session string `json:"session"`
		Seq     int64  `json:"seq"`
		Speaker string `json:"speaker"`
		Time    string `json:"time"`
	} `json:"metadata"`
}

// ReadBEIR reads a directory in the BEIR layout: corpus.jsonl, queries.jsonl
// and qrels/test.tsv. A row's metadata may name scope, session, seq, speaker
// and time (RFC 3339, or a date); anything else in it is left alone.
func ReadBEIR(dir string) (Collection, error) {
	c := Collection{Relevant: make(map[string]map[string]int)}
	err := readLines(filepath.Join(dir, "corpus.jsonl"), func(line []byte) error {
		d, err := beirDocument(line)
		c.Documents = append(c.Documents, d)
		return err
	})
	if err != nil {
		return c, err
	}
	err = readLines(filepath.Join(dir, "queries.jsonl"), func(line []byte) error {
		var row beirRow
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		c.Queries = append(c.Queries, Query{ID: row.ID, Text: row.Text, Scope: row.Metadata.Scope})
		return nil
	})
	if err != nil {
		return c, err
	}
	err = readLines(filepath.Join(dir, "qrels", "test.tsv"), func(line []byte) error {
		return c.judge(string(line))
	})
	return c, err
}

// beirDocument reads a line of corpus.jsonl. The text of a document is its
// title and its text.
func beirDocument(line []byte) (Document, error) {
	var row beirRow
	if err := json.Unmarshal(line, &row); err != nil {
		return Document{}, err
	}
	m := row.Metadata
	at, err := parseTime(m.Time)
	if err != nil {
		return Document{}, err
	}
	return Document{
		ID: row.ID, Text: strings.TrimSpace(row.Title + "\n" + row.Text),
		Scope: m.Scope, Session: m.Session, Seq: m.Seq, Speaker: m.Speaker, At: at,
	}, nil
}

// judge reads a line of qrels: query, document, grade. The header is skipped.
func (c *Collection) judge(line string) error {
	f := strings.Split(strings.TrimRight(line, "\r"), "\t")
	if len(f) != 3 {
		return fmt.Errorf("%d columns, want 3", len(f))
	}
	grade, err := strconv.Atoi(f[2])
	if err != nil {
		if f[0] == "query-id" {
			return nil
		}
		return fmt.Errorf("grade %q is not a number", f[2])
	}
	if grade > 0 {
		c.relevant(f[0], f[1], grade)
	}
	return nil
}

func (c *Collection) relevant(query, document string, grade int) {
	if c.Relevant[query] == nil {
		c.Relevant[query] = make(map[string]int)
	}
	c.Relevant[query][document] = grade
}

// parseTime reads a time of a data set; empty is the zero time.
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

// readLines calls fn for every line of a file that is not blank.
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
			return strata.Invalid("read data", fmt.Sprintf("%s line %d: %v", name, n, err), "mend the line, or leave it out")
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// hash returns a short name for anything.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:12])
}
