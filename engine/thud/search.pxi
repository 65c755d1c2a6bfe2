# Alpha-beta: principal variation search with a transposition table, null moves, reductions and pruning that know how
# wide the two sides' choices are, and a quiescence search on captures. Scores are hundredths of a point from the side
# to move; a battle that ends in the tree scores exactly its margin.

cdef enum:
    MAX_PLY = 128
    INFINITE = 500000
    REFUTED_QUIETS = 64         # quiet moves tried before the one that cut, whose history is lowered
    CHECK_EVERY = 256           # nodes between two looks at the clock
    LIMIT_NEAR = 20             # plies before the no-capture limit from which the count is part of the table's key

cdef struct Limits:
    i64 nodes                   # at most
    double hard                 # ms after `start`; < 0: none
    double start                # now_ms() when the clock began to run
    bint ponder                 # no clock before the ponderhit

cdef struct RootMove:
    u32 move
    int score
    int order                   # place before this iteration, so that equal scores stay in order

cdef struct Worker:
    Position pos
    Hash *hash
    int limit                   # NoCaptureLimit, 0 = off
    volatile unsigned char *stop    # [0] stop, [1] ponderhit
    volatile unsigned char *halt    # [0] set when the thread that leads has finished
    Limits limits
    i64 nodes
    i64 *peers[64]              # node counts of the other threads
    int npeers
    int until_check
    bint aborted
    bint plain                  # full width: no pruning, no reductions
    int seldepth
    u64 *keys                   # of the battle since the last capture, then of the path
    int base                    # where the root's key stands
    RootMove *roots
    int nroots
    Undo undo[MAX_PLY + 4]
    int evals[MAX_PLY + 4]
    u32 killers[MAX_PLY + 4][2]
    u32 path[MAX_PLY + 4]       # the move made at each ply, 0 for a null move
    u32 counter[2][65536]       # the reply to a move, by its from and to
    i16 history[2][65536]       # by from and to
    i16 follow[2][65536]        # by the square the opponent reached and the one reached now
    u32 pv[MAX_PLY + 2][MAX_PLY + 2]
    int npv[MAX_PLY + 2]
    u32 moves[TREE_MOVES]       # scratch: copied into a heap at once
    i64 heaps[MAX_PLY + 4][TREE_MOVES]

cdef int REDUCTION[2][64][64]   # by side, depth, number of the move


cdef void init_reductions() noexcept nogil:
    cdef int d, n
    for d in range(1, 64):
        for n in range(1, 64):
            REDUCTION[DWARF_SIDE][d][n] = <int>(0.6 + c_log(d) * c_log(n) / 1.7)
            REDUCTION[TROLL_SIDE][d][n] = <int>(0.4 + c_log(d) * c_log(n) / 2.2)


init_reductions()


cdef bint look(Worker *w) noexcept nogil:
    """Has a limit been reached? Asked before each move made, so that a limit of nodes is exact."""
    cdef i64 total
    cdef int i
    if w.aborted:
        return True
    if w.stop[0] or w.halt[0]:
        w.aborted = True
        return True
    if w.npeers == 0:
        if w.nodes >= w.limits.nodes:
            w.aborted = True
            return True
    w.until_check -= 1
    if w.until_check > 0:
        return False
    w.until_check = CHECK_EVERY
    if w.limits.ponder:
        if not w.stop[1]:
            return False
        w.limits.ponder = False
        w.limits.start = now_ms()
    if w.limits.hard >= 0 and now_ms() - w.limits.start >= w.limits.hard:
        w.aborted = True
    if w.npeers:
        total = w.nodes
        for i in range(w.npeers):
            total += w.peers[i][0]
        if total >= w.limits.nodes:
            w.aborted = True
    return w.aborted


cdef inline u64 table_key(const Worker *w) noexcept nogil:
    """Close to the no-capture limit a position's worth depends on the count."""
    if w.limit and w.pos.quiet + LIMIT_NEAR >= w.limit:
        return w.pos.key ^ (<u64>(w.limit - w.pos.quiet + 1) * 0x9E3779B97F4A7C15u)
    return w.pos.key


cdef inline bint repeated(const Worker *w, int ply) noexcept nogil:
    """Did the position occur since the last capture, in the battle or on the path?"""
    cdef int at = w.base + ply
    cdef int n = min(min(w.pos.quiet, w.pos.null), at)
    cdef int i = 4
    while i <= n:
        if w.keys[at - i] == w.pos.key:
            return True
        i += 2
    return False


