package vector

// #cgo CFLAGS: -O2
// #include "kernel.h"
import "C"

import "unsafe"

// kernel is one implementation of the loops over codes. All give the same
// results.
type kernel int

const (
	plain kernel = C.STRATA_PLAIN // in Go, the reference for the others
	// other is plain in C, for processors without a kernel of their own.
	other kernel = -C.STRATA_PLAIN
)

// best is the fastest kernel of this processor.
var best = func() kernel {
	if k := kernel(C.strata_kernel()); k != plain {
		return k
	}
	return other
}()

// bestKernel returns the fastest kernel of this processor.
func bestKernel() kernel { return best }

// inC is the kernel's number in C.
func (k kernel) inC() C.int { return C.int(max(k, -k)) }

func (k kernel) scan(scores []uint16, groups, table []byte, bytes int) {
	if k == plain {
		scanPlain(scores, groups, table, bytes)
		return
	}
	C.strata_scan(k.inC(), (*C.uint16_t)(unsafe.SliceData(scores)), (*C.uint8_t)(unsafe.SliceData(groups)),
		C.int64_t(len(scores)/GroupCodes), (*C.uint8_t)(unsafe.SliceData(table)), C.int(bytes))
}

func (k kernel) above(slots []int32, scores []uint16, low uint16) int {
	if k == plain {
		return abovePlain(slots, scores, low)
	}
	return int(C.strata_above(k.inC(), (*C.int32_t)(unsafe.SliceData(slots)), C.int64_t(len(slots)),
		(*C.uint16_t)(unsafe.SliceData(scores)), C.int64_t(len(scores)), C.int(low)))
}

func (k kernel) count(counts []uint32, scores []uint16, shift int) {
	if k == plain {
		countPlain(counts, scores, shift)
		return
	}
	C.strata_count((*C.uint32_t)(unsafe.SliceData(counts)), (*C.uint16_t)(unsafe.SliceData(scores)), C.int64_t(len(scores)), C.int(shift))
}

func (k kernel) interleave(groups, codes []byte, bytes int) {
	if k == plain {
		interleavePlain(groups, codes, bytes)
		return
	}
	C.strata_interleave((*C.uint8_t)(unsafe.SliceData(groups)), (*C.uint8_t)(unsafe.SliceData(codes)),
		C.int64_t(len(codes)/(GroupCodes*bytes)), C.int(bytes))
}
