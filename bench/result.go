package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/plainfile"
)

// The kinds of results.
const (
	KindRetrieval = "retrieval"
	KindScale     = "scale"
)

// Result is the saved result of a run: figures, along with what produced them. It is a
// small JSON file NAME.json. The questions of a retrieval are in another file next to it,
// NAME.jsonl.
type Result struct {
	Kind    string    `json:"kind"`    // retrieval or scale; other programs have kinds of their own
	Command string    `json:"command"` // the command that repeats the run
	MadeAt  time.Time `json:"made_at"`
	// Commit is the commit of the program. Changed reports whether the checkout differed
	// from it.
	Commit   string   `json:"commit,omitempty"`
	Changed  bool     `json:"changed,omitempty"`
	Machine  Machine  `json:"machine"`
	Data     Data     `json:"data"`
	Settings Settings `json:"settings"`

	// Fields of a retrieval. Collection is the form of the data: locomo or beir.
	Collection string  `json:"collection,omitempty"`
	Documents  int     `json:"documents,omitempty"`
	Scores     *Scores `json:"scores,omitempty"`
	// BM25 holds the scores of plain BM25 on the same data, for a board.
	BM25 *Scores `json:"bm25,omitempty"`

	// Fields of a scale, by number of facts.
	Points []Point `json:"points,omitempty"`
}

// Settings tells how a run was made.
type Settings struct {
	Embedder string `json:"embedder"`
	Unit     Unit   `json:"unit,omitempty"`
	Flat     bool   `json:"flat,omitempty"`
	// Questions is the number of questions at each size, or in each way.
	Questions int `json:"questions,omitempty"`
	// Scopes is the number of scopes that held the facts; 0 means the global one.
	Scopes int `json:"scopes,omitempty"`
}

// NewResult returns a result of this program on this machine, made now by the given
// command.
func NewResult(kind, command string) Result {
	r := Result{Kind: kind, Command: command, MadeAt: time.Now().UTC().Truncate(time.Second), Machine: ThisMachine()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				r.Commit = s.Value
			case "vcs.modified":
				r.Changed = s.Value == "true"
			}
		}
	}
	return r
}

// stem is the name of a result without the ending of either file.
func stem(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".jsonl"), ".json")
}

// ResultFiles returns the files that hold the retrieval with the given name.
func ResultFiles(name string) []string { return []string{stem(name) + ".json", stem(name) + ".jsonl"} }

// Save writes a result as NAME.json, and the questions of a retrieval as NAME.jsonl. It
// creates the directory if needed.
func (r Result) Save(name string, questions []Question) error {
	if err := WriteFigures(name, r); err != nil || r.Kind != KindRetrieval {
		return err
	}
	name = stem(name)
	var lines bytes.Buffer
	if err := WriteQuestions(&lines, questions); err != nil {
		return err
	}
	return plainfile.WriteBytes(name+".jsonl", 0o644, lines.Bytes())
}

// WriteFigures writes figures of any kind as NAME.json. It creates the directory if
// needed.
func WriteFigures(name string, figures any) error {
	path := stem(name) + ".json"
	var doc bytes.Buffer
	enc := json.NewEncoder(&doc)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(figures); err != nil {
		return fmt.Errorf("write result %s: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return &strata.Error{Code: strata.CodeInvalid, Op: "write result", Message: "cannot make the directory of " + path,
			Hint: "name a file in a directory that can be written", Err: err}
	}
	return plainfile.WriteBytes(path, 0o644, doc.Bytes())
}

// LoadResult reads NAME.json. name may be that of either file.
func LoadResult(name string) (Result, error) {
	path := stem(name) + ".json"
	f, err := openResult(path)
	if err != nil {
		return Result{}, err
	}
	defer f.Close()
	return ReadResult(f, path)
}

// ReadResult reads a result. name is for errors, which have code invalid.
func ReadResult(r io.Reader, name string) (Result, error) {
	const op = "read result"
	var res Result
	dec := json.NewDecoder(r)
	if err := dec.Decode(&res); err != nil {
		return Result{}, strata.Invalid(op, fmt.Sprintf("%s is damaged: %v", name, err), "make the result again, or take the committed one")
	}
	if err := res.check(); err != nil {
		return Result{}, strata.Invalid(op, fmt.Sprintf("%s: %v", name, err), "name a file that strata bench wrote with --result")
	}
	return res, nil
}

// check returns an error if a result has impossible values.
func (r Result) check() error {
	switch {
	case r.Kind == KindRetrieval && r.Scores == nil:
		return errors.New("a retrieval without scores")
	case r.Kind == KindScale && len(r.Points) == 0:
		return errors.New("a scale without points")
	case r.Kind != KindRetrieval && r.Kind != KindScale:
		return fmt.Errorf("no result of a benchmark (kind %q)", r.Kind)
	}
	for _, p := range r.Points {
		if err := p.check(); err != nil {
			return err
		}
	}
	return nil
}

// LoadQuestions reads NAME.jsonl. name may be that of either file.
func LoadQuestions(name string) ([]Question, error) {
	path := stem(name) + ".jsonl"
	f, err := openResult(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadQuestions(f, path)
}

func openResult(path string) (*os.File, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &strata.Error{Code: strata.CodeNotFound, Op: "read result", Message: "there is no " + path,
			Hint: "strata bench locomo, retrieval and scale write results with --result NAME"}
	}
	if err != nil {
		return nil, fmt.Errorf("read result: %w", err)
	}
	return f, nil
}
