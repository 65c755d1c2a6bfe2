"""The board as a picture: SVG, and PNG by way of the `png` extra (resvg).

Labels are drawn as strokes, not set as text, so that a picture is the same where no fonts are installed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from thudstone.engine.thud import core
from thudstone.move import Move

if TYPE_CHECKING:
    from thudstone.position import Position

Theme = Literal["auto", "light", "dark"]
Arrow = tuple[str, str] | tuple[str, str, str]  # from, to, and a kind of KINDS

KINDS = ("plain", "played", "better")
CELL = 32  # of the picture's own units; the side is 15 cells and two margins
MARGIN = 24
SIDE = 15 * CELL + 2 * MARGIN
_FILES = "ABCDEFGHJKLMNOP"

_COLOURS = {
    "light": {
        "ground": "#f7f1e3", "even": "#ecdfc2", "odd": "#dfcda6", "edge": "#8a744b", "label": "#6b5a3a",
        "dwarf": "#2563a8", "rim": "#ffffff", "troll": "#a5372f", "stone": "#7d7a73", "last": "#f2c14e",
        "mark": "#5aa469", "plain": "#5b5b8a", "played": "#c8553d", "better": "#2e8b57",
    },
    "dark": {
        "ground": "#1d2026", "even": "#3b414b", "odd": "#323740", "edge": "#6b7380", "label": "#a9b1bd",
        "dwarf": "#5aa2ec", "rim": "#14161a", "troll": "#e0685d", "stone": "#9a978f", "last": "#8a6d1f",
        "mark": "#3f7d52", "plain": "#a3a3dd", "played": "#f08a6c", "better": "#5fd394",
    },
}  # fmt: skip

# The points of a stroke on a grid 4 wide and 6 high, y downwards.
_GLYPHS = {
    "A": "06 20 46 14 34", "B": "06 00 30 41 42 33 03 33 44 45 36 06", "C": "41 30 10 01 05 16 36 45",
    "D": "06 00 20 42 44 26 06", "E": "40 00 06 46 03 33", "F": "40 00 06 03 33", "G": "41 30 10 01 05 16 36 45 43 23",
    "H": "00 06 03 43 40 46", "J": "40 45 36 16 05", "K": "00 06 40 03 46", "L": "00 06 46", "M": "06 00 23 40 46",
    "N": "06 00 46 40", "O": "10 30 41 45 36 16 05 01 10", "P": "06 00 30 41 42 33 03",
    "0": "10 30 41 45 36 16 05 01 10", "1": "11 20 26 16 36", "2": "01 10 30 41 42 06 46",
    "3": "01 10 30 41 42 33 23 33 44 45 36 16 05", "4": "36 30 04 44", "5": "40 00 03 32 43 45 36 16 05",
    "6": "41 30 10 01 05 16 36 45 44 33 13 04", "7": "00 40 16", "8": "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
    "9": "42 33 13 02 01 10 30 41 45 36 16 05", "+": "21 25 03 43", "-": "03 43",
}  # fmt: skip
_LIFTED = {"A": 3, "E": 4, "F": 3, "K": 2, "+": 2}  # after how many points the second stroke begins


def board_svg(
    position: Position,
    *,
    last_move: Move | str | None = None,
    arrows: Iterable[Arrow] = (),
    squares: Collection[str] = (),
    flipped: bool = False,
    theme: Theme = "auto",
    size: int | None = None,
) -> str:
    """The position as an `<svg>` element of its own.

    The squares that `last_move` left, reached and cleared are coloured, `squares` get a ring, and each of `arrows` is
    (from, to) or (from, to, kind), a kind being `plain`, `played` or `better`. `flipped` shows row 15 at the top. The
    theme `auto` follows what the viewer prefers. `size` is the side in pixels; without it the picture fills its place.
    ValueError names a square off the board, a kind or a theme that there is not.
    """
    if theme not in ("auto", *_COLOURS):
        raise ValueError(f"no theme {theme!r}: there is auto, light and dark")
    parts = [_cells(flipped)]
    if last_move is not None:
        move = Move(last_move) if isinstance(last_move, str) else last_move
        parts += [_square(name, flipped, "last") for name in (move.from_square, move.to_square, *move.captured)]
    parts += [_dwarf(*_centre(name, flipped)) for name in position.dwarfs]
    parts += [_troll(*_centre(name, flipped)) for name in position.trolls]
    parts.append(_stone(*_centre("H8", flipped)))
    for name in squares:
        x, y = _centre(name, flipped)
        parts.append(f'<circle class="mark" cx="{x}" cy="{y}" r="14.5"/>')
    parts += [_arrow(arrow, flipped) for arrow in arrows]
    shape = f' width="{size}" height="{size}"' if size is not None else ""
    kind = f"thud-board thud-{theme}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}"{shape} class="{kind}" role="img">'
        f"<title>{position.tfen}</title><style>{_style(theme)}</style>" + "".join(parts) + "</svg>"
    )


def png(svg: str, width: int = 2 * SIDE) -> bytes:
    """A picture's SVG as PNG, `width` pixels wide. RuntimeError where the extra that draws it is missing."""
    try:
        renderer = import_module("resvg_py")
    except ImportError:
        raise RuntimeError("PNG needs the extra: pip install 'thudstone[png]'") from None
    return bytes(renderer.svg_to_bytes(svg_string=svg, width=width))


