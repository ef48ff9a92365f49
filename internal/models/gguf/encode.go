package gguf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The numbers of the metadata types.
const (
	typeUint32  = 4
	typeInt32   = 5
	typeFloat32 = 6
	typeBool    = 7
	typeString  = 8
	typeArray   = 9
)

// header returns everything before the first tensor's data, including padding.
func (f *File) header() ([]byte, error) {
	b := []byte(magic)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(f.Tensors)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(f.Metadata)))

	keys := make(map[string]bool)
	for _, e := range f.Metadata {
		if e.Key == "" {
			return nil, errors.New("an entry has no key")
		}
		if keys[e.Key] {
			return nil, fmt.Errorf("two entries have the key %s", e.Key)
		}
		keys[e.Key] = true
		b = appendString(b, e.Key)
		var err error
		if b, err = appendValue(b, e.Value); err != nil {
			return nil, fmt.Errorf("entry %s: %w", e.Key, err)
		}
	}

	names := make(map[string]bool)
	offset := 0 // from the first tensor's data
	for _, t := range f.Tensors {
		if err := t.check(); err != nil {
			return nil, err
		}
		if names[t.Name] {
			return nil, fmt.Errorf("two tensors have the name %s", t.Name)
		}
		names[t.Name] = true
		b = appendString(b, t.Name)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(t.Shape)))
		for _, n := range t.Shape {
			b = binary.LittleEndian.AppendUint64(b, uint64(n))
		}
		b = binary.LittleEndian.AppendUint32(b, kindF32)
		b = binary.LittleEndian.AppendUint64(b, uint64(offset))
		offset += padded(4 * len(t.Data))
	}
	return append(b, make([]byte, padded(len(b))-len(b))...), nil
}

// appendValue appends the type of a value and the value.
func appendValue(b []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case uint32:
		b = binary.LittleEndian.AppendUint32(b, typeUint32)
		return binary.LittleEndian.AppendUint32(b, v), nil
	case float32:
		b = binary.LittleEndian.AppendUint32(b, typeFloat32)
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(v)), nil
	case bool:
		b = binary.LittleEndian.AppendUint32(b, typeBool)
		if v {
			return append(b, 1), nil
		}
		return append(b, 0), nil
	case string:
		b = binary.LittleEndian.AppendUint32(b, typeString)
		return appendString(b, v), nil
	case []int32:
		b = appendArray(b, typeInt32, len(v))
		for _, n := range v {
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
		return b, nil
	case []float32:
		b = appendArray(b, typeFloat32, len(v))
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		return b, nil
	case []string:
		b = appendArray(b, typeString, len(v))
		for _, s := range v {
			b = appendString(b, s)
		}
		return b, nil
	default:
		return nil, fmt.Errorf("a value of type %T cannot be written", value)
	}
}

// appendArray appends the header of an array: what comes before its elements.
func appendArray(b []byte, element uint32, length int) []byte {
	b = binary.LittleEndian.AppendUint32(b, typeArray)
	b = binary.LittleEndian.AppendUint32(b, element)
	return binary.LittleEndian.AppendUint64(b, uint64(length))
}

// appendString appends a string after its length in bytes.
func appendString(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(len(s)))
	return append(b, s...)
}

// bytes returns the tensor's data, followed by padding.
func (t Tensor) bytes() []byte {
	size := 4 * len(t.Data)
	b := make([]byte, 0, padded(size))
	for _, x := range t.Data {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b[:padded(size)]
}
