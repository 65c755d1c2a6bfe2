# Squares, moves and positions as text. What is wrong with a text is said with the square or the row at fault.

import re

FILES = "ABCDEFGHJKLMNOP"
START = "dd1dd/d5d/d7d/d9d/d11d/d13d/d5TTT5d/6TRT6/d5TTT5d/d13d/d11d/d9d/d7d/d5d/dd1dd d 0 1"
RULES = ("any", "all-or-none", "all", "one")
DWARFS = DWARF_SIDE
TROLLS = TROLL_SIDE
SQUARES = tuple([sq for sq in range(256) if ON_BOARD[sq]])

cdef tuple NAMES = tuple([FILES[(sq & 15) - 1] + str(sq >> 4) if sq & 15 and sq >> 4 else "" for sq in range(256)])
cdef dict NUMBERS = {NAMES[sq]: sq for sq in range(256) if ON_BOARD[sq] or sq == STONE}
cdef tuple SIDE_NAMES = ("dwarf", "troll")
cdef object MOVE_SHAPE = re.compile(
    r"(?:([dt])(?=[a-z]))?([a-z][1-9][0-9]?)-([a-z][1-9][0-9]?)((?:x[a-z][1-9][0-9]?)*)", re.IGNORECASE | re.ASCII)


cdef str quoted(object text):
    """A text from outside, fit for a line of a message."""
    cdef str s = str(text)
    if len(s) > 40:
        s = s[:37] + "..."
    return ascii(s).strip("'") if not s.isprintable() else s.encode("ascii", "backslashreplace").decode("ascii")


cpdef int square(str name) except -1:
    found = NUMBERS.get(name.upper())
    if found is None:
        raise ValueError(f"{quoted(name)} is not a square of the board")
    return found


def square_name(int square):
    if not 0 <= square < 256 or not (ON_BOARD[square] or square == STONE):
        raise ValueError(f"{square} is not a square of the board")
    return NAMES[square]


cdef list captured_squares(u32 m):
    cdef int b = move_to(m)
    if m & HURL:
        return [b]
    found = [b + NEIGHBOUR[d] for d in range(8) if (move_taken(m) >> d) & 1]
    found.sort(key=lambda sq: (sq & 15, sq >> 4))
    return found


cdef bint on_board(u32 m):
    """Are all squares that a word names squares of the board?"""
    if m >> 25 or not ON_BOARD[move_from(m)] or not ON_BOARD[move_to(m)]:
        return False
    return all([0 <= sq < 256 and ON_BOARD[sq] for sq in captured_squares(m)])


cdef u32 checked(object move) except? 0:
    """A number from outside as a move word; ValueError where it names squares that are not on the board."""
    if not 0 <= move <= 0xFFFFFFFF or not on_board(move):
        raise ValueError(f"{move} is not a move")
    return move


def captured(move):
    return captured_squares(checked(move))


def move_text(move, int side):
    return text_of(checked(move), side)


cdef str text_of(u32 m, int side):
    cdef str text = ("T" if side else "d") + NAMES[move_from(m)] + "-" + NAMES[move_to(m)]
    if is_capture(m):
        for sq in captured_squares(m):
            text += "x" + NAMES[sq]
    return text


cdef str obstacle(const Position *p, int a, int b):
    """What a piece on `a` meets on its straight way to `b`, `b` included; empty when the way is free. None when the
    squares are not on a line."""
    cdef int dr = row_of(b) - row_of(a), dc = file_of(b) - file_of(a), step, sq
    if dr and dc and dr != dc and dr != -dc:
        return None
    step = 16 * ((dr > 0) - (dr < 0)) + (dc > 0) - (dc < 0)
    sq = a
    while sq != b:
        sq += step
        if sq == STONE:
            return "the Thudstone is in the way" if sq != b else "the Thudstone stands on H8"
        if not ON_BOARD[sq]:
            return "the way leaves the board"
        if has(p.o, sq):
            piece = "troll" if has(p.t, sq) else "dwarf"
            return f"a {piece} stands on {NAMES[sq]}" if sq == b else f"a {piece} on {NAMES[sq]} is in the way"
    return ""


