#ifndef STRATA_SCALED_H
#define STRATA_SCALED_H

#include "sqlite3.h"

/* strata_scaled adds the functions as_int8, as_float, widen and narrow to a
 * connection. It returns an SQLite result code. */
int strata_scaled(sqlite3 *db);

#endif
