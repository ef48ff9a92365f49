#ifndef STRATA_LOGFILE_H
#define STRATA_LOGFILE_H

#include "sqlite3.h"

/* STRATA_LOGFILE names the virtual file system that writes the log in large
 * pieces. */
#define STRATA_LOGFILE "strata"

/* strata_logfile registers it on top of the system's own; it is called once. It
 * returns an SQLite result code. */
int strata_logfile(void);

#endif
