package local_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/backup/transfer"
	"github.com/strata-memory/strata/internal/ingest/transcript"
	"github.com/strata-memory/strata/local"
)

// endless is a text in the middle of which a letter stands many times. It makes them as
// they are read, and notes the most memory in use meanwhile.
type endless struct {
	before, after io.Reader
	left          int // letters
	read          int
	base, heap    uint64 // bytes in use before the first letter, and most of them later
}

func newEndless(before string, letters int, after string) *endless {
	return &endless{before: strings.NewReader(before), left: letters, after: strings.NewReader(after)}
}

func (e *endless) Read(p []byte) (int, error) {
	if n, err := e.before.Read(p); err == nil {
		return n, nil
	}
	if e.left == 0 {
		return e.after.Read(p)
	}
	if e.base == 0 {
		e.base = inUse()
	}
	n := min(len(p), e.left)
	for i := range n {
		p[i] = 'x'
	}
	e.left -= n
	if e.read += n; e.read >= 16<<20 {
		e.read = 0
		e.heap = max(e.heap, inUse())
	}
	return n, nil
}

// inUse is how many bytes somebody holds.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// taken is how much memory was taken while the letters were read.
func (e *endless) taken() uint64 { return e.heap - min(e.base, e.heap) }

const (
	largeLine = 200 << 20
	// messageHeap is how much memory a message may take that is kept in part, and lineHeap
	// how much a line that is refused: the longest of an export has 184 MiB (a turn, its
	// calls and an image, escaped).
	messageHeap = 100 << 20
	lineHeap    = 256 << 20
)

// A line of 200 MB or more in an export is named by its number, in bounded memory, and
// what came before it is kept. Of an export of rows what comes after it is, too.
func TestALineOf200MBInAnImport(t *testing.T) {
	ctx := context.Background()
	opened, err := local.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	defer mem.Close()
	if _, err := mem.Save(ctx, strata.Global(), "The harbor master keeps 40 lanterns in the shed"); err != nil {
		t.Fatal(err)
	}
	var rows bytes.Buffer
	if _, err := mem.Export(ctx, nil, &rows); err != nil {
		t.Fatal(err)
	}
	const version1 = `{"kind":"header","format":"strata-export","version":1}
{"kind":"fact","fact":{"id":"fact_1","scope":{"kind":"global"},"type":"user","text":"The harbor master keeps 40 lanterns in the shed"}}
`
	for export, want := range map[string]strata.Code{rows.String(): strata.CodeIncomplete, version1: strata.CodeTooLarge} {
		t.Run(string(want), func(t *testing.T) {
			opened, err := local.Open(ctx, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			other := opened.Engine()
			defer other.Close()
			in := newEndless(export+`{"fact":{"text":"`, 5*largeLine, "\"}}\n"+export)
			_, err = other.Import(ctx, in, transfer.Options{})
			line := strings.Count(export, "\n") + 1
			if strata.CodeOf(err) != want || !strings.Contains(err.Error(), fmt.Sprint("line ", line)) {
				t.Errorf("import = %v, want %s and line %d", err, want, line)
			}
			if in.taken() > lineHeap {
				t.Errorf("%d MiB of memory were in use", in.taken()>>20)
			}
			facts, err := other.Facts(ctx, strata.Global().View(), strata.FactFilter{})
			if err != nil || len(facts) != 1 {
				t.Errorf("of what came before %d facts are there, %v", len(facts), err)
			}
		})
	}
}

// A message of 200 MB in a transcript is taken in as far as turns go, in bounded memory,
// and so is the one behind it.
func TestAMessageOf200MBInATranscript(t *testing.T) {
	for name, in := range map[string]*endless{
		"JSON": newEndless(`{"role":"user","content":"first"}`+"\n"+`{"role":"user","content":"`, largeLine, "\"}\n"+`{"role":"user","content":"last"}`+"\n"),
		"text": newEndless("User: first\nAssistant: ", largeLine, "\nUser: last\n"),
	} {
		t.Run(name, func(t *testing.T) {
			var texts []string
			r := transcript.NewReader(in)
			for m, err := range r.Messages() {
				if err != nil {
					t.Fatal(err)
				}
				if len(m.Turn.Text) > strata.MaxTurnBytes {
					t.Errorf("a message of %d bytes", len(m.Turn.Text))
				}
				texts = append(texts, m.Turn.Text[:min(len(m.Turn.Text), 10)])
			}
			if len(texts) < 2 || texts[0] != "first" || texts[len(texts)-1] != "last" {
				t.Errorf("messages %q", texts)
			}
			if in.taken() > messageHeap {
				t.Errorf("%d MiB of memory were in use", in.taken()>>20)
			}
		})
	}
}
