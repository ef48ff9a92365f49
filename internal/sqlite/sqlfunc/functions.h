#ifndef STRATA_FUNCTIONS_H
#define STRATA_FUNCTIONS_H

/* strata_functions makes the functions of this package part of every SQLite
 * connection opened from now on in this process. Calling it again is harmless.
 * It returns an SQLite result code. */
int strata_functions(void);

#endif
