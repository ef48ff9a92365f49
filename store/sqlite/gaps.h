#ifndef STRATA_GAPS_H
#define STRATA_GAPS_H

#include "sqlite3.h"

/* strata_gaps makes zero_gaps known to a connection. */
int strata_gaps(sqlite3 *db);

#endif
