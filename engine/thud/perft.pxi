# Perft: how many sequences of n plies there are. The last ply is counted, not made.

cdef struct Counter:
    Position pos
    bint bulk
    volatile unsigned char *stop        # may be NULL
    bint stopped
    u64 key                             # kept only with a table
    u64 *table                          # pairs of (key mixed with depth, count); may be NULL
    u64 entries                         # a power of two


cdef inline u64 moved_key(const Position *p, u32 m) noexcept nogil:
    """What a move adds to the key, on the position before it."""
    cdef int a = move_from(m), b = move_to(m)
    cdef u32 taken = move_taken(m)
    cdef u64 k = ZOBRIST_SIDE ^ ZOBRIST[p.side][a] ^ ZOBRIST[p.side][b]
    if m & HURL:
        k ^= ZOBRIST[1][b]
    while taken:
        k ^= ZOBRIST[0][b + NEIGHBOUR[ctz32(taken)]]
        taken &= taken - 1
    return k


cdef i64 perft_walk(Counter *c, int depth, u32 *moves) noexcept nogil:
    """Leaves below the counter's position; `moves` has room for depth lists of ALL_MOVES."""
    cdef i64 n = 0
    cdef u32 *end
    cdef u32 *m
    cdef u64 key = c.key, slot = 0, check = 0
    if depth == 0:
        return 1
    if ended(&c.pos):
        return 0
    if depth == 1 and c.bulk:
        return count_moves(&c.pos)
    if c.stop != NULL and c.stop[0]:
        c.stopped = True
        return 0
    if c.table != NULL and depth > 1:
        check = key ^ (<u64>depth * 0x9E3779B97F4A7C15u)
        slot = 2 * (check & (c.entries - 1))
        if c.table[slot] == check and check:
            return <i64>c.table[slot + 1]
    end = all_moves(&c.pos, moves)
    m = moves
    while m < end:
        if depth == 1:
            n += 1
        else:
            if c.table != NULL:
                c.key = key ^ moved_key(&c.pos, m[0])
            make_bare(&c.pos, m[0])
            # A capture may end the battle, which is counted from the numbers of pieces.
            if is_capture(m[0]):
                c.pos.nd -= pop64(move_taken(m[0]))
                c.pos.nt -= 1 if m[0] & HURL else 0
            n += perft_walk(c, depth - 1, moves + ALL_MOVES)
            if is_capture(m[0]):
                c.pos.nd += pop64(move_taken(m[0]))
                c.pos.nt += 1 if m[0] & HURL else 0
            unmake_bare(&c.pos, m[0])
            if c.stopped:
                return 0
        m += 1
    c.key = key
    if c.table != NULL and depth > 1:
        c.table[slot] = check
        c.table[slot + 1] = <u64>n
    return n
