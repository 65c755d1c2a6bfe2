"""Types of the compiled core: board, moves, perft, evaluation, table and search of Thud.

A square is one byte, row * 16 + file, both from 1 to 15 (`A1` would be 0x11, `H8` is 0x88, `F1` is 0x16). A move is
one 32-bit word: from (bits 0-7), to (8-15), captured neighbours of `to` (16-23, in the order NW N NE W E SW S SE),
hurl (24). 0 is no move.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

START: str  # TFEN
DWARFS: int  # 0
TROLLS: int  # 1
RULES: tuple[str, ...]  # values of TrollCapture: "any", "all-or-none", "all", "one"
SQUARES: tuple[int, ...]  # the 164 squares that can hold a piece, row by row

def square(name: str) -> int:
    """`"H8"` (or `"h8"`) to 0x88. ValueError for text that names no square of the board."""

def square_name(square: int) -> str: ...
def captured(move: int) -> list[int]:
    """The captured squares, by file, then row. ValueError for a word that names a square off the board."""

def move_text(move: int, side: int) -> str:
    """`dO11-O9`, `TF7-D5xC4`, `dG9-M9xM9`; captures by file, then row. ValueError as above."""

class Board:
    """A position with the moves that led to it. Its rule is one of RULES."""

    def __init__(self, tfen: str = ..., rule: str = "any") -> None:
        """ValueError says what is wrong with the text, and in which row."""

    @staticmethod
    def from_pieces(
        dwarfs: Iterable[int], trolls: Iterable[int], side: int = 0, quiet: int = 0, turn: int = 1, rule: str = "any"
    ) -> Board:
        """ValueError for a square that is off the board, the Thudstone's or named twice."""

    tfen: str
    rule: str
    side: int  # DWARFS or TROLLS
    quiet: int  # plies since the last capture
    turn: int  # turn number, counted up after the trolls' ply
    dwarfs: int  # how many are left
    trolls: int
    key: int  # 64-bit Zobrist key of pieces and side to move
    ply: int  # moves pushed since the position was set
    def squares(self, side: int) -> list[int]:
        """Where the pieces of a side stand, row by row."""

    def piece(self, square: int) -> str:
        """`d`, `T`, `R`, or `` for an empty square. ValueError off the board."""

    def end(self) -> str:
        """`none`, `no-move` or `no-pieces` (agreement and the limit are not the board's)."""

    def legal_moves(self) -> list[int]: ...
    def legal_count(self) -> int: ...
    def is_legal(self, move: int) -> bool: ...
    def parse(self, text: str) -> int:
        """A legal move from its text. ValueError names the move and the reason: `dO8-O5: no dwarf on O8`."""

    def push(self, move: int) -> None:
        """ValueError for an illegal move, with the reason."""

    def pop(self) -> int:
        """Take back the last move and return it. IndexError where there is none."""

    def null(self) -> None:
        """Turn the move over to the other side without one (sets a new root: nothing can be taken back past it)."""

    def copy(self) -> Board: ...
    def perft(self, depth: int, bulk: bool = True, hash_mb: int = 0, stop: bytearray | None = None) -> int:
        """Leaf count; -1 when `stop[0]` was set meanwhile. Releases the GIL."""

    def evaluate(self) -> int:
        """Static evaluation in hundredths of a point, from the side to move."""

    def terms(self) -> list[tuple[str, int, int]]:
        """What makes the evaluation, for the dwarfs: each feature that is not 0 (its name, its value, its own part of
        the score) and, last, the network's part. Parts are sixteenths of a hundredth of a point."""

    def features(self) -> list[int]:
        """What the evaluation sees of the position, in the order of FEATURE_NAMES; the same for all eight images."""

FEATURE_NAMES: tuple[str, ...]

def set_network(network: Mapping[str, Sequence[Sequence[int]]]) -> None:
    """Replace the evaluation's weights: `layer` (a row of 32 for each feature), `bias` and `output` (2 rows of 32) and
    `plain` (2 rows, a weight for each feature), rows by side to move. ValueError says what is wrong, and nothing
    changes. Scores in tables that exist are those of the old weights."""

def builtin_network() -> dict[str, list[list[int]]]:
    """The weights that the core was built with."""

class Table:
    """A transposition table. ValueError for a size out of range, MemoryError where the system has no room."""

    mb: int
    def __init__(self, mb: int) -> None: ...
    def clear(self) -> None: ...
    def new_search(self) -> None:
        """What is in the table counts as old from now on."""

    def hashfull(self) -> int:
        """Per mille of the table written since `new_search`."""

class Searcher:
    """Histories and stacks of one search thread, over a table that several may share."""

    table: Table
    nodes: int  # moves made in the last search
    def __init__(self, table: Table) -> None: ...
    def share(self, table: Table) -> None:
        """Search over another table from now on."""

    def forget(self) -> None:
        """Clear histories, killers and counter-moves."""

    def search(
        self,
        board: Board,
        report: Callable[[int, int, int, int, list[int]], None] | None,
        stop: bytearray,
        *,
        moves: Sequence[int] | None = None,
        limit: int = 0,
        first_depth: int = 1,
        depth: int = 100,
        nodes: int | None = None,
        soft: float = -1,
        hard: float = -1,
        elapsed: float = 0,
        ponder: bool = False,
        lines: int = 1,
        peers: Sequence[Searcher] = (),
        halt: bytearray | None = None,
        plain: bool = False,
    ) -> list[int]:
        """Iterative deepening from the board's position; the board is left as it is. Releases the GIL in the tree.

        `moves` restricts the root, `limit` is the NoCaptureLimit, `stop` two bytes to poll (stop, ponderhit). Times
        are milliseconds, negative for none: no iteration begins after `soft`, none goes on after `hard`; `elapsed` of
        them is over already. `peers` are the searchers whose nodes count too, `halt` a byte that ends the search as
        well. `report(depth, seldepth, line, score, pv)` is called for each of the `lines` best lines of a completed
        depth. `plain` searches the full width: nothing is pruned or reduced (give it a table of its own). Returns the
        best line (the first move alone when nothing was completed, nothing where no move is legal).
        """
