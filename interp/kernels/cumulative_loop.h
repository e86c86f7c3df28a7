/* Cumulative operations for one element type T: cumulative.c includes it once for each domain. */

/* Computes N lines that lie side by side, element after element: each is the sum, or the product, of
 * the one before it, which is BACK behind it, and of X, or of X BACK behind it if it is exclusive.
 */
static INLAY_CLONES void NAME(step)(const running *r, const T *x, T *y, int64_t n, int64_t back)
{
    const T *next = r->exclusive ? x + back : x;

    if (r->product)
        for (int64_t j = 0; j < n; j++)
            y[j] = y[j + back] * next[j];
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = y[j + back] + next[j];
}

/* Computes one line of elements that lie side by side. */
static void NAME(line)(const running *r, const T *x, T *y)
{
    T all = r->product ? 1 : 0;

    for (int64_t k = 0; k < r->s.length; k++) {
        int64_t at = r->reverse ? r->s.length - 1 - k : k;
        T next = r->product ? all * x[at] : all + x[at];

        y[at] = r->exclusive ? all : next;
        all = next;
    }
}

static void NAME(run)(const running *r, const T *x, T *y)
{
    const int64_t n = r->s.after, step = r->reverse ? -n : n, plane = r->s.length * n;

    for (int64_t i = 0; i < r->s.before && plane > 0; i++, x += plane, y += plane) {
        int64_t at = r->reverse ? plane - n : 0;

        if (n == 1) {
            NAME(line)(r, x, y);
            continue;
        }
        for (int64_t j = at; j < at + n; j++) {
            T none = r->product ? 1 : 0;

            y[j] = r->exclusive ? none : r->product ? none * x[j] : none + x[j];
        }
        for (int64_t k = 1; k < r->s.length; k++) {
            at += step;
            NAME(step)(r, x + at, y + at, n, -step);
        }
    }
}
