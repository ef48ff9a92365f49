#ifndef STRATA_GAPS_H
#define STRATA_GAPS_H

#include "sqlite3.h"

/* strata_gaps adds zero_gaps to every SQLite connection that this process opens
 * afterwards. Calling it again is harmless. It returns an SQLite result code. */
int strata_gaps(void);

#endif
