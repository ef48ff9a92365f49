package powercut

const (
	sysRenameat2     = 276
	sysCopyFileRange = 285
)

// modern returns a system call unchanged: arm64 has none of the older ones.
func modern(number uint64, a [6]uint64) (uint64, [6]uint64) { return number, a }
