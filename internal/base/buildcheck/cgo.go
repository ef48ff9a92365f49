//go:build !cgo

package buildcheck

// The compiler prints the sentence.
const _ int = "Strata needs CGO_ENABLED=1 and a C compiler: see docs/install.md"
