/*
 * The loops over codes, for the processor at hand. Every kernel computes with
 * integers, so all of them give the same results as kernel_plain.go.
 */
#include "kernel.h"
#include <string.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAS_AVX2 1
#include <immintrin.h>
#endif
#if defined(__aarch64__) && defined(__ARM_NEON)
#define HAS_NEON 1
#include <arm_neon.h>
#endif

enum { GROUP = 32 };

int strata_kernel(void) {
#ifdef HAS_AVX2
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) return STRATA_AVX2;
#endif
#ifdef HAS_NEON
    return STRATA_NEON; /* part of every arm64 processor */
#endif
    return STRATA_PLAIN;
}

static void scan_plain(uint16_t *scores, const uint8_t *group, const uint8_t *table, int bytes) {
    uint16_t sum[GROUP] = {0};
    for (int b = 0; b < bytes; b++) {
        const uint8_t *low = table + 32 * b, *high = low + 16;
        for (int i = 0; i < GROUP; i++) {
            uint8_t c = group[GROUP * b + i];
            sum[i] = (uint16_t)(sum[i] + low[c & 15] + high[c >> 4]);
        }
    }
    memcpy(scores, sum, sizeof sum);
}

#ifdef HAS_AVX2
__attribute__((target("avx2"))) static void scan_avx2(uint16_t *scores, const uint8_t *group,
                                                      const uint8_t *table, int bytes) {
    const __m256i half = _mm256_set1_epi8(15);
    /* Sums of two bytes each, as 16 bits: all holds even + 256 * odd, odd the
     * odd ones alone. */
    __m256i all = _mm256_setzero_si256(), odd = _mm256_setzero_si256();
    for (int b = 0; b < bytes; b++) {
        __m256i c = _mm256_loadu_si256((const __m256i *)(group + GROUP * b));
        __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(table + 32 * b)));
        __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(table + 32 * b + 16)));
        __m256i sum = _mm256_add_epi8(
            _mm256_shuffle_epi8(low, _mm256_and_si256(c, half)),
            _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(c, 4), half)));
        all = _mm256_add_epi16(all, sum);
        odd = _mm256_add_epi16(odd, _mm256_srli_epi16(sum, 8));
    }
    __m256i even = _mm256_sub_epi16(all, _mm256_slli_epi16(odd, 8));
    /* Back into the order of the codes. */
    __m256i a = _mm256_unpacklo_epi16(even, odd), b = _mm256_unpackhi_epi16(even, odd);
    _mm256_storeu_si256((__m256i *)scores, _mm256_permute2x128_si256(a, b, 0x20));
    _mm256_storeu_si256((__m256i *)(scores + 16), _mm256_permute2x128_si256(a, b, 0x31));
}

__attribute__((target("avx2"))) static int any_avx2(const uint16_t *scores, int low) {
    __m256i least = _mm256_set1_epi16((short)low);
    __m256i a = _mm256_loadu_si256((const __m256i *)scores);
    __m256i b = _mm256_loadu_si256((const __m256i *)(scores + 16));
    __m256i hit = _mm256_or_si256(_mm256_cmpeq_epi16(_mm256_max_epu16(a, least), a),
                                  _mm256_cmpeq_epi16(_mm256_max_epu16(b, least), b));
    return _mm256_movemask_epi8(hit) != 0;
}
#endif

