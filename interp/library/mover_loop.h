/* The loops of mover.c for elements T, which are numbers of bits at any address. NAME names them;
 * LANES of them are 16 bytes; LOW and HIGH list the lanes that a zip of two vectors takes from
 * their lower halves and from their upper ones. */

typedef T NAME(element) __attribute__((aligned(1), may_alias));

/* Moves one line of N elements, TO and FROM bytes apart. Steps that are constants make vectors. */
static inline __attribute__((always_inline)) void NAME(line)(const struct axis *a, char *restrict y,
                                                             const char *restrict x)
{
    NAME(element) *restrict to = (void *)y;
    const NAME(element) *restrict from = (const void *)x;
    const int64_t n = a->n, size = sizeof(T);

    if (a->to == size && a->from == 2 * size) {
        for (int64_t i = 0; i < n; i++)
            to[i] = from[2 * i];
    } else if (a->to == size && a->from == -size) {
        for (int64_t i = 0; i < n; i++)
            to[i] = from[-i];
    } else {
        for (int64_t i = 0; i < n; i++)
            *(NAME(element) *)(void *)(y + i * a->to) =
                *(const NAME(element) *)(const void *)(x + i * a->from);
    }
}

static INLAY_CLONES void NAME(each)(const struct move *m, char *to, const char *from)
{
    const struct axis *outer = outer_of(m), *inner = inner_of(m);

    for (int64_t r = 0; r < outer->n; r++)
        NAME(line)(inner, to + r * outer->to, from + r * outer->from);
}

/* Lines of one element each. */
static INLAY_CLONES void NAME(fill)(const struct move *m, char *to, const char *from)
{
    const struct axis *outer = outer_of(m);
    const int64_t n = inner_of(m)->n;

    for (int64_t r = 0; r < outer->n; r++) {
        NAME(element) *line = (void *)(to + r * outer->to);
        const T x = *(const NAME(element) *)(const void *)(from + r * outer->from);

        for (int64_t i = 0; i < n; i++)
            line[i] = x;
    }
}

static inline __attribute__((always_inline)) void
NAME(repeat_by)(int64_t times, int64_t n, char *restrict y, const char *restrict x)
{
    NAME(element) *restrict to = (void *)y;
    const NAME(element) *restrict from = (const void *)x;

    for (int64_t i = 0; i < n; i++) {
        const T one = from[i];

        for (int64_t k = 0; k < times; k++)
            to[i * times + k] = one;
    }
}

/* Each element of a line is repeated, and the copies follow each other. */
static INLAY_CLONES void NAME(repeat)(const struct move *m, char *to, const char *from)
{
    const int64_t n = outer_of(m)->n, times = inner_of(m)->n;

    if (times == 2)
        NAME(repeat_by)(2, n, to, from);
    else if (times == 3)
        NAME(repeat_by)(3, n, to, from);
    else if (times == 4)
        NAME(repeat_by)(4, n, to, from);
    else
        NAME(repeat_by)(times, n, to, from);
}

/* Zips N elements of each of K lines into one, or takes such a line apart. */
static inline __attribute__((always_inline)) void
NAME(zip_of)(int64_t k, int64_t n, char *restrict y, const char *x, int64_t apart)
{
    NAME(element) *restrict to = (void *)y;
    const NAME(element) *a = (const void *)x, *b = (const void *)(x + apart),
                        *c = (const void *)(x + 2 * apart), *d = (const void *)(x + 3 * apart);

    for (int64_t i = 0; i < n; i++) {
        to[k * i] = a[i];
        to[k * i + 1] = b[i];
        if (k > 2)
            to[k * i + 2] = c[i];
        if (k > 3)
            to[k * i + 3] = d[i];
    }
}

