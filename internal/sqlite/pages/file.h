#ifndef STRATA_PAGES_H
#define STRATA_PAGES_H

#include "sqlite3.h"

/* strata_pages makes the function file_page part of every SQLite connection opened
 * from now on in this process. It returns an SQLite result code. */
int strata_pages(void);

#endif