#ifdef HAS_NEON
static void scan_neon(uint16_t *scores, const uint8_t *group, const uint8_t *table, int bytes) {
    const uint8x16_t half = vdupq_n_u8(15);
    uint16x8_t sum[4] = {vdupq_n_u16(0), vdupq_n_u16(0), vdupq_n_u16(0), vdupq_n_u16(0)};
    for (int b = 0; b < bytes; b++) {
        uint8x16_t low = vld1q_u8(table + 32 * b), high = vld1q_u8(table + 32 * b + 16);
        for (int h = 0; h < 2; h++) {
            uint8x16_t c = vld1q_u8(group + GROUP * b + 16 * h);
            uint8x16_t s = vaddq_u8(vqtbl1q_u8(low, vandq_u8(c, half)), vqtbl1q_u8(high, vshrq_n_u8(c, 4)));
            sum[2 * h] = vaddw_u8(sum[2 * h], vget_low_u8(s));
            sum[2 * h + 1] = vaddw_u8(sum[2 * h + 1], vget_high_u8(s));
        }
    }
    for (int i = 0; i < 4; i++) vst1q_u16(scores + 8 * i, sum[i]);
}
#endif

void strata_scan(int kernel, uint16_t *scores, const uint8_t *groups, int64_t count,
                 const uint8_t *table, int bytes) {
    for (int64_t g = 0; g < count; g++, scores += GROUP, groups += GROUP * bytes) {
#ifdef HAS_AVX2
        if (kernel == STRATA_AVX2) {
            scan_avx2(scores, groups, table, bytes);
            continue;
        }
#endif
#ifdef HAS_NEON
        if (kernel == STRATA_NEON) {
            scan_neon(scores, groups, table, bytes);
            continue;
        }
#endif
        (void)kernel;
        scan_plain(scores, groups, table, bytes);
    }
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* swap exchanges the bits of mask << shift in a with those of mask in b. */
static void swap(uint64_t *a, uint64_t *b, int shift, uint64_t mask) {
    uint64_t x = (*a >> shift ^ *b) & mask;
    *b ^= x;
    *a ^= x << shift;
}

/* turn arranges eight codes, eight bytes of each, byte by byte. */
static void turn(uint8_t *to, const uint8_t *from, int bytes) {
    uint64_t row[8];
    for (int i = 0; i < 8; i++) memcpy(&row[i], from + i * bytes, 8);
    for (int i = 0; i < 4; i++) swap(&row[i], &row[i + 4], 32, 0x00000000ffffffff);
    for (int i = 0; i < 8; i += 4) {
        swap(&row[i], &row[i + 2], 16, 0x0000ffff0000ffff);
        swap(&row[i + 1], &row[i + 3], 16, 0x0000ffff0000ffff);
    }
    for (int i = 0; i < 8; i += 2) swap(&row[i], &row[i + 1], 8, 0x00ff00ff00ff00ff);
    for (int i = 0; i < 8; i++) memcpy(to + GROUP * i, &row[i], 8);
}
#else
static void turn(uint8_t *to, const uint8_t *from, int bytes) {
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++) to[GROUP * k + i] = from[i * bytes + k];
}
#endif

void strata_interleave(uint8_t *groups, const uint8_t *codes, int64_t count, int bytes) {
    for (int64_t g = 0; g < count; g++, groups += GROUP * bytes, codes += GROUP * bytes)
        for (int b = 0; b < bytes; b += 8)
            for (int i = 0; i < GROUP; i += 8) turn(groups + GROUP * b + i, codes + i * bytes + b, bytes);
}

void strata_count(uint32_t *counts, const uint16_t *scores, int64_t n, int shift) {
    for (int64_t i = 0; i < n; i++) counts[scores[i] >> shift]++;
}

int64_t strata_above(int kernel, int32_t *slots, int64_t room, const uint16_t *scores, int64_t n, int low) {
    int64_t found = 0;
    for (int64_t i = 0; i < n; i += GROUP) {
#ifdef HAS_AVX2
        /* Most have nothing: look at 32 at once. */
        if (kernel == STRATA_AVX2 && i + GROUP <= n && !any_avx2(scores + i, low)) continue;
#endif
        (void)kernel;
        for (int64_t j = i; j < n && j < i + GROUP; j++) {
            if (scores[j] < low) continue;
            if (found == room) return found;
            slots[found++] = (int32_t)j;
        }
    }
    return found;
}
