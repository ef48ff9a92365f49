package powercut

const (
	sysRenameat2     = 276
	sysCopyFileRange = 285
)

// modern returns a system call as it is: there are no older ones.
func modern(number uint64, a [6]uint64) (uint64, [6]uint64) { return number, a }
