/* The loops of select.c for keys K, and entries E of a key above a position of BITS bits; NAME
 * names them. Entries are never equal: of equal keys the first position is the greater entry. */

#define ENTRY(key, at) ((E)(key) << BITS | (K) ~(K)(at))
#define KEY(entry) ((K)((entry) >> BITS))
#define PLACE(entry) ((int64_t)(K) ~(K)(entry))

/* Sorts N entries, the greatest first. SPARE: room for as many. */
static void NAME(sort)(E *list, E *spare, int64_t n)
{
    E *from = list, *to = spare, *swap;

    for (int64_t a = 0; a < n; a += RUN) { /* runs, by insertion */
        for (int64_t i = a + 1; i < a + RUN && i < n; i++) {
            E x = list[i];
            int64_t k = i;

            for (; k > a && list[k - 1] < x; k--)
                list[k] = list[k - 1];
            list[k] = x;
        }
    }
    for (int64_t width = RUN; width < n; width *= 2) {
        for (int64_t a = 0; a < n; a += 2 * width) {
            int64_t middle = a + width < n ? a + width : n, b = middle, i = a, k = a;
            int64_t end = middle + width < n ? middle + width : n;

            while (i < middle && b < end) { /* without branches */
                E x = from[i], y = from[b];
                bool second = y > x;

                to[k++] = second ? y : x;
                i += !second;
                b += second;
            }
            memcpy(to + k, from + i, (size_t)(middle - i) * sizeof *to);
            memcpy(to + k + (middle - i), from + b, (size_t)(end - b) * sizeof *to);
        }
        swap = from;
        from = to;
        to = swap;
    }
    if (from != list)
        memcpy(list, from, (size_t)n * sizeof *list);
}

/* Moves the K greatest of N entries to the front, in any order, and returns the least key of them:
 * a quickselect, which sorts after too many rounds. */
static K NAME(keep)(E *list, E *spare, int64_t n, int64_t k)
{
    int64_t lo = 0, hi = n, done = -1;
    E least;

    for (int round = 0; hi - lo > RUN && done != k; round++) {
        E *last = &list[hi - 1], *middle = &list[lo + (hi - lo) / 2], pivot, x;

        if (round > ROUNDS)
            break;
        if ((list[lo] > *middle) != (list[lo] > *last))
            middle = &list[lo];
        else if ((*last > *middle) != (*last > list[lo]))
            middle = last;
        pivot = *middle;
        *middle = *last;
        *last = pivot;
        done = lo;
        for (int64_t i = lo; i < hi - 1; i++) {
            x = list[i];
            list[i] = list[done];
            list[done] = x;
            done += x > pivot;
        }
        *last = list[done];
        list[done] = pivot;
        if (k <= done)
            hi = done;
        else
            lo = done + 1;
    }
    if (done != k)
        NAME(sort)(list + lo, spare, hi - lo);
    least = list[0];
    for (int64_t i = 1; i < k; i++)
        least = list[i] < least ? list[i] : least;
    return KEY(least);
}

/* Adds those of N keys, the first of which is number AT of its line, to the LENGTH entries of LIST
 * that are above LEAST. Returns how many entries there are then. */
static INLAY_CLONES int64_t NAME(add)(const K *keys, int64_t n, int64_t at, K least, E *list,
                                      int64_t length)
{
    for (int64_t i = 0; i < n;) {
        int64_t end = i + GROUP < n ? i + GROUP : n;
        K any = i + GROUP > n;

        for (int64_t k = 0; i + GROUP <= n && k < GROUP; k++)
            any |= keys[i + k] > least;
        if (!any)
            i = end;
        for (; i < end; i++) {
            list[length] = ENTRY(keys[i], at + i);
            length += keys[i] > least;
        }
    }
    return length;
}

/* Puts X into its place among the N entries of LIST, which are sorted; the last one goes. */
static inline void NAME(insert)(E x, E *list, int64_t n)
{
    int64_t place = n - 1;

    if (x <= list[place])
        return;
    for (; place > 0 && list[place - 1] < x; place--)
        list[place] = list[place - 1];
    list[place] = x;
}

/* Finds the k greatest keys of the line at START, in order, at the front of the LIST: a few are
 * kept sorted. The farther on, the fewer are above these, and the more keys are looked at together.
 */
static void NAME(select_few)(const selection *s, int64_t start, E *list)
{
    const int64_t k = s->k, step = s->step;
    E found[BLOCK];
    K keys[BLOCK];

    memset(list, 0, (size_t)k * sizeof *list); /* which is below all entries */
    s->load(s, start, step, k, keys);
    for (int64_t i = 0; i < k; i++)
        NAME(insert)(ENTRY(keys[i], i), list, k);
    for (int64_t at = k, m; at < s->length; at += m) {
        int64_t n = at < BLOCK ? at : BLOCK;

        m = s->length - at < n ? s->length - at : n;
        s->load(s, start + at * step, step, m, keys);
        n = NAME(add)(keys, m, at, KEY(list[k - 1]), found, 0);
        for (int64_t i = 0; i < n; i++)
            NAME(insert)(found[i], list, k);
    }
}

