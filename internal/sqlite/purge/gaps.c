/*
 * zero_gaps(first, count): overwrites with zeros the gap between the cell pointers
 * and the cells of each b-tree page, in pages first to first + count - 1 of the
 * database file. It returns the number of the next page, or 0 after the last.
 *
 * When SQLite spreads cells over neighboring pages, it copies them and leaves the
 * old copies in that gap. When a cell is deleted later, secure_delete overwrites
 * only its current place, not the old copies. Nothing ever reads a gap.
 *
 * It fails with SQLITE_NOTADB if the file is not in the format known here, or has no
 * pointer map to tell the kinds of pages, and with SQLITE_CORRUPT at an inconsistent
 * page. Whatever it zeroed before was a gap.
 *
 * The caller must hold the write lock, and the write-ahead log must be empty:
 * otherwise a page could change after it is read and before its gap is written. See
 * gaps.go.
 */
#include "gaps.h"
#include <string.h>

/* Offsets in the header of a database, and kinds of pages in its pointer map:
 * https://sqlite.org/fileformat2.html */
enum { HEADER = 100, PAGE_SIZE = 16, WRITE_VERSION = 18, READ_VERSION = 19, RESERVED = 20, FRACTIONS = 21, LARGEST_ROOT = 52 };
enum { LATEST_VERSION = 2 }; /* that with a write-ahead log */
enum { MAP_ROOT = 1, MAP_BTREE = 5, MAP_ENTRY = 5 };
enum { INTERIOR_INDEX = 2, INTERIOR_TABLE = 5, LEAF_INDEX = 10, LEAF_TABLE = 13 };
static const sqlite3_int64 pending_byte = 0x40000000; /* its page is never used */

typedef struct {
    sqlite3_file *file;
    int size, usable;
    sqlite3_int64 pages;
    unsigned char *page, *map, *zeros;
    sqlite3_int64 mapped; /* the number of the page in map */
} walk;

static int get2(const unsigned char *p) { return p[0] << 8 | p[1]; }

static int read_page(walk *w, sqlite3_int64 number, unsigned char *to) {
    return w->file->pMethods->xRead(w->file, to, w->size, (number - 1) * w->size);
}

/* is_known reports whether the header has a format known here, with a pointer map:
 * without one, a page of text cannot be told from one of cells. */
static int is_known(const unsigned char *head) {
    static const unsigned char fractions[] = {64, 32, 32}, none[4];
    return memcmp(head, "SQLite format 3", 16) == 0 && head[WRITE_VERSION] <= LATEST_VERSION &&
           head[READ_VERSION] <= LATEST_VERSION && memcmp(head + FRACTIONS, fractions, sizeof fractions) == 0 &&
           memcmp(head + LARGEST_ROOT, none, sizeof none) != 0;
}

static int begin(walk *w, sqlite3 *db) {
    unsigned char head[HEADER];
    sqlite3_int64 bytes = 0;
    int rc = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &w->file);
    if (rc == SQLITE_OK) rc = w->file->pMethods->xFileSize(w->file, &bytes);
    if (rc == SQLITE_OK) rc = w->file->pMethods->xRead(w->file, head, HEADER, 0);
    if (rc != SQLITE_OK) return rc;
    w->size = get2(head + PAGE_SIZE);
    if (w->size == 1) w->size = 65536;
    w->usable = w->size - head[RESERVED];
    if (!is_known(head) || w->size < 512 || w->usable < 480) return SQLITE_NOTADB;
    w->pages = bytes / w->size;
    w->page = sqlite3_malloc(3 * w->size);
    if (!w->page) return SQLITE_NOMEM;
    w->map = w->page + w->size;
    w->zeros = w->map + w->size;
    memset(w->zeros, 0, (size_t)w->size);
    return SQLITE_OK;
}

/* has_cells reports whether a page belongs to a b-tree. */
static int has_cells(walk *w, sqlite3_int64 number, int *yes) {
    sqlite3_int64 pending = pending_byte / w->size + 1, each = w->usable / MAP_ENTRY + 1, map;
    int kind;
    *yes = number == 1;
    if (number == 1 || number == pending) return SQLITE_OK;
    map = (number - 2) / each * each + 2;
    if (map == pending) map++;
    if (number == map) return SQLITE_OK;
    if (w->mapped != map) {
        int rc = read_page(w, map, w->map);
        if (rc != SQLITE_OK) return rc;
        w->mapped = map;
    }
    kind = w->map[MAP_ENTRY * (number - map - 1)];
    *yes = kind == MAP_ROOT || kind == MAP_BTREE;
    return SQLITE_OK;
}

static int zero_gap(walk *w, sqlite3_int64 number, int *wrote) {
    int at = number == 1 ? HEADER : 0, from, to, rc = read_page(w, number, w->page);
    const unsigned char *p = w->page + at;
    if (rc != SQLITE_OK) return rc;
    switch (p[0]) {
    case INTERIOR_INDEX:
    case INTERIOR_TABLE:
        from = at + 12;
        break;
    case LEAF_INDEX:
    case LEAF_TABLE:
        from = at + 8;
        break;
    default:
        return SQLITE_CORRUPT;
    }
    from += 2 * get2(p + 3);
    to = get2(p + 5);
    if (to == 0) to = 65536;
    if (from > to || to > w->usable) return SQLITE_CORRUPT;
    if (memcmp(w->page + from, w->zeros, (size_t)(to - from)) == 0) return SQLITE_OK;
    *wrote = 1;
    return w->file->pMethods->xWrite(w->file, w->zeros, to - from, (number - 1) * w->size + from);
}

static void zero_gaps(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    walk w = {0};
    sqlite3_int64 number = sqlite3_value_int64(argv[0]), end = number + sqlite3_value_int64(argv[1]);
    int wrote = 0, rc = begin(&w, sqlite3_context_db_handle(ctx));
    (void)argc;
    for (; rc == SQLITE_OK && number < end && number <= w.pages; number++) {
        int yes;
        rc = has_cells(&w, number, &yes);
        if (rc == SQLITE_OK && yes) rc = zero_gap(&w, number, &wrote);
    }
    if (rc == SQLITE_OK && wrote) rc = w.file->pMethods->xSync(w.file, SQLITE_SYNC_NORMAL);
    sqlite3_free(w.page);
    if (rc != SQLITE_OK) {
        sqlite3_result_error_code(ctx, rc);
        return;
    }
    sqlite3_result_int64(ctx, number <= w.pages ? number : 0);
}

static int on_open(sqlite3 *db, char **message, const void *api) {
    (void)message;
    (void)api;
    return sqlite3_create_function_v2(db, "zero_gaps", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, 0, zero_gaps, 0, 0, 0);
}

int strata_gaps(void) { return sqlite3_auto_extension((void (*)(void))on_open); }
