package text

// fnv64a returns the FNV-1a hash (Fowler, Noll and Vo) of a string, like package hash/fnv
// but without allocating.
func fnv64a(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// Mix spreads the differences between hashes of short texts over all bits. It is the
// finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
func Mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