def _style(theme: Theme) -> str:
    if theme == "auto":
        return _rules("auto", _COLOURS["light"]) + (
            "@media (prefers-color-scheme:dark){" + _rules("auto", _COLOURS["dark"]) + "}"
        )
    return _rules(theme, _COLOURS[theme])


def _rules(theme: str, colour: dict[str, str]) -> str:
    # A style element inside a page holds for the whole page, so that each rule names the picture's class.
    rules = [(name, f"fill:{colour[name]}") for name in ("ground", "even", "odd", "last")]
    rules += [
        ("edge", f"fill:none;stroke:{colour['edge']};stroke-width:2"),
        ("label", f"fill:none;stroke:{colour['label']};stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round"),
        ("dwarf", f"fill:{colour['dwarf']};stroke:{colour['rim']};stroke-width:1.5"),
        ("troll", f"fill:{colour['troll']};stroke:{colour['rim']};stroke-width:1.5"),
        ("eye", f"fill:{colour['rim']}"),
        ("stone", f"fill:{colour['stone']};stroke:{colour['edge']};stroke-width:1.5"),
        ("mark", f"fill:none;stroke:{colour['mark']};stroke-width:3"),
    ]
    rules += [(f"line-{kind}", f"fill:none;stroke:{colour[kind]};stroke-width:5;stroke-opacity:.85") for kind in KINDS]
    rules += [(f"head-{kind}", f"fill:{colour[kind]}") for kind in KINDS]
    return "".join(f".thud-{theme} .{name}{{{rule}}}" for name, rule in rules)


def _centre(name: str, flipped: bool) -> tuple[int, int]:
    square = core.square(name)
    file, row = square & 15, square >> 4
    if flipped:
        file, row = 16 - file, 16 - row
    return MARGIN + CELL * (file - 1) + CELL // 2, MARGIN + CELL * (row - 1) + CELL // 2


def _square(name: str, flipped: bool, kind: str) -> str:
    x, y = _centre(name, flipped)
    return f'<rect class="{kind}" x="{x - CELL // 2}" y="{y - CELL // 2}" width="{CELL}" height="{CELL}"/>'


