# Python: Move, a move by itself; and lists of them for Python and for NumPy.

cdef object PARTS = re.compile(
    r"([dt]?)([a-p]\d{1,2})-([a-p]\d{1,2})((?:x[a-p]\d{1,2})*)", re.IGNORECASE | re.ASCII)

cdef enum:
    NO_SIDE = 2             # a text that named none
    NO_WORD = 0             # captures that no move can have: only the text holds them


cdef inline int read_square(const unsigned char *s, Py_ssize_t n, Py_ssize_t *at) noexcept:
    """The square that a text has at `at`, which moves on; 0 where there is none that can hold a piece."""
    cdef int file, row
    cdef Py_ssize_t i = at[0]
    if i + 1 >= n:
        return 0
    file = (s[i] | 32) - 97         # letters in either case
    if file < 0 or file > 15 or file == 8:
        return 0
    file += 1 if file < 8 else 0
    row = s[i + 1] - 48
    if row < 1 or row > 9:
        return 0
    i += 2
    if i < n and 48 <= s[i] <= 57:
        row = 10 * row + s[i] - 48
        i += 1
    at[0] = i
    if row > 15 or not ON_BOARD[row * 16 + file]:
        return 0
    return row * 16 + file


cdef inline u32 captured_bit(int to, int sq) noexcept nogil:
    """A captured square as a bit of the move to `to`; 0 where no move to there takes it."""
    cdef int d
    if sq == to:
        return HURL
    for d in range(8):
        if sq == to + NEIGHBOUR[d]:
            return <u32>1 << (16 + d)
    return 0


cdef u32 quick_word(str text, int *side):
    """The word of a move's text and the side that it names; NO_WORD for any text that needs a closer look."""
    cdef Py_ssize_t n = 0, i = 0
    cdef const unsigned char *s
    cdef int a, b, sq
    cdef u32 m, bit
    if not text.isascii():
        return NO_WORD
    s = <const unsigned char*>PyUnicode_AsUTF8AndSize(text, &n)
    side[0] = NO_SIDE
    # a letter is the side's only where a square still follows it: in d5-d6 the d is a file
    if n > 1 and not 48 <= s[1] <= 57:
        if s[0] | 32 == 100:
            side[0] = DWARF_SIDE
        elif s[0] | 32 == 116:
            side[0] = TROLL_SIDE
        else:
            return NO_WORD
        i = 1
    a = read_square(s, n, &i)
    if a == 0 or i >= n or s[i] != 45:
        return NO_WORD
    i += 1
    b = read_square(s, n, &i)
    if b == 0:
        return NO_WORD
    m = word(a, b, 0)
    while i < n:
        if s[i] | 32 != 120:
            return NO_WORD
        i += 1
        sq = read_square(s, n, &i)
        bit = captured_bit(b, sq) if sq else 0
        if bit == 0 or m & bit:
            return NO_WORD
        m |= bit
    if m & HURL and move_taken(m):
        return NO_WORD
    return m


cdef class Move:
    """A move by its text: `dO11-O9`, `TF7-D5xC4`, a hurl `dG9-M9xM9`.

    The side letter may be missing, captures may come in any order, and letters may be in lower case; the move is kept
    as the engine writes it, captures by file, then row. Two moves are equal when their texts then are. Whether a move
    is legal is a position's to say.

    Raises ValueError for text that is no move: bad syntax, a square off the board, a capture named twice.
    """
    cdef u32 word           # NO_WORD where `written` alone says it
    cdef int owner          # DWARF_SIDE, TROLL_SIDE or NO_SIDE
    cdef str written        # made when it is first asked for

    def __init__(self, str text not None):
        self.word = quick_word(text, &self.owner)
        if self.word == NO_WORD:
            self.written = self.read(text)

    cdef str read(self, str text):
        found = PARTS.fullmatch(text)
        if found is None:
            shown = ascii(text if len(text) <= 40 else text[:37] + "...")
            raise ValueError(f"{shown}: not a move (they look like dO11-O9, TF7-D5xC4, dG9-M9xM9)")
        side, start, target, captures = found.groups()
        try:
            squares = [square(start), square(target)]
            taken = [square(name) for name in captures.lower().split("x")[1:]]
        except ValueError as error:
            raise ValueError(f"{text}: {error}") from None
        if len(set(taken)) < len(taken):
            twice = next(sq for sq in taken if taken.count(sq) > 1)
            raise ValueError(f"{text}: {NAMES[twice]} is captured twice")
        taken.sort(key=lambda sq: (sq & 15, sq >> 4))
        self.owner = {"": NO_SIDE, "d": DWARF_SIDE, "t": TROLL_SIDE}[side.lower()]
        ends = "-".join([NAMES[sq] for sq in squares])
        return "dT"[self.owner:self.owner + 1] + "x".join([ends, *[NAMES[sq] for sq in taken]])

    @property
    def text(self):
        if self.written is None:
            self.written = text_of(self.word, self.owner & 1)
            if self.owner == NO_SIDE:
                self.written = self.written[1:]
        return self.written

    @property
    def side(self):
        """`d`, `T`, or `` where the text named no side."""
        return "dT"[self.owner:self.owner + 1]

    @property
    def from_square(self):
        return self.text.lstrip("dT").split("-")[0]

    @property
    def to_square(self):
        return self.text.split("-")[1].split("x")[0]

    @property
    def captured(self):
        """The captured squares, by file, then row."""
        return tuple(self.text.split("x")[1:])

    @property
    def is_hurl(self):
        """Whether a dwarf lands on the troll it takes."""
        return self.captured == (self.to_square,)

    def __str__(self):
        return self.text

    def __repr__(self):
        return f"Move({self.text!r})"

    def __eq__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        return self.same(other)

    cdef bint same(self, Move other):
        if self.word == NO_WORD or other.word == NO_WORD:
            return self.text == other.text
        return self.word == other.word and self.owner == other.owner

    def __hash__(self):
        return hash(self.text) if self.word == NO_WORD else self.word ^ (self.owner << 26)

    def __reduce__(self):
        return Move, (self.text,)


cdef inline Move move_of(u32 m, int side):
    cdef Move move = Move.__new__(Move)
    move.word = m
    move.owner = side
    return move


cdef class MoveArray:
    """A list of moves as bytes, for the buffer protocol: a row a move with from, to, captured neighbours and hurl."""
    cdef u32 *words
    cdef Py_ssize_t[2] shape
    cdef Py_ssize_t[2] strides

    def __dealloc__(self):
        free(self.words)

    def __len__(self):
        return self.shape[0]

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        if flags & PyBUF_WRITABLE == PyBUF_WRITABLE:
            raise BufferError("a list of moves can't be written to")
        buffer.buf = <void*>self.words
        buffer.obj = self
        buffer.len = 4 * self.shape[0]
        buffer.itemsize = 1
        buffer.readonly = 1
        buffer.ndim = 2
        buffer.format = NULL
        if flags & PyBUF_FORMAT == PyBUF_FORMAT:
            buffer.format = b"B"
        buffer.shape = self.shape
        buffer.strides = self.strides
        buffer.suboffsets = NULL
        buffer.internal = NULL
