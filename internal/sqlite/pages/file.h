#ifndef STRATA_PAGES_H
#define STRATA_PAGES_H

#include "sqlite3.h"

/* strata_pages adds the function file_page to every SQLite connection that this
 * process opens afterwards. It returns an SQLite result code. */
int strata_pages(void);

#endif
