/*
 * Functions that SQL lacks for ranking outside of SQLite.
 *
 *   phrase_count(table)  auxiliary function of an FTS5 table: how often the row
 *                        holds the phrases of the query.
 *   pack(integer...)     aggregate: all rows as one blob, 8 bytes little-endian
 *                        for each integer. It is used for the long lists of
 *                        passages that hold a term; pack_rows packs other rows.
 *
 * Stepping through a row from Go costs more than finding it; with pack a
 * result of any number of rows is one row.
 */
#include "functions.h"
#include "checksum.h"
#include "scaled.h"
#include "sqlite3.h"
#include "unpack.h"

/* A growing buffer. After a failed allocation oom is set and appending does nothing. */
typedef struct {
    unsigned char *data;
    sqlite3_int64 len, cap;
    int oom;
} buffer;

static unsigned char *extend(buffer *b, sqlite3_int64 n) {
    unsigned char *at;
    if (b->oom) return 0;
    if (b->len + n > b->cap) {
        sqlite3_int64 cap = b->cap ? b->cap * 2 : 256;
        while (cap < b->len + n) cap *= 2;
        unsigned char *data = sqlite3_realloc64(b->data, (sqlite3_uint64)cap);
        if (!data) {
            b->oom = 1;
            return 0;
        }
        b->data = data;
        b->cap = cap;
    }
    at = b->data + b->len;
    b->len += n;
    return at;
}

static void append64(buffer *b, sqlite3_uint64 v) {
    unsigned char *p = extend(b, 8);
    if (!p) return;
    for (int i = 0; i < 8; i++) p[i] = (unsigned char)(v >> (8 * i));
}

/* count_phrase counts how often phrase i occurs in the current row. */
static int count_phrase(const Fts5ExtensionApi *api, Fts5Context *fts, int i, unsigned int *count) {
    Fts5PhraseIter iter;
    int col, off;
    int rc = api->xPhraseFirst(fts, i, &iter, &col, &off);
    *count = 0;
    if (rc != SQLITE_OK) return rc;
    for (; col >= 0; api->xPhraseNext(fts, &iter, &col, &off)) (*count)++;
    return SQLITE_OK;
}

static void phrase_count(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *ctx,
                         int argc, sqlite3_value **argv) {
    sqlite3_int64 sum = 0;
    int n = api->xPhraseCount(fts);
    (void)argc;
    (void)argv;
    for (int i = 0; i < n; i++) {
        unsigned int count;
        int rc = count_phrase(api, fts, i, &count);
        if (rc != SQLITE_OK) {
            sqlite3_result_error_code(ctx, rc);
            return;
        }
        sum += count;
    }
    sqlite3_result_int64(ctx, sum);
}

static void pack_step(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    buffer *b = sqlite3_aggregate_context(ctx, sizeof *b);
    if (!b) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    for (int i = 0; i < argc; i++) append64(b, (sqlite3_uint64)sqlite3_value_int64(argv[i]));
}

static void pack_final(sqlite3_context *ctx) {
    buffer *b = sqlite3_aggregate_context(ctx, 0);
    if (b && b->oom) {
        sqlite3_free(b->data);
        sqlite3_result_error_nomem(ctx);
        return;
    }
    if (!b || !b->data) {
        sqlite3_result_zeroblob(ctx, 0);
        return;
    }
    sqlite3_result_blob64(ctx, b->data, (sqlite3_uint64)b->len, sqlite3_free);
}

/* fts5_of returns the FTS5 interface of a connection, or null without FTS5. */
static fts5_api *fts5_of(sqlite3 *db) {
    fts5_api *api = 0;
    sqlite3_stmt *stmt = 0;
    if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &stmt, 0) != SQLITE_OK) return 0;
    sqlite3_bind_pointer(stmt, 1, &api, "fts5_api_ptr", 0);
    sqlite3_step(stmt);
    sqlite3_finalize(stmt);
    return api;
}

/* on_open runs for every new connection. It enables the query planner stability
 * guarantee, so that SQLite ignores the values of parameters when it plans.
 * Otherwise a statement with "LIMIT ?" is planned again for every new value, which
 * takes several times as long as most of our statements run.
 *
 * Without FTS5 it leaves the auxiliary functions out; opening a store then reports
 * the missing build tag. */
static int on_open(sqlite3 *db, char **message, const void *api) {
    fts5_api *fts = fts5_of(db);
    int rc = sqlite3_create_function_v2(db, "pack", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, 0,
                                        pack_step, pack_final, 0);
    (void)message;
    (void)api;
    if (rc == SQLITE_OK) rc = strata_unpack(db);
    if (rc == SQLITE_OK) rc = strata_pack_rows(db);
    if (rc == SQLITE_OK) rc = strata_scaled(db);
    if (rc == SQLITE_OK) rc = strata_checksum(db);
    if (rc == SQLITE_OK) rc = sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_QPSG, 1, (int *)0);
    if (rc == SQLITE_OK && fts) rc = fts->xCreateFunction(fts, "phrase_count", 0, phrase_count, 0);
    return rc;
}

int strata_functions(void) {
    strata_checksum_table();
    return sqlite3_auto_extension((void (*)(void))on_open);
}
