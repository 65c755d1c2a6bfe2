# Generation, counting and legality. Rules: dwarfs slide like queens or are hurled from the front of a line onto a
# troll; trolls step, or are shoved from the front of a line and then must capture. Every (from, to, captured set) is
# one move.
#
# No list can overflow. A square is reached along at most eight directions, by one piece each, so there are at most 8
# x 164 dwarf moves. For a landing of trolls each direction offers either a troll to come from or a neighbour to
# capture, so k trolls have at most k * 2^(8-k) <= 128 moves to it; in the tree, where of the sets under `any` only
# the full one and none are looked at, at most 16, and at most 8 + 16 under `one`.

cdef enum:
    ALL_MOVES = 164 * 128
    TREE_MOVES = 164 * 24

cdef inline u32 word(int a, int b, u32 taken) noexcept nogil:
    return <u32>a | (<u32>b << 8) | (taken << 16)


cdef inline int ahead(const u64 *o, int family, int i, bint up) noexcept nogil:
    """How many empty squares follow position `i` (line * 16 + position) of a family, forward or back."""
    cdef u32 x = lane(o + family * 4, i >> 4)
    cdef int pos = i & 15
    if up:
        return ctz32((x | 0x10000) >> (pos + 1))
    return pos - 1 - msb32(x & ((<u32>1 << pos) - 1))


cdef inline int behind(const u64 *s, int family, int i, bint up) noexcept nogil:
    """Length of the run of pieces of a set that ends, going forward or back, at position `i`, which counts."""
    cdef u32 x = lane(s + family * 4, i >> 4)
    cdef int pos = i & 15
    if up:
        return pos - msb32(~x & ((<u32>2 << pos) - 1))
    return ctz32(~(x >> pos))


cdef inline u32* hurls(const Position *p, u32 *out) noexcept nogil:
    """The dwarfs' captures, found from the trolls' side: along each ray of a troll, is the first piece a dwarf with a
    line behind it that is long enough?"""
    cdef int w, sq, f, i, pos, q, n, k
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
                if n >= k:
                    out[0] = word(sq + k * STEP[f], sq, 0) | HURL
                    out += 1
                q = msb32(x & ((<u32>1 << pos) - 1))
                k = pos - q
                n = q - msb32(~y & ((<u32>2 << q) - 1))
                if n >= k:
                    out[0] = word(sq - k * STEP[f], sq, 0) | HURL
                    out += 1
    return out


cdef inline u32* slides(const Position *p, u32 *out) noexcept nogil:
    """The dwarfs' moves without capture."""
    cdef int w, sq, f, i, pos, to, last
    cdef u64 b
    cdef u32 x
    for w in range(4):
        b = p.d[w]
        while b:
            sq = (w << 6) | ctz64(b)
            b &= b - 1
            for f in range(FAMILIES):
                i = AT[f][sq]
                pos = i & 15
                x = lane(p.o + f * 4, i >> 4)
                last = sq + STEP[f] * ctz32((x | 0x10000) >> (pos + 1))
                to = sq
                while to != last:
                    to += STEP[f]
                    out[0] = word(sq, to, 0)
                    out += 1
                last = sq - STEP[f] * (pos - 1 - msb32(x & ((<u32>1 << pos) - 1)))
                to = sq
                while to != last:
                    to -= STEP[f]
                    out[0] = word(sq, to, 0)
                    out += 1
    return out


cdef inline u32* sets_of(u32 base, u32 mask, bint none, u32 *out) noexcept nogil:
    """The move with every subset of the captured mask, the empty one only with `none`."""
    cdef u32 s = 0
    if none:
        out[0] = base
        out += 1
    while True:
        s = (s - mask) & mask
        if s == 0:
            return out
        out[0] = base | (s << 16)
        out += 1


cdef inline u32* singles(u32 base, u32 mask, u32 *out) noexcept nogil:
    while mask:
        out[0] = base | ((mask & (0 - mask)) << 16)
        out += 1
        mask &= mask - 1
    return out


cdef inline u32* steps(const Position *p, bint captures, u32 *out) noexcept nogil:
    """The trolls' moves by one square, without capture or, with `captures`, all."""
    cdef int w, sq, d, to
    cdef int rule = p.rule
    cdef u64 b
    cdef u32 mask, base
    for w in range(4):
        b = p.t[w]
        while b:
            sq = (w << 6) | ctz64(b)
            b &= b - 1
            for d in range(8):
                to = sq + NEIGHBOUR[d]
                if to > 255 or has(p.o, to):
                    continue
                base = word(sq, to, 0)
                mask = around(p.d, to)
                if mask == 0 or rule != RULE_ALL:
                    out[0] = base
                    out += 1
                if captures and mask:
                    if rule == RULE_ANY:
                        out = sets_of(base, mask, False, out)
                    elif rule == RULE_ONE:
                        out = singles(base, mask, out)
                    else:
                        out[0] = base | (mask << 16)
                        out += 1
    return out


