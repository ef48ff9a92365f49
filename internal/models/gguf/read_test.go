package gguf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// reader reads numbers and texts; the first error stays.
type reader struct {
	*bytes.Reader
	err error
}

func number[T any](r *reader) T {
	var v T
	if r.err == nil {
		r.err = binary.Read(r, binary.LittleEndian, &v)
	}
	return v
}

func (r *reader) text() string {
	b := make([]byte, number[uint64](r))
	if r.err == nil {
		_, r.err = io.ReadFull(r, b)
	}
	return string(b)
}

func array[T any](r *reader, element func(*reader) T) []T {
	all := make([]T, number[uint64](r))
	for i := range all {
		all[i] = element(r)
	}
	return all
}

func (r *reader) value() any {
	switch kind := number[uint32](r); kind {
	case 4:
		return number[uint32](r)
	case 6:
		return number[float32](r)
	case 7:
		return number[bool](r)
	case 8:
		return r.text()
	case 9:
		switch element := number[uint32](r); element {
		case 5:
			return array(r, number[int32])
		case 6:
			return array(r, number[float32])
		case 8:
			return array(r, (*reader).text)
		default:
			r.err = fmt.Errorf("an array of type %d", element)
		}
	default:
		r.err = fmt.Errorf("a value of type %d", kind)
	}
	return nil
}

// read reads a file as the format describes it. It wants the data of the
// tensors one behind the other, padded to 32 bytes, and nothing after it.
func read(file []byte) (File, error) {
	r := &reader{Reader: bytes.NewReader(file)}
	if first := number[[4]byte](r); string(first[:]) != "GGUF" {
		return File{}, fmt.Errorf("the file begins with %q", first)
	}
	if v := number[uint32](r); v != 3 {
		return File{}, fmt.Errorf("version %d", v)
	}
	f := File{Tensors: make([]Tensor, number[uint64](r)), Metadata: make([]Entry, number[uint64](r))}
	for i := range f.Metadata {
		f.Metadata[i] = Entry{Key: r.text(), Value: r.value()}
	}
	offsets := make([]uint64, len(f.Tensors))
	for i := range f.Tensors {
		t := &f.Tensors[i]
		t.Name = r.text()
		t.Shape = make([]int, number[uint32](r))
		size := 1
		for j := range t.Shape {
			t.Shape[j] = int(number[uint64](r))
			size *= t.Shape[j]
		}
		if kind := number[uint32](r); kind != 0 {
			return File{}, fmt.Errorf("tensor %s has type %d", t.Name, kind)
		}
		offsets[i] = number[uint64](r)
		t.Data = make([]float32, size)
	}
	if r.err != nil {
		return File{}, r.err
	}
	pad := func() {
		for (len(file)-r.Len())%32 != 0 && r.err == nil {
			if b := number[byte](r); b != 0 {
				r.err = fmt.Errorf("padding of %d", b)
			}
		}
	}
	pad()
	begin := len(file) - r.Len()
	for i, t := range f.Tensors {
		if at := len(file) - r.Len() - begin; uint64(at) != offsets[i] {
			return File{}, fmt.Errorf("tensor %s is said to be at %d and is at %d", t.Name, offsets[i], at)
		}
		for j := range t.Data {
			t.Data[j] = number[float32](r)
		}
		pad()
	}
	if r.Len() != 0 {
		return File{}, fmt.Errorf("%d bytes after the end", r.Len())
	}
	return f, r.err
}
