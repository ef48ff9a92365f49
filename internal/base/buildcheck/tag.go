//go:build !sqlite_fts5 && !fts5

package buildcheck

// #error Strata needs GOFLAGS=-tags=sqlite_fts5: in a checkout run eval "$(make -s env)", elsewhere see docs/install.md
import "C"
