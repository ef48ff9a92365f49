#ifndef STRATA_FTSMATCH_H
#define STRATA_FTSMATCH_H

/* strata_register makes the functions of ftsmatch.c part of every SQLite
 * connection opened from now on in this process. Calling it again is harmless.
 * It returns an SQLite result code. */
int strata_register(void);

#endif
