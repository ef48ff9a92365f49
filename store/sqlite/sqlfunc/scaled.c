/*
 * Vectors are stored as in scaled.go of package vector: 16 bits for each value
 * and what they are to be multiplied by. The migration to that form needs both
 * ways; nothing else does.
 *
 *   widen(scaled)   the vector as little-endian float32
 *   narrow(float)   the inverse, rounded to the nearest, ties to even
 *   norm(scaled)    the length of the vector as a float; null if it is not finite
 *
 * Null stays null.
 */
#include "scaled.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SCALE = 4, STEPS = 32767 }; /* bytes of the factor; steps up to the largest value */

static float read_float(const unsigned char *p) {
    uint32_t u = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static void write_float(unsigned char *p, float f) {
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    for (int i = 0; i < 4; i++) p[i] = (unsigned char)(u >> (8 * i));
}

static void widen(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    const unsigned char *in = sqlite3_value_blob(argv[0]);
    int size = sqlite3_value_bytes(argv[0]), n = (size - SCALE) / 2;
    float *out, scale;
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    if (n <= 0 || size % 2 != 0) {
        sqlite3_result_zeroblob(ctx, 0); /* no vector: whoever reads it sees a wrong length */
        return;
    }
    out = sqlite3_malloc64((sqlite3_uint64)n * sizeof *out);
    if (!out) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    scale = read_float(in);
    in += SCALE;
    for (int i = 0; i < n; i++) out[i] = (float)(int16_t)(in[2 * i] | in[2 * i + 1] << 8) * scale;
    sqlite3_result_blob(ctx, out, n * (int)sizeof *out, sqlite3_free);
}

static void narrow(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    const unsigned char *in = sqlite3_value_blob(argv[0]);
    int n = sqlite3_value_bytes(argv[0]) / 4;
    unsigned char *out;
    float largest = 0, scale;
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    out = sqlite3_malloc64((sqlite3_uint64)n * 2 + SCALE);
    if (!out) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    for (int i = 0; i < n; i++) {
        float f = fabsf(read_float(in + 4 * i));
        if (f > largest) largest = f;
    }
    scale = largest / STEPS;
    write_float(out, scale);
    for (int i = 0; i < n; i++) {
        int steps = scale > 0 ? (int)nearbyintf(read_float(in + 4 * i) / scale) : 0;
        if (steps > STEPS) steps = STEPS;
        if (steps < -STEPS) steps = -STEPS;
        out[SCALE + 2 * i] = (unsigned char)steps;
        out[SCALE + 2 * i + 1] = (unsigned char)(steps >> 8);
    }
    sqlite3_result_blob(ctx, out, n * 2 + SCALE, sqlite3_free);
}

static void norm(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    const unsigned char *in = sqlite3_value_blob(argv[0]);
    int size = sqlite3_value_bytes(argv[0]), n = (size - SCALE) / 2;
    double sum = 0;
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL || n <= 0) return;
    for (int i = 0; i < n; i++) {
        double steps = (int16_t)(in[SCALE + 2 * i] | in[SCALE + 2 * i + 1] << 8);
        sum += steps * steps;
    }
    sqlite3_result_double(ctx, sqrt(sum) * read_float(in)); /* SQLite makes null of what is no number */
}

int strata_scaled(sqlite3 *db) {
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int rc = sqlite3_create_function_v2(db, "widen", 1, flags, 0, widen, 0, 0, 0);
    if (rc == SQLITE_OK) rc = sqlite3_create_function_v2(db, "narrow", 1, flags, 0, narrow, 0, 0, 0);
    if (rc == SQLITE_OK) rc = sqlite3_create_function_v2(db, "norm", 1, flags, 0, norm, 0, 0, 0);
    return rc;
}