cdef str why_illegal(const Position *p, u32 m):
    """The reason why a move on squares of the board is not legal here."""
    cdef int a = move_from(m), b = move_to(m)
    cdef int k = max(abs(row_of(b) - row_of(a)), abs(file_of(b) - file_of(a)))
    cdef u32 taken = move_taken(m), mask
    cdef str name = SIDE_NAMES[p.side], way
    if ended(p):
        return "the battle is over: no-pieces"
    if not can_move(p):
        return "the battle is over: no-move"
    if not (has(p.t, a) if p.side else has(p.d, a)):
        return f"no {name} on {NAMES[a]}"
    if a == b:
        return "the piece stays where it is"
    way = obstacle(p, a, b)
    if way is None:
        return f"{NAMES[b]} is not in a straight line from {NAMES[a]}"
    if p.side == DWARF_SIDE:
        if taken:
            return "a dwarf takes only the troll on the square it is hurled to"
        if not m & HURL:
            if has(p.t, b) and way.endswith(f"stands on {NAMES[b]}"):
                return f"a hurl is written with its capture: x{NAMES[b]}"
            return way
        if not has(p.t, b):
            return f"no troll on {NAMES[b]}"
        if not way.endswith(f"stands on {NAMES[b]}"):
            return way
        return f"the line behind {NAMES[a]} is too short to hurl {k} squares"
    if m & HURL:
        return f"no dwarf next to {NAMES[b]} is captured"
    if way:
        return way
    mask = around(p.d, b)
    if taken & ~mask:
        sq = b + NEIGHBOUR[ctz32(taken & ~mask)]
        return f"no dwarf on {NAMES[sq]}" if 0 <= sq < 256 and ON_BOARD[sq] else "a captured square is off the board"
    if k > 1:
        if behind_on_way(p, a, b) < k:
            return f"the line behind {NAMES[a]} is too short to shove {k} squares"
        if not taken:
            return "a shove must capture"
    return f"the capture is not one that TrollCapture {RULES[p.rule]} allows"


cdef int behind_on_way(const Position *p, int a, int b):
    """How many trolls stand in line from `a` backwards, seen from `b`."""
    cdef int dr = row_of(b) - row_of(a), dc = file_of(b) - file_of(a), n = 0, sq = a
    cdef int step = 16 * ((dr > 0) - (dr < 0)) + (dc > 0) - (dc < 0)
    while 0 <= sq < 256 and has(p.t, sq):
        n += 1
        sq -= step
    return n


cdef u32 read_move(const Position *p, str text) except? 0:
    """A legal move from its text; ValueError with the reason otherwise."""
    cdef int a, b, sq, d
    cdef u32 m
    shape = MOVE_SHAPE.fullmatch(text)
    if shape is None:
        raise ValueError(f"{quoted(text)}: not a move (like dO11-O9 or TF7-D5xC4)")
    try:
        a = square(shape[2])
        b = square(shape[3])
        taken = [square(name) for name in re.split("[xX]", shape[4])[1:]]
    except ValueError as error:
        raise ValueError(f"{quoted(text)}: {error}") from None
    if shape[1] is not None and (shape[1] in "tT") != p.side:
        raise ValueError(f"{quoted(text)}: it is the {SIDE_NAMES[p.side]}s' turn")
    if len(set(taken)) < len(taken):
        twice = next(sq for sq in taken if taken.count(sq) > 1)
        raise ValueError(f"{quoted(text)}: {NAMES[twice]} is captured twice")
    m = word(a, b, 0)
    for sq in taken:
        if p.side == DWARF_SIDE:
            if sq != b:
                raise ValueError(f"{quoted(text)}: a dwarf takes only the troll on the square it is hurled to")
            m |= HURL
            continue
        for d in range(8):
            if sq == b + NEIGHBOUR[d]:
                m |= <u32>1 << (16 + d)
                break
        else:
            raise ValueError(f"{quoted(text)}: {NAMES[sq]} is not next to {NAMES[b]}")
    if not legal(p, m):
        raise ValueError(f"{quoted(text)}: {why_illegal(p, m)}")
    return m


