package transcript_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ingest/transcript"
)

// all reads a whole transcript.
func all(t testing.TB, r io.Reader) []transcript.Message {
	t.Helper()
	var out []transcript.Message
	for m, err := range transcript.NewReader(r).Messages() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

func TestEncodings(t *testing.T) {
	const text = `{"role":"user","content":"Zażółć café – naïve 😀"}` + "\n"
	wide := func(order binary.AppendByteOrder, mark bool) []byte {
		var out []byte
		if mark {
			out = order.AppendUint16(out, 0xfeff)
		}
		for _, u := range utf16.Encode([]rune(text)) {
			out = order.AppendUint16(out, u)
		}
		return out
	}
	for name, data := range map[string][]byte{
		"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\ufeff" + text),
		"UTF-16LE": wide(binary.LittleEndian, true), "UTF-16BE": wide(binary.BigEndian, true),
		"UTF-16LE without a mark": wide(binary.LittleEndian, false), "UTF-16BE without a mark": wide(binary.BigEndian, false),
		"UTF-16LE cut off": wide(binary.LittleEndian, true)[:2*len(utf16.Encode([]rune(text)))-1],
	} {
		for _, slow := range []bool{false, true} {
			var r io.Reader = bytes.NewReader(data)
			if slow {
				r = iotest.OneByteReader(r)
			}
			got := all(t, r)
			if strings.HasSuffix(name, "cut off") {
				continue // it only must not fail
			}
			if len(got) != 1 || got[0].Turn.Text != "Zażółć café – naïve 😀" {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
	latin := []byte("User: caf\xe9 na\xefve \x93quoted\x94 \x80 5\n")
	if got := all(t, bytes.NewReader(latin)); got[0].Turn.Text != "café naïve “quoted” € 5" {
		t.Errorf("Windows-1252: %q", got[0].Turn.Text)
	}
}

// A content that is one block is read as a list of it.
func TestContentOfOneBlock(t *testing.T) {
	for _, content := range []string{`{"type":"text","text":"The tiles are blue"}`, `[{"type":"text","text":"The tiles are blue"}]`, `"The tiles are blue"`} {
		got := all(t, strings.NewReader(`{"role":"user","content":`+content+`}`+"\n"))
		if len(got) != 1 || got[0].Turn.Text != "The tiles are blue" {
			t.Errorf("%s: %+v", content, got)
		}
	}
}

// long is a line with a result of a tool of so many bytes, that is made while it is read.
func long(size int) io.Reader {
	return io.MultiReader(
		strings.NewReader(`{"role":"assistant","content":"","tool_calls":[{"id":"c","name":"cat","arguments":"{}"}]}`+"\n"+`{"role":"tool","tool_call_id":"c","content":"begins`),
		io.LimitReader(repeated{}, int64(size)),
		strings.NewReader(`ends"}`+"\n"+`{"role":"user","content":"Thanks"}`+"\n"))
}

type repeated struct{}

func (repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "0123456789 "[i%11]
	}
	return len(p), nil
}

// A result of a hundred megabytes takes as little memory as a short one, and its
// beginning and end are kept.
func TestLongResultsTakeFlatMemory(t *testing.T) {
	const size = 100 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := all(t, long(size))
	runtime.ReadMemStats(&after)
	if len(got) != 3 || got[1].Turn.Tool != "cat" {
		t.Fatalf("%d messages", len(got))
	}
	text := got[1].Turn.Text
	if len(text) > 5<<10 || !strings.HasPrefix(text, "begins0123") || !strings.HasSuffix(text, "ends") || !strings.Contains(text, " bytes left out …]") {
		t.Errorf("%d bytes: %q", len(text), text[:50])
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%d MiB were allocated", used>>20)
	}
}

func TestReadErrorsAreReported(t *testing.T) {
	broken := errors.New("the disk is gone")
	r := io.MultiReader(strings.NewReader(`{"role":"user","content":"Hello"}`+"\n"), iotest.ErrReader(broken))
	n := 0
	var got error
	for _, err := range transcript.NewReader(r).Messages() {
		if err != nil {
			got = err
		} else {
			n++
		}
	}
	if !errors.Is(got, broken) || n != 1 {
		t.Errorf("%d messages, %v", n, got)
	}
}

func TestOpencodesDirectory(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"session/p/ses_1.json":     `{"id":"ses_1","directory":"/work"}`,
		"message/ses_1/msg_1.json": `{"id":"msg_1","role":"user"}`,
		"message/ses_1/msg_2.json": `{"id":"msg_2","role":"assistant"}`,
		"part/msg_1/prt_1.json":    `{"type":"text","text":"Hello"}`,
		"part/msg_2/prt_2.json":    `{"type":"text","text":"Hello"}`,
		"part/msg_2/prt_3.json":    `{"type":"text","text":"yourself"}`,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := transcript.Opencode(os.DirFS(dir), "session/p/ses_1.json")
	defer r.Close()
	got := all(t, r)
	if len(got) != 2 || got[0].Session != "ses_1" || got[0].Dir != "/work" || got[1].Turn.Text != "Hello\nyourself" {
		t.Errorf("%+v", got)
	}
}

func TestLooks(t *testing.T) {
	for head, want := range map[string]bool{
		`{"a": 1`: true, "\n\n  [{": true, "User: hi": true, "## Assistant\n": true, "# Notes\n": false, "": false, "\x7fELF\x00\x00": false,
		"package main": false,
	} {
		if got := transcript.Looks([]byte(head)); got != want {
			t.Errorf("%q: %v", head, got)
		}
	}
}

// FuzzRead gives a reader any bytes: it ends, what it gives can be kept as it is, and the
// same bytes give the same.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Add([]byte(`[[[[{"role":"user","content":"\ud83d\u00e9\u0000"}]]]]`))
	f.Add([]byte(`{"mapping":{"a":{"parent":"a"}},"current_node":"a"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		read := func(r io.Reader) string {
			var b strings.Builder
			for m, err := range transcript.NewReader(r).Messages() {
				if err != nil {
					if strata.CodeOf(err) != strata.CodeInvalid {
						t.Fatalf("an error that is not of the file: %v", err)
					}
					break
				}
				if !utf8.ValidString(m.Turn.Text) || strings.ContainsRune(m.Turn.Text, 0) || m.Turn.Role.Validate() != nil {
					t.Fatalf("cannot be kept: %+v", m)
				}
				fmt.Fprintf(&b, "%+v\n", m)
			}
			return b.String()
		}
		if a, b := read(bytes.NewReader(data)), read(iotest.HalfReader(bytes.NewReader(data))); a != b {
			t.Fatalf("%q\n%q", a, b)
		}
	})
}
