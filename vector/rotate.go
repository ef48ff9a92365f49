package vector

// #cgo noescape strata_rotate
// #cgo nocallback strata_rotate
// #cgo noescape strata_products
// #cgo nocallback strata_products
// #include "kernel.h"
import "C"

import "unsafe"

// avx2 is the kernel that implements the loops of this file in C.
const avx2 kernel = C.STRATA_AVX2

// minBlock is the shortest block that is rotated in C.
const minBlock = 8

// rotate rotates v, whose length is r.dims, at least 1.
func (k kernel) rotate(v []float32, r *Rotation) {
	if k != avx2 || r.block < minBlock {
		rotatePlain(v, r)
		return
	}
	C.strata_rotate((*C.float)(unsafe.SliceData(v)), (*C.float)(unsafe.SliceData(r.signs)), rotationRounds,
		C.int(r.dims), C.int(r.block), C.float(r.scale()))
}

// products returns the inner products of v and a, a and a, v and b, and b and b, each
// equal to that of [Dot]. All three have the same length.
func (k kernel) products(v, a, b []float32) (out [4]float32) {
	if k != avx2 {
		return productsPlain(v, a, b)
	}
	C.strata_products((*C.float)(&out[0]), (*C.float)(unsafe.SliceData(v)), (*C.float)(unsafe.SliceData(a)),
		(*C.float)(unsafe.SliceData(b)), C.int64_t(len(v)))
	return out
}
