//go:build !cgo

package vector

// kernel is the one implementation of the loops over codes that there is
// without a C compiler.
type kernel int

const (
	plain kernel = 1
	other        = plain
)

func bestKernel() kernel { return plain }

func (kernel) scan(scores []uint16, groups, table []byte, bytes int) {
	scanPlain(scores, groups, table, bytes)
}

func (kernel) refine(sums []int32, fine []byte, stride int, slots []int32, query []int8) {
	refinePlain(sums, fine, stride, slots, query)
}

func (kernel) above(slots []int32, scores []uint16, low uint16) int {
	return abovePlain(slots, scores, low)
}

func (kernel) count(counts []uint32, scores []uint16, shift int) { countPlain(counts, scores, shift) }

func (kernel) interleave(groups, codes []byte, bytes int) { interleavePlain(groups, codes, bytes) }
