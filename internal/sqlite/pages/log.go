package pages

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
)

// log is a write-ahead log. It knows where the newest committed version of each page
// lies.
type log struct {
	file  *os.File // nil if there is no log
	salt  [8]byte
	at    map[int64]int64 // offset of the frame, by page
	pages int64           // size of the database after the last commit; 0 without a commit
}

const (
	logHeader   = 32
	frameHeader = 24
	frame       = frameHeader + Size
)

// openLog reads the frames of the log at path up to its last commit. The log may
// be missing.
func openLog(path string) (*log, error) {
	l := &log{at: make(map[int64]int64)}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	l.file = file
	order, sum, ok := l.readHeader()
	if !ok {
		return l, nil // it holds no pages
	}
	return l, l.readFrames(order, sum)
}

// readHeader reads the header of the log: the byte order of its checksums, and the
// checksum that the first frame continues. It reports false if the log holds no
// pages.
func (l *log) readHeader() (order binary.ByteOrder, sum [2]uint32, ok bool) {
	head := make([]byte, logHeader)
	if _, err := l.file.ReadAt(head, 0); err != nil {
		return nil, sum, false
	}
	switch be32(head) {
	case 0x377f0682:
		order = binary.LittleEndian
	case 0x377f0683:
		order = binary.BigEndian
	default:
		return nil, sum, false
	}
	add(&sum, order, head[:24])
	copy(l.salt[:], head[16:24])
	return order, sum, be32(head[8:]) == Size && be32(head[24:]) == sum[0] && be32(head[28:]) == sum[1]
}

// readFrames records where the pages lie, up to the last commit. sum is the checksum
// before the first frame.
func (l *log) readFrames(order binary.ByteOrder, sum [2]uint32) error {
	buf := make([]byte, frame)
	open := make(map[int64]int64) // pages since the last commit
	for at := int64(logHeader); ; at += frame {
		if _, err := l.file.ReadAt(buf, at); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if [8]byte(buf[8:16]) != l.salt {
			return nil // left from before the log restarted
		}
		add(&sum, order, buf[:8])
		add(&sum, order, buf[frameHeader:])
		if be32(buf[16:]) != sum[0] || be32(buf[20:]) != sum[1] {
			return nil // a commit that was not completed
		}
		open[int64(be32(buf))] = at
		if pages := int64(be32(buf[4:])); pages > 0 {
			l.pages = pages
			for page, at := range open {
				l.at[page] = at
			}
			clear(open)
		}
	}
}

// add continues a checksum of the log.
func add(sum *[2]uint32, order binary.ByteOrder, p []byte) {
	for ; len(p) >= 8; p = p[8:] {
		sum[0] += order.Uint32(p) + sum[1]
		sum[1] += order.Uint32(p[4:]) + sum[0]
	}
}

// page returns a page that the log holds, or nil for other pages.
func (l *log) page(number int64) ([]byte, error) {
	at, ok := l.at[number]
	if !ok {
		return nil, nil
	}
	buf := make([]byte, frame)
	if _, err := l.file.ReadAt(buf, at); err != nil {
		return nil, err
	}
	// If the log has restarted since, its pages were moved into the file before.
	if [8]byte(buf[8:16]) != l.salt || int64(be32(buf)) != number {
		return nil, nil
	}
	return buf[frameHeader:], nil
}

func (l *log) close() error {
	if l == nil || l.file == nil {
		return nil
	}
	return l.file.Close()
}
