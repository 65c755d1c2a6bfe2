# The evaluation: points, lines and places are summed as pieces move (position.pxi); what depends on both sides at
# once is computed here from the sets. Symmetric by construction: everything counts neighbours, runs and distances.

cdef struct Terms:
    int at_risk         # dwarfs that a step of a troll can take
    int near            # lone dwarfs that a troll can take in two steps
    int alone           # dwarfs without a neighbour
    int hurled          # trolls that can be hurled at
    int reach           # squares that a step of a troll reaches


cdef inline void spread(const u64 *s, const u64 *empty, u64 *out) noexcept nogil:
    """Empty squares next to the set."""
    cdef int w
    dilate(s, out)
    for w in range(4):
        out[w] &= empty[w]


cdef inline int hurled_trolls(const Position *p) noexcept nogil:
    """How many trolls some line of dwarfs can be hurled at."""
    cdef int w, sq, f, i, pos, q, n, k, total = 0
    cdef u64 b
    cdef u32 x, y
    for w in range(4):
        b = p.t[w]
        while b:
            sq = (w << 6) | ctz64(b)
            b &= b - 1
            for f in range(FAMILIES):
                i = AT[f][sq]
                pos = i & 15
                y = lane(p.d + f * 4, i >> 4)
                if y == 0:
                    continue
                x = lane(p.o + f * 4, i >> 4)
                k = ctz32((x | 0x10000) >> (pos + 1)) + 1
                n = ctz32(~(y >> (pos + k)))
                q = msb32(x & ((<u32>1 << pos) - 1))
                if n >= k or q - msb32(~y & ((<u32>2 << q) - 1)) >= pos - q:
                    total += 1
                    break
    return total


cdef inline void terms_of(const Position *p, Terms *t) noexcept nogil:
    cdef u64[4] empty
    cdef u64[4] first
    cdef u64[4] second
    cdef u64[4] area
    cdef u64[4] lone
    cdef int w
    cdef u64 up, down, side
    for w in range(4):
        empty[w] = ~p.o[w]
        # A dwarf has company when one of the eight shifts of the set stands on it.
        up = p.d[w] << 16
        down = p.d[w] >> 16
        if w > 0:
            up |= p.d[w - 1] >> 48
        if w < 3:
            down |= p.d[w + 1] << 48
        side = p.d[w]
        up |= down
        lone[w] = p.d[w] & ~(up | (up << 1) | (up >> 1) | (side << 1) | (side >> 1))
    spread(p.t, empty, first)
    dilate(first, area)
    t.reach = count(first)
    t.alone = count(lone)
    spread(first, empty, second)
    for w in range(4):
        second[w] &= ~first[w]
        empty[w] = area[w] & p.d[w]
        lone[w] &= ~area[w]
    t.at_risk = count(empty)
    dilate(second, area)
    for w in range(4):
        area[w] &= lone[w]
    t.near = count(area)
    t.hurled = hurled_trolls(p)


cdef inline int evaluate(const Position *p) noexcept nogil:
    """From the side to move, in hundredths of a point."""
    cdef Terms t
    cdef int s = p.sum
    terms_of(p, &t)
    s -= t.at_risk * W[W_DWARF_AT_RISK] + t.near * W[W_DWARF_NEAR] + t.alone * W[W_DWARF_ALONE]
    s -= t.reach * W[W_TROLL_REACH]
    if t.hurled:
        s += W[W_TROLL_HURLED] + (t.hurled - 1) * W[W_TROLL_HURLED_MORE]
    return (s if p.side == DWARF_SIDE else -s) + W[W_TEMPO]


cdef list terms_for_people(const Position *p):
    """The terms: name, dwarfs' part, trolls' part; their difference and the tempo make the evaluation."""
    cdef Terms t
    cdef int sq, f, line, runs_d = 0, runs_t = 0, places_d = 0, places_t = 0
    terms_of(p, &t)
    for f in range(FAMILIES):
        for line in range(16):
            runs_d += worth_of_runs(lane(p.d + f * 4, line), DWARF_RUN)
            runs_t += worth_of_runs(lane(p.t + f * 4, line), TROLL_RUN)
    for sq in range(256):
        if has(p.d, sq):
            places_d += DWARF_AT[sq] - POINT
        if has(p.t, sq):
            places_t += TROLL_AT[sq] - TROLL_POINTS
    hurled = -(W[W_TROLL_HURLED] + (t.hurled - 1) * W[W_TROLL_HURLED_MORE]) if t.hurled else 0
    tempo = W[W_TEMPO]
    return [
        ("points", p.nd * POINT, p.nt * TROLL_POINTS),
        ("lines", runs_d, runs_t),
        ("places", places_d, places_t),
        ("alone", -t.alone * W[W_DWARF_ALONE], 0),
        ("at risk", -t.at_risk * W[W_DWARF_AT_RISK], 0),
        ("near trolls", -t.near * W[W_DWARF_NEAR], 0),
        ("hurled at", 0, hurled),
        ("reach", 0, t.reach * W[W_TROLL_REACH]),
        ("to move", 0 if p.side else tempo, tempo if p.side else 0),
    ]


cdef int worth_of_runs(u32 x, const int *run) noexcept nogil:
    cdef int n = 0, total = 0
    while x:
        if x & 1:
            n += 1
        else:
            total += run[n]
            n = 0
        x >>= 1
    return total + run[n]
