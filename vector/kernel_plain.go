package vector

// The loops over codes in Go, which the kernels in C must match. kernel.h documents each
// one.

func scanPlain(scores []uint16, groups, table []byte, bytes int) {
	for len(scores) >= GroupCodes {
		var sums [GroupCodes]uint16
		for b := range bytes {
			t := (*[32]byte)(table[32*b:])
			for i, c := range groups[GroupCodes*b : GroupCodes*b+GroupCodes] {
				sums[i] += uint16(t[c&15]) + uint16(t[16+c>>4])
			}
		}
		copy(scores, sums[:])
		scores, groups = scores[GroupCodes:], groups[GroupCodes*bytes:]
	}
}

func abovePlain(slots []int32, scores []uint16, low uint16) int {
	n := 0
	for i, s := range scores {
		if s < low {
			continue
		}
		if n == len(slots) {
			break
		}
		slots[n] = int32(i)
		n++
	}
	return n
}

func countPlain(counts []uint32, scores []uint16, shift int) {
	for _, s := range scores {
		counts[s>>shift]++
	}
}

func interleavePlain(groups, codes []byte, bytes int) {
	size := GroupCodes * bytes
	for len(codes) >= size {
		for i := range GroupCodes {
			for b := range bytes {
				groups[GroupCodes*b+i] = codes[bytes*i+b]
			}
		}
		groups, codes = groups[size:], codes[size:]
	}
}
