# Searcher: one thread's search as Python sees it. The tree runs without the GIL; between iterations Python hears of
# the result.

cdef class Searcher:
    """Histories and stacks of one search thread, over a table that several may share."""
    cdef Worker *w
    cdef readonly Table table

    def __cinit__(self, Table table):
        self.table = table
        self.w = <Worker*>calloc(1, sizeof(Worker))
        if self.w == NULL:
            raise MemoryError("no memory for a search thread")

    def __dealloc__(self):
        if self.w != NULL:
            free(self.w.keys)
            free(self.w.roots)
            free(self.w)

    @property
    def nodes(self):
        return self.w.nodes

    def share(self, Table table):
        """Search over another table from now on."""
        self.table = table

    def forget(self):
        """Clear histories, killers and counter-moves."""
        memset(self.w.killers, 0, sizeof(self.w.killers))
        memset(self.w.counter, 0, sizeof(self.w.counter))
        memset(self.w.history, 0, sizeof(self.w.history))
        memset(self.w.follow, 0, sizeof(self.w.follow))

    cdef int set_keys(self, Board board) except -1:
        """The keys of the battle since the last capture, for repetitions."""
        cdef int n = min(board.depth, board.p.quiet), i
        free(self.w.keys)
        self.w.keys = <u64*>malloc((n + MAX_PLY + 8) * sizeof(u64))
        if self.w.keys == NULL:
            raise MemoryError("no memory for the battle's keys")
        for i in range(n):
            self.w.keys[i] = board.past[board.depth - n + i].key
        self.w.keys[n] = board.p.key
        self.w.base = n
        return 0

    cdef int set_roots(self, Board board, moves) except -1:
        """The root's moves, captures first by what they take."""
        cdef int i
        if moves is None:
            moves = board.legal_moves()
        ordered = sorted(moves, key=lambda m: -gain_of(m))
        free(self.w.roots)
        self.w.nroots = 0
        self.w.roots = <RootMove*>malloc(max(len(ordered), 1) * sizeof(RootMove))
        if self.w.roots == NULL:
            raise MemoryError("no memory for the root's moves")
        for i in range(len(ordered)):
            self.w.roots[i].move = ordered[i]
            self.w.roots[i].score = -INFINITE
        self.w.nroots = len(ordered)
        return 0

    def search(self, Board board not None, report, stop not None, *, moves=None, int limit=0, int first_depth=1,
               int depth=100, nodes=None, double soft=-1, double hard=-1, double elapsed=0, bint ponder=False,
               int lines=1, peers=(), halt=None, bint plain=False):
        """Iterative deepening from the board's position; the board is left as it is.

        `moves` restricts the root, `limit` is the NoCaptureLimit, `stop` two bytes to poll (stop, ponderhit). Times
        are milliseconds, negative for none: no iteration begins after `soft`, none goes on after `hard`; `elapsed` of
        them is over already. `peers` are the searchers whose nodes count too, `halt` a byte that ends the search as
        well. `report(depth, seldepth, line, score, pv)` is called for each of the `lines` best lines of a completed
        depth. `plain` searches the full width: nothing is pruned or reduced. Returns the best line, or the first move
        when nothing was completed.
        """
        cdef Worker *w = self.w
        cdef unsigned char[::1] flags = stop
        cdef unsigned char[::1] halted = stop if halt is None else halt
        cdef int d, k, score = 0, alpha, beta, delta, i
        cdef Searcher peer
        cdef bint aborted = False
        memcpy(&w.pos, &board.p, sizeof(Position))
        w.hash = &self.table.h
        w.limit = limit
        w.plain = plain
        w.stop = &flags[0]
        w.halt = &halted[0]
        w.limits.nodes = (<i64>1 << 62) if nodes is None else nodes
        w.limits.hard = hard
        w.limits.start = now_ms() - elapsed
        w.limits.ponder = ponder
        w.nodes = 0
        w.until_check = 0
        w.aborted = False
        w.npeers = 0
        for peer in peers[:64]:
            w.peers[w.npeers] = &peer.w.nodes
            w.npeers += 1
        self.set_keys(board)
        self.set_roots(board, moves)
        if w.nroots == 0:
            return []
        memset(w.killers, 0, sizeof(w.killers))
        lines = max(1, min(lines, w.nroots))
        best = [w.roots[0].move]
        scores = [0] * lines
        for d in range(first_depth, min(depth, MAX_PLY - 28) + 1):
            found = []
            w.seldepth = 0
            for k in range(lines):
                delta = 35
                alpha = -INFINITE
                beta = INFINITE
                if d >= 4:
                    alpha = max(-INFINITE, scores[k] - delta)
                    beta = min(INFINITE, scores[k] + delta)
                while True:
                    with nogil:
                        score = search_root(w, alpha, beta, d, k)
                    if w.aborted:
                        break
                    sort_roots(w, k)
                    delta *= 3
                    if score <= alpha:
                        alpha = max(-INFINITE, score - delta)
                    elif score >= beta:
                        beta = min(INFINITE, score + delta)
                    else:
                        break
                if w.aborted:
                    aborted = True
                    # A move that was searched to its end and beat all before it still counts.
                    if lines == 1 and w.npv[0]:
                        for i in range(w.nroots):
                            if w.roots[i].move == w.pv[0][0]:
                                score = w.roots[i].score
                                break
                        if alpha < score < beta:
                            found.append((score, [w.pv[0][i] for i in range(w.npv[0])]))
                    break
                found.append((score, [w.pv[0][i] for i in range(w.npv[0])]))
                scores[k] = score
            if found and (not aborted or lines == 1):
                found.sort(key=lambda line: -line[0])
                best = found[0][1]
                if report is not None:
                    for k, (score, pv) in enumerate(found):
                        report(d, max(w.seldepth, len(pv)), k + 1, score, pv)
            if aborted or stop[0]:
                break
            if not w.limits.ponder and soft >= 0 and now_ms() - w.limits.start >= (soft if w.nroots > 1 else 0):
                break
        return best
