package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
)

// judgments reads the judgments of a collection. It needs the collection's documents and
// queries.
type judgments struct {
	c       *Collection
	known   map[string]bool // ids of documents and sessions
	queries map[string]bool
}

// readJudgments reads qrels/test.tsv and superseded.tsv in a directory. The latter may be
// missing.
func (c *Collection) readJudgments(dir string) error {
	j := judgments{c: c, known: make(map[string]bool), queries: make(map[string]bool)}
	for _, d := range c.Documents {
		j.known[d.ID], j.known[SessionID(d)] = true, true
	}
	for _, q := range c.Queries {
		j.queries[q.ID] = true
	}
	if err := readLines(filepath.Join(dir, "qrels", "test.tsv"), j.relevant); err != nil {
		return err
	}
	path := filepath.Join(dir, "superseded.tsv")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return readLines(path, j.superseded)
}

// relevant reads a line of qrels: query, document or session, grade. Grade 0 means not
// relevant. It skips the header.
func (j judgments) relevant(line []byte) error {
	f, err := j.columns(line, 3)
	if f == nil || err != nil {
		return err
	}
	grade, err := strconv.Atoi(f[2])
	if err != nil {
		return fmt.Errorf("grade %q is not a number", f[2])
	}
	if grade > 0 {
		j.c.relevant(f[0], f[1], grade)
	}
	return nil
}

// superseded reads a line of superseded.tsv: query, document.
func (j judgments) superseded(line []byte) error {
	f, err := j.columns(line, 2)
	if f == nil || err != nil {
		return err
	}
	if len(j.c.Relevant[f[0]]) == 0 {
		return strata.Invalid("", "nothing answers query "+f[0], "judge the document that replaced this one in qrels/test.tsv")
	}
	if j.c.Superseded[f[0]] == nil {
		j.c.Superseded[f[0]] = make(map[string]bool)
	}
	j.c.Superseded[f[0]][f[1]] = true
	return nil
}

// columns splits a line that begins with a query and a document. It returns nil
// for the header.
func (j judgments) columns(line []byte, n int) ([]string, error) {
	f := strings.Split(strings.TrimRight(string(line), "\r"), "\t")
	switch {
	case len(f) != n:
		return nil, fmt.Errorf("%d columns, want %d", len(f), n)
	case f[0] == "query-id":
		return nil, nil
	case !j.queries[f[0]]:
		return nil, strata.Invalid("", "no such query: "+f[0], "judge the queries of queries.jsonl")
	case !j.known[f[1]]:
		return nil, strata.Invalid("", "no such document or session: "+f[1], "judge the documents of corpus.jsonl, or their sessions")
	}
	return f, nil
}

func (c *Collection) relevant(query, document string, grade int) {
	if c.Relevant[query] == nil {
		c.Relevant[query] = make(map[string]int)
	}
	c.Relevant[query][document] = grade
}
