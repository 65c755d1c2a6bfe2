# Board: the position as Python sees it, with the moves that led to it.

cdef int rule_number(str rule) except -1:
    if rule not in RULES:
        raise ValueError(f"TrollCapture {quoted(rule)} is not one of {', '.join(RULES)}")
    return RULES.index(rule)


cdef class Board:
    cdef Position p
    cdef Undo *past         # one entry a move pushed
    cdef int depth          # moves pushed
    cdef int room

    def __cinit__(self, tfen=START, rule="any"):
        self.past = NULL
        self.depth = 0
        self.room = 0

    def __init__(self, str tfen=START, str rule="any"):
        cdef int number = rule_number(rule)
        read_position(&self.p, tfen)
        self.p.rule = number

    def __dealloc__(self):
        free(self.past)

    @staticmethod
    def from_pieces(dwarfs, trolls, int side=0, int quiet=0, int turn=1, str rule="any"):
        cdef Board board = Board.__new__(Board)
        cdef int sq
        if side not in (DWARF_SIDE, TROLL_SIDE):
            raise ValueError(f"side {side} is neither 0 (dwarfs) nor 1 (trolls)")
        if not 0 <= quiet <= 9999 or not 1 <= turn <= 9999:
            raise ValueError(f"counters {quiet} and {turn} should be from 0 and 1 to 9999")
        clear_position(&board.p)
        board.p.rule = rule_number(rule)
        for which, squares in enumerate((dwarfs, trolls)):
            for sq in squares:
                if not 0 <= sq < 256 or not ON_BOARD[sq]:
                    raise ValueError(
                        "H8 is the Thudstone's square" if sq == STONE else f"{sq} is not a square of the board")
                if has(board.p.o, sq):
                    raise ValueError(f"{NAMES[sq]} holds two pieces")
                if which == DWARF_SIDE:
                    add_dwarf(&board.p, sq)
                    board.p.nd += 1
                else:
                    add_troll(&board.p, sq)
                    board.p.nt += 1
        board.p.side = side
        if side == TROLL_SIDE:
            board.p.key ^= ZOBRIST_SIDE
        board.p.quiet = quiet
        board.p.null = quiet
        board.p.turn = turn
        return board

    def __repr__(self):
        return f"Board({position_text(&self.p)!r}, rule={self.rule!r})"

    @property
    def tfen(self):
        return position_text(&self.p)

    @property
    def rule(self):
        return RULES[self.p.rule]

    @rule.setter
    def rule(self, str rule):
        self.p.rule = rule_number(rule)

    @property
    def side(self):
        return self.p.side

    @property
    def quiet(self):
        return self.p.quiet

    @property
    def turn(self):
        return self.p.turn

    @property
    def dwarfs(self):
        return self.p.nd

    @property
    def trolls(self):
        return self.p.nt

    @property
    def key(self):
        return self.p.key

    @property
    def ply(self):
        return self.depth

    def squares(self, int side):
        if side == TROLL_SIDE:
            return [sq for sq in range(256) if has(self.p.t, sq)]
        return [sq for sq in range(256) if has(self.p.d, sq)]

    def piece(self, int square):
        if square == STONE:
            return "R"
        if not 0 <= square < 256 or not ON_BOARD[square]:
            raise ValueError(f"{square} is not a square of the board")
        if has(self.p.d, square):
            return "d"
        return "T" if has(self.p.t, square) else ""

    def end(self):
        if ended(&self.p):
            return "no-pieces"
        return "none" if can_move(&self.p) else "no-move"

    def legal_moves(self):
        cdef u32 *moves
        cdef u32 *end
        if ended(&self.p):
            return []
        moves = <u32*>malloc(ALL_MOVES * sizeof(u32))
        if moves == NULL:
            raise MemoryError
        try:
            end = all_moves(&self.p, moves)
            return [moves[i] for i in range(end - moves)]
        finally:
            free(moves)

    def legal_count(self):
        return count_moves(&self.p)

    def is_legal(self, move):
        return 0 <= move <= 0xFFFFFFFF and legal(&self.p, move)

    def parse(self, str text):
        return read_move(&self.p, text)

    cdef int play(self, u32 m) except -1:
        cdef Undo *grown
        if self.depth == self.room:
            grown = <Undo*>realloc(self.past, (2 * self.room + 64) * sizeof(Undo))
            if grown == NULL:
                raise MemoryError
            self.past = grown
            self.room = 2 * self.room + 64
        make(&self.p, m, &self.past[self.depth])
        self.depth += 1
        return 0

    def push(self, move):
        cdef u32 m = checked(move)
        if not legal(&self.p, m):
            raise ValueError(f"{text_of(m, self.p.side)}: {why_illegal(&self.p, m)}")
        self.play(m)

    def pop(self):
        if self.depth == 0:
            raise IndexError("no move to take back")
        self.depth -= 1
        unmake(&self.p, &self.past[self.depth])
        return self.past[self.depth].move

    def null(self):
        self.p.side ^= 1
        self.p.key ^= ZOBRIST_SIDE
        self.p.null = 0
        self.depth = 0

    def copy(self):
        cdef Board other = Board.__new__(Board)
        memcpy(&other.p, &self.p, sizeof(Position))
        if self.depth:
            other.past = <Undo*>malloc(self.depth * sizeof(Undo))
            if other.past == NULL:
                raise MemoryError
            memcpy(other.past, self.past, self.depth * sizeof(Undo))
            other.depth = other.room = self.depth
        return other

    def perft(self, int depth, bint bulk=True, int hash_mb=0, stop=None):
        cdef Counter c
        cdef u32 *moves = NULL
        cdef unsigned char[::1] flags
        cdef i64 n
        cdef u64 entries = 1
        if not 0 <= depth <= 100:
            raise ValueError(f"depth {depth} should be from 0 to 100")
        if not 0 <= hash_mb <= 1 << 20:
            raise ValueError(f"hash {hash_mb} MB should be from 0 to {1 << 20}")
        memset(&c, 0, sizeof(Counter))
        memcpy(&c.pos, &self.p, sizeof(Position))
        c.bulk = bulk
        c.key = self.p.key
        if stop is not None:
            flags = stop
            c.stop = &flags[0]
        # The worst list times the depth: the system gives memory only to what is touched.
        moves = <u32*>malloc((depth + 1) * <size_t>ALL_MOVES * sizeof(u32))
        if hash_mb:
            while 2 * entries * 16 <= <u64>hash_mb << 20:
                entries *= 2
            c.table = <u64*>calloc(entries, 16)
            c.entries = entries
        if moves == NULL or (hash_mb and c.table == NULL):
            free(moves)
            free(c.table)
            raise MemoryError(f"no memory for a perft of depth {depth}")
        with nogil:
            n = perft_walk(&c, depth, moves)
        free(moves)
        free(c.table)
        return -1 if c.stopped else n

    def evaluate(self):
        return evaluate(&self.p)

    def terms(self):
        return terms_for_people(&self.p)

    def features(self):
        cdef i16[FEATURES + 1] x
        features_of(&self.p, x)
        return [x[i] for i in range(FEATURES)]
