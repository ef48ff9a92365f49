/*
 * pack_rows(value...): an aggregate that packs all rows into one blob, in the format
 * that unpack reads (see unpack.c). Unlike pack it keeps the kind of each value, so
 * that values may be text or null. Package packed reads the rows from it.
 *
 * Stepping to a row from Go and scanning it through package sql costs several times
 * as much as finding it.
 */
#include "unpack.h"
#include <string.h>

typedef struct {
    unsigned char *data;
    sqlite3_int64 len, cap;
    int oom;
} rows;

/* room returns space for n more bytes, or null if there is no memory. */
static unsigned char *room(rows *r, sqlite3_int64 n) {
    if (r->oom) return 0;
    if (r->len + n > r->cap) {
        sqlite3_int64 cap = r->cap ? r->cap : 1024;
        while (cap < r->len + n) cap *= 2;
        unsigned char *data = sqlite3_realloc64(r->data, (sqlite3_uint64)cap);
        if (!data) {
            r->oom = 1;
            return 0;
        }
        r->data = data;
        r->cap = cap;
    }
    r->len += n;
    return r->data + r->len - n;
}

static void put_number(unsigned char *p, sqlite3_uint64 v, int bytes) {
    for (int i = 0; i < bytes; i++) p[i] = (unsigned char)(v >> (8 * i));
}

static void put_value(rows *r, sqlite3_value *v) {
    int type = sqlite3_value_type(v);
    unsigned char *p;
    if (type == SQLITE_NULL) {
        if ((p = room(r, 1))) *p = PACKED_NULL;
    } else if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
        sqlite3_uint64 bits = (sqlite3_uint64)sqlite3_value_int64(v);
        if (type == SQLITE_FLOAT) {
            double d = sqlite3_value_double(v);
            memcpy(&bits, &d, sizeof bits);
        }
        if (!(p = room(r, 9))) return;
        *p = type == SQLITE_FLOAT ? PACKED_FLOAT : PACKED_INTEGER;
        put_number(p + 1, bits, 8);
    } else {
        const void *data = sqlite3_value_blob(v);
        int n = sqlite3_value_bytes(v);
        if (!(p = room(r, 5 + (sqlite3_int64)n))) return;
        *p = type == SQLITE_TEXT ? PACKED_TEXT : PACKED_BLOB;
        put_number(p + 1, (sqlite3_uint64)n, 4);
        if (n > 0) memcpy(p + 5, data, (size_t)n);
    }
}

static void step(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    rows *r = sqlite3_aggregate_context(ctx, sizeof *r);
    unsigned char *p;
    if (!r) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    if (!(p = room(r, 1))) return;
    *p = (unsigned char)argc;
    for (int i = 0; i < argc; i++) put_value(r, argv[i]);
}

static void final(sqlite3_context *ctx) {
    rows *r = sqlite3_aggregate_context(ctx, 0);
    if (!r || (!r->data && !r->oom)) {
        sqlite3_result_zeroblob(ctx, 0);
    } else if (r->oom) {
        sqlite3_free(r->data);
        sqlite3_result_error_nomem(ctx);
    } else {
        sqlite3_result_blob64(ctx, r->data, (sqlite3_uint64)r->len, sqlite3_free);
    }
}

int strata_pack_rows(sqlite3 *db) {
    return sqlite3_create_function_v2(db, "pack_rows", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, 0, step, final, 0);
}
