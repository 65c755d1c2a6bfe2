# Sets of squares by rows, for whatever looks at many squares at once (squares.h).

cdef extern from "squares.h":
    ctypedef struct Squares "thud_set":
        pass
    Squares load "thud_load"(const u64 *s) noexcept nogil
    void save "thud_save"(u64 *to, Squares a) noexcept nogil
    Squares all_squares "thud_all"() noexcept nogil     # walls and the stone, too
    Squares both "thud_and"(Squares a, Squares b) noexcept nogil
    Squares either "thud_or"(Squares a, Squares b) noexcept nogil
    Squares less "thud_less"(Squares a, Squares b) noexcept nogil
    Squares grown "thud_grown"(Squares a) noexcept nogil
    Squares beside "thud_beside"(Squares a) noexcept nogil
    void degrees "thud_degrees"(Squares a, Squares *digits) noexcept nogil
    void runs "thud_runs"(Squares a, int *n) noexcept nogil
    void reach "thud_reach"(Squares a, Squares free, Squares open, Squares *ahead) noexcept nogil
    int size "thud_count"(Squares a) noexcept nogil
    i32 layer "thud_layer"(const i16 *x, int pairs, const i16 *w, const i32 *bias, const i32 *out) noexcept nogil


cdef inline Squares at_least(const Squares *digits, int n) noexcept nogil:
    """The squares with so many neighbours, 2 to 7, from the digits of `degrees`."""
    if n == 2:
        return either(digits[1], either(digits[2], digits[3]))
    if n == 3:
        return either(both(digits[0], digits[1]), either(digits[2], digits[3]))
    if n == 4:
        return either(digits[2], digits[3])
    if n == 5:
        return either(both(digits[2], either(digits[0], digits[1])), digits[3])
    if n == 6:
        return either(both(digits[2], digits[1]), digits[3])
    return either(both(digits[2], both(digits[1], digits[0])), digits[3])
