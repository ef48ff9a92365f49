package backup_test

import (
	"archive/tar"
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// peakOf restores in a process of its own, and returns its answer and the most memory that
// it had, in bytes.
func peakOf(t *testing.T, from string) (answer string, peak int64) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), restoreFrom+"="+from, restoreTo+"="+filepath.Join(dir, "home"), measured+"=1")
	out, err := cmd.CombinedOutput()
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		if _, err := fmt.Sscanf(lines.Text(), "VmHWM: %d kB", &peak); err == nil {
			peak <<= 10
		}
	}
	if peak == 0 {
		t.Fatalf("no measure: %v, %s", err, out)
	}
	if left, _ := os.ReadDir(dir); err != nil && len(left) != 0 {
		t.Errorf("left %v", left)
	}
	return string(out), peak
}

// rle is a frame of zstandard of n blocks, each a byte 128 KiB long.
func rle(b byte, n int, window byte) []byte {
	out := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, window}
	for i := range n {
		head := uint32(128<<10)<<3 | 1<<1
		if i == n-1 {
			head |= 1
		}
		out = append(out, byte(head), byte(head>>8), byte(head>>16), b)
	}
	return out
}

// The files are some kilobytes, and what they stand for is gigabytes.
func TestABombTakesLittleMemory(t *testing.T) {
	// list is an archive that begins with a manifest: text, then n times more.
	list := func(text string, n int, more string) []byte {
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		ok(t, w.WriteHeader(&tar.Header{Name: "manifest.json", Mode: 0o600, Size: int64(len(text) + n*len(more))}))
		_, err := io.WriteString(w, text)
		ok(t, err)
		return append(compressed(t, out.Bytes()), compressed(t, bytes.Repeat([]byte(more), n))...)
	}
	var dirs strings.Builder
	dirs.WriteString(`{"kind":"strata-backup","format":1,"entries":[{"path":"a","dir":true}`)
	for i := range 150_000 {
		fmt.Fprintf(&dirs, `,{"path":"%d","dir":true}`, i)
	}
	wide := rle('x', 1, 0x80) // a window of 64 MiB
	claims := func() []byte {
		text := []byte(`{"kind":"strata-backup","format":2}`)
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		ok(t, w.WriteHeader(&tar.Header{Name: "manifest.json", Mode: 0o600, Size: int64(len(text))}))
		_, err := w.Write(text)
		ok(t, err)
		ok(t, w.Flush())
		ok(t, w.WriteHeader(&tar.Header{Name: "home/strata.db", Mode: 0o600, Size: 200 << 20}))
		return append(compressed(t, out.Bytes()), rle(0, 1600, 0x60)...)
	}
	// many is an archive of n directories.
	many := func(n int) []byte {
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		text := `{"kind":"strata-backup","format":2}`
		ok(t, w.WriteHeader(&tar.Header{Name: "manifest.json", Mode: 0o600, Size: int64(len(text))}))
		_, err := io.WriteString(w, text)
		ok(t, err)
		for i := range n {
			ok(t, w.WriteHeader(&tar.Header{Name: fmt.Sprintf("home/%d/", i), Typeflag: tar.TypeDir, Mode: 0o700}))
		}
		return compressed(t, out.Bytes())
	}
	const bound = 128 << 20
	for name, data := range map[string][]byte{
		"a list of nothing":     list("", 200<<20, " "),
		"a list of entries":     list(`{"kind":"strata-backup","entries":[{}`, 60<<20, ",{}"),
		"a list of projects":    list(`{"kind":"strata-backup","outside":[""`, 60<<20, `,""`),
		"a short list":          list(`{"kind":"strata-backup","outside":[""`, 1<<20, `,""`),
		"a list of directories": list(dirs.String(), 1, "]}"),
		"many directories":      many(400_000),
		"a wide window":         wide,
		"a database of zeros":   claims(),
	} {
		t.Run(name, func(t *testing.T) {
			answer, peak := peakOf(t, sealed(t, data))
			if !strings.Contains(answer, "corrupt") && !strings.Contains(answer, "invalid") {
				t.Errorf("it says %q", answer)
			}
			if peak > bound && !underRace {
				t.Errorf("%d KB took %d MB", len(data)>>10, peak>>20)
			}
			says, _, _ := strings.Cut(answer, "Name:")
			t.Logf("%d KB, %d MB: %s", len(data)>>10, peak>>20, says)
		})
	}
}

func compressed(t *testing.T, content []byte) []byte {
	t.Helper()
	zip, err := zstd.NewWriter(nil)
	ok(t, err)
	return zip.EncodeAll(content, nil)
}
