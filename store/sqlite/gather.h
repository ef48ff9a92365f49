#ifndef STRATA_GATHER_H
#define STRATA_GATHER_H

#include "sqlite3.h"
#include <stdint.h>

/* A row of code_block as gather found it. */
typedef struct {
    int64_t id;
    int64_t sum;          /* 0 where none was stored */
    int32_t has_sum;
    int32_t numbers;      /* bytes, as stored */
    int32_t codes;        /* bytes, as stored */
} strata_block;

/* Where gather puts blocks: each array has room for as many. */
typedef struct {
    strata_block *blocks;
    uint8_t *numbers;     /* number_bytes for each block */
    uint8_t *codes;       /* code_bytes for each block */
} strata_place;

/* strata_gather adds gather and gathering to a connection. It returns an SQLite
 * result code. */
int strata_gather(sqlite3 *db);

/* strata_gather_into says where gather puts the next blocks: blocks_each in each
 * of n places. gathering is what the function of that name returned; the places
 * and what they point to have to stay where they are until strata_gather_end. */
void strata_gather_into(uintptr_t gathering, const strata_place *places, int64_t n, int64_t blocks_each,
                        int64_t number_bytes, int64_t code_bytes);
void strata_gather_end(uintptr_t gathering);

#endif
