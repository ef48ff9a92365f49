package vector

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

// Fine codes hold four bits a dimension. They are for the few that a scan of
// one-bit codes leaves: what they say of a similarity is five times as close.
//
// A value is one of 16 odd multiples of half a step. For values that are spread
// like a bell, as those of a rotated vector are, this step leaves the least
// error (J. Max, Quantizing for minimum distortion, 1960, table II).
const fineStep = 0.3352

// FineBytes returns how many bytes a fine code of a dimension takes: 196 for 384.
func FineBytes(dims int) int { return fineValues(dims)/2 + 4 }

// fineValues is the dimension as fine codes have it, whole blocks of 64.
func fineValues(dims int) int { return (max(dims, 0) + 63) / 64 * 64 }

// AppendCodes appends the code of v, [CodeBytes] in all, to a block of codes, and
// its fine code, [FineBytes] in all, to another one. Errors are those of [Check].
func (c *Coder) AppendCodes(codes, fine []byte, v []float32) ([]byte, []byte, error) {
	var space [1024]float32 // on the stack for all usual dimensions
	rotated, err := c.rotate(space[:0], v)
	if err != nil {
		return codes, fine, err
	}
	return appendSigns(codes, rotated), appendFine(fine, rotated), nil
}

// appendFine appends the fine code of a rotated difference from the center:
// half bytes, the values i and i+32 of each 64 in one byte, and a factor.
func appendFine(fine []byte, rotated []float32) []byte {
	var squares float64
	for _, x := range rotated {
		squares += float64(x) * float64(x)
	}
	step := fineStep * math.Sqrt(squares/float64(max(1, len(rotated))))
	at := len(fine)
	fine = append(fine, make([]byte, FineBytes(len(rotated)))...)
	var inner float64 // of the values and what stands for them
	if step > 0 {
		inner = bestKernel().fill(fine[at:], rotated, step)
	} else {
		for i := range rotated {
			setFine(fine[at:], i, 7)
		}
	}
	// With this factor the mean of what is estimated is right.
	var factor float64
	if inner > 0 {
		factor = squares / inner
	}
	binary.LittleEndian.PutUint32(fine[len(fine)-4:], math.Float32bits(float32(factor)))
	return fine
}

// setFine sets one of the 16 values of a fine code that is still zero.
func setFine(fine []byte, i, value int) { fine[i/64*32+i%32] |= byte(value) << (i % 64 / 32 * 4) }

// fillPlain sets the values of a fine code from one on, and returns the inner
// product of all and what stands for them, inner being that of those before.
func fillPlain(fine []byte, rotated []float32, step float64, from int, inner float64) float64 {
	for i := from; i < len(rotated); i++ {
		x := float64(rotated[i])
		value := max(-8, min(7, int(math.Floor(x/step)))) + 8
		setFine(fine, i, value)
		inner += x * float64(2*value-15)
	}
	return inner
}

// fillFine makes what Refine needs of a rotated query.
func (p *Probe) fillFine(rotated []float32) {
	var largest float64
	for _, x := range rotated {
		largest = max(largest, math.Abs(float64(x)))
	}
	p.step = largest / 127
	p.fine = make([]int8, fineValues(p.dims))
	if p.step == 0 {
		return
	}
	for i, x := range rotated[:p.dims] {
		// Both halves of 32 bytes of a code lie one after the other: the order is
		// that of the dimensions.
		p.fine[i] = int8(math.Round(float64(x) / p.step))
		p.sum += float64(p.fine[i])
	}
}

// Refine writes to out what the fine codes in some slots of a block say of their
// similarity to the query: for vectors of unit length an estimate of the cosine,
// the same for all centers. A block that has no such slot is an error that wraps
// [ErrLength].
func (p *Probe) Refine(out []float32, fine []byte, slots []int32) error {
	stride := FineBytes(p.dims)
	for _, s := range slots {
		if s < 0 || int(s) >= len(fine)/stride {
			return fmt.Errorf("slot %d of %d bytes of fine codes: %w", s, len(fine), ErrLength)
		}
	}
	if len(out) != len(slots) {
		return fmt.Errorf("refine %d slots into %d: %w", len(slots), len(out), ErrLength)
	}
	if len(slots) == 0 {
		return nil
	}
	// The sums are written where the similarities will be: memory of their own would be
	// allocated at each call, for they go to C.
	sums := unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(out))), len(out))
	p.kernel.refine(sums, fine, stride, slots, p.fine)
	for i, s := range slots {
		factor := math.Float32frombits(binary.LittleEndian.Uint32(fine[(int(s)+1)*stride-4:]))
		// A value v stands for 2v - 15.
		out[i] = float32(p.away + p.step*float64(factor)*(2*float64(sums[i])-15*p.sum))
	}
	return nil
}
