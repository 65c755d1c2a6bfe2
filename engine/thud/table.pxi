# The transposition table: buckets of four entries, one cache line, shared by all threads without locks. An entry's
# first word is the key xor the second, so that a half-written entry fits no key (Hyatt, Mann 2002).

cdef enum:
    BUCKET = 4
    BOUND_NONE = 0
    BOUND_UPPER = 1     # the score is at most this
    BOUND_LOWER = 2     # at least
    BOUND_EXACT = 3

# Second word: move 25 bits, bound 2, depth 8, age 5, score 20 (offset by SCORE_ZERO).
cdef enum:
    SHIFT_BOUND = 25
    SHIFT_DEPTH = 27
    SHIFT_AGE = 35
    SHIFT_SCORE = 40
    AGES = 32
    SCORE_ZERO = 1 << 19

cdef struct Entry:
    u64 check
    u64 data

cdef struct Hash:
    void *memory
    Entry *entries
    u64 buckets
    u32 age

cdef struct Hit:
    u32 move
    int score
    int depth
    int bound


cdef inline Entry* bucket_of(const Hash *h, u64 key) noexcept nogil:
    return h.entries + BUCKET * (((key >> 32) * h.buckets) >> 32)


cdef inline bint probe(const Hash *h, u64 key, Hit *hit) noexcept nogil:
    cdef Entry *e = bucket_of(h, key)
    cdef int i
    cdef u64 data
    for i in range(BUCKET):
        data = e[i].data
        if (e[i].check ^ data) == key and data:
            hit.move = <u32>(data & 0x1FFFFFF)
            hit.bound = <int>(data >> SHIFT_BOUND) & 3
            hit.depth = <int>(data >> SHIFT_DEPTH) & 255
            hit.score = <int>(data >> SHIFT_SCORE) - SCORE_ZERO
            return True
    return False


cdef inline int worth(const Hash *h, u64 data) noexcept nogil:
    """What an entry is worth keeping: its depth, less the more searches it is old."""
    cdef int age = <int>(data >> SHIFT_AGE) & (AGES - 1)
    return (<int>(data >> SHIFT_DEPTH) & 255) - 8 * ((<int>h.age - age) & (AGES - 1))


cdef inline void store(Hash *h, u64 key, u32 move, int score, int depth, int bound) noexcept nogil:
    cdef Entry *e = bucket_of(h, key)
    cdef Entry *victim = e
    cdef int i
    cdef u64 data
    for i in range(BUCKET):
        data = e[i].data
        if (e[i].check ^ data) == key and data:
            if not move:
                move = <u32>(data & 0x1FFFFFF)      # a bound without a move keeps the one known before
            victim = e + i
            # A much shallower result of the same search does not displace what is known.
            if bound != BOUND_EXACT and depth + 3 < (<int>(data >> SHIFT_DEPTH) & 255) and \
                    (<u32>(data >> SHIFT_AGE) & (AGES - 1)) == h.age:
                return
            break
        if worth(h, data) < worth(h, victim.data):
            victim = e + i
    data = (<u64>move | (<u64>bound << SHIFT_BOUND) | (<u64>depth << SHIFT_DEPTH) | (<u64>h.age << SHIFT_AGE)
            | (<u64>(score + SCORE_ZERO) << SHIFT_SCORE))
    victim.data = data
    victim.check = key ^ data


cdef int fullness(const Hash *h) noexcept nogil:
    """Per mille of entries written in this search, from the first thousand."""
    cdef int i, n = 0
    cdef u64 total = min(<u64>1000, h.buckets * BUCKET)
    for i in range(<int>total):
        if h.entries[i].data and (<u32>(h.entries[i].data >> SHIFT_AGE) & (AGES - 1)) == h.age:
            n += 1
    return n * 1000 // <int>total


cdef class Table:
    """A transposition table of `mb` MB. Memory is given by the system as it is touched."""
    cdef Hash h
    cdef readonly int mb

    def __cinit__(self, int mb):
        if not 1 <= mb <= 1 << 20:
            raise ValueError(f"{mb} MB should be from 1 to {1 << 20}")
        self.mb = mb
        self.h.buckets = (<u64>mb << 20) // (BUCKET * sizeof(Entry))
        self.allocate()

    cdef int allocate(self) except -1:
        self.h.memory = calloc(self.h.buckets * BUCKET * sizeof(Entry) + 64, 1)
        if self.h.memory == NULL:
            raise MemoryError(f"no memory for a table of {self.mb} MB")
        self.h.entries = <Entry*>((<u64>self.h.memory + 63) & ~<u64>63)
        self.h.age = 0
        return 0

    def __dealloc__(self):
        free(self.h.memory)

    def clear(self):
        """Forget everything. Fresh memory is faster than writing zeros, and gives back what was used."""
        free(self.h.memory)
        self.h.memory = NULL
        self.allocate()

    def new_search(self):
        """Entries from before count as old."""
        self.h.age = (self.h.age + 1) & (AGES - 1)

    def hashfull(self):
        return fullness(&self.h)
