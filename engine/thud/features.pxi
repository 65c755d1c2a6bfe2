# What the evaluation sees of a position: some fifty counts over sets of squares, the same for all eight images of the
# board.
#
# A square is *covered* when a line of dwarfs can be hurled at a troll on it without the help of the dwarfs next to it
# (which that troll may just have taken): a line of n, its front n squares away, n from 2 to 4. What a troll takes from
# a covered square costs it; an uncovered one is *safe* for it.

cdef enum:
    X_ONE           # always 1
    X_DWARFS
    X_TROLLS
    X_PAIRS         # lines of two, three, four, five dwarfs (a longer line holds several)
    X_THREES
    X_FOURS
    X_FIVES
    X_TROLL_PAIRS
    X_TROLL_THREES
    X_DEGREE_1      # dwarfs with at least so many dwarfs around
    X_DEGREE_2
    X_DEGREE_3
    X_DEGREE_4
    X_DEGREE_5
    X_DEGREE_6
    X_INNER         # dwarfs with no empty square around
    X_COVERED_2     # squares that lines of two, three, four cover, trolls' squares among them
    X_COVERED_3
    X_COVERED_4
    X_COVERED
    X_EXPOSED       # dwarfs beside an empty square that is not covered
    X_SAFE_1        # squares that trolls reach over safe ones in one, two, three steps
    X_SAFE_2
    X_SAFE_3
    X_RISK_COVERED  # dwarfs that a step of a troll can take only from covered squares
    X_RISK_1        # dwarfs that trolls can take by one, two, ... five steps over safe squares, none counted twice
    X_RISK_2
    X_RISK_3
    X_RISK_4
    X_RISK_5
    X_RISK_SHOVE    # dwarfs that a shove over two squares or more can take
    X_MULTIPLE_2    # safe squares next to trolls with at least two, three dwarfs around
    X_MULTIPLE_3
    X_HURLED        # 1 when some troll can be hurled at
    X_HURLED_MORE   # how many more
    X_TOUCHED       # trolls beside a dwarf
    X_SPREAD        # summed squared distance of the dwarfs from their centre, in sixteenths
    X_TROLL_SPREAD  # the same of the trolls, in quarters
    X_APART         # summed squared distance of the dwarfs from the trolls, mean over the trolls, in sixteenths
    X_CENTRE        # squared distance of the dwarfs' centre from the stone, times the dwarfs, in sixteenths
    X_TROLL_CENTRE  # the same of the trolls, in quarters
    X_RINGS         # summed distance of the dwarfs from the stone
    X_TROLL_RINGS
    X_DEGREE_7
    X_CORE_3        # dwarfs with at least three dwarfs around that have at least three around themselves
    X_CORE_5        # dwarfs of the same kind with at least five such around
    X_FRONT_COVERED  # empty squares beside dwarfs, covered or not
    X_FRONT_OPEN
    X_NEAR_1        # dwarfs that trolls can take by one, two, three steps over whatever squares
    X_NEAR_2
    X_NEAR_3
    X_AIMED_2       # trolls on squares covered by a line of two, by a longer one
    X_AIMED_3
    FEATURES

FEATURE_NAMES = (
    "one", "dwarfs", "trolls", "pairs", "threes", "fours", "fives", "troll pairs", "troll threes", "degree 1",
    "degree 2", "degree 3", "degree 4", "degree 5", "degree 6", "inner", "covered by 2", "covered by 3",
    "covered by 4", "covered", "exposed", "safe in 1", "safe in 2", "safe in 3", "risk where covered", "risk in 1",
    "risk in 2", "risk in 3", "risk in 4", "risk in 5", "risk by shove", "multiple 2", "multiple 3", "hurled at",
    "hurled at more", "touched", "spread", "troll spread", "apart", "centre", "troll centre", "rings", "troll rings",
    "degree 7", "core 3", "core 5", "front covered", "front open", "near 1", "near 2", "near 3", "aimed at by 2",
    "aimed at by 3",
)
assert len(FEATURE_NAMES) == FEATURES