static inline __attribute__((always_inline)) void
NAME(unzip_of)(int64_t k, int64_t n, char *y, int64_t apart, const char *restrict x)
{
    const NAME(element) *restrict from = (const void *)x;
    NAME(element) *restrict a = (void *)y, *restrict b = (void *)(y + apart),
                            *restrict c = (void *)(y + 2 * apart),
                            *restrict d = (void *)(y + 3 * apart);

    for (int64_t i = 0; i < n; i++) {
        a[i] = from[k * i];
        b[i] = from[k * i + 1];
        if (k > 2)
            c[i] = from[k * i + 2];
        if (k > 3)
            d[i] = from[k * i + 3];
    }
}

static INLAY_CLONES void NAME(zip)(const struct move *m, char *to, const char *from)
{
    const struct axis lines = *outer_of(m);
    const int64_t n = inner_of(m)->n;

    if (lines.n == 2)
        NAME(zip_of)(2, n, to, from, lines.from);
    else if (lines.n == 3)
        NAME(zip_of)(3, n, to, from, lines.from);
    else
        NAME(zip_of)(4, n, to, from, lines.from);
}

static INLAY_CLONES void NAME(unzip)(const struct move *m, char *to, const char *from)
{
    const struct axis lines = *outer_of(m);
    const int64_t n = inner_of(m)->n;

    if (lines.n == 2)
        NAME(unzip_of)(2, n, to, lines.to, from);
    else if (lines.n == 3)
        NAME(unzip_of)(3, n, to, lines.to, from);
    else
        NAME(unzip_of)(4, n, to, lines.to, from);
}

#ifdef LANES
typedef T NAME(vector) __attribute__((vector_size(16), aligned(1), may_alias));

/* Makes columns of LANES rows, BESIDE bytes apart, rows that are APART: each round zips the vectors
 * of the lower half with those of the upper one. */
static inline __attribute__((always_inline)) void NAME(block)(char *to, int64_t apart,
                                                              const char *from, int64_t beside)
{
    NAME(vector) v[LANES], w[LANES];

    for (int i = 0; i < LANES; i++)
        v[i] = *(const NAME(vector) *)(const void *)(from + i * beside);
    for (int round = 1; round < LANES; round *= 2) {
        for (int i = 0; i < LANES / 2; i++) {
            w[2 * i] = __builtin_shufflevector(v[i], v[i + LANES / 2], LOW);
            w[2 * i + 1] = __builtin_shufflevector(v[i], v[i + LANES / 2], HIGH);
        }
        for (int i = 0; i < LANES; i++)
            v[i] = w[i];
    }
    for (int i = 0; i < LANES; i++)
        *(NAME(vector) *)(void *)(to + i * apart) = v[i];
}

/* Makes the columns of N rows, LANES columns at a time; the last ones begin earlier, so that they
 * are whole: what they share with those before is written twice. */
static inline __attribute__((always_inline)) void
NAME(band)(char *to, int64_t apart, const char *from, int64_t beside, int64_t n)
{
    const int64_t size = sizeof(T), last = n - LANES;
    int64_t k = 0;

    for (; k <= last; k += LANES)
        NAME(block)(to + k * size, apart, from + k * beside, beside);
    if (k < n)
        NAME(block)(to + last * size, apart, from + last * beside, beside);
}

/* Turns a matrix round, by squares of lines of the cache. */
static INLAY_CLONES void NAME(turn)(const struct move *m, char *to, const char *from)
{
    const struct axis rows = *outer_of(m), cols = *inner_of(m);
    const int64_t side = LINE / (int64_t)sizeof(T), size = sizeof(T);

    for (int64_t r = 0; r < rows.n; r += side) {
        for (int64_t c = 0, n; c < cols.n; c += n) {
            n = cols.n - c < side + LANES ? cols.n - c : side;
            for (int64_t i = r; i < r + side && i < rows.n; i += LANES) {
                int64_t row = i < rows.n - LANES ? i : rows.n - LANES;

                NAME(band)
                (to + row * rows.to + c * size, rows.to, from + row * size + c * cols.from,
                 cols.from, n);
            }
        }
    }
}
#endif
