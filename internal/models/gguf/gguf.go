// Package gguf writes model files in the GGUF format, version 3, which the Ollama server
// and llama.cpp read.
//
// A file consists of a header, metadata entries, a table of tensors and their data, all
// little-endian. The package supports only what tests need: float32 tensors and the
// metadata types that the two model kinds of the child package tinymodel use. The format
// is described in https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
package gguf

import (
	"fmt"
	"io"
)

const (
	// magic begins every file.
	magic = "GGUF"
	// version is the newest version of the format.
	version = 3
	// alignment is that of each tensor's data, in bytes. It is the format's default,
	// which holds if the metadata has no general.alignment.
	alignment = 32
	// maxDimensions and maxName (in bytes) are the limits of ggml, the library behind the
	// readers.
	maxDimensions = 4
	maxName       = 63
	// kindF32 is the number of the tensor type float32.
	kindF32 = 0
)

// File is a model: its metadata and its weights. It is written in the order given.
type File struct {
	Metadata []Entry
	Tensors  []Tensor
}

// Entry is a metadata entry of a model, such as "llama.context_length".
type Entry struct {
	Key string
	// Value is a uint32, float32, bool, string, []int32, []float32 or []string.
	Value any
}

// Tensor is an array of weights.
type Tensor struct {
	Name string // at most 63 bytes
	// Shape has 1 to 4 dimensions, the one that varies fastest first: a matrix with a row
	// of 64 numbers for each of 500 words is {64, 500}.
	Shape []int
	// Data has as many numbers as the product of Shape.
	Data []float32
}

// WriteTo writes the file and returns the number of bytes written. It writes nothing if
// an entry or tensor is invalid.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	head, err := f.header()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(head)
	written := int64(n)
	if err != nil {
		return written, fmt.Errorf("write the header: %w", err)
	}
	for _, t := range f.Tensors {
		n, err := w.Write(t.bytes())
		written += int64(n)
		if err != nil {
			return written, fmt.Errorf("write tensor %s: %w", t.Name, err)
		}
	}
	return written, nil
}

// check returns an error if the tensor is invalid.
func (t Tensor) check() error {
	if t.Name == "" || len(t.Name) > maxName {
		return fmt.Errorf("tensor %q: the name has %d bytes, of 1 to %d", t.Name, len(t.Name), maxName)
	}
	if len(t.Shape) == 0 || len(t.Shape) > maxDimensions {
		return fmt.Errorf("tensor %s: %d dimensions, of 1 to %d", t.Name, len(t.Shape), maxDimensions)
	}
	size := 1
	for _, n := range t.Shape {
		if n < 1 {
			return fmt.Errorf("tensor %s: shape %v has a dimension below 1", t.Name, t.Shape)
		}
		size *= n
	}
	if size != len(t.Data) {
		return fmt.Errorf("tensor %s: shape %v wants %d numbers, there are %d", t.Name, t.Shape, size, len(t.Data))
	}
	return nil
}

// padded rounds a size in bytes up to the alignment.
func padded(n int) int {
	return (n + alignment - 1) / alignment * alignment
}