cdef inline void do_move(Worker *w, u32 m, int ply) noexcept nogil:
    w.nodes += 1
    make(&w.pos, m, &w.undo[ply])
    prefetch(bucket_of(w.hash, w.pos.key))
    w.path[ply] = m
    w.keys[w.base + ply + 1] = w.pos.key


cdef inline void undo_move(Worker *w, int ply) noexcept nogil:
    unmake(&w.pos, &w.undo[ply])


cdef inline void extend_pv(Worker *w, u32 m, int ply) noexcept nogil:
    w.pv[ply][0] = m
    memcpy(&w.pv[ply][1], &w.pv[ply + 1][0], w.npv[ply + 1] * sizeof(u32))
    w.npv[ply] = w.npv[ply + 1] + 1


cdef int quiesce(Worker *w, int alpha, int beta, int ply) noexcept nogil:
    """Captures until nothing hangs; the side to move may also leave things as they are."""
    cdef Position *p = &w.pos
    cdef Hit hit
    cdef u64 key
    cdef int best, score, n, old = alpha, stand
    cdef u32 m, best_move = 0
    cdef i64 *heap
    w.npv[ply] = 0
    if ply > w.seldepth:
        w.seldepth = ply
    if ended(p) or (w.limit and p.quiet >= w.limit):
        return final_score(p)
    if ply >= MAX_PLY:
        return evaluate(p)
    key = table_key(w)
    hit.move = 0
    if probe(w.hash, key, &hit) and beta - alpha == 1:
        if hit.bound == BOUND_EXACT or (hit.bound == BOUND_LOWER and hit.score >= beta) or \
                (hit.bound == BOUND_UPPER and hit.score <= alpha):
            return hit.score
    n = <int>(tree_captures(p, w.moves) - w.moves)
    if n == 0 and not can_move(p):
        return final_score(p)
    stand = best = evaluate(p)
    if best >= beta or n == 0:
        return best
    if best > alpha:
        alpha = best
    heap = w.heaps[ply]
    score_captures(p, w.moves, n, heap)
    while n:
        m = pop_best(heap, &n)
        if stand + gain_of(m) + 2 * POINT <= alpha:
            # Even with what the position may turn to, it takes too little, and the rest takes no more.
            score = stand + gain_of(m) + 2 * POINT
            if score > best:
                best = score
            break
        if look(w):
            return 0
        do_move(w, m, ply)
        score = -quiesce(w, -beta, -alpha, ply + 1)
        undo_move(w, ply)
        if w.aborted:
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = m
                alpha = score
                extend_pv(w, m, ply)
                if score >= beta:
                    break
    store(w.hash, key, best_move, best, 0,
          BOUND_LOWER if best >= beta else BOUND_EXACT if best > old and beta - old > 1 else BOUND_UPPER)
    return best


