/*
 * file_page(number, size)  a page of the main database as it is in the file,
 *                          whatever the log holds; empty beyond the end.
 *
 * It reads through SQLite's own file handle. Closing a second one would drop the
 * locks that SQLite holds on the file: https://sqlite.org/howtocorrupt.html, 2.2.
 */
#include "file.h"

static void file_page(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    sqlite3_int64 number = sqlite3_value_int64(argv[0]), bytes = 0;
    int size = sqlite3_value_int(argv[1]);
    sqlite3_file *file = 0;
    unsigned char *page;
    int rc = sqlite3_file_control(sqlite3_context_db_handle(ctx), "main", SQLITE_FCNTL_FILE_POINTER, &file);
    (void)argc;
    if (rc == SQLITE_OK) rc = file->pMethods->xFileSize(file, &bytes);
    if (rc != SQLITE_OK) {
        sqlite3_result_error_code(ctx, rc);
        return;
    }
    if (number < 1 || size < 1 || number * size > bytes) {
        sqlite3_result_zeroblob(ctx, 0);
        return;
    }
    page = sqlite3_malloc(size);
    if (!page) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    rc = file->pMethods->xRead(file, page, size, (number - 1) * size);
    if (rc != SQLITE_OK) {
        sqlite3_free(page);
        sqlite3_result_error_code(ctx, rc);
        return;
    }
    sqlite3_result_blob(ctx, page, size, sqlite3_free);
}

static int on_open(sqlite3 *db, char **message, const void *api) {
    (void)message;
    (void)api;
    return sqlite3_create_function_v2(db, "file_page", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, 0, file_page, 0, 0, 0);
}

int strata_pages(void) { return sqlite3_auto_extension((void (*)(void))on_open); }
