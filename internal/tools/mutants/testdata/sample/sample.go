// Package sample is changed by the tests of mutants.
package sample

// Larger returns the larger of two numbers. Its test holds it.
func Larger(a, b int) int {
	if a < b {
		return b
	}
	return a
}

// Untested is held by no test.
func Untested(ok bool) bool {
	return !ok
}