cdef inline void gravity(i16 *entry, int bonus) noexcept nogil:
    """Move a history entry towards the bonus, the less the closer it is to its bound."""
    entry[0] = <i16>(entry[0] + bonus - entry[0] * (bonus if bonus > 0 else -bonus) // HISTORY_MAX)


cdef void reward(Worker *w, u32 m, const u32 *tried, int n, int depth, int ply) noexcept nogil:
    """A quiet move cut: remember it, and that those tried before it did not."""
    cdef int side = w.pos.side, i
    cdef int bonus = min(32 * depth * depth, 1800)
    cdef u32 last = w.path[ply - 1] if ply else 0
    cdef i16 *history = w.history[side]
    cdef i16 *follow = w.follow[side] + 256 * move_to(last)
    if w.killers[ply][0] != m:
        w.killers[ply][1] = w.killers[ply][0]
        w.killers[ply][0] = m
    if last:
        w.counter[side][last & 0xFFFF] = m
    gravity(&history[move_from(m) * 256 + move_to(m)], bonus)
    if last:
        gravity(&follow[move_to(m)], bonus)
    for i in range(n):
        gravity(&history[move_from(tried[i]) * 256 + move_to(tried[i])], -bonus)
        if last:
            gravity(&follow[move_to(tried[i])], -bonus)


cdef void start_picker(Worker *w, Picker *k, u32 table_move, int ply) noexcept nogil:
    cdef u32 last = w.path[ply - 1] if ply else 0
    cdef u32 m
    cdef int i
    k.stage = STAGE_TABLE
    k.table_move = table_move
    k.refutations = 0
    k.next_refutation = 0
    k.heap = w.heaps[ply]
    k.size = 0
    k.any = table_move != 0
    for i in range(3):
        if i < 2:
            m = w.killers[ply][i]
        else:
            m = w.counter[w.pos.side][last & 0xFFFF] if last else 0
        if m and m != table_move and (k.refutations == 0 or m != k.refutation[0]) and \
                (k.refutations < 2 or m != k.refutation[1]):
            k.refutation[k.refutations] = m
            k.refutations += 1


cdef u32 next_move(Worker *w, Picker *k, int ply) noexcept nogil:
    """The next move of the picker, 0 when there are no more."""
    cdef Position *p = &w.pos
    cdef u32 m
    cdef int i, n
    cdef u32 last
    if k.stage == STAGE_TABLE:
        k.stage = STAGE_MAKE_CAPTURES
        if k.table_move:
            return k.table_move
    if k.stage == STAGE_MAKE_CAPTURES:
        n = <int>(tree_captures(p, w.moves) - w.moves)
        score_captures(p, w.moves, n, k.heap)
        k.size = n
        k.any = k.any or n > 0
        k.stage = STAGE_CAPTURES
    if k.stage == STAGE_CAPTURES:
        while k.size:
            m = pop_best(k.heap, &k.size)
            if m != k.table_move:
                return m
        k.stage = STAGE_REFUTATIONS
    if k.stage == STAGE_REFUTATIONS:
        while k.next_refutation < k.refutations:
            m = k.refutation[k.next_refutation]
            k.next_refutation += 1
            if legal(p, m):
                k.any = True
                return m
            k.refutation[k.next_refutation - 1] = 0
        k.stage = STAGE_MAKE_QUIETS
    if k.stage == STAGE_MAKE_QUIETS:
        last = w.path[ply - 1] if ply else 0
        n = <int>(tree_quiets(p, w.moves) - w.moves)
        score_quiets(p, w.moves, n, k.heap, w.history[p.side], w.follow[p.side] + 256 * move_to(last))
        k.size = n
        k.any = k.any or n > 0
        k.stage = STAGE_QUIETS
    while k.size:
        m = pop_best(k.heap, &k.size)
        if m == k.table_move:
            continue
        for i in range(k.refutations):
            if m == k.refutation[i]:
                break
        else:
            return m
    return 0


cdef int search(Worker *w, int alpha, int beta, int depth, int ply, bint cut) noexcept nogil:
    cdef Position *p = &w.pos
    cdef Picker picker
    cdef Hit hit
    cdef u32[REFUTED_QUIETS] tried
    cdef bint pv = beta - alpha > 1
    cdef bint quiet, improving
    cdef int side = p.side
    cdef int old = alpha, best = -INFINITE, score, static, r, new_depth, quiet_max
    cdef int number = 0, quiets = 0, ntried = 0
    cdef u32 m, best_move = 0, table_move = 0
    cdef u64 key

    # 1. A battle that ends here scores its margin: pieces gone, the limit, or (the search's view) a repetition.
    w.npv[ply] = 0
    if ended(p) or (w.limit and p.quiet >= w.limit) or repeated(w, ply):
        return final_score(p)
    if depth <= 0:
        return quiesce(w, alpha, beta, ply)
    if ply >= MAX_PLY:
        return evaluate(p)
    if ply > w.seldepth:
        w.seldepth = ply

    # 2. The table: a deep enough bound ends the search here, a legal move is tried first.
    key = table_key(w)
    if probe(w.hash, key, &hit):
        if not pv and hit.depth >= depth and (
                hit.bound == BOUND_EXACT or (hit.bound == BOUND_LOWER and hit.score >= beta)
                or (hit.bound == BOUND_UPPER and hit.score <= alpha)):
            return hit.score
        if hit.move and legal(p, hit.move):
            table_move = hit.move

    # 3. The static evaluation, sharpened by the table's bound.
    static = evaluate(p)
    w.evals[ply] = static
    improving = ply >= 2 and static > w.evals[ply - 2]

    if not pv and not w.plain:
        # 4. So far above beta that a quiet reply will not bring it below.
        if depth <= 5 and static - (80 if side == TROLL_SIDE else 100) * depth >= beta:
            return static

        # 5. Null move: if passing still fails high, so does a move.
        if depth >= 3 and static >= beta and w.path[ply - 1] and p.nd > 2 and p.nt > 0:
            if look(w):
                return 0
            r = 2 + depth // 4 + min((static - beta) // 200, 2)
            make_null(p, &w.undo[ply])
            w.path[ply] = 0
            w.keys[w.base + ply + 1] = p.key
            score = -search(w, -beta, -beta + 1, depth - 1 - r, ply + 1, not cut)
            unmake_null(p, &w.undo[ply])
            if w.aborted:
                return 0
            if score >= beta:
                return score

    # 6. Internal iterative reduction: without a table move the order is poor, and the next visit will have one.
    if depth >= 4 and not table_move and not w.plain:
        depth -= 1

    # 7. The moves.
    quiet_max = 10 + 8 * depth * depth if side == DWARF_SIDE else 8 + 5 * depth * depth
    if not improving and not pv:
        quiet_max //= 2
    start_picker(w, &picker, table_move, ply)
    while True:
        m = next_move(w, &picker, ply)
        if m == 0:
            break
        quiet = not is_capture(m)
        number += 1

        # 8. Pruning of late and hopeless quiet moves, once something was searched.
        if quiet and best > -INFINITE and not pv and not w.plain:
            quiets += 1
            if depth <= 5 and quiets > quiet_max:
                break
            if depth <= 4 and static + 120 + 110 * depth <= alpha:
                if static + 120 + 110 * depth > best:
                    best = static + 120 + 110 * depth
                break

        if look(w):
            return 0
        do_move(w, m, ply)

        # 9. Late moves are searched less deep and with a null window, and again when they surprise.
        new_depth = depth - 1
        if number == 1:
            score = -search(w, -beta, -alpha, new_depth, ply + 1, not pv and not cut)
        else:
            r = 0
            if depth >= 3 and quiet and number > 2 and not w.plain:
                r = REDUCTION[side][min(depth, 63)][min(number, 63)]
                if pv:
                    r -= 1
                if cut:
                    r += 1
                if not improving:
                    r += 1
                r -= (w.history[side][move_from(m) * 256 + move_to(m)]) // 6000
                r = max(0, min(r, new_depth - 1))
            score = -search(w, -alpha - 1, -alpha, new_depth - r, ply + 1, True)
            if score > alpha and r > 0 and not w.aborted:
                score = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not cut)
            if score > alpha and pv and not w.aborted:
                score = -search(w, -beta, -alpha, new_depth, ply + 1, False)
        undo_move(w, ply)
        if w.aborted:
            return 0

        # 10. Bounds.
        if score > best:
            best = score
            if score > alpha:
                best_move = m
                if pv:
                    extend_pv(w, m, ply)
                if score >= beta:
                    if quiet:
                        reward(w, m, tried, ntried, depth, ply)
                    break
                alpha = score
        if quiet and ntried < REFUTED_QUIETS:
            tried[ntried] = m
            ntried += 1

    # 11. No legal move: the battle is over.
    if number == 0:
        return final_score(p)
    store(w.hash, key, best_move, best, depth,
          BOUND_LOWER if best >= beta else BOUND_EXACT if best > old and pv else BOUND_UPPER)
    return best


