# Which move the tree looks at next: the table's move, captures by what they take, killers and the counter-move, quiet
# moves by history. A list is generated when its stage is reached, and kept as a heap, since of a few hundred quiet
# moves seldom more than a dozen are looked at.

cdef enum:
    STAGE_TABLE
    STAGE_MAKE_CAPTURES
    STAGE_CAPTURES
    STAGE_REFUTATIONS
    STAGE_MAKE_QUIETS
    STAGE_QUIETS
    STAGE_DONE
    HISTORY_MAX = 16384

cdef struct Picker:
    int stage
    bint captures_only
    u32 table_move
    u32 refutation[3]       # two killers and the counter-move
    int refutations
    int next_refutation
    i64 *heap               # score in the upper, move in the lower 32 bits
    int size
    bint any                # was a legal move found at all?


cdef inline void sift(i64 *heap, int size, int i) noexcept nogil:
    cdef i64 x = heap[i]
    cdef int child
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] > heap[child]:
            child += 1
        if heap[child] <= x:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = x


cdef inline void heapify(i64 *heap, int size) noexcept nogil:
    cdef int i = size // 2 - 1
    while i >= 0:
        sift(heap, size, i)
        i -= 1


cdef inline u32 pop_best(i64 *heap, int *size) noexcept nogil:
    cdef i64 best = heap[0]
    size[0] -= 1
    if size[0]:
        heap[0] = heap[size[0]]
        sift(heap, size[0], 0)
    return <u32>best


cdef inline i64 scored(int score, u32 m) noexcept nogil:
    return (<i64>score * (<i64>1 << 32)) | m


cdef void score_captures(const Position *p, const u32 *moves, int n, i64 *heap) noexcept nogil:
    """By gain; among hurls the one from the longer company of dwarfs, which can take back, first."""
    cdef int i
    for i in range(n):
        heap[i] = scored(gain_of(moves[i]), moves[i])
    heapify(heap, n)


cdef void score_quiets(
        const Position *p, const u32 *moves, int n, i64 *heap, const i16 *history, const i16 *follow) noexcept nogil:
    """`history` is by (from, to), `follow` by the square reached, after the opponent's last move."""
    cdef u64[4] danger
    cdef int i, a, b, score, last = -1, left = 0
    cdef u32 m
    if p.side == DWARF_SIDE:
        # Squares next to one that a troll steps to.
        save(danger, grown(less(beside(load(p.t)), load(p.o))))
        for i in range(n):
            m = moves[i]
            a = move_from(m)
            b = move_to(m)
            if a != last:
                last = a
                left = 3000 * has(danger, a) - 150 * count_around(p.d, a)
            score = history[a * 256 + b] + follow[b] + left + 150 * count_around(p.d, b) - 3000 * has(danger, b)
            heap[i] = scored(score, m)
    else:
        for i in range(n):
            m = moves[i]
            a = move_from(m)
            b = move_to(m)
            score = history[a * 256 + b] + follow[b] + 60 * (RING[a] - RING[b])
            heap[i] = scored(score, m)
    heapify(heap, n)
