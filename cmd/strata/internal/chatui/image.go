package chatui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// image attaches a picture to the next message.
func (u *ui) image(_ context.Context, path string) error {
	if path == "" {
		return strata.Invalid("", "no file is named", "/image FILE shows the model a picture with your next message")
	}
	img, err := readImage(dropped(path))
	if err != nil {
		return err
	}
	if len(u.images) == strata.MaxImages {
		return &strata.Error{Code: strata.CodeTooLarge, Message: fmt.Sprintf("a message takes %d pictures", strata.MaxImages), Hint: "send it first"}
	}
	u.images = append(u.images, img)
	u.view.notice("%s of %s goes with your next message", img.MediaType, terminal.Bytes(int64(len(img.Data))))
	return nil
}

// takeImages returns the pictures to send with a message: those attached by /image, and,
// on a terminal, those whose paths were dropped into the message.
func (u *ui) takeImages(text string) ([]strata.Image, error) {
	images := u.images
	u.images = nil
	if !u.view.interactive {
		return images, nil
	}
	for _, path := range droppedPaths(text) {
		img, err := readImage(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the message only mentions the path
		}
		if err != nil {
			return nil, err
		}
		images = append(images, img)
		u.view.notice("%s goes with the message", filepath.Base(path))
	}
	return images, nil
}

// pictures are the extensions of files that count as pictures in a message.
var pictures = []string{".png", ".jpg", ".jpeg", ".gif", ".webp"}

// droppedPaths returns the absolute paths of pictures in a message, in the form in which
// terminals insert a file that is dropped on them.
func droppedPaths(text string) []string {
	var out []string
	for _, word := range strings.Fields(strings.ReplaceAll(text, `\ `, "\x00")) {
		path := dropped(strings.ReplaceAll(word, "\x00", " "))
		if filepath.IsAbs(path) && slices.Contains(pictures, strings.ToLower(filepath.Ext(path))) {
			out = append(out, path)
		}
	}
	return out
}

// dropped returns a path without shell quotes and escapes.
func dropped(path string) string {
	path = strings.TrimPrefix(strings.Trim(path, `'"`), "file://")
	return strings.ReplaceAll(path, `\ `, " ")
}

// readImage reads a picture.
func readImage(path string) (strata.Image, error) {
	info, err := os.Stat(path)
	if err != nil {
		return strata.Image{}, &strata.Error{Code: strata.CodeNotFound, Message: "the picture cannot be read: " + terminal.Quote(path), Err: err}
	}
	if info.Size() > strata.MaxImageBytes {
		return strata.Image{}, &strata.Error{Code: strata.CodeTooLarge, Message: "the picture has more than 32 MiB", Hint: "make it smaller"}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return strata.Image{}, &strata.Error{Code: strata.CodeUnavailable, Message: "the picture cannot be read: " + terminal.Quote(path), Err: err}
	}
	kind := http.DetectContentType(data)
	if !strings.HasPrefix(kind, "image/") {
		return strata.Image{}, strata.Invalid("", terminal.Quote(path)+" is not a picture", "PNG, JPEG, GIF and WebP are")
	}
	return strata.Image{MediaType: kind, Data: data}, nil
}
