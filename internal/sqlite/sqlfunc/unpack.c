/*
 * unpack(data): a table-valued function with the columns c0, c1, …, whose rows
 * were packed into one blob by package packed.
 *
 * A statement that takes its rows from it runs once for hundreds of rows.
 * Binding each value of each row from Go would cost more than storing it.
 *
 * A row is one byte, the number of its values, and then each value: a byte for
 * its kind and
 *     0    nothing, for null
 *     1    an integer of 8 bytes
 *     2    a float of 8 bytes
 *     3    text: its length in 4 bytes, and itself in UTF-8
 *     4    a blob: the same
 * all little-endian. Columns beyond the last value of a row are null.
 */
#include "unpack.h"
#include <string.h>

enum { COLUMNS = 24, DATA = COLUMNS };

typedef struct {
    sqlite3_vtab_cursor base;
    unsigned char *data; /* a copy of the blob; rows point into it until the end */
    sqlite3_int64 size;
    sqlite3_int64 next; /* where the next row begins */
    sqlite3_int64 row;  /* counts the rows, from 0 */
    int eof;
    int n; /* number of values in the current row */
    sqlite3_int64 value[COLUMNS]; /* where they begin */
} unpack_cursor;

static sqlite3_uint64 read_number(const unsigned char *p, int bytes) {
    sqlite3_uint64 v = 0;
    for (int i = bytes - 1; i >= 0; i--) v = v << 8 | p[i];
    return v;
}

static int unpack_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **message) {
    int rc = sqlite3_declare_vtab(db,
                                  "CREATE TABLE x(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15,"
                                  " c16, c17, c18, c19, c20, c21, c22, c23, data HIDDEN)");
    (void)aux;
    (void)argc;
    (void)argv;
    (void)message;
    if (rc != SQLITE_OK) return rc;
    *out = sqlite3_malloc(sizeof **out);
    if (!*out) return SQLITE_NOMEM;
    memset(*out, 0, sizeof **out);
    sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    return SQLITE_OK;
}

static int unpack_disconnect(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

static int unpack_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out) {
    unpack_cursor *c = sqlite3_malloc(sizeof *c);
    (void)table;
    if (!c) return SQLITE_NOMEM;
    memset(c, 0, sizeof *c);
    *out = &c->base;
    return SQLITE_OK;
}

static int unpack_close(sqlite3_vtab_cursor *cursor) {
    unpack_cursor *c = (unpack_cursor *)cursor;
    sqlite3_free(c->data);
    sqlite3_free(c);
    return SQLITE_OK;
}

/* unpack_best requires the data argument, without which there is nothing to read. */
static int unpack_best(sqlite3_vtab *table, sqlite3_index_info *info) {
    (void)table;
    for (int i = 0; i < info->nConstraint; i++) {
        if (info->aConstraint[i].iColumn != DATA || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (!info->aConstraint[i].usable) return SQLITE_CONSTRAINT;
        info->aConstraintUsage[i].argvIndex = 1;
        info->aConstraintUsage[i].omit = 1;
        info->estimatedCost = 1;
        info->estimatedRows = 1000;
        return SQLITE_OK;
    }
    return SQLITE_CONSTRAINT;
}

static int cut_short(unpack_cursor *c) {
    sqlite3_free(c->base.pVtab->zErrMsg);
    c->base.pVtab->zErrMsg = sqlite3_mprintf("packed rows are cut short");
    return SQLITE_CORRUPT_VTAB;
}

/* read_row finds the values of the row that begins at next. */
static int read_row(unpack_cursor *c) {
    sqlite3_int64 at = c->next;
    if (at >= c->size) {
        c->eof = 1;
        return SQLITE_OK;
    }
    c->n = c->data[at++];
    if (c->n > COLUMNS) return cut_short(c);
    for (int i = 0; i < c->n; i++) {
        sqlite3_int64 size = 1;
        if (at >= c->size) return cut_short(c);
        c->value[i] = at;
        switch (c->data[at]) {
        case PACKED_NULL:
            break;
        case PACKED_INTEGER:
        case PACKED_FLOAT:
            size += 8;
            break;
        case PACKED_TEXT:
        case PACKED_BLOB:
            if (at + 5 > c->size) return cut_short(c);
            size += 4 + (sqlite3_int64)read_number(c->data + at + 1, 4);
            break;
        default:
            return cut_short(c);
        }
        at += size;
        if (at > c->size) return cut_short(c);
    }
    c->next = at;
    return SQLITE_OK;
}

static int unpack_next(sqlite3_vtab_cursor *cursor) {
    unpack_cursor *c = (unpack_cursor *)cursor;
    c->row++;
    return read_row(c);
}

static int unpack_filter(sqlite3_vtab_cursor *cursor, int plan, const char *name, int argc, sqlite3_value **argv) {
    unpack_cursor *c = (unpack_cursor *)cursor;
    const void *data = argc > 0 ? sqlite3_value_blob(argv[0]) : 0;
    (void)plan;
    (void)name;
    sqlite3_free(c->data);
    c->data = 0;
    c->size = argc > 0 ? sqlite3_value_bytes(argv[0]) : 0;
    c->next = c->row = 0;
    c->eof = 0;
    if (c->size > 0) {
        c->data = sqlite3_malloc64((sqlite3_uint64)c->size);
        if (!c->data) return SQLITE_NOMEM;
        memcpy(c->data, data, (size_t)c->size);
    }
    return read_row(c);
}

static int unpack_eof(sqlite3_vtab_cursor *cursor) { return ((unpack_cursor *)cursor)->eof; }

/* unpack_column returns a value without copying it: the data outlives the rows that
 * the statement makes from it. */
static int unpack_column(sqlite3_vtab_cursor *cursor, sqlite3_context *ctx, int i) {
    unpack_cursor *c = (unpack_cursor *)cursor;
    const unsigned char *p;
    if (i >= c->n) return SQLITE_OK; /* null */
    p = c->data + c->value[i];
    switch (*p) {
    case PACKED_INTEGER:
        sqlite3_result_int64(ctx, (sqlite3_int64)read_number(p + 1, 8));
        break;
    case PACKED_FLOAT: {
        sqlite3_uint64 bits = read_number(p + 1, 8);
        double d;
        memcpy(&d, &bits, sizeof d);
        sqlite3_result_double(ctx, d);
        break;
    }
    case PACKED_TEXT:
        sqlite3_result_text(ctx, (const char *)p + 5, (int)read_number(p + 1, 4), SQLITE_STATIC);
        break;
    case PACKED_BLOB:
        sqlite3_result_blob(ctx, p + 5, (int)read_number(p + 1, 4), SQLITE_STATIC);
        break;
    }
    return SQLITE_OK;
}

static int unpack_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row) {
    *row = ((unpack_cursor *)cursor)->row;
    return SQLITE_OK;
}

static const sqlite3_module unpack_module = {
    .xConnect = unpack_connect, /* without xCreate: there is a single table, and no other can be created */
    .xBestIndex = unpack_best,
    .xDisconnect = unpack_disconnect,
    .xOpen = unpack_open,
    .xClose = unpack_close,
    .xFilter = unpack_filter,
    .xNext = unpack_next,
    .xEof = unpack_eof,
    .xColumn = unpack_column,
    .xRowid = unpack_rowid,
};

int strata_unpack(sqlite3 *db) { return sqlite3_create_module_v2(db, "unpack", &unpack_module, 0, 0); }
