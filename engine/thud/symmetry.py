"""The eight images of the board: it looks the same when mirrored and turned, and the rules know no direction.

Image 0 is the position itself; bit 0 mirrors the files, bit 1 the rows, and then bit 2 exchanges files and rows.
"""

from __future__ import annotations

from thudstone.engine.thud import core

IMAGES = 8

# The image that undoes each: the exchange comes last, so undone it exchanges the mirrors.
BACK = (0, 1, 2, 3, 4, 6, 5, 7)


def turned(square: int, image: int) -> int:
    """Where a square lies in an image."""
    file, row = square & 15, square >> 4
    if image & 1:
        file = 16 - file
    if image & 2:
        row = 16 - row
    if image & 4:
        file, row = row, file
    return row * 16 + file


def turned_move(text: str, image: int) -> str:
    """A move's text in an image, captures by file, then row."""
    side = text[0] if text[0] in "dT" else ""
    path, *captures = text[len(side) :].split("x")
    ends = "-".join(core.square_name(turned(core.square(name), image)) for name in path.split("-"))
    taken = sorted((turned(core.square(name), image) for name in captures), key=lambda s: (s & 15, s >> 4))
    return side + "x".join([ends, *map(core.square_name, taken)])


def canonical(board: core.Board) -> tuple[str, int]:
    """The least TFEN, without counters, of a position's images (the same for all eight), and the image that has it."""
    return min((text, image) for image, text in enumerate(_images(board)))


def distinct(board: core.Board) -> list[int]:
    """The legal moves, one of each set that are images of one another in a position that is an image of itself."""
    images = _images(board)
    same = [image for image in range(1, IMAGES) if images[image] == images[0]]
    if not same:
        return board.legal_moves()
    found: dict[str, int] = {}
    for move in board.legal_moves():
        text = core.move_text(move, board.side)
        found.setdefault(min(text, *(turned_move(text, image) for image in same)), move)
    return list(found.values())


def _images(board: core.Board) -> list[str]:
    dwarfs, trolls = board.squares(core.DWARFS), board.squares(core.TROLLS)

    def written(image: int) -> str:
        placed = core.Board.from_pieces(
            [turned(square, image) for square in dwarfs], [turned(square, image) for square in trolls], board.side
        )
        return placed.tfen.removesuffix(" 0 1")

    return [written(image) for image in range(IMAGES)]
