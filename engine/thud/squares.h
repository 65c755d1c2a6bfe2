/* Sets of squares by rows: 16 rows of 16 files, one AVX2 register where the build has it. A step moves all squares of a
   set; what leaves the board lands on walls, or falls off at the last file and row. Both forms count the same. */
#ifndef THUD_SQUARES_H
#define THUD_SQUARES_H
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
  #include <immintrin.h>
  typedef __m256i thud_set;
  static inline thud_set thud_load(const uint64_t *s) { return _mm256_loadu_si256((const __m256i *)s); }
  static inline void thud_save(uint64_t *to, thud_set a) { _mm256_storeu_si256((__m256i *)to, a); }
  static inline thud_set thud_all(void) { return _mm256_set1_epi64x(-1); }
  static inline thud_set thud_empty(void) { return _mm256_setzero_si256(); }
  static inline thud_set thud_and(thud_set a, thud_set b) { return _mm256_and_si256(a, b); }
  static inline thud_set thud_or(thud_set a, thud_set b) { return _mm256_or_si256(a, b); }
  static inline thud_set thud_xor(thud_set a, thud_set b) { return _mm256_xor_si256(a, b); }
  static inline thud_set thud_less(thud_set a, thud_set b) { return _mm256_andnot_si256(b, a); }
  static inline int thud_none(thud_set a) { return _mm256_testz_si256(a, a); }
  static inline thud_set thud_east(thud_set a) { return _mm256_slli_epi16(a, 1); }
  static inline thud_set thud_west(thud_set a) { return _mm256_srli_epi16(a, 1); }
  static inline thud_set thud_south(thud_set a) {
      return _mm256_alignr_epi8(a, _mm256_permute2x128_si256(a, a, 0x08), 14);
  }
  static inline thud_set thud_north(thud_set a) {
      return _mm256_alignr_epi8(_mm256_permute2x128_si256(a, a, 0x81), a, 2);
  }
  static inline int thud_count(thud_set a) {
      uint64_t w[4];
      _mm256_storeu_si256((__m256i *)w, a);
      return thud_pop64(w[0]) + thud_pop64(w[1]) + thud_pop64(w[2]) + thud_pop64(w[3]);
  }
#else
  typedef struct { uint64_t w[4]; } thud_set;
  #define THUD_EACH(expression) { thud_set r; int i; for (i = 0; i < 4; i++) r.w[i] = (expression); return r; }
  static inline thud_set thud_load(const uint64_t *s) THUD_EACH(s[i])
  static inline void thud_save(uint64_t *to, thud_set a) { memcpy(to, a.w, sizeof a.w); }
  static inline thud_set thud_all(void) THUD_EACH(~(uint64_t)0)
  static inline thud_set thud_empty(void) THUD_EACH(0)
  static inline thud_set thud_and(thud_set a, thud_set b) THUD_EACH(a.w[i] & b.w[i])
  static inline thud_set thud_or(thud_set a, thud_set b) THUD_EACH(a.w[i] | b.w[i])
  static inline thud_set thud_xor(thud_set a, thud_set b) THUD_EACH(a.w[i] ^ b.w[i])
  static inline thud_set thud_less(thud_set a, thud_set b) THUD_EACH(a.w[i] & ~b.w[i])
  static inline int thud_none(thud_set a) { return (a.w[0] | a.w[1] | a.w[2] | a.w[3]) == 0; }
  static inline thud_set thud_east(thud_set a) THUD_EACH((a.w[i] << 1) & 0xfffefffefffefffeULL)
  static inline thud_set thud_west(thud_set a) THUD_EACH((a.w[i] >> 1) & 0x7fff7fff7fff7fffULL)
  static inline thud_set thud_south(thud_set a) THUD_EACH((a.w[i] << 16) | (i > 0 ? a.w[i - 1] >> 48 : 0))
  static inline thud_set thud_north(thud_set a) THUD_EACH((a.w[i] >> 16) | (i < 3 ? a.w[i + 1] << 48 : 0))
  static inline int thud_count(thud_set a) {
      return thud_pop64(a.w[0]) + thud_pop64(a.w[1]) + thud_pop64(a.w[2]) + thud_pop64(a.w[3]);
  }
#endif

static inline thud_set thud_south_east(thud_set a) { return thud_south(thud_east(a)); }
static inline thud_set thud_south_west(thud_set a) { return thud_south(thud_west(a)); }
static inline thud_set thud_north_east(thud_set a) { return thud_north(thud_east(a)); }
static inline thud_set thud_north_west(thud_set a) { return thud_north(thud_west(a)); }

/* The set with all squares next to it. */
static inline thud_set thud_grown(thud_set a) {
    thud_set row = thud_or(a, thud_or(thud_east(a), thud_west(a)));
    return thud_or(row, thud_or(thud_north(row), thud_south(row)));
}

/* The squares next to some square of the set. */
static inline thud_set thud_beside(thud_set a) {
    thud_set sides = thud_or(thud_east(a), thud_west(a)), row = thud_or(a, sides);
    return thud_or(sides, thud_or(thud_north(row), thud_south(row)));
}

