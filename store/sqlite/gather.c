/*
 * Blocks of codes, copied from the pages of the database to where searches read
 * them. Through rows of Go each block would be copied twice more and allocated
 * twice, which is most of the first search of a process.
 *
 *   gather(id, numbers, codes, sum)   aggregate: puts each row, in the order of
 *                                     the rows, into the places that were named
 *                                     by strata_gather_into. Returns the number
 *                                     of rows, also of those without a place.
 *   gathering()                       the address of what the connection knows
 *                                     of such places.
 *
 * SQL can neither choose nor change where anything is put: without places gather
 * only counts. A blob that is longer than its place is cut off; its length tells.
 */
#include "gather.h"
#include <string.h>

typedef struct {
    const strata_place *places; /* null between a search and the next one */
    int64_t n, each, number_bytes, code_bytes;
} gathering;

static void put(uint8_t *to, int64_t room, sqlite3_value *v, int32_t *size) {
    const void *data = sqlite3_value_blob(v);
    int64_t n = sqlite3_value_bytes(v);
    *size = (int32_t)n;
    if (n > room) n = room;
    if (n > 0) memcpy(to, data, (size_t)n);
}

static void gather_step(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    const gathering *g = sqlite3_user_data(ctx);
    int64_t *count = sqlite3_aggregate_context(ctx, sizeof *count);
    const strata_place *p;
    strata_block *b;
    int64_t at;
    (void)argc;
    if (!count) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    at = (*count)++;
    if (!g->places || at >= g->n * g->each) return;
    p = g->places + at / g->each;
    at %= g->each;
    b = p->blocks + at;
    b->id = sqlite3_value_int64(argv[0]);
    put(p->numbers + at * g->number_bytes, g->number_bytes, argv[1], &b->numbers);
    put(p->codes + at * g->code_bytes, g->code_bytes, argv[2], &b->codes);
    b->has_sum = sqlite3_value_type(argv[3]) != SQLITE_NULL;
    b->sum = sqlite3_value_int64(argv[3]);
}

static void gather_final(sqlite3_context *ctx) {
    const int64_t *count = sqlite3_aggregate_context(ctx, 0);
    sqlite3_result_int64(ctx, count ? *count : 0);
}

static void address(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    (void)argc;
    (void)argv;
    sqlite3_result_int64(ctx, (sqlite3_int64)(uintptr_t)sqlite3_user_data(ctx));
}

int strata_gather(sqlite3 *db) {
    int rc;
    gathering *g = sqlite3_malloc(sizeof *g);
    if (!g) return SQLITE_NOMEM;
    memset(g, 0, sizeof *g);
    /* The connection frees it, also if this call fails. */
    rc = sqlite3_create_function_v2(db, "gathering", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY, g, address, 0, 0, sqlite3_free);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(db, "gather", 4, SQLITE_UTF8 | SQLITE_DIRECTONLY, g, 0, gather_step, gather_final, 0);
    return rc;
}

void strata_gather_into(uintptr_t state, const strata_place *places, int64_t n, int64_t blocks_each,
                        int64_t number_bytes, int64_t code_bytes) {
    gathering *g = (gathering *)state;
    g->places = places;
    g->n = n;
    g->each = blocks_each;
    g->number_bytes = number_bytes;
    g->code_bytes = code_bytes;
}

void strata_gather_end(uintptr_t state) { ((gathering *)state)->places = 0; }
