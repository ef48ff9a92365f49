//go:build !cgo

package buildcheck

// The compiler's type error prints the text.
const _ int = "Strata needs CGO_ENABLED=1 and a C compiler: see docs/install.md"
