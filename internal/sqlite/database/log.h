#ifndef STRATA_LOG_H
#define STRATA_LOG_H

#include "sqlite3.h"

/* strata_log adds the function log_frames to every SQLite connection that this
 * process opens afterwards. It returns an SQLite result code. */
int strata_log(void);

#endif
