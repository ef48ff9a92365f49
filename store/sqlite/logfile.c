/*
 * A virtual file system that writes the write-ahead log in large pieces.
 *
 * SQLite hands the log over in two writes a page, 58 for a turn of a
 * conversation, and each is a system call that takes the kernel through the
 * same steps. Here they are put together and written when the last page of a
 * commit is there: before the commit is synced, and before any other connection
 * can learn of it. What is still held back is never more than what SQLite has
 * not committed, and the first look at the log writes it out.
 *
 * All other files, and all else, are those of the system's own file system.
 */
#include "logfile.h"

#include <string.h>

/* SQLite's unix file system cannot write 128 KiB or more at once: it takes the
 * lower 17 bits of the length for the length. */
#define PIECE (120 * 1024)
/* A frame begins with a header of this size. Bytes 4 to 7 are not zero in the
 * last of a commit. */
#define FRAME_HEADER 24

typedef struct logfile {
    sqlite3_file base;
    sqlite3_file *real;
    unsigned char *held; /* what is not written yet, from the offset on; null before the first */
    sqlite3_int64 offset;
    int size;
    int committing;    /* the next write ends a commit */
    sqlite3_int64 end; /* behind the last byte since the last commit */
} logfile;

static int write_out(logfile *f) {
    int rc;
    if (f->size == 0) return SQLITE_OK;
    rc = f->real->pMethods->xWrite(f->real, f->held, f->size, f->offset);
    f->size = 0;
    return rc;
}

static int log_write(sqlite3_file *file, const void *data, int n, sqlite3_int64 offset) {
    logfile *f = (logfile *)file;
    const unsigned char *bytes = data;
    int ends = f->committing, again, rc = SQLITE_OK;
    f->committing = n == FRAME_HEADER && (bytes[4] | bytes[5] | bytes[6] | bytes[7]) != 0;
    if (offset == 0) f->end = 0; /* the log begins anew */
    /* A page that a transaction writes twice is overwritten, and so are the
     * checksums behind it, as the last thing before the commit. */
    again = offset < f->end;
    if (ends || offset + n > f->end) f->end = offset + n;
    if (f->size > 0 && (again || offset != f->offset + f->size || f->size + n > PIECE)) rc = write_out(f);
    if (rc != SQLITE_OK) return rc;
    if (!f->held && n <= PIECE) f->held = sqlite3_malloc(PIECE);
    if (!f->held || n > PIECE || again) return f->real->pMethods->xWrite(f->real, data, n, offset);
    if (f->size == 0) f->offset = offset;
    memcpy(f->held + f->size, data, n);
    f->size += n;
    return ends ? write_out(f) : SQLITE_OK;
}

static int log_read(sqlite3_file *file, void *data, int n, sqlite3_int64 offset) {
    logfile *f = (logfile *)file;
    int rc = write_out(f);
    return rc != SQLITE_OK ? rc : f->real->pMethods->xRead(f->real, data, n, offset);
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
    logfile *f = (logfile *)file;
    int rc = write_out(f);
    return rc != SQLITE_OK ? rc : f->real->pMethods->xTruncate(f->real, size);
}

static int log_sync(sqlite3_file *file, int flags) {
    logfile *f = (logfile *)file;
    int rc = write_out(f);
    return rc != SQLITE_OK ? rc : f->real->pMethods->xSync(f->real, flags);
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
    logfile *f = (logfile *)file;
    int rc = write_out(f);
    return rc != SQLITE_OK ? rc : f->real->pMethods->xFileSize(f->real, size);
}

static int log_close(sqlite3_file *file) {
    logfile *f = (logfile *)file;
    int rc = write_out(f), closed = f->real->pMethods->xClose(f->real);
    sqlite3_free(f->held);
    f->held = 0;
    return rc != SQLITE_OK ? rc : closed;
}

/* The rest goes to the file itself. */

static int log_lock(sqlite3_file *file, int level) {
    sqlite3_file *real = ((logfile *)file)->real;
    return real->pMethods->xLock(real, level);
}

