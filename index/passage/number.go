package passage

// ScopeBits is where a number holds that of its scope: the numbers of one scope
// are one range.
const ScopeBits = 40

// Scope is the number of the scope that a passage or parent belongs to.
func Scope(number int64) int64 { return number >> ScopeBits }

// Numbers is the range of the numbers of a scope.
func Numbers(scope int64) (low, high int64) {
	return scope << ScopeBits, (scope+1)<<ScopeBits - 1
}
