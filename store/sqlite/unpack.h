#ifndef STRATA_UNPACK_H
#define STRATA_UNPACK_H

#include "sqlite3.h"

/* strata_unpack adds the table-valued function unpack to a connection. It
 * returns an SQLite result code. */
int strata_unpack(sqlite3 *db);

#endif