/* The same for many: where the list is full, the k greatest are kept, and no key counts any more
 * that is not above all of these. Returns how many there are. */
static int64_t NAME(select_many)(const selection *s, int64_t start, E *list, E *spare)
{
    const int64_t k = s->k;
    bool above = s->bounded;
    int64_t n = 0;
    K keys[BLOCK], least = (K)s->bound;

    for (int64_t at = 0, m; at < s->length; at += m) {
        m = s->length - at < BLOCK ? s->length - at : BLOCK;
        s->load(s, start + at * s->step, s->step, m, keys);
        if (above)
            n = NAME(add)(keys, m, at, least, list, n);
        for (int64_t i = 0; !above && i < m; i++)
            list[n++] = ENTRY(keys[i], at + i);
        if (n + BLOCK > s->room && n > k) {
            least = NAME(keep)(list, spare, n, k);
            above = true;
            n = k;
        }
    }
    if (n > k)
        NAME(keep)(list, spare, n, k);
    n = n < k ? n : k;
    NAME(sort)(list, spare, n);
    return n;
}

/* Entries become places, in the same memory. */
static int64_t NAME(select)(const selection *s, int64_t start, void *room)
{
    E *list = room, *spare = list + s->room;
    int64_t n = s->k;

    if (n <= FEW && !s->bounded)
        NAME(select_few)(s, start, list);
    else
        n = NAME(select_many)(s, start, list, spare);
    for (int64_t i = 0; s->by_index && i < n; i++)
        list[i] = (K)list[i];
    if (s->by_index)
        NAME(sort)(list, spare, n);
    for (int64_t i = 0; i < n; i++) {
        int64_t place = PLACE(list[i]);

        memcpy((int64_t *)room + i, &place, sizeof place);
    }
    return n;
}

/* Compares N keys with the greatest so far of as many lanes, and keeps their number, AT. */
static INLAY_CLONES void NAME(compare)(const K *keys, int64_t n, K at, K *best, K *found)
{
    for (int64_t i = 0; i < n; i++) {
        found[i] = keys[i] > best[i] ? at : found[i];
        best[i] = keys[i] > best[i] ? keys[i] : best[i];
    }
}

static void NAME(best_beside)(const selection *s, int64_t start, int64_t n, int64_t *places)
{
    K keys[BLOCK], best[BLOCK], found[BLOCK] = {0};

    s->load(s, start, 1, n, best);
    for (int64_t at = 1; at < s->length; at++) {
        s->load(s, start + at * s->step, 1, n, keys);
        NAME(compare)(keys, n, (K)at, best, found);
    }
    for (int64_t i = 0; i < n; i++)
        places[i] = (int64_t)found[i];
}

/* Returns the first place of the greatest of N lanes. */
static INLAY_CLONES int64_t NAME(first_best)(const K *best, const K *found, int64_t n)
{
    K most = 0, first = (K) ~(K)0;

    for (int64_t i = 0; i < n; i++)
        most = best[i] > most ? best[i] : most;
    for (int64_t i = 0; i < n; i++) { /* without branches */
        K at = found[i] | (K) - (K)(best[i] != most);

        first = at < first ? at : first;
    }
    return (int64_t)first;
}

/* Takes the better one of N lanes and N others; of equal ones that which was found first. */
static INLAY_CLONES void NAME(take_better)(K *restrict best, K *restrict found,
                                           const K *restrict other, const K *restrict at, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        bool better = (other[i] > best[i]) | ((other[i] == best[i]) & (at[i] < found[i]));

        found[i] = better ? at[i] : found[i];
        best[i] = better ? other[i] : best[i];
    }
}

/* Lines with themselves: the greatest of all elements that are a block of whole steps apart. */
static void NAME(best_along)(const selection *s, int64_t start, int64_t *places)
{
    const int64_t block = BLOCK / s->step * s->step, all = s->length * s->step,
                  lanes = all < block ? all : block;
    K keys[BLOCK], best[BLOCK], found[BLOCK];

    s->load(s, start, 1, lanes, best);
    memset(found, 0, (size_t)lanes * sizeof *found);
    for (int64_t at = block; at < all; at += block) {
        int64_t n = all - at < block ? all - at : block;

        s->load(s, start + at, 1, n, keys);
        NAME(compare)(keys, n, (K)at, best, found);
    }
    for (int64_t i = 0; i < lanes; i++)
        found[i] += (K)i;
    if (s->step == 1) {
        places[0] = NAME(first_best)(best, found, lanes);
        return;
    }
    for (int64_t n = lanes, half; n > s->step; n = half) {
        half = (n / s->step + 1) / 2 * s->step;
        NAME(take_better)(best, found, best + half, found + half, n - half);
    }
    for (int64_t i = 0; i < s->step; i++)
        places[i] = (int64_t)found[i] / s->step;
}

#undef ENTRY
#undef KEY
#undef PLACE
