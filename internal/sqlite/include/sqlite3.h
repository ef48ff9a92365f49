/* The header that sqlite-vec asks for, taken from the SQLite that mattn/go-sqlite3
 * compiles in, so that both always agree and no system package is needed. Put this
 * directory and that module's directory on the C include path; docs/install.md has
 * the exact line. */
#include "sqlite3-binding.h"
