package passage

// ScopeBits is the number of low bits of a passage's number. The bits above are the
// number of its scope, so that the passages of a scope form one range.
const ScopeBits = 40

// Scope returns the number of the scope that a passage or parent belongs to.
func Scope(number int64) int64 { return number >> ScopeBits }

// Numbers returns the range of the numbers of a scope, both ends included.
func Numbers(scope int64) (low, high int64) {
	return scope << ScopeBits, (scope+1)<<ScopeBits - 1
}
