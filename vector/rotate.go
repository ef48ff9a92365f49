package vector

// #cgo noescape strata_rotate
// #cgo nocallback strata_rotate
// #cgo noescape strata_fine
// #cgo nocallback strata_fine
// #cgo noescape strata_scale
// #cgo nocallback strata_scale
// #cgo noescape strata_products
// #cgo nocallback strata_products
// #include "kernel.h"
import "C"

import (
	"math"
	"unsafe"
)

// avx2 is the kernel that has the loops of this file.
const avx2 kernel = C.STRATA_AVX2

// leastBlock is the shortest block that is rotated in C.
const leastBlock = 8

// rotate rotates v, which has the dimensions of r, at least 1.
func (k kernel) rotate(v []float32, r *Rotation) {
	if k != avx2 || r.block < leastBlock {
		rotatePlain(v, r)
		return
	}
	C.strata_rotate((*C.float)(unsafe.SliceData(v)), (*C.float)(unsafe.SliceData(r.signs)), rotationRounds,
		C.int(r.dims), C.int(r.block), C.float(r.scale()))
}

// fill sets the values of a fine code, zero so far, and returns the inner
// product of the values of rotated and what stands for them.
func (k kernel) fill(fine []byte, rotated []float32, step float64) float64 {
	if k != avx2 {
		return fillPlain(fine, rotated, step, 0, 0)
	}
	whole := len(rotated) / 4 * 4
	inner := C.strata_fine((*C.uint8_t)(unsafe.SliceData(fine)), (*C.float)(unsafe.SliceData(rotated)), C.int(whole), C.double(step))
	return fillPlain(fine, rotated, step, whole, float64(inner))
}

// scale writes the values of v, divided by the factor, as 16 bits each, and what
// they stand for unless rounded is nil.
func (k kernel) scale(steps []byte, rounded, v []float32, factor float32) {
	whole := 0
	if k == avx2 && factor > 0 && factor <= math.MaxFloat32 {
		whole = len(v) / 8 * 8
		C.strata_scale((*C.uint8_t)(unsafe.SliceData(steps)), (*C.float)(unsafe.SliceData(rounded)),
			(*C.float)(unsafe.SliceData(v)), C.int(whole), C.float(factor))
	}
	scalePlain(steps, rounded, v, factor, whole)
}

// products returns the inner products of v and a, of a and a, of v and b, and of
// b and b, all as of [Dot]. All have the length of v.
func (k kernel) products(v, a, b []float32) (out [4]float32) {
	if k != avx2 {
		return productsPlain(v, a, b)
	}
	C.strata_products((*C.float)(&out[0]), (*C.float)(unsafe.SliceData(v)), (*C.float)(unsafe.SliceData(a)),
		(*C.float)(unsafe.SliceData(b)), C.int64_t(len(v)))
	return out
}
