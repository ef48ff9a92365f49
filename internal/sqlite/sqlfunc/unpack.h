#ifndef STRATA_UNPACK_H
#define STRATA_UNPACK_H

#include "sqlite3.h"

/* The kinds of values of packed rows: see unpack.c. */
enum { PACKED_NULL, PACKED_INTEGER, PACKED_FLOAT, PACKED_TEXT, PACKED_BLOB };

/* strata_unpack adds the table-valued function unpack to a connection, and
 * strata_pack_rows the aggregate pack_rows. They return an SQLite result code. */
int strata_unpack(sqlite3 *db);
int strata_pack_rows(sqlite3 *db);

#endif
