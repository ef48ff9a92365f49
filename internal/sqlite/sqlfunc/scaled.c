/*
 * Converts between the forms in which vectors are stored. The current form is a
 * signed byte for each value, scaled so that the largest magnitude is 127 (EncodeInt8
 * of package vector). An earlier version stored a float32 factor and 16 bits for each
 * value, and one before that float32.
 *
 *   as_int8(stored, dim)   the scaled bytes, for sqlite-vec to measure
 *   as_float(stored, dim)  the vector of unit length as little-endian float32
 *   narrow(float)          the form with a factor, and
 *   widen(scaled)          float32 of it, for the migration to that form
 *
 * as_int8 and as_float accept both the current form and the one with a factor, told
 * apart by their length. For a damaged vector, as_int8 returns zeros, which have no
 * direction, and as_float an empty blob. Null stays null.
 */
#include "scaled.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SCALE = 4, STEPS = 32767, STEPS8 = 127 }; /* bytes of the factor; steps up to the largest value */
enum { VEC_INT8 = 225 };                          /* the subtype by which sqlite-vec knows int8 */

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

/* form returns the number of bytes per value of a stored vector of n values, or 0 if
 * it is damaged. */
static int form(const sqlite3_value *stored, int n) {
    int size = sqlite3_value_bytes((sqlite3_value *)stored);
    if (n > 0 && size == n) return 1;
    return n > 0 && size == SCALE + 2 * n ? 2 : 0;
}

static int step16(const unsigned char *in, int i) { return (int16_t)(in[SCALE + 2 * i] | in[SCALE + 2 * i + 1] << 8); }

static void as_int8(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    int n = sqlite3_value_int(argv[1]), bytes = form(argv[0], n), largest = 0;
    const unsigned char *in = sqlite3_value_blob(argv[0]);
    signed char *out;
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    if (bytes == 1) {
        sqlite3_result_blob(ctx, in, n, SQLITE_TRANSIENT);
        sqlite3_result_subtype(ctx, VEC_INT8);
        return;
    }
    if (bytes == 0) {
        sqlite3_result_zeroblob(ctx, n > 0 ? n : 0);
        sqlite3_result_subtype(ctx, VEC_INT8);
        return;
    }
    out = sqlite3_malloc64((sqlite3_uint64)n);
    if (!out) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    for (int i = 0; i < n; i++) {
        int steps = step16(in, i), far = steps < 0 ? -steps : steps;
        if (far > largest) largest = far;
    }
    for (int i = 0; i < n; i++) out[i] = (signed char)(largest ? nearbyint((double)step16(in, i) / largest * STEPS8) : 0);
    sqlite3_result_blob(ctx, out, n, sqlite3_free);
    sqlite3_result_subtype(ctx, VEC_INT8);
}

static void as_float(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    int n = sqlite3_value_int(argv[1]), bytes = form(argv[0], n);
    const unsigned char *in = sqlite3_value_blob(argv[0]);
    double squares = 0;
    float *out;
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
    if (bytes == 2 && isfinite(read_float(in) * (STEPS + 1))) {
        widen(ctx, 1, argv);
        return;
    }
    if (bytes != 1) {
        sqlite3_result_zeroblob(ctx, 0);
        return;
    }
    out = sqlite3_malloc64((sqlite3_uint64)n * sizeof *out);
    if (!out) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    for (int i = 0; i < n; i++) squares += (double)((signed char)in[i] * (signed char)in[i]);
    for (int i = 0; i < n; i++) write_float((unsigned char *)(out + i), squares ? (float)((signed char)in[i] / sqrt(squares)) : 0);
    sqlite3_result_blob(ctx, out, n * (int)sizeof *out, sqlite3_free);
}

int strata_scaled(sqlite3 *db) {
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int rc = sqlite3_create_function_v2(db, "widen", 1, flags, 0, widen, 0, 0, 0);
    if (rc == SQLITE_OK) rc = sqlite3_create_function_v2(db, "narrow", 1, flags, 0, narrow, 0, 0, 0);
    if (rc == SQLITE_OK) rc = sqlite3_create_function_v2(db, "as_int8", 2, flags | SQLITE_RESULT_SUBTYPE, 0, as_int8, 0, 0, 0);
    if (rc == SQLITE_OK) rc = sqlite3_create_function_v2(db, "as_float", 2, flags, 0, as_float, 0, 0, 0);
    return rc;
}
