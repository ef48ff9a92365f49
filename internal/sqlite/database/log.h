#ifndef STRATA_LOG_H
#define STRATA_LOG_H

#include "sqlite3.h"

/* strata_log makes the function log_frames part of every SQLite connection opened
 * from now on in this process. It returns an SQLite result code. */
int strata_log(void);

#endif
