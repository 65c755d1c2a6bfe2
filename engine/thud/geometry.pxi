# Squares and lines.
#
# A square is row * 16 + file, both 1-15, so that one byte names it and a step in any direction adds a constant. The
# 91 other bytes are walls: row 0 and file 0 frame the board, bytes beyond the octagon fill it up, and the Thudstone's
# square is a wall as well, since nothing enters or crosses it.
#
# A set of squares is 256 bits. The board is kept in four such sets, one a family of lines, each with the squares
# permuted so that a line is 16 consecutive bits (a lane): rows, columns, and the two diagonal directions on a torus
# of 16, where the diagonals k and k - 16 share a lane with a wall between them. A slide's length or a run of pieces
# is then one count-zeros in one lane, and in the family of rows, whose bit number is the square itself, the
# neighbourhood of a whole set is a few shifts.

cdef enum:
    FAMILIES = 4
    STONE = 0x88
    BOARD_SQUARES = 164     # without the Thudstone's

cdef int FIRST[16]          # first file of each row (1-15), its last is 16 - FIRST
cdef u8 AT[4][256]          # where a square's bit stands in a family: line * 16 + position
cdef int STEP[4]            # what one position forward in a lane of a family adds to the square
cdef u64 WALLS[16]          # off-board squares and the stone, all four families
cdef int NEIGHBOUR[8]       # the squares around one, in the order of a move's captured bits: NW N NE W E SW S SE
cdef int FAMILY_OF[8]       # the family in which a direction of NEIGHBOUR runs along a lane
cdef u64 ZOBRIST[2][256]
cdef u64 ZOBRIST_SIDE       # in the key while the trolls are to move
cdef int ON_BOARD[256]      # 1 for the 164 squares that can hold a piece
cdef int RING[256]          # distance from the Thudstone in king's steps


cdef inline int row_of(int sq) noexcept nogil:
    return sq >> 4


cdef inline int file_of(int sq) noexcept nogil:
    return sq & 15


cdef void init_geometry() noexcept nogil:
    cdef int r, c, f, sq, i, width
    cdef u64 seed = 0x7468756473746F6Eu  # "thudston"
    cdef int* deltas = [-17, -16, -15, -1, 1, 15, 16, 17]
    cdef int* families = [2, 1, 3, 0, 0, 3, 1, 2]
    STEP[0] = 1
    STEP[1] = 16
    STEP[2] = 17
    STEP[3] = 15
    for i in range(8):
        NEIGHBOUR[i] = deltas[i]
        FAMILY_OF[i] = families[i]
    for i in range(16):
        WALLS[i] = <u64>-1
    FIRST[0] = 16
    for r in range(1, 16):
        width = 2 * r + 3 if r < 6 else (15 if r < 11 else 35 - 2 * r)
        FIRST[r] = 1 + (15 - width) // 2
    for sq in range(256):
        r = sq >> 4
        c = sq & 15
        AT[0][sq] = <u8>sq
        AT[1][sq] = <u8>(c * 16 + r)
        AT[2][sq] = <u8>(((r - c) & 15) * 16 + r)
        AT[3][sq] = <u8>(((r + c) & 15) * 16 + r)
        ON_BOARD[sq] = r > 0 and c >= FIRST[r] and c <= 16 - FIRST[r] and sq != STONE
        RING[sq] = max(r - 8 if r > 8 else 8 - r, c - 8 if c > 8 else 8 - c)
        ZOBRIST[0][sq] = splitmix(&seed)
        ZOBRIST[1][sq] = splitmix(&seed)
        if ON_BOARD[sq]:
            for f in range(FAMILIES):
                WALLS[f * 4 + (AT[f][sq] >> 6)] ^= <u64>1 << (AT[f][sq] & 63)
    global ZOBRIST_SIDE
    ZOBRIST_SIDE = splitmix(&seed)


init_geometry()


cdef inline bint has(const u64 *s, int sq) noexcept nogil:
    """Is the square in the set (rows family)?"""
    return (s[sq >> 6] >> (sq & 63)) & 1


cdef inline void dilate(const u64 *s, u64 *out) noexcept nogil:
    """The set and all neighbours of its squares (rows family; may spill onto walls). `out` must not be `s`."""
    cdef u64 a = s[0] | (s[0] << 1) | (s[0] >> 1)
    cdef u64 b = s[1] | (s[1] << 1) | (s[1] >> 1)
    cdef u64 c = s[2] | (s[2] << 1) | (s[2] >> 1)
    cdef u64 d = s[3] | (s[3] << 1) | (s[3] >> 1)
    # A row's 15 files and the wall at file 0 keep the sideways shifts apart: what leaves file 15 lands on a wall.
    out[0] = a | (a << 16) | (a >> 16) | (b << 48)
    out[1] = b | (b << 16) | (a >> 48) | (b >> 16) | (c << 48)
    out[2] = c | (c << 16) | (b >> 48) | (c >> 16) | (d << 48)
    out[3] = d | (d << 16) | (c >> 48) | (d >> 16)


cdef inline int count(const u64 *s) noexcept nogil:
    return pop64(s[0]) + pop64(s[1]) + pop64(s[2]) + pop64(s[3])


cdef inline u32 around(const u64 *s, int sq) noexcept nogil:
    """Which of the eight squares around `sq` are in the set (rows family), as the bits of a move's captured mask."""
    cdef int i = sq - 17
    cdef int w = i >> 6
    cdef int b = i & 63
    # The 48 bits from the north-west neighbour on hold all three rows. The word after the last one is the lane of
    # column 0 of the next family, where no piece ever stands.
    cdef u64 x = (s[w] >> b) | ((s[w + 1] << 1) << (63 - b))
    cdef u32 n = <u32>x & 7
    cdef u32 m = <u32>(x >> 16) & 5
    return n | ((m & 1) << 3) | ((m & 4) << 2) | ((<u32>(x >> 32) & 7) << 5)


cdef inline int count_around(const u64 *s, int sq) noexcept nogil:
    cdef int i = sq - 17
    cdef int w = i >> 6
    cdef int b = i & 63
    return pop64(((s[w] >> b) | ((s[w + 1] << 1) << (63 - b))) & 0x0000000700050007u)
