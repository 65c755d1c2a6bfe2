# What the rest needs from C: fixed-width types, bit counting, a monotonic clock, a prefetch.

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from libc.stdlib cimport calloc, free, malloc, realloc

ctypedef uint8_t u8
ctypedef uint32_t u32
ctypedef uint64_t u64
ctypedef int16_t i16
ctypedef int32_t i32
ctypedef int64_t i64

cdef extern from *:
    """
    #include <stdint.h>
    #include <math.h>
    #if defined(_MSC_VER)
      #include <intrin.h>
      #include <windows.h>
      static __forceinline int thud_ctz32(uint32_t x) { unsigned long i; _BitScanForward(&i, x); return (int)i; }
      static __forceinline int thud_msb32(uint32_t x) { unsigned long i; _BitScanReverse(&i, x); return (int)i; }
      #if defined(_M_X64) || defined(_M_ARM64)
        static __forceinline int thud_ctz64(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
      #else
        static __forceinline int thud_ctz64(uint64_t x) {
            return (uint32_t)x ? thud_ctz32((uint32_t)x) : 32 + thud_ctz32((uint32_t)(x >> 32)); }
      #endif
      /* __popcnt64 would need a processor check; the portable build counts by hand */
      static __forceinline int thud_pop64(uint64_t x) {
      #if defined(__AVX2__)
          return (int)__popcnt64(x);
      #else
          x -= (x >> 1) & 0x5555555555555555ULL;
          x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
          return (int)((((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL) >> 56);
      #endif
      }
      static double thud_now_ms(void) {
          LARGE_INTEGER f, t; QueryPerformanceFrequency(&f); QueryPerformanceCounter(&t);
          return 1000.0 * (double)t.QuadPart / (double)f.QuadPart; }
      #define thud_prefetch(p) ((void)(p))
    #else
      #include <time.h>
      static inline int thud_ctz32(uint32_t x) { return __builtin_ctz(x); }
      static inline int thud_msb32(uint32_t x) { return 31 - __builtin_clz(x); }
      static inline int thud_ctz64(uint64_t x) { return __builtin_ctzll(x); }
      static inline int thud_pop64(uint64_t x) { return __builtin_popcountll(x); }
      static inline double thud_now_ms(void) {
          struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
          return 1000.0 * (double)t.tv_sec + (double)t.tv_nsec / 1e6; }
      #define thud_prefetch(p) __builtin_prefetch(p)
    #endif
    /* A lane is one line of a family: 16 bits of a 256-bit set, bit 0 always the wall before its first square. */
    static inline uint32_t thud_lane(const uint64_t *set, int line) {
        return (uint32_t)(set[line >> 2] >> ((line & 3) * 16)) & 0xffffu; }
    """
    int ctz32 "thud_ctz32"(u32 x) noexcept nogil
    int msb32 "thud_msb32"(u32 x) noexcept nogil
    int ctz64 "thud_ctz64"(u64 x) noexcept nogil
    int pop64 "thud_pop64"(u64 x) noexcept nogil
    double now_ms "thud_now_ms"() noexcept nogil
    void prefetch "thud_prefetch"(const void *p) noexcept nogil
    u32 lane "thud_lane"(const u64 *words, int line) noexcept nogil
    double c_log "log"(double x) noexcept nogil


cdef inline u64 splitmix(u64 *state) noexcept nogil:
    """The next of a sequence of well-mixed 64-bit numbers (Steele, Lea, Flood 2014)."""
    state[0] += 0x9E3779B97F4A7C15u
    cdef u64 z = state[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu
    return z ^ (z >> 31)
