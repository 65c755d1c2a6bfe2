# The evaluation's numbers, hundredths of a point unless said otherwise, each with the range in which it makes sense.
# They are seen from the side they are good for; the evaluation subtracts the trolls' from the dwarfs'.

cdef enum:
    W_DWARF_PAIR
    W_DWARF_THREE
    W_DWARF_FOUR
    W_DWARF_LONGER
    W_DWARF_RING
    W_DWARF_ALONE
    W_DWARF_AT_RISK
    W_DWARF_NEAR
    W_TROLL_PAIR
    W_TROLL_THREE
    W_TROLL_RING
    W_TROLL_HURLED
    W_TROLL_HURLED_MORE
    W_TROLL_REACH
    W_TEMPO
    TUNABLES

cdef int W[TUNABLES]

# name, value, lowest, highest; in the order of the enumeration
TUNABLE_TABLE = (
    ("dwarf pair", 5, 0, 40),            # two neighbouring dwarfs on a line: a run of 2
    ("dwarf line of 3", 14, 0, 80),      # a run of 3, beyond its pairs
    ("dwarf line of 4", 12, 0, 80),      # a run of 4, beyond its threes
    ("dwarf line longer", 6, 0, 80),     # each dwarf of a run beyond the fourth
    ("dwarf ring", 1, -10, 10),          # each step of a dwarf towards the Thudstone
    ("dwarf alone", 8, 0, 60),           # lost for a dwarf without a neighbour
    ("dwarf at risk", 14, 0, 100),       # lost for a dwarf that a step of a troll can take
    ("dwarf near", 4, -20, 40),          # lost for a dwarf that a troll can take in two steps, when alone
    ("troll pair", 6, -20, 40),          # two neighbouring trolls on a line
    ("troll line of 3", 6, -20, 40),     # a run of 3, beyond its pairs
    ("troll ring", 3, -10, 20),          # lost for each step of a troll away from the Thudstone
    ("troll hurled", 45, 0, 400),        # lost when a troll can be hurled at
    ("troll hurled more", 150, 0, 400),  # lost for each further one
    ("troll reach", 1, -5, 10),          # a square that a troll can step to
    ("tempo", 12, -20, 60),              # the side to move
)

cdef int DWARF_RUN[17]      # worth of a run of n dwarfs on a line
cdef int TROLL_RUN[17]
cdef int DWARF_AT[256]      # worth of a dwarf by where it stands, with its point
cdef int TROLL_AT[256]

cdef enum:
    POINT = 100             # a dwarf at the end of the battle
    TROLL_POINTS = 400


def set_tunables(values):
    """Replace the evaluation's numbers (one integer for each row of TUNABLE_TABLE). Positions that exist keep the sums
    made with the old ones: build them anew."""
    if len(values) != TUNABLES:
        raise ValueError(f"{len(values)} values, should be {TUNABLES}")
    cdef int i, sq
    for i in range(TUNABLES):
        W[i] = values[i]
    for i in range(17):
        DWARF_RUN[i] = (
            max(i - 1, 0) * W[W_DWARF_PAIR] + max(i - 2, 0) * W[W_DWARF_THREE]
            + max(i - 3, 0) * W[W_DWARF_FOUR] + max(i - 4, 0) * W[W_DWARF_LONGER])
        TROLL_RUN[i] = max(i - 1, 0) * W[W_TROLL_PAIR] + max(i - 2, 0) * W[W_TROLL_THREE]
    for sq in range(256):
        DWARF_AT[sq] = POINT + (7 - RING[sq]) * W[W_DWARF_RING]
        TROLL_AT[sq] = TROLL_POINTS - RING[sq] * W[W_TROLL_RING]


set_tunables([row[1] for row in TUNABLE_TABLE])
