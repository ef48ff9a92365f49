#ifndef STRATA_CHECKSUM_H
#define STRATA_CHECKSUM_H

#include "sqlite3.h"

/* strata_checksum_table must be called before the first connection is opened. */
void strata_checksum_table(void);

/* strata_checksum adds the function checksum to a connection. It returns an
 * SQLite result code. */
int strata_checksum(sqlite3 *db);

#endif