cdef inline void shifted(const u64 *s, int direction, u64 *out) noexcept nogil:
    """The set moved one step in a direction of NEIGHBOUR (rows family)."""
    cdef int by = NEIGHBOUR[direction]
    if by > 0:
        out[3] = (s[3] << by) | (s[2] >> (64 - by))
        out[2] = (s[2] << by) | (s[1] >> (64 - by))
        out[1] = (s[1] << by) | (s[0] >> (64 - by))
        out[0] = s[0] << by
    else:
        by = -by
        out[0] = (s[0] >> by) | (s[1] << (64 - by))
        out[1] = (s[1] >> by) | (s[2] << (64 - by))
        out[2] = (s[2] >> by) | (s[3] << (64 - by))
        out[3] = s[3] >> by


cdef inline u32* shoves(const Position *p, bint full_only, u32 *out) noexcept nogil:
    """The trolls' captures by two squares or more (by one square it is a capturing step). With `full_only`, of the
    captured sets that `any` allows just the full one."""
    cdef int w, sq, d, to, last, step, f, reach
    cdef bint up
    cdef u64 b
    cdef u64[4] behind_them
    cdef u32 mask
    for d in range(8):
        step = NEIGHBOUR[d]
        f = FAMILY_OF[d]
        up = step > 0
        shifted(p.t, d, behind_them)
        for w in range(4):
            b = p.t[w] & behind_them[w]         # trolls with a troll behind them
            while b:
                sq = (w << 6) | ctz64(b)
                b &= b - 1
                reach = min(ahead(p.o, f, AT[f][sq], up), behind(p.t, f, AT[f][sq], up))
                last = sq + step * max(reach, 1)
                to = sq + step
                while to != last:
                    to += step
                    mask = around(p.d, to)
                    if mask == 0:
                        continue
                    if p.rule == RULE_ANY and not full_only:
                        out = sets_of(word(sq, to, 0), mask, False, out)
                    else:
                        out[0] = word(sq, to, mask)
                        out += 1
    return out


cdef inline u32* captures_by_step(const Position *p, u32 *out) noexcept nogil:
    """The trolls' captures by one square as the tree looks at them, found from the landing squares next to dwarfs."""
    cdef u64[4] near
    cdef u64[4] reached
    cdef int w, sq
    cdef u64 b
    cdef u32 mask, trolls
    dilate(p.d, near)
    dilate(p.t, reached)
    for w in range(4):
        b = near[w] & reached[w] & ~p.o[w]
        while b:
            sq = (w << 6) | ctz64(b)
            b &= b - 1
            mask = around(p.d, sq)
            trolls = around(p.t, sq)
            while trolls:
                if p.rule == RULE_ONE:
                    out = singles(word(sq + NEIGHBOUR[ctz32(trolls)], sq, 0), mask, out)
                else:
                    out[0] = word(sq + NEIGHBOUR[ctz32(trolls)], sq, mask)
                    out += 1
                trolls &= trolls - 1
    return out


cdef inline bint ended(const Position *p) noexcept nogil:
    return p.nd == 0 or p.nt == 0


cdef u32* all_moves(const Position *p, u32 *out) noexcept nogil:
    """Every legal move of a battle that goes on; room for ALL_MOVES."""
    if p.side == DWARF_SIDE:
        return slides(p, hurls(p, out))
    return steps(p, True, shoves(p, False, out))


cdef inline u32* tree_captures(const Position *p, u32 *out) noexcept nogil:
    """The captures that the tree looks at; room for TREE_MOVES together with `tree_quiets`."""
    if p.side == DWARF_SIDE:
        return hurls(p, out)
    return captures_by_step(p, shoves(p, True, out))


cdef inline u32* tree_quiets(const Position *p, u32 *out) noexcept nogil:
    if p.side == DWARF_SIDE:
        return slides(p, out)
    return steps(p, False, out)


# Counting without lists. A slide's squares are filled for a whole family at once: adding the bits next to the dwarfs
# to the empty squares carries through each empty run and stops at what ends it. Backwards the carry does not go, so
# the fill doubles its reach four times.

cdef inline i64 count_dwarf_moves(const Position *p) noexcept nogil:
    cdef u32[8 * BOARD_SQUARES] found
    cdef i64 n = hurls(p, found) - found
    cdef int w
    cdef u64 e, d, g, q
    for w in range(16):
        e = ~p.o[w]
        d = p.d[w]
        n += pop64(e & ~(e + ((d << 1) & e)))
        g = (d >> 1) & e
        q = e
        g |= q & (g >> 1)
        q &= q >> 1
        g |= q & (g >> 2)
        q &= q >> 2
        g |= q & (g >> 4)
        q &= q >> 4
        g |= q & (g >> 8)
        n += pop64(g)
    return n