cdef void features_of(const Position *p, i16 *x) noexcept nogil:
    """Fills x[0] ... x[FEATURES - 1]."""
    cdef Squares d = load(p.d), t = load(p.t), free = less(all_squares(), load(p.o))
    cdef Squares covered, beside_d, steps, ring, seen, solid
    cdef Squares[3] ahead
    cdef Squares[4] around_d
    cdef Squares[4] around_solid
    cdef int[4] lines
    cdef int n
    x[X_ONE] = 1
    x[X_DWARFS] = <i16>p.nd
    x[X_TROLLS] = <i16>p.nt

    # Lines.
    runs(t, lines)
    x[X_TROLL_PAIRS] = <i16>lines[0]
    x[X_TROLL_THREES] = <i16>lines[1]
    runs(d, lines)
    x[X_PAIRS] = <i16>lines[0]
    x[X_THREES] = <i16>lines[1]
    x[X_FOURS] = <i16>lines[2]
    x[X_FIVES] = <i16>lines[3]

    # Company.
    degrees(d, around_d)
    beside_d = beside(d)
    solid = both(d, at_least(around_d, 3))
    degrees(solid, around_solid)
    x[X_DEGREE_1] = <i16>size(both(d, beside_d))
    x[X_DEGREE_2] = <i16>size(both(d, at_least(around_d, 2)))
    x[X_DEGREE_3] = <i16>size(solid)
    x[X_DEGREE_4] = <i16>size(both(d, at_least(around_d, 4)))
    x[X_DEGREE_5] = <i16>size(both(d, at_least(around_d, 5)))
    x[X_DEGREE_6] = <i16>size(both(d, at_least(around_d, 6)))
    x[X_DEGREE_7] = <i16>size(both(d, at_least(around_d, 7)))
    x[X_CORE_3] = <i16>size(both(solid, at_least(around_solid, 3)))
    x[X_CORE_5] = <i16>size(both(solid, at_least(around_solid, 5)))
    x[X_INNER] = <i16>size(less(d, beside(free)))

    # What the dwarfs' lines cover.
    reach(d, free, either(free, t), ahead)
    covered = either(ahead[0], either(ahead[1], ahead[2]))
    x[X_COVERED_2] = <i16>size(ahead[0])
    x[X_COVERED_3] = <i16>size(ahead[1])
    x[X_COVERED_4] = <i16>size(ahead[2])
    x[X_COVERED] = <i16>size(covered)
    x[X_EXPOSED] = <i16>size(both(d, beside(less(free, covered))))
    seen = both(beside_d, free)
    x[X_FRONT_COVERED] = <i16>size(both(seen, covered))
    x[X_FRONT_OPEN] = <i16>(size(seen) - x[X_FRONT_COVERED])
    x[X_AIMED_2] = <i16>size(both(t, ahead[0]))
    x[X_AIMED_3] = <i16>size(both(t, either(ahead[1], ahead[2])))
    n = size(both(t, either(beside_d, covered)))
    x[X_HURLED] = n > 0
    x[X_HURLED_MORE] = <i16>(n - 1) if n else 0
    x[X_TOUCHED] = <i16>size(both(t, beside_d))

    # What the trolls reach over whatever squares.
    steps = both(beside(t), free)
    ring = grown(steps)
    seen = both(ring, d)
    n = size(seen)
    x[X_NEAR_1] = <i16>n
    ring = grown(both(ring, free))
    seen = either(seen, both(ring, d))
    x[X_NEAR_2] = <i16>(size(seen) - n)
    n += x[X_NEAR_2]
    seen = either(seen, both(grown(both(ring, free)), d))
    x[X_NEAR_3] = <i16>(size(seen) - n)

    # What they reach over safe squares.
    ring = less(steps, covered)
    x[X_SAFE_1] = <i16>size(ring)
    x[X_MULTIPLE_2] = <i16>size(both(ring, at_least(around_d, 2)))
    x[X_MULTIPLE_3] = <i16>size(both(ring, at_least(around_d, 3)))
    seen = both(grown(ring), d)
    n = size(seen)
    x[X_RISK_1] = <i16>n
    x[X_RISK_COVERED] = <i16>(x[X_NEAR_1] - n)
    ring = less(both(grown(ring), free), covered)
    x[X_SAFE_2] = <i16>size(ring)
    seen = either(seen, both(grown(ring), d))
    x[X_RISK_2] = <i16>(size(seen) - n)
    n += x[X_RISK_2]
    ring = less(both(grown(ring), free), covered)
    x[X_SAFE_3] = <i16>size(ring)
    seen = either(seen, both(grown(ring), d))
    x[X_RISK_3] = <i16>(size(seen) - n)
    n += x[X_RISK_3]
    ring = less(both(grown(ring), free), covered)
    seen = either(seen, both(grown(ring), d))
    x[X_RISK_4] = <i16>(size(seen) - n)
    n += x[X_RISK_4]
    ring = less(both(grown(ring), free), covered)
    seen = either(seen, both(grown(ring), d))
    x[X_RISK_5] = <i16>(size(seen) - n)
    reach(t, free, free, ahead)
    x[X_RISK_SHOVE] = <i16>size(both(grown(either(ahead[0], ahead[1])), d))

    # Places.
    x[X_RINGS] = <i16>p.dwarf_places.rings
    x[X_TROLL_RINGS] = <i16>p.troll_places.rings
    x[X_SPREAD] = x[X_CENTRE] = x[X_TROLL_SPREAD] = x[X_TROLL_CENTRE] = x[X_APART] = 0
    if p.nd:
        n = square_of_centre(&p.dwarf_places)
        x[X_SPREAD] = <i16>((p.dwarf_places.squares * p.nd - n) // (16 * p.nd))
        x[X_CENTRE] = <i16>(n // (16 * p.nd))
    if p.nt:
        n = square_of_centre(&p.troll_places)
        x[X_TROLL_SPREAD] = <i16>((p.troll_places.squares * p.nt - n) // (4 * p.nt))
        x[X_TROLL_CENTRE] = <i16>(n // (4 * p.nt))
        x[X_APART] = <i16>((
            p.troll_places.squares * p.nd + p.dwarf_places.squares * p.nt
            - 2 * (p.dwarf_places.x * p.troll_places.x + p.dwarf_places.y * p.troll_places.y)) // (16 * p.nt))


cdef inline int square_of_centre(const Places *s) noexcept nogil:
    """The squared distance of the centre from the stone, times the square of the number of pieces."""
    return s.x * s.x + s.y * s.y
