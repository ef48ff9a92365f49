package gguf

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestGoldenFile compares a small file with its bytes, taken apart by hand
// after the description of the format.
func TestGoldenFile(t *testing.T) {
	f := File{
		Metadata: []Entry{
			{"a", uint32(7)},
			{"b", "hi"},
			{"c", []int32{-1, 2}},
			{"d", true},
		},
		Tensors: []Tensor{
			{Name: "w", Shape: []int{3}, Data: []float32{1, -2, 0.5}},
			{Name: "x", Shape: []int{1, 2}, Data: []float32{0, 1}},
		},
	}
	head := strings.Join([]string{
		"47475546", "03000000", // "GGUF", version 3
		"0200000000000000", "0400000000000000", // tensors, entries
		"0100000000000000", "61", "04000000", "07000000",
		"0100000000000000", "62", "08000000", "0200000000000000", "6869",
		"0100000000000000", "63", "09000000", "05000000", "0200000000000000", "ffffffff", "02000000",
		"0100000000000000", "64", "07000000", "01",
		"0100000000000000", "77", "01000000", "0300000000000000", "00000000", "0000000000000000",
		"0100000000000000", "78", "02000000", "0100000000000000", "0200000000000000", "00000000", "2000000000000000",
	}, "")
	data := strings.Join([]string{
		"0000803f", "000000c0", "0000003f", strings.Repeat("00", 20), // 32 bytes
		"00000000", "0000803f", strings.Repeat("00", 24),
	}, "")
	// The head has 185 bytes, and data begins at a multiple of 32.
	want := head + strings.Repeat("00", 7) + data

	var b bytes.Buffer
	n, err := f.WriteTo(&b)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(b.Len()) {
		t.Errorf("WriteTo says %d bytes, wrote %d", n, b.Len())
	}
	if got := hex.EncodeToString(b.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestWhatIsWrittenReadsBack writes random files and reads them with a reader
// that knows the format on its own.
func TestWhatIsWrittenReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := randomFile(t)
		var b bytes.Buffer
		if _, err := f.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		back, err := read(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, f) {
			t.Errorf("got  %+v\nwant %+v", back, f)
		}
	})
}

func randomFile(t *rapid.T) File {
	values := rapid.OneOf(
		rapid.Map(rapid.Uint32(), func(v uint32) any { return v }),
		rapid.Map(rapid.Float32(), func(v float32) any { return v }),
		rapid.Map(rapid.Bool(), func(v bool) any { return v }),
		rapid.Map(rapid.String(), func(v string) any { return v }),
		rapid.Map(rapid.SliceOfN(rapid.Int32(), 0, 5), func(v []int32) any { return v }),
		rapid.Map(rapid.SliceOfN(rapid.Float32(), 0, 5), func(v []float32) any { return v }),
		rapid.Map(rapid.SliceOfN(rapid.String(), 0, 5), func(v []string) any { return v }),
	)
	name := rapid.StringMatching(`[a-z][a-z0-9._]{0,20}`)
	var f File
	for _, key := range rapid.SliceOfNDistinct(name, 1, 6, rapid.ID).Draw(t, "keys") {
		f.Metadata = append(f.Metadata, Entry{key, values.Draw(t, key)})
	}
	for _, n := range rapid.SliceOfNDistinct(name, 1, 4, rapid.ID).Draw(t, "tensors") {
		shape := rapid.SliceOfN(rapid.IntRange(1, 5), 1, maxDimensions).Draw(t, "shape")
		size := 1
		for _, d := range shape {
			size *= d
		}
		data := rapid.SliceOfN(rapid.Float32(), size, size).Draw(t, "data")
		f.Tensors = append(f.Tensors, Tensor{n, shape, data})
	}
	return f
}

func TestBrokenFilesAreRefused(t *testing.T) {
	good := Tensor{Name: "w", Shape: []int{1}, Data: []float32{1}}
	for name, tc := range map[string]struct {
		file File
		want string
	}{
		"a value of another type":   {File{Metadata: []Entry{{"k", 7}}}, "type int"},
		"no key":                    {File{Metadata: []Entry{{"", true}}}, "no key"},
		"a key twice":               {File{Metadata: []Entry{{"k", true}, {"k", true}}}, "key k"},
		"a tensor twice":            {File{Tensors: []Tensor{good, good}}, "name w"},
		"a tensor without a name":   {File{Tensors: []Tensor{{Shape: []int{1}, Data: []float32{1}}}}, "0 bytes"},
		"a name too long":           {File{Tensors: []Tensor{{Name: strings.Repeat("n", 64), Shape: []int{1}, Data: []float32{1}}}}, "64 bytes"},
		"no dimension":              {File{Tensors: []Tensor{{Name: "w", Data: []float32{1}}}}, "0 dimensions"},
		"five dimensions":           {File{Tensors: []Tensor{{Name: "w", Shape: []int{1, 1, 1, 1, 1}, Data: []float32{1}}}}, "5 dimensions"},
		"an empty dimension":        {File{Tensors: []Tensor{{Name: "w", Shape: []int{0}}}}, "below 1"},
		"numbers that do not match": {File{Tensors: []Tensor{{Name: "w", Shape: []int{2, 2}, Data: []float32{1}}}}, "wants 4 numbers, there are 1"},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			_, err := tc.file.WriteTo(&b)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one that says %q", err, tc.want)
			}
			if b.Len() != 0 {
				t.Errorf("%d bytes were written", b.Len())
			}
		})
	}
}

func TestWriteErrorsAreReturned(t *testing.T) {
	f := File{Tensors: []Tensor{{Name: "w", Shape: []int{1}, Data: []float32{float32(math.Pi)}}}}
	var whole bytes.Buffer
	if _, err := f.WriteTo(&whole); err != nil {
		t.Fatal(err)
	}
	for room := range whole.Len() {
		n, err := f.WriteTo(&full{room: room})
		if !errors.Is(err, errFull) {
			t.Fatalf("with room for %d bytes: error %v", room, err)
		}
		if n != int64(room) {
			t.Errorf("with room for %d bytes: %d reported", room, n)
		}
	}
}

var errFull = errors.New("full")

// full is a writer with room for so many bytes.
type full struct{ room int }

func (w *full) Write(p []byte) (int, error) {
	if len(p) <= w.room {
		w.room -= len(p)
		return len(p), nil
	}
	n := w.room
	w.room = 0
	return n, errFull
}