cdef inline i64 sets_for(int rule, int neighbours, bint step) noexcept nogil:
    """How many captured sets a landing with that many dwarfs around it allows."""
    if neighbours == 0:
        return 1 if step else 0
    if rule == RULE_ANY:
        return (<i64>1 << neighbours) - (0 if step else 1)
    if rule == RULE_ALL or not step:
        return 1
    return 2 if rule == RULE_ALL_OR_NONE else 1 + neighbours


cdef inline i64 landings(const Position *p, const u64 *s, const u64 *zone, bint step) noexcept nogil:
    """Moves to the squares of a set, one piece each. `zone` is where dwarfs are near."""
    cdef i64 n = 0
    cdef int w
    cdef u64 b
    for w in range(4):
        if step:
            n += pop64(s[w] & ~zone[w])
        b = s[w] & zone[w]
        while b:
            n += sets_for(p.rule, count_around(p.d, (w << 6) | ctz64(b)), step)
            b &= b - 1
    return n


cdef i64 count_troll_moves(const Position *p) noexcept nogil:
    cdef u64[4] zone
    cdef u64[4] to
    cdef u64[4] line
    cdef u64[4] once
    cdef u64[4] twice
    cdef i64 n = 0
    cdef int d, w
    dilate(p.d, zone)
    for d in range(8):
        shifted(p.t, d, once)
        for w in range(4):
            to[w] = once[w] & ~p.o[w]
        n += landings(p, to, zone, True)
        # Shoves by k squares, k = 2, 3, ...: `line` holds the fronts of lines of at least k trolls moved k - 1
        # squares (those of k - 1 trolls, moved on by one square and by two), `to` the empty squares reached over
        # empty ones.
        for w in range(4):
            line[w] = p.t[w]
        while True:
            shifted(line, d, once)
            shifted(once, d, twice)
            for w in range(4):
                line[w] = once[w] & twice[w]
                once[w] = line[w] & to[w]
            if not (once[0] | once[1] | once[2] | once[3]):
                break
            shifted(once, d, to)
            for w in range(4):
                to[w] &= ~p.o[w]
            n += landings(p, to, zone, False)
    return n


cdef inline i64 count_moves(const Position *p) noexcept nogil:
    if ended(p):
        return 0
    return count_dwarf_moves(p) if p.side == DWARF_SIDE else count_troll_moves(p)


cdef bint can_move(const Position *p) noexcept nogil:
    """Has the side to move a legal move (in a battle with pieces on both sides)?"""
    cdef u64[4] near
    cdef int w
    if p.side == DWARF_SIDE:
        dilate(p.d, near)
        for w in range(4):
            # a step, or a troll on the next square, which a lone dwarf takes
            if near[w] & (~p.o[w] | p.t[w]):
                return True
        return False
    dilate(p.t, near)
    for w in range(4):
        if near[w] & ~p.o[w]:
            return True         # a step to it is legal under every rule
    return False


cdef bint legal(const Position *p, u32 m) noexcept nogil:
    """Is the word a legal move here? Any 32 bits may be asked about."""
    cdef int a = move_from(m), b = move_to(m)
    cdef int dr = row_of(b) - row_of(a), dc = file_of(b) - file_of(a)
    cdef int f, i, k, n
    cdef bint up
    cdef u32 mask, taken = move_taken(m)
    if m >> 25 or not ON_BOARD[a] or not ON_BOARD[b] or a == b or ended(p):
        return False
    if dr == 0:
        f = 0
        k = dc
    elif dc == 0:
        f = 1
        k = dr
    elif dr == dc:
        f = 2
        k = dr
    elif dr == -dc:
        f = 3
        k = dr
    else:
        return False
    up = k > 0
    if not up:
        k = -k
    i = AT[f][a]
    n = ahead(p.o, f, i, up)
    if p.side == DWARF_SIDE:
        if not has(p.d, a) or taken:
            return False
        if not m & HURL:
            return k <= n
        return n == k - 1 and has(p.t, b) and behind(p.d, f, i, up) >= k
    if not has(p.t, a) or m & HURL or k > n:
        return False
    mask = around(p.d, b)
    if taken & ~mask:
        return False
    if k > 1:
        if behind(p.t, f, i, up) < k or not taken:
            return False
        return p.rule == RULE_ANY or taken == mask
    if p.rule == RULE_ALL:
        return taken == mask
    if p.rule == RULE_ALL_OR_NONE:
        return taken == 0 or taken == mask
    if p.rule == RULE_ONE:
        return not taken & (taken - 1)
    return True
