package dump

import (
	"bufio"
	"bytes"
)

// FileLine is the line of a file of one part.
func FileLine(path string, data []byte) []byte {
	var out bytes.Buffer
	w := &lineWriter{w: bufio.NewWriter(&out)}
	if err := w.value(kindFile, filePart{Path: path, Data: data, Last: true}); err != nil {
		panic(err)
	}
	w.w.Flush()
	return out.Bytes()
}
