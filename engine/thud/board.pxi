# Board: the position as Python sees it, with the moves that led to it.

cdef int rule_number(str rule) except -1:
    if rule not in RULES:
        raise ValueError(f"TrollCapture {quoted(rule)} is not one of {', '.join(RULES)}")
    return RULES.index(rule)


cdef inline int king_steps(int a, int b) noexcept nogil:
    return max(abs(row_of(a) - row_of(b)), abs(file_of(a) - file_of(b)))


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

    cdef MoveArray listed(self):
        """The legal moves, in the core's order."""
        cdef MoveArray array = MoveArray.__new__(MoveArray)
        cdef u32 *shrunk
        cdef Py_ssize_t n = 0
        array.words = <u32*>malloc(ALL_MOVES * sizeof(u32))
        if array.words == NULL:
            raise MemoryError
        if not ended(&self.p):
            n = all_moves(&self.p, array.words) - array.words
        shrunk = <u32*>realloc(array.words, max(n, 1) * sizeof(u32))
        if shrunk != NULL:
            array.words = shrunk
        array.shape[0] = n
        array.shape[1] = array.strides[0] = 4
        array.strides[1] = 1
        return array

    def legal_moves(self):
        cdef MoveArray array = self.listed()
        return [array.words[i] for i in range(array.shape[0])]

    def move_objects(self, bint captures=False, bint hurls=False, bint shoves=False):
        cdef MoveArray array = self.listed()
        cdef int side = self.p.side
        cdef list found = []
        cdef Py_ssize_t i
        cdef u32 m
        for i in range(array.shape[0]):
            m = array.words[i]
            if captures and not is_capture(m) or hurls and not m & HURL:
                continue
            if shoves and (side == DWARF_SIDE or king_steps(move_from(m), move_to(m)) < 2):
                continue
            found.append(move_of(m, side))
        return found

    def move_array(self):
        cdef MoveArray array = self.listed()
        cdef Py_ssize_t i
        cdef u32 m
        cdef unsigned char *row
        for i in range(array.shape[0]):     # the word's bytes from the lowest on, whatever the machine's order
            m = array.words[i]
            row = <unsigned char*>&array.words[i]
            row[0] = move_from(m)
            row[1] = move_to(m)
            row[2] = move_taken(m)
            row[3] = m >> 24
        return array

    cdef u32 word_of(self, move) except? 0:
        """The legal move that a Move or its text means; ValueError with the reason otherwise."""
        cdef u32 m
        cdef int side = NO_SIDE
        if isinstance(move, Move):
            m = (<Move>move).word
            side = (<Move>move).owner
        else:
            m = quick_word(move, &side)
        if m != NO_WORD and (side == NO_SIDE or side == self.p.side) and legal(&self.p, m):
            return m
        return read_move(&self.p, (<Move>move).text if isinstance(move, Move) else move)

    def find(self, move):
        return move_of(self.word_of(move), self.p.side)

    def push_move(self, move):
        cdef u32 m = self.word_of(move)
        cdef int side = self.p.side
        self.play(m)
        return move_of(m, side)

    def pop_move(self):
        cdef u32 m = self.pop()
        return move_of(m, self.p.side)

    def moves_made(self):
        return [move_of(self.past[i].move, self.p.side ^ ((self.depth - i) & 1)) for i in range(self.depth)]

    def run(self, int square, int direction):
        """How many pieces of one side stand in line from `square` backwards, seen in a direction of NEIGHBOUR."""
        cdef int f = FAMILY_OF[direction]
        cdef bint up = NEIGHBOUR[direction] > 0
        if has(self.p.d, square):
            return behind(self.p.d, f, AT[f][square], up)
        return behind(self.p.t, f, AT[f][square], up) if has(self.p.t, square) else 0

    def legal_count(self):
        return count_moves(&self.p)

    def is_legal(self, move):
        return 0 <= move <= 0xFFFFFFFF and legal(&self.p, move)

    def parse(self, str text not None):
        return self.word_of(text)

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
