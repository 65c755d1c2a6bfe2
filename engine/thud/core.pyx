# The compiled core of Thud: board, move generation, perft, evaluation, table and search, one extension module so that
# the C compiler sees the whole tree at once. Everything below the Python classes is `noexcept nogil` on plain structs.
"""Board, moves, perft, evaluation, table and search of Thud; see core.pyi for the types."""

include "bits.pxi"          # C types, count-zeros, population count, the clock
include "geometry.pxi"      # squares, lines, neighbours; the tables made from them
include "position.pxi"      # the position, make and unmake
include "moves.pxi"         # the move word, generation, counting, legality
include "perft.pxi"
include "squares.pxi"       # sets of squares
include "features.pxi"      # what the evaluation sees of a position
include "network.pxi"       # what it makes of that
include "evaluation.pxi"
include "table.pxi"         # the transposition table
include "picker.pxi"        # which move the tree looks at next
include "search.pxi"        # alpha-beta
include "notation.pxi"      # squares, moves and positions as text
include "board.pxi"         # Python: Board
include "searcher.pxi"      # Python: Table, Searcher
