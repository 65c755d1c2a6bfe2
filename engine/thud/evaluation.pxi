# The evaluation: the network's score of the features, in hundredths of a point.

cdef enum:
    EVALUATION_BOUND = 100000   # far beyond any margin, within what the table can hold


cdef inline int clamped(int s) noexcept nogil:
    return max(-EVALUATION_BOUND, min(EVALUATION_BOUND, s))


cdef inline int evaluate(const Position *p) noexcept nogil:
    """From the side to move."""
    cdef i16[FEATURES + 1] x
    cdef int s
    x[FEATURES] = 0
    features_of(p, x)
    s = clamped((plain_score(x, p.side) + layer_score(x, p.side)) // 16)
    return s if p.side == DWARF_SIDE else -s


cdef list terms_for_people(const Position *p):
    """Each feature that is not 0 (name, value, its own part of the score), the layer last; parts are in sixteenths of a
    hundredth of a point, for the dwarfs."""
    cdef i16[FEATURES + 1] x
    x[FEATURES] = 0
    features_of(p, x)
    rows = [(FEATURE_NAMES[i], x[i], x[i] * PLAIN[p.side][i]) for i in range(FEATURES) if x[i]]
    rows.append(("network", 1, layer_score(x, p.side)))
    return rows