def _cells(flipped: bool) -> str:
    parts = [f'<rect class="ground" width="{SIDE}" height="{SIDE}" rx="10"/>']
    for square in (*core.SQUARES, core.square("H8")):
        kind = "even" if ((square & 15) + (square >> 4)) % 2 == 0 else "odd"
        parts.append(_square(core.square_name(square), flipped, kind))
    parts.append(f'<path class="edge" d="{_outline()}"/>')
    for number in range(1, 16):
        at = 16 - number if flipped else number
        middle = MARGIN + CELL * (at - 1) + CELL / 2
        for edge in (MARGIN / 2, SIDE - MARGIN / 2):
            parts += [_label(_FILES[number - 1], middle, edge), _label(str(number), edge, middle)]
    return "".join(parts)


def _outline() -> str:
    """The octagon along the squares' edges: its corners are stairs of five squares."""
    low, high = MARGIN, SIDE - MARGIN
    right = [(low + CELL * (10 + step), low + CELL * step) for step in range(6)]
    corner = [point for (x, y), (_, below) in itertools.pairwise(right) for point in ((x, y), (x, below))]
    quarter = [*corner, (high, low + CELL * 5)]
    path = []
    for _ in range(4):
        path += quarter
        quarter = [(SIDE - y, x) for x, y in quarter]  # a quarter turn
    return "M" + "L".join(f"{x} {y}" for x, y in path) + "Z"


def _label(text: str, x: float, y: float) -> str:
    return f'<path class="label" d="{strokes(text, x - width(text) / 2, y)}"/>'


def width(text: str) -> float:
    """How wide `strokes` are, in the picture's units; they are 9 high."""
    return 8 * len(text) - 2


def strokes(text: str, left: float, y: float) -> str:
    """The path of a text of _GLYPHS that begins at `left`, with its middle at the height `y`."""
    path = []
    for number, letter in enumerate(text):
        for index, point in enumerate(_GLYPHS[letter].split()):
            command = "M" if index in (0, _LIFTED.get(letter)) else "L"
            path.append(f"{command}{left + 8 * number + 1.5 * int(point[0]):g} {y - 4.5 + 1.5 * int(point[1]):g}")
    return "".join(path)


def _dwarf(x: int, y: int) -> str:
    return f'<circle class="dwarf" cx="{x}" cy="{y}" r="10"/>'


def _troll(x: int, y: int) -> str:
    eyes = "".join(f'<circle class="eye" cx="{x + side * 5}" cy="{y - 3}" r="2.2"/>' for side in (-1, 1))
    return (
        f'<rect class="troll" x="{x - 13}" y="{y - 13}" width="26" height="26" rx="6"/>{eyes}'
        f'<rect class="eye" x="{x - 6}" y="{y + 4}" width="12" height="2.4"/>'
    )


def _stone(x: int, y: int) -> str:
    return f'<path class="stone" d="M{x - 6} {y - 14}h12l8 8v12l-8 8h-12l-8 -8v-12Z"/>'


def _arrow(arrow: Arrow, flipped: bool) -> str:
    kind = arrow[2] if len(arrow) == 3 else "plain"
    if kind not in KINDS:
        raise ValueError(f"no kind of arrow {kind!r}: there is {', '.join(KINDS)}")
    (x, y), (u, v) = _centre(arrow[0], flipped), _centre(arrow[1], flipped)
    length = math.hypot(u - x, v - y)
    if not length:
        raise ValueError(f"an arrow from {arrow[0]} to itself")
    dx, dy = (u - x) / length, (v - y) / length
    neck_x, neck_y = u - 13 * dx, v - 13 * dy
    head = f"M{u:.1f} {v:.1f}L{neck_x - 8 * dy:.1f} {neck_y + 8 * dx:.1f}L{neck_x + 8 * dy:.1f} {neck_y - 8 * dx:.1f}Z"
    return (
        f'<path class="line-{kind}" d="M{x + 6 * dx:.1f} {y + 6 * dy:.1f}L{neck_x:.1f} {neck_y:.1f}"/>'
        f'<path class="head-{kind}" d="{head}"/>'
    )
