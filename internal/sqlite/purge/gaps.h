#ifndef STRATA_GAPS_H
#define STRATA_GAPS_H

#include "sqlite3.h"

/* strata_gaps makes zero_gaps part of every SQLite connection opened from now on
 * in this process. Calling it again is harmless. It returns an SQLite result
 * code. */
int strata_gaps(void);

#endif
