/*
 * What a vector goes through on its way into memory, for processors with AVX2.
 * Each value is computed by the operations of the Go code beside it, in the same
 * order and in the same precision, so that the results are the same to the bit.
 * Nothing is fused, whatever the flags of the build.
 */
#include "kernel.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#if !defined(__clang__) /* which fuses within one expression only */
#pragma GCC optimize("fp-contract=off")
#endif
#include <immintrin.h>

/* hadamard transforms n values, a power of two of at least 8. */
__attribute__((target("avx2"))) static void hadamard(float *v, int n, float scale) {
    for (int i = 0; i < n; i += 8) { /* neighborhoods of 2, 4 and 8 lie in one register */
        __m256 x = _mm256_loadu_ps(v + i);
        __m256 y = _mm256_permute_ps(x, 0xb1);
        x = _mm256_blend_ps(_mm256_add_ps(x, y), _mm256_sub_ps(y, x), 0xaa);
        y = _mm256_permute_ps(x, 0x4e);
        x = _mm256_blend_ps(_mm256_add_ps(x, y), _mm256_sub_ps(y, x), 0xcc);
        y = _mm256_permute2f128_ps(x, x, 1);
        x = _mm256_blend_ps(_mm256_add_ps(x, y), _mm256_sub_ps(y, x), 0xf0);
        _mm256_storeu_ps(v + i, x);
    }
    for (int half = 8; half < n; half *= 2) {
        for (int i = 0; i < n; i += 2 * half) {
            float *low = v + i, *high = low + half;
            for (int j = 0; j < half; j += 8) {
                __m256 a = _mm256_loadu_ps(low + j), b = _mm256_loadu_ps(high + j);
                _mm256_storeu_ps(low + j, _mm256_add_ps(a, b));
                _mm256_storeu_ps(high + j, _mm256_sub_ps(a, b));
            }
        }
    }
    const __m256 by = _mm256_set1_ps(scale);
    for (int i = 0; i < n; i += 8) _mm256_storeu_ps(v + i, _mm256_mul_ps(_mm256_loadu_ps(v + i), by));
}

__attribute__((target("avx2"))) void strata_rotate(float *v, const float *signs, int rounds, int dims, int block,
                                                   float scale) {
    for (int r = 0; r < rounds; r++, signs += dims) {
        int i = 0;
        for (; i + 8 <= dims; i += 8)
            _mm256_storeu_ps(v + i, _mm256_mul_ps(_mm256_loadu_ps(v + i), _mm256_loadu_ps(signs + i)));
        for (; i < dims; i++) v[i] *= signs[i];
        hadamard(v, block, scale);
        if (block < dims) hadamard(v + dims - block, block, scale);
    }
}

__attribute__((target("avx2"))) void strata_products(float *out, const float *v, const float *a, const float *b,
                                                     int64_t n) {
    __m128 sum[4] = {_mm_setzero_ps(), _mm_setzero_ps(), _mm_setzero_ps(), _mm_setzero_ps()};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        __m128 x = _mm_loadu_ps(v + i), y = _mm_loadu_ps(a + i), z = _mm_loadu_ps(b + i);
        sum[0] = _mm_add_ps(sum[0], _mm_mul_ps(x, y));
        sum[1] = _mm_add_ps(sum[1], _mm_mul_ps(y, y));
        sum[2] = _mm_add_ps(sum[2], _mm_mul_ps(x, z));
        sum[3] = _mm_add_ps(sum[3], _mm_mul_ps(z, z));
    }
    float each[4][4];
    for (int k = 0; k < 4; k++) _mm_storeu_ps(each[k], sum[k]);
    for (; i < n; i++) {
        each[0][0] += v[i] * a[i];
        each[1][0] += a[i] * a[i];
        each[2][0] += v[i] * b[i];
        each[3][0] += b[i] * b[i];
    }
    for (int k = 0; k < 4; k++) out[k] = (each[k][0] + each[k][1]) + (each[k][2] + each[k][3]);
}
#else
/* Nothing calls these: the Go code is as good as what would stand here. */
void strata_rotate(float *v, const float *signs, int rounds, int dims, int block, float scale) {
    (void)v, (void)signs, (void)rounds, (void)dims, (void)block, (void)scale;
}
void strata_products(float *out, const float *v, const float *a, const float *b, int64_t n) {
    (void)out, (void)v, (void)a, (void)b, (void)n;
}
#endif
