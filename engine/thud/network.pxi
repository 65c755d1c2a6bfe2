# The network that turns the features into a score: one layer of 32 clipped units, and beside it a weight for each
# feature. Biases, outputs and the plain weights are one set for each side to move, the layer's weights are shared.
#
#   unit j  = clip(bias[side][j] + sum over i of layer[i][j] * x[i], 0, 4096)
#   score   = (sum over i of plain[side][i] * x[i] + sum over j of output[side][j] * unit j // 4096) // 16
#
# in hundredths of a point for the dwarfs. The built-in weights are weights.h; bench/strength.md tells how they
# were trained.

cdef extern from "weights.h":
    const i16 WEIGHTS_LAYER[]       # FEATURES rows of UNITS
    const i32 WEIGHTS_BIAS[]        # 2 rows of UNITS
    const i32 WEIGHTS_OUTPUT[]      # 2 rows of UNITS
    const i32 WEIGHTS_PLAIN[]       # 2 rows of FEATURES

cdef enum:
    UNITS = 32
    PAIRS_OF_INPUTS = (FEATURES + 1) >> 1
    OUTPUT_BOUND = 500000   # the sum of a side's outputs, so that no sum overflows
    PLAIN_BOUND = 16000     # a feature is a thousand or two at most

cdef i16[PAIRS_OF_INPUTS * 2 * UNITS] LAYER     # by pairs of inputs, then units, then the two of a pair
cdef i32[2][UNITS] BIAS
cdef i32[2][UNITS] OUTPUT
cdef i32[2][FEATURES] PLAIN


cdef inline int plain_score(const i16 *x, int side) noexcept nogil:
    """The features' own part, in sixteenths."""
    cdef int i, s = 0
    for i in range(FEATURES):
        s += x[i] * PLAIN[side][i]
    return s


cdef inline int layer_score(const i16 *x, int side) noexcept nogil:
    """The layer's part, in sixteenths. `x` has one more entry than features, 0, where their number is odd."""
    return layer(x, PAIRS_OF_INPUTS, LAYER, BIAS[side], OUTPUT[side]) >> 12


def set_network(network):
    """Replace the weights: a mapping with `layer` (FEATURES rows of 32), `bias` and `output` (2 rows of 32) and
    `plain` (2 rows of FEATURES), integers. ValueError says which one is wrong, and nothing changes."""
    shapes = {"layer": (FEATURES, UNITS), "bias": (2, UNITS), "output": (2, UNITS), "plain": (2, FEATURES)}
    bounds = {"layer": 32767, "bias": 1 << 30, "output": OUTPUT_BOUND, "plain": PLAIN_BOUND}
    for name, (rows, columns) in shapes.items():
        table = network.get(name)
        if not isinstance(table, (list, tuple)) or len(table) != rows:
            raise ValueError(f"network: {name} should be {rows} rows")
        for number, row in enumerate(table, 1):
            if not isinstance(row, (list, tuple)) or len(row) != columns:
                raise ValueError(f"network: row {number} of {name} should be {columns} integers")
            for value in row:
                if type(value) is not int or abs(value) > bounds[name]:
                    raise ValueError(f"network: {value!r} in row {number} of {name} is no integer up to {bounds[name]}")
        if name == "output" and any(sum(map(abs, row)) > OUTPUT_BOUND for row in table):
            raise ValueError(f"network: the outputs of a side add up to more than {OUTPUT_BOUND}")
    cdef int i, j
    for i in range(FEATURES):
        for j in range(UNITS):
            LAYER[(i // 2) * 2 * UNITS + 2 * j + (i & 1)] = network["layer"][i][j]
    for i in range(2):
        for j in range(UNITS):
            BIAS[i][j] = network["bias"][i][j]
            OUTPUT[i][j] = network["output"][i][j]
        for j in range(FEATURES):
            PLAIN[i][j] = network["plain"][i][j]


def builtin_network():
    """The weights that the core was built with, as `set_network` takes them."""
    return {
        "layer": [[WEIGHTS_LAYER[i * UNITS + j] for j in range(UNITS)] for i in range(FEATURES)],
        "bias": [[WEIGHTS_BIAS[i * UNITS + j] for j in range(UNITS)] for i in range(2)],
        "output": [[WEIGHTS_OUTPUT[i * UNITS + j] for j in range(UNITS)] for i in range(2)],
        "plain": [[WEIGHTS_PLAIN[i * FEATURES + j] for j in range(FEATURES)] for i in range(2)],
    }


set_network(builtin_network())
