"""Which instruction sets this processor has, and which ones this build of the core needs.

Compiled without special flags, so that it runs wherever the interpreter does.
"""

cdef extern from *:
    """
    #include <stdint.h>
    #ifndef THUDSTONE_NEEDS
    #define THUDSTONE_NEEDS ""
    #endif

    #if defined(__x86_64__) && !defined(_MSC_VER)
    #include <cpuid.h>
    static int thud_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t *out) {
        return __get_cpuid_count(leaf, subleaf, &out[0], &out[1], &out[2], &out[3]);
    }
    static uint32_t thud_xcr0(void) {
        uint32_t low, high;
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        return low;
    }
    #elif defined(_M_X64) && defined(_MSC_VER)
    #include <intrin.h>
    static int thud_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t *out) {
        __cpuid((int *)out, (int)(leaf & 0x80000000u));
        if (out[0] < leaf) return 0;
        __cpuidex((int *)out, (int)leaf, (int)subleaf);
        return 1;
    }
    static uint32_t thud_xcr0(void) { return (uint32_t)_xgetbv(0); }
    #else
    static int thud_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t *out) {
        (void)leaf; (void)subleaf; (void)out;
        return 0;
    }
    static uint32_t thud_xcr0(void) { return 0; }
    #endif
    """
    ctypedef unsigned int uint32_t
    const char *THUDSTONE_NEEDS
    int thud_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t *out) noexcept
    uint32_t thud_xcr0() noexcept

cdef enum:
    EAX, EBX, ECX, EDX
    OSXSAVE = 1 << 27  # leaf 1, ECX: the operating system enabled XGETBV
    YMM = 0x06  # XCR0: the system saves the registers AVX needs
    ZMM = 0xE6  # and those of AVX-512

# Name, as compilers write it in their predefined macros, to CPUID leaf, subleaf, register, bit and the register state
# the operating system must save. Only what a compiler emits unasked is here.
cdef dict FEATURES = {
    "sse3": (1, 0, ECX, 0, 0),
    "ssse3": (1, 0, ECX, 9, 0),
    "fma": (1, 0, ECX, 12, YMM),
    "sse4_1": (1, 0, ECX, 19, 0),
    "sse4_2": (1, 0, ECX, 20, 0),
    "movbe": (1, 0, ECX, 22, 0),
    "popcnt": (1, 0, ECX, 23, 0),
    "avx": (1, 0, ECX, 28, YMM),
    "f16c": (1, 0, ECX, 29, YMM),
    "bmi": (7, 0, EBX, 3, 0),
    "avx2": (7, 0, EBX, 5, YMM),
    "bmi2": (7, 0, EBX, 8, 0),
    "avx512f": (7, 0, EBX, 16, ZMM),
    "avx512dq": (7, 0, EBX, 17, ZMM),
    "adx": (7, 0, EBX, 19, 0),
    "avx512ifma": (7, 0, EBX, 21, ZMM),
    "avx512cd": (7, 0, EBX, 28, ZMM),
    "avx512bw": (7, 0, EBX, 30, ZMM),
    "avx512vl": (7, 0, EBX, 31, ZMM),
    "avx512vbmi": (7, 0, ECX, 1, ZMM),
    "avx512vbmi2": (7, 0, ECX, 6, ZMM),
    "gfni": (7, 0, ECX, 8, 0),
    "avx512vnni": (7, 0, ECX, 11, ZMM),
    "avx512bitalg": (7, 0, ECX, 12, ZMM),
    "avx512vpopcntdq": (7, 0, ECX, 14, ZMM),
    "avx512fp16": (7, 0, EDX, 23, ZMM),
    "avxvnni": (7, 1, EAX, 4, YMM),
    "avx512bf16": (7, 1, EAX, 5, ZMM),
    "avxifma": (7, 1, EAX, 23, YMM),
    "lzcnt": (0x80000001, 0, ECX, 5, 0),
}

V3 = ("avx2", "bmi", "bmi2", "lzcnt", "popcnt")  # what core_v3 is compiled for, see setup.py

NEEDS = tuple(name for name in THUDSTONE_NEEDS.decode().split() if name in FEATURES)  # of a build for one machine


def missing(names):
    """Those of the named instruction sets that this processor or its operating system lacks. KeyError for a name that
    is not known."""
    return tuple(name for name in names if not _has(*FEATURES[name]))


def _has(uint32_t leaf, uint32_t subleaf, int register, int bit, uint32_t state):
    cdef uint32_t out[4]
    if state:
        if not thud_cpuid(1, 0, out) or not out[ECX] & OSXSAVE or (thud_xcr0() & state) != state:
            return False
    return bool(thud_cpuid(leaf, subleaf, out) and out[register] >> bit & 1)
