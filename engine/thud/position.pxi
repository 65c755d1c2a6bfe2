# The position, make and unmake.

cdef enum:
    DWARF_SIDE = 0
    TROLL_SIDE = 1

cdef enum:
    RULE_ANY = 0
    RULE_ALL_OR_NONE = 1
    RULE_ALL = 2
    RULE_ONE = 3

cdef enum:
    POINT = 100             # a dwarf at the end of the battle
    TROLL_POINTS = 400

cdef struct Places:
    # Sums over the pieces of a side; x and y count from the stone.
    i32 x
    i32 y
    i32 squares             # x * x + y * y
    i32 rings               # distances in king's steps

cdef struct Position:
    u64 d[16]       # dwarfs: four families of four words
    u64 t[16]       # trolls
    u64 o[16]       # occupied: pieces and walls
    u64 key         # Zobrist key of pieces and side to move
    i32 side        # DWARF_SIDE or TROLL_SIDE
    i32 quiet       # plies since the last capture
    i32 turn        # turn number, counted up after the trolls' ply
    i32 nd          # dwarfs
    i32 nt          # trolls
    i32 rule        # Rule
    i32 null        # plies since a null move, at most: repetitions are not looked for beyond it
    Places dwarf_places
    Places troll_places

cdef struct Undo:
    u64 key
    u32 move
    i32 quiet
    i32 turn
    i32 null
    Places dwarf_places
    Places troll_places


cdef inline void flip(u64 *s, u64 *o, int sq) noexcept nogil:
    """Put a piece on a square of the set and the occupancy, or take it off."""
    cdef int f, i, w
    cdef u64 bit
    for f in range(FAMILIES):
        i = AT[f][sq]
        w = f * 4 + (i >> 6)
        bit = <u64>1 << (i & 63)
        s[w] ^= bit
        o[w] ^= bit


cdef inline void count_place(Places *s, int sq, int sign) noexcept nogil:
    """Add a piece to the sums (sign 1), or take it out (-1)."""
    cdef int x = (sq & 15) - 8, y = (sq >> 4) - 8
    s.x += sign * x
    s.y += sign * y
    s.squares += sign * (x * x + y * y)
    s.rings += sign * RING[sq]


cdef inline void add_dwarf(Position *p, int sq) noexcept nogil:
    count_place(&p.dwarf_places, sq, 1)
    p.key ^= ZOBRIST[0][sq]
    flip(p.d, p.o, sq)


cdef inline void drop_dwarf(Position *p, int sq) noexcept nogil:
    count_place(&p.dwarf_places, sq, -1)
    p.key ^= ZOBRIST[0][sq]
    flip(p.d, p.o, sq)


cdef inline void add_troll(Position *p, int sq) noexcept nogil:
    count_place(&p.troll_places, sq, 1)
    p.key ^= ZOBRIST[1][sq]
    flip(p.t, p.o, sq)


cdef inline void drop_troll(Position *p, int sq) noexcept nogil:
    count_place(&p.troll_places, sq, -1)
    p.key ^= ZOBRIST[1][sq]
    flip(p.t, p.o, sq)


cdef void clear_position(Position *p) noexcept nogil:
    memset(p, 0, sizeof(Position))
    memcpy(p.o, WALLS, sizeof(WALLS))
    p.turn = 1


# The move word: from, to, captured neighbours of `to`, hurl.

cdef enum:
    HURL = 1 << 24

cdef inline int move_from(u32 m) noexcept nogil:
    return m & 255


cdef inline int move_to(u32 m) noexcept nogil:
    return (m >> 8) & 255


cdef inline u32 move_taken(u32 m) noexcept nogil:
    return (m >> 16) & 255


cdef inline bint is_capture(u32 m) noexcept nogil:
    return (m >> 16) != 0


cdef inline int gain_of(u32 m) noexcept nogil:
    """What a move takes, in hundredths of a point."""
    return TROLL_POINTS if m & HURL else POINT * pop64(move_taken(m))


cdef inline void make(Position *p, u32 m, Undo *u) noexcept nogil:
    """Play a legal move."""
    cdef int a = move_from(m), b = move_to(m)
    cdef u32 taken
    u.key = p.key
    u.move = m
    u.quiet = p.quiet
    u.turn = p.turn
    u.null = p.null
    u.dwarf_places = p.dwarf_places
    u.troll_places = p.troll_places
    p.quiet += 1
    p.null += 1
    if p.side == DWARF_SIDE:
        drop_dwarf(p, a)
        if m & HURL:
            drop_troll(p, b)
            p.nt -= 1
            p.quiet = 0
        add_dwarf(p, b)
    else:
        drop_troll(p, a)
        add_troll(p, b)
        taken = move_taken(m)
        if taken:
            p.quiet = 0
            while taken:
                drop_dwarf(p, b + NEIGHBOUR[ctz32(taken)])
                p.nd -= 1
                taken &= taken - 1
        p.turn += 1
    p.side ^= 1
    p.key ^= ZOBRIST_SIDE


cdef inline void unmake(Position *p, const Undo *u) noexcept nogil:
    """Take back the move that filled `u`."""
    cdef u32 m = u.move
    cdef int a = move_from(m), b = move_to(m)
    cdef u32 taken
    p.side ^= 1
    if p.side == DWARF_SIDE:
        flip(p.d, p.o, b)
        flip(p.d, p.o, a)
        if m & HURL:
            flip(p.t, p.o, b)
            p.nt += 1
    else:
        flip(p.t, p.o, b)
        flip(p.t, p.o, a)
        taken = move_taken(m)
        while taken:
            flip(p.d, p.o, b + NEIGHBOUR[ctz32(taken)])
            p.nd += 1
            taken &= taken - 1
    p.key = u.key
    p.quiet = u.quiet
    p.turn = u.turn
    p.null = u.null
    p.dwarf_places = u.dwarf_places
    p.troll_places = u.troll_places


cdef inline void make_bare(Position *p, u32 m) noexcept nogil:
    """Play a move on the sets alone, for counting: no key, no evaluation, no counters."""
    cdef int a = move_from(m), b = move_to(m)
    cdef u32 taken
    if p.side == DWARF_SIDE:
        flip(p.d, p.o, a)
        if m & HURL:
            flip(p.t, p.o, b)
        flip(p.d, p.o, b)
    else:
        flip(p.t, p.o, a)
        flip(p.t, p.o, b)
        taken = move_taken(m)
        while taken:
            flip(p.d, p.o, b + NEIGHBOUR[ctz32(taken)])
            taken &= taken - 1
    p.side ^= 1


cdef inline void unmake_bare(Position *p, u32 m) noexcept nogil:
    """The flips of `make_bare` are their own inverse."""
    p.side ^= 1
    make_bare(p, m)
    p.side ^= 1


cdef inline void make_null(Position *p, Undo *u) noexcept nogil:
    u.key = p.key
    u.move = 0
    u.quiet = p.quiet
    u.turn = p.turn
    u.null = p.null
    p.null = 0
    p.quiet += 1
    p.side ^= 1
    p.key ^= ZOBRIST_SIDE


cdef inline void unmake_null(Position *p, const Undo *u) noexcept nogil:
    p.side ^= 1
    p.key = u.key
    p.quiet = u.quiet
    p.null = u.null


cdef inline int margin(const Position *p) noexcept nogil:
    """Points, dwarfs minus trolls."""
    return p.nd - 4 * p.nt


cdef inline int final_score(const Position *p) noexcept nogil:
    """Score of a battle that ends here, from the side to move."""
    cdef int s = POINT * margin(p)
    return s if p.side == DWARF_SIDE else -s