/* How many squares of the set are next to each square, as four binary digits, the lowest first. */
#define THUD_ADD(x) { \
    thud_set added = (x), carry = thud_and(digits[0], added), next; \
    digits[0] = thud_xor(digits[0], added); \
    next = thud_and(digits[1], carry); \
    digits[1] = thud_xor(digits[1], carry); \
    carry = thud_and(digits[2], next); \
    digits[2] = thud_xor(digits[2], next); \
    digits[3] = thud_or(digits[3], carry); \
}
static inline void thud_degrees(thud_set a, thud_set *digits) {
    thud_set east = thud_east(a), west = thud_west(a);
    digits[0] = thud_xor(east, west);
    digits[1] = thud_and(east, west);
    digits[2] = digits[3] = thud_empty();
    THUD_ADD(thud_north(a)) THUD_ADD(thud_south(a))
    THUD_ADD(thud_north(east)) THUD_ADD(thud_south(east))
    THUD_ADD(thud_north(west)) THUD_ADD(thud_south(west))
}

/* How many straight lines of two, three, four and five squares the set holds. */
#define THUD_RUNS(step) { \
    thud_set line = thud_and(a, step(a)); \
    if (!thud_none(line)) { \
        n[0] += thud_count(line); \
        line = thud_and(line, step(line)); \
        if (!thud_none(line)) { \
            n[1] += thud_count(line); \
            line = thud_and(a, step(line)); \
            n[2] += thud_count(line); \
            line = thud_and(a, step(line)); \
            n[3] += thud_count(line); \
        } \
    } \
}
static inline void thud_runs(thud_set a, int *n) {
    n[0] = n[1] = n[2] = n[3] = 0;
    THUD_RUNS(thud_east) THUD_RUNS(thud_south) THUD_RUNS(thud_south_east) THUD_RUNS(thud_south_west)
}

/* The squares of `open` that lines of `a` reach over squares of `free`: ahead[0] two steps from a line of two or more,
   ahead[1] three from three or more, ahead[2] four from four or more. */
#define THUD_STEP(step, line) thud_and(step(line), free)
#define THUD_AHEAD(step) { \
    thud_set line = thud_and(a, step(a)); \
    if (!thud_none(line)) { \
        ahead[0] = thud_or(ahead[0], thud_and(step(THUD_STEP(step, line)), open)); \
        line = thud_and(a, step(line)); \
        if (!thud_none(line)) { \
            ahead[1] = thud_or(ahead[1], thud_and(step(THUD_STEP(step, THUD_STEP(step, line))), open)); \
            line = thud_and(a, step(line)); \
            ahead[2] = thud_or(ahead[2], \
                thud_and(step(THUD_STEP(step, THUD_STEP(step, THUD_STEP(step, line)))), open)); \
        } \
    } \
}
static inline void thud_reach(thud_set a, thud_set free, thud_set open, thud_set *ahead) {
    ahead[0] = ahead[1] = ahead[2] = thud_empty();
    THUD_AHEAD(thud_east) THUD_AHEAD(thud_west) THUD_AHEAD(thud_north) THUD_AHEAD(thud_south)
    THUD_AHEAD(thud_south_east) THUD_AHEAD(thud_south_west) THUD_AHEAD(thud_north_east) THUD_AHEAD(thud_north_west)
}

/* A layer of 32 units clipped to 0 ... 4096, and their weighted sum: weights by pairs of inputs, then units, so that one
   instruction multiplies and adds a pair. Sums wrap around the same way in both forms. */
#define THUD_UNITS 32
static inline int32_t thud_layer(const int16_t *x, int pairs, const int16_t *w, const int32_t *bias, const int32_t *out) {
#if defined(__AVX2__)
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi32(4096);
    __m256i unit[4], sum = zero;
    __m128i low;
    int i, k;
    for (k = 0; k < 4; k++)
        unit[k] = _mm256_loadu_si256((const __m256i *)(bias + 8 * k));
    for (i = 0; i < pairs; i++) {
        int32_t two;
        __m256i v;
        memcpy(&two, x + 2 * i, sizeof two);
        v = _mm256_set1_epi32(two);
        for (k = 0; k < 4; k++)
            unit[k] = _mm256_add_epi32(unit[k], _mm256_madd_epi16(v,
                _mm256_loadu_si256((const __m256i *)(w + 2 * THUD_UNITS * i + 16 * k))));
    }
    for (k = 0; k < 4; k++)
        sum = _mm256_add_epi32(sum, _mm256_mullo_epi32(_mm256_min_epi32(_mm256_max_epi32(unit[k], zero), one),
            _mm256_loadu_si256((const __m256i *)(out + 8 * k))));
    low = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    low = _mm_add_epi32(low, _mm_shuffle_epi32(low, 0x4e));
    low = _mm_add_epi32(low, _mm_shuffle_epi32(low, 0xb1));
    return _mm_cvtsi128_si32(low);
#else
    uint32_t unit[THUD_UNITS], sum = 0;
    int i, j;
    for (j = 0; j < THUD_UNITS; j++)
        unit[j] = (uint32_t)bias[j];
    for (i = 0; i < pairs; i++)
        for (j = 0; j < THUD_UNITS; j++)
            unit[j] += (uint32_t)(x[2 * i] * w[2 * THUD_UNITS * i + 2 * j])
                + (uint32_t)(x[2 * i + 1] * w[2 * THUD_UNITS * i + 2 * j + 1]);
    for (j = 0; j < THUD_UNITS; j++) {
        int32_t u = (int32_t)unit[j];
        sum += (uint32_t)(u < 0 ? 0 : u > 4096 ? 4096 : u) * (uint32_t)out[j];
    }
    return (int32_t)sum;
#endif
}
#endif