static int log_unlock(sqlite3_file *file, int level) {
    sqlite3_file *real = ((logfile *)file)->real;
    return real->pMethods->xUnlock(real, level);
}

static int log_reserved(sqlite3_file *file, int *out) {
    sqlite3_file *real = ((logfile *)file)->real;
    return real->pMethods->xCheckReservedLock(real, out);
}

static int log_control(sqlite3_file *file, int op, void *arg) {
    sqlite3_file *real = ((logfile *)file)->real;
    return real->pMethods->xFileControl(real, op, arg);
}

static int log_sector(sqlite3_file *file) {
    sqlite3_file *real = ((logfile *)file)->real;
    return real->pMethods->xSectorSize(real);
}

static int log_device(sqlite3_file *file) {
    sqlite3_file *real = ((logfile *)file)->real;
    return real->pMethods->xDeviceCharacteristics(real);
}

static const sqlite3_io_methods log_methods = {
    1,          log_close, log_read,     log_write,   log_truncate, log_sync,  log_size,
    log_lock,   log_unlock, log_reserved, log_control, log_sector,   log_device, 0, 0, 0, 0, 0, 0,
};

static sqlite3_vfs *system_vfs(sqlite3_vfs *vfs) { return vfs->pAppData; }

static int vfs_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out) {
    sqlite3_vfs *system = system_vfs(vfs);
    logfile *f = (logfile *)file;
    int rc;
    if (!(flags & SQLITE_OPEN_WAL)) return system->xOpen(system, name, file, flags, out);
    memset(f, 0, sizeof *f);
    f->real = (sqlite3_file *)(f + 1);
    f->real->pMethods = 0;
    rc = system->xOpen(system, name, f->real, flags, out);
    /* SQLite closes what has methods, opened or not. */
    if (f->real->pMethods) f->base.pMethods = &log_methods;
    return rc;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    return system_vfs(vfs)->xDelete(system_vfs(vfs), name, sync);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
    return system_vfs(vfs)->xAccess(system_vfs(vfs), name, flags, out);
}

static int vfs_path(sqlite3_vfs *vfs, const char *name, int n, char *out) {
    return system_vfs(vfs)->xFullPathname(system_vfs(vfs), name, n, out);
}

static int vfs_random(sqlite3_vfs *vfs, int n, char *out) { return system_vfs(vfs)->xRandomness(system_vfs(vfs), n, out); }

static int vfs_sleep(sqlite3_vfs *vfs, int micros) { return system_vfs(vfs)->xSleep(system_vfs(vfs), micros); }

static int vfs_time(sqlite3_vfs *vfs, double *out) { return system_vfs(vfs)->xCurrentTime(system_vfs(vfs), out); }

static int vfs_time64(sqlite3_vfs *vfs, sqlite3_int64 *out) {
    return system_vfs(vfs)->xCurrentTimeInt64(system_vfs(vfs), out);
}

static int vfs_error(sqlite3_vfs *vfs, int n, char *out) { return system_vfs(vfs)->xGetLastError(system_vfs(vfs), n, out); }

int strata_logfile(void) {
    static sqlite3_vfs vfs;
    sqlite3_vfs *system = sqlite3_vfs_find(0);
    if (!system || system->iVersion < 2) return SQLITE_ERROR;
    vfs.iVersion = 2;
    vfs.szOsFile = (int)sizeof(logfile) + system->szOsFile;
    vfs.mxPathname = system->mxPathname;
    vfs.zName = STRATA_LOGFILE;
    vfs.pAppData = system;
    vfs.xOpen = vfs_open;
    vfs.xDelete = vfs_delete;
    vfs.xAccess = vfs_access;
    vfs.xFullPathname = vfs_path;
    vfs.xRandomness = vfs_random;
    vfs.xSleep = vfs_sleep;
    vfs.xCurrentTime = vfs_time;
    vfs.xGetLastError = vfs_error;
    vfs.xCurrentTimeInt64 = vfs_time64;
    return sqlite3_vfs_register(&vfs, 0);
}