cdef int search_root(Worker *w, int alpha, int beta, int depth, int first) noexcept nogil:
    """One iteration over the root moves from `first` on (those before it are better lines, found already). Each move's
    score is left in `roots`, -INFINITE where it is only known not to be the best."""
    cdef int i, score, best = -INFINITE, r, side = w.pos.side
    cdef u32 m
    cdef bint quiet
    for i in range(first, w.nroots):
        w.roots[i].order = i
        w.roots[i].score = -INFINITE
    w.npv[0] = 0
    w.evals[0] = evaluate(&w.pos)
    for i in range(first, w.nroots):
        if look(w):
            break
        m = w.roots[i].move
        quiet = not is_capture(m)
        do_move(w, m, 0)
        if i == first:
            score = -search(w, -beta, -alpha, depth - 1, 1, False)
        else:
            r = 0
            if depth >= 3 and quiet and i - first > 3 and not w.plain:
                r = max(0, min(REDUCTION[side][min(depth, 63)][min(i - first, 63)] - 1, depth - 2))
            score = -search(w, -alpha - 1, -alpha, depth - 1 - r, 1, True)
            if score > alpha and r > 0 and not w.aborted:
                score = -search(w, -alpha - 1, -alpha, depth - 1, 1, True)
            if score > alpha and not w.aborted:
                score = -search(w, -beta, -alpha, depth - 1, 1, False)
        undo_move(w, 0)
        if w.aborted:
            break
        if score > best:
            best = score
            if score > alpha or i == first:
                w.roots[i].score = score
            if score > alpha:
                extend_pv(w, m, 0)
                alpha = score
                if score >= beta:
                    break
    return best


cdef void sort_roots(Worker *w, int first) noexcept nogil:
    """Best score first, equal ones as they stood. Insertion: nearly everything is in place."""
    cdef int i, j
    cdef RootMove x
    for i in range(first + 1, w.nroots):
        x = w.roots[i]
        j = i
        while j > first and w.roots[j - 1].score < x.score:
            w.roots[j] = w.roots[j - 1]
            j -= 1
        w.roots[j] = x
