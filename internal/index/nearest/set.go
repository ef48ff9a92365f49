package nearest

import "slices"

// numberSet is a set of passages of one scope, as a list and a bitmap. The nil set
// holds all passages.
type numberSet struct {
	list []int64
	low  int64
	bits []uint64 // bit i stands for low + i
}

func newNumberSet(list []int64) *numberSet {
	s := &numberSet{list: list}
	if len(s.list) == 0 {
		return s
	}
	s.low = slices.Min(s.list)
	s.bits = make([]uint64, (slices.Max(s.list)-s.low)/64+1)
	for _, n := range s.list {
		s.bits[(n-s.low)/64] |= 1 << ((n - s.low) % 64)
	}
	return s
}

func (s *numberSet) has(n int64) bool {
	if s == nil {
		return true
	}
	i := n - s.low
	return i >= 0 && i/64 < int64(len(s.bits)) && s.bits[i/64]>>(i%64)&1 != 0
}
