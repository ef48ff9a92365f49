package buildcheck

// #if defined(__has_include)
// #if !__has_include("sqlite3.h") || !__has_include("sqlite3-binding.h")
// #error Strata needs GOFLAGS and CGO_CFLAGS with the path of sqlite3.h: in a checkout run eval "$(make -s env)", elsewhere see docs/install.md
// #endif
// #endif
import "C"
