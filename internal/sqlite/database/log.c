/*
 * log_frames(): how many frames the write-ahead log had after the last commit of
 * this connection; 0 before the first.
 *
 * The first call replaces SQLite's own automatic checkpoints, which use the same
 * hook (see checkpoint.go).
 */
#include "log.h"

static int committed(void *frames, sqlite3 *db, const char *name, int n) {
    (void)db;
    (void)name;
    *(int *)frames = n;
    return SQLITE_OK;
}

static void log_frames(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    int *frames = sqlite3_user_data(ctx);
    (void)argc;
    (void)argv;
    sqlite3_wal_hook(sqlite3_context_db_handle(ctx), committed, frames);
    sqlite3_result_int(ctx, *frames);
}

static int on_open(sqlite3 *db, char **message, const void *api) {
    int *frames = sqlite3_malloc(sizeof *frames);
    (void)message;
    (void)api;
    if (!frames) return SQLITE_NOMEM;
    *frames = 0;
    return sqlite3_create_function_v2(db, "log_frames", 0, SQLITE_UTF8 | SQLITE_DIRECTONLY, frames, log_frames, 0, 0,
                                      sqlite3_free);
}

int strata_log(void) { return sqlite3_auto_extension((void (*)(void))on_open); }