cdef str position_text(const Position *p):
    cdef int r, c, sq, gap
    cdef list rows = []
    for r in range(1, 16):
        row = ""
        gap = 0
        for c in range(FIRST[r], 17 - FIRST[r]):
            sq = r * 16 + c
            if not has(p.o, sq):
                gap += 1
                continue
            if gap:
                row += str(gap)
                gap = 0
            row += "R" if sq == STONE else "T" if has(p.t, sq) else "d"
        rows.append(row + (str(gap) if gap else ""))
    return f"{'/'.join(rows)} {'T' if p.side else 'd'} {min(p.quiet, 9999)} {min(p.turn, 9999)}"


cdef int read_number(str text, str what, int low) except -1:
    plain = text.isascii() and text.isdigit() and len(text) <= 4 and (text == "0" or text[0] != "0")
    if not plain or int(text) < low:
        raise ValueError(f"{what} is {quoted(text)}, should be a number from {low} to 9999")
    return int(text)


cdef int read_position(Position *p, str text) except -1:
    """Fill a position from its TFEN. On an error `p` is left in an undefined state."""
    cdef int r, c, i, n, last
    cdef str row, letter
    fields = text.split()
    if not fields:
        raise ValueError("the position is empty")
    rows = fields[0].split("/")
    if len(rows) != 15:
        raise ValueError(f"{len(rows)} rows, should be 15")
    if len(fields) == 1:
        raise ValueError("the side to move is missing: d or T")
    if len(fields) > 4:
        raise ValueError(f"{quoted(fields[4])} after the turn number")
    clear_position(p)
    for r in range(1, 16):
        row = rows[r - 1]
        c = FIRST[r]
        last = 16 - c
        i = 0
        while i < len(row):
            letter = row[i]
            i += 1
            if letter in "123456789":
                n = int(letter)
                if i < len(row) and row[i] in "0123456789":
                    n = n * 10 + int(row[i])
                    i += 1
                    if i < len(row) and row[i] in "0123456789":
                        raise ValueError(f"row {r}: a number of three digits or more, {quoted(row[i - 2:i + 1])}...")
                if c <= 8 < c + n and r == 8:
                    raise ValueError("row 8: the Thudstone (R) is missing on H8")
                c += n
            elif letter in "dTR":
                if c > last:
                    raise ValueError(f"row {r} is too long: it has {last + 1 - FIRST[r]} squares")
                if letter == "R":
                    if r != 8 or c != 8:
                        raise ValueError(f"row {r}: a Thudstone (R) on {NAMES[r * 16 + c]}, its square is H8")
                elif r == 8 and c == 8:
                    raise ValueError(f"row 8: a {'dwarf' if letter == 'd' else 'troll'} on the Thudstone's square H8")
                elif letter == "d":
                    add_dwarf(p, r * 16 + c)
                    p.nd += 1
                else:
                    add_troll(p, r * 16 + c)
                    p.nt += 1
                c += 1
            else:
                raise ValueError(f"row {r}: unknown letter {quoted(letter)!r}, should be d, T, R or a number")
            if c > last + 1:
                raise ValueError(f"row {r} is too long: it has {last + 1 - FIRST[r]} squares")
        if c <= last:
            raise ValueError(f"row {r} is too short: {c - FIRST[r]} of {last + 1 - FIRST[r]} squares")
    if fields[1] not in ("d", "T"):
        raise ValueError(f"the side to move is {quoted(fields[1])}, should be d or T")
    if fields[1] == "T":
        p.side = TROLL_SIDE
        p.key ^= ZOBRIST_SIDE
    if len(fields) > 2:
        p.quiet = read_number(fields[2], "the count of plies since the last capture", 0)
    if len(fields) > 3:
        p.turn = read_number(fields[3], "the turn number", 1)
    p.null = p.quiet
    return 0
