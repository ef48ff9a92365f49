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

// compression is a format in which backups are compressed and sealed.
type compression struct {
	magic  []byte // first bytes of a file
	suffix string // of file names
	// seal returns the end of a file whose preceding bytes have the given hash. Its
	// length does not depend on the hash.
	seal func(sum []byte) []byte
	// open returns a reader of the decompressed content, which skips the seal.
	open func(from io.Reader) (io.ReadCloser, error)
}

// maxWindow is the maximum zstandard window size in bytes. Backups are written with half
// of it.
const maxWindow = 8 << 20

// The compressions of backups. Backups are written with zstandard. Earlier versions wrote
// gzip, which takes two to three times as long to write and read.
var (
	zstandard = compression{
		magic: []byte{0x28, 0xb5, 0x2f, 0xfd}, suffix: ".tar.zst",
		seal: skippable,
		open: func(from io.Reader) (io.ReadCloser, error) {
			// The window of the fastest level is 4 MiB. A file that asks for much more
			// was not written by Strata, and would take that much memory for every block.
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

// compressionOf returns the compression of a file that begins with head.
func compressionOf(head []byte) (c compression, ok bool) {
	for _, c := range []compression{zstandard, gzipped} {
		if bytes.HasPrefix(head, c.magic) {
			return c, true
		}
	}
	return compression{}, false
}

// decompressed returns a reader of the decompressed content of a backup.
func decompressed(from io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReader(from)
	head, _ := b.Peek(len(zstandard.magic)) // the next read returns the error as well
	c, ok := compressionOf(head)
	if !ok {
		return nil, errors.New("it is neither zstandard nor gzip")
	}
	return c.open(b)
}

// sealText returns the text of a seal: the kind of the file and the hash of the bytes
// before it.
func sealText(sum []byte) string { return kindName + " sha256:" + hex.EncodeToString(sum) }

// skippable returns a seal as a skippable frame of zstandard, which readers skip (RFC
// 8878, section 3.1.2).
func skippable(sum []byte) []byte {
	const magic = 0x184D2A50
	text := sealText(sum)
	b := binary.LittleEndian.AppendUint32(nil, magic)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	return append(b, text...)
}

// gzipMember returns a seal as the comment of an empty gzip member.
func gzipMember(sum []byte) []byte {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	zip.Comment = sealText(sum)
	_ = zip.Close() // a buffer does not fail, and the comment is ASCII
	return b.Bytes()
}
