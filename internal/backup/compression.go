package backup

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// compression is a way to compress and seal a backup.
type compression struct {
	magic  []byte // a file begins with it
	suffix string // of the names of files
	// seal is the end of a file whose other bytes have a hash. It is as long for every hash.
	seal func(sum []byte) []byte
	// open reads what was compressed, and passes over a seal.
	open func(from io.Reader) (io.ReadCloser, error)
}

// maxWindow is how many bytes back a backup may refer, twice what it is written with.
const maxWindow = 8 << 20

// Backups are written as zstandard is. Earlier versions wrote gzip, which takes two to
// three times as long to write and to read back.
var (
	zstandard = compression{
		magic: []byte{0x28, 0xb5, 0x2f, 0xfd}, suffix: ".tar.zst",
		seal: skippable,
		open: func(from io.Reader) (io.ReadCloser, error) {
			// The window of the fastest level is 4 MiB. A file that asks for much more is
			// not one of Strata, and would take memory for each block that it holds.
			d, err := zstd.NewReader(from, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
			if err != nil {
				return nil, err
			}
			return d.IOReadCloser(), nil
		},
	}
	gzipped = compression{
		magic: []byte{0x1f, 0x8b}, suffix: ".tar.gz",
		seal: gzipMember,
		open: func(from io.Reader) (io.ReadCloser, error) {
			return gzip.NewReader(from)
		},
	}
)

// compressionOf is the compression of a file that begins with head.
func compressionOf(head []byte) (c compression, ok bool) {
	for _, c := range []compression{zstandard, gzipped} {
		if bytes.HasPrefix(head, c.magic) {
			return c, true
		}
	}
	return compression{}, false
}

// decompressed reads what a backup holds, and passes over its seal.
func decompressed(from io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReader(from)
	head, _ := b.Peek(len(zstandard.magic)) // an error is that of the next read, too
	c, ok := compressionOf(head)
	if !ok {
		return nil, errors.New("it is compressed neither as zstandard nor as gzip is")
	}
	return c.open(b)
}

// sealText names the kind of the file and the hash of what comes before.
func sealText(sum []byte) string { return kindName + " sha256:" + hex.EncodeToString(sum) }

// skippable is a skippable frame of zstandard, which readers pass over
// (RFC 8878, section 3.1.2).
func skippable(sum []byte) []byte {
	const magic = 0x184D2A50
	text := sealText(sum)
	b := binary.LittleEndian.AppendUint32(nil, magic)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	return append(b, text...)
}

// gzipMember is a member of gzip that holds nothing and has a comment.
func gzipMember(sum []byte) []byte {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	zip.Comment = sealText(sum)
	_ = zip.Close() // a buffer takes all, and the comment is ASCII
	return b.Bytes()
}
