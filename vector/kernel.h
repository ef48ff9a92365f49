#ifndef STRATA_VECTOR_KERNEL_H
#define STRATA_VECTOR_KERNEL_H

#include <stdint.h>

/* The kernels, in the order of preference. STRATA_PLAIN runs everywhere. */
enum { STRATA_PLAIN = 1, STRATA_AVX2 = 2, STRATA_NEON = 3 };

/* strata_kernel returns the best kernel that this processor can run. */
int strata_kernel(void);

/* strata_scan writes the score of each code of some groups of 32 to scores.
 * A group holds byte 0 of its 32 codes, then byte 1 of them, and so on, bytes
 * in all. For each byte the table has 16 values for its low half and 16 for its
 * high half, at most 127 each. */
void strata_scan(int kernel, uint16_t *scores, const uint8_t *groups, int64_t count,
                 const uint8_t *table, int bytes);

/* strata_interleave arranges codes of so many bytes, one after the other, as
 * groups of 32. bytes is a multiple of 8. */
void strata_interleave(uint8_t *groups, const uint8_t *codes, int64_t count, int bytes);

/* strata_count counts how often each score occurs, by score >> shift. */
void strata_count(uint32_t *counts, const uint16_t *scores, int64_t n, int shift);

/* strata_above writes to slots where the scores are at least low, and returns
 * how many there are, at most room. */
int64_t strata_above(int kernel, int32_t *slots, int64_t room, const uint16_t *scores, int64_t n, int low);

/* The rest is for STRATA_AVX2 alone; Go computes it for other processors. */

/* strata_rotate flips signs and transforms, in rounds, the first and the last
 * block of v, whose length is a power of two of at least 8. signs has dims
 * values for each round. */
void strata_rotate(float *v, const float *signs, int rounds, int dims, int block, float scale);

/* strata_products writes to out the inner products of v and a, a and a, v and b,
 * b and b. */
void strata_products(float *out, const float *v, const float *a, const float *b, int64_t n);

#endif
