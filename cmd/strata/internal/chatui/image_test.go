package chatui

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
)

func TestDroppedPaths(t *testing.T) {
	got := droppedPaths(`What is on '/tmp/a.png' and /tmp/two\ words.JPG, not in b.png or /etc/passwd? file:///tmp/c.webp`)
	if want := []string{"/tmp/a.png", "/tmp/c.webp"}; !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
	if got := droppedPaths(`/tmp/two\ words.JPG`); !slices.Equal(got, []string{"/tmp/two words.JPG"}) {
		t.Errorf("paths %q", got)
	}
}

func TestReadImage(t *testing.T) {
	dir := t.TempDir()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	img, err := readImage(write("a.png", picture.Bytes()))
	if err != nil || img.MediaType != "image/png" || !bytes.Equal(img.Data, picture.Bytes()) {
		t.Errorf("%s, %v", img.MediaType, err)
	}
	if _, err := readImage(write("b.png", []byte("just text"))); strata.CodeOf(err) != strata.CodeInvalid {
		t.Errorf("text in a .png: %v", err)
	}
	if _, err := readImage(filepath.Join(dir, "none.png")); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("no file: %v", err)
	}
}
