#ifndef STRATA_FUNCTIONS_H
#define STRATA_FUNCTIONS_H

/* strata_functions adds the functions of this package to every SQLite connection
 * that this process opens afterwards. Calling it again is harmless. It returns an
 * SQLite result code. */
int strata_functions(void);

#endif
