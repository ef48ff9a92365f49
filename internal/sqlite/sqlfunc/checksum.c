/*
 * checksum(value...)  CRC-32C of the values, with the type and length of each.
 *
 * Column sum of a row holds the checksum of its content, so that a bit that flips is
 * noticed. See package check for the columns.
 */
#include "checksum.h"
#include <stdint.h>
#include <string.h>

enum { POLYNOMIAL = 0x82f63b78, SLICES = 8 };

static uint32_t table[SLICES][256];

static void make_table(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++) c = c & 1 ? c >> 1 ^ POLYNOMIAL : c >> 1;
        table[0][i] = c;
    }
    for (int s = 1; s < SLICES; s++) {
        for (int i = 0; i < 256; i++) table[s][i] = table[s - 1][i] >> 8 ^ table[0][table[s - 1][i] & 255];
    }
}

/* add processes eight bytes at a time. */
static uint32_t add(uint32_t c, const unsigned char *p, sqlite3_int64 n) {
    for (; n >= 8; n -= 8, p += 8) {
        c ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
        c = table[7][c & 255] ^ table[6][c >> 8 & 255] ^ table[5][c >> 16 & 255] ^ table[4][c >> 24] ^
            table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
    }
    for (; n > 0; n--, p++) c = c >> 8 ^ table[0][(c ^ *p) & 255];
    return c;
}

static uint32_t add_number(uint32_t c, sqlite3_uint64 v) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(v >> (8 * i));
    return add(c, bytes, sizeof bytes);
}

static uint32_t add_value(uint32_t c, sqlite3_value *v) {
    unsigned char type = (unsigned char)sqlite3_value_type(v);
    c = add(c, &type, 1);
    if (type == SQLITE_INTEGER) return add_number(c, (sqlite3_uint64)sqlite3_value_int64(v));
    if (type == SQLITE_FLOAT) {
        double d = sqlite3_value_double(v);
        sqlite3_uint64 bits;
        memcpy(&bits, &d, sizeof bits);
        return add_number(c, bits);
    }
    if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
        const void *data = sqlite3_value_blob(v);
        int n = sqlite3_value_bytes(v);
        return add(add_number(c, (sqlite3_uint64)n), data, n);
    }
    return c; /* null */
}

static void checksum(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
    uint32_t c = 0xffffffff;
    for (int i = 0; i < argc; i++) c = add_value(c, argv[i]);
    sqlite3_result_int64(ctx, c ^ 0xffffffff);
}

void strata_checksum_table(void) { make_table(); }

int strata_checksum(sqlite3 *db) {
    return sqlite3_create_function_v2(db, "checksum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, 0, checksum, 0, 0, 0);
}
