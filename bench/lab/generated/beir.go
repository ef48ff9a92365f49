package generated

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/strata-memory/strata"
)

// row is a line of corpus.jsonl or queries.jsonl in the BEIR layout, as package bench
// reads it.
type row struct {
	ID       string   `json:"_id"`
	Text     string   `json:"text"`
	Metadata metadata `json:"metadata"`
}

type metadata struct {
	Scope   string      `json:"scope"`
	Session string      `json:"session,omitempty"`
	Seq     int64       `json:"seq,omitempty"`
	Speaker string      `json:"speaker,omitempty"`
	Heading string      `json:"heading,omitempty"`
	Role    strata.Role `json:"role,omitempty"`
	Time    string      `json:"time,omitempty"`
	Group   string      `json:"group,omitempty"`
}

// Write writes the conversations into a directory, which it creates, in the BEIR layout.
// It groups questions by kind. Questions without an answer have no judgment.
func (c Corpus) Write(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "qrels"), 0o755); err != nil {
		return err
	}
	return errors.Join(
		writeFile(dir, "corpus.jsonl", func(w *bufio.Writer) error {
			lines := json.NewEncoder(w)
			for _, m := range c.Messages {
				err := lines.Encode(row{m.ID, m.Text, metadata{Scope: m.Scope, Session: m.Session, Seq: m.Seq,
					Speaker: m.Speaker, Heading: m.Speaker, Role: m.Role, Time: m.At.Format(time.RFC3339)}})
				if err != nil {
					return err
				}
			}
			return nil
		}),
		writeFile(dir, "queries.jsonl", func(w *bufio.Writer) error {
			lines := json.NewEncoder(w)
			for _, q := range c.Questions {
				if err := lines.Encode(row{q.ID, q.Text, metadata{Scope: q.Scope, Group: q.Kind}}); err != nil {
					return err
				}
			}
			return nil
		}),
		writeFile(dir, filepath.Join("qrels", "test.tsv"), func(w *bufio.Writer) error {
			fmt.Fprintln(w, "query-id\tcorpus-id\tscore")
			for _, q := range c.Questions {
				if q.Answer != "" {
					fmt.Fprintf(w, "%s\t%s\t1\n", q.ID, q.Answer)
				}
			}
			return nil
		}),
		writeFile(dir, "superseded.tsv", func(w *bufio.Writer) error {
			for _, q := range c.Questions {
				for _, old := range q.Superseded {
					fmt.Fprintf(w, "%s\t%s\n", q.ID, old)
				}
			}
			return nil
		}))
}

func writeFile(dir, name string, write func(*bufio.Writer) error) error {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return errors.Join(write(w), w.Flush(), f.Close())
}
