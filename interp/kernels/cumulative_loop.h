/* Cumulative operations for one element type T: cumulative.c includes it once for each domain. */

/* Computes N lines that lie side by side, element after element: each is the sum, or the product, of
 * the one before it, which is BACK behind it, and of X, or of X BACK behind it if it is exclusive.
 */
static INLAY_CLONES void NAME(step)(const running *r, const T *x, T *y, int64_t n, int64_t back)
{
    const T *next = r->exclusive ? x + back : x;

    if (r->product)
        _Pragma("omp simd") for (int64_t j = 0; j < n; j++) y[j] = y[j + back] * next[j];
    else
        _Pragma("omp simd") for (int64_t j = 0; j < n; j++) y[j] = y[j + back] + next[j];
}

/* Sets N lines' first elements. */
static INLAY_CLONES void NAME(begin)(const running *r, const T *x, T *y, int64_t n)
{
    const T none = r->product ? 1 : 0;

    if (r->exclusive)
        for (int64_t j = 0; j < n; j++)
            y[j] = none;
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = r->product ? none * x[j] : none + x[j];
}

/* Computes some lines, which begin at START, their elements STEP apart: a line alone waits for each
 * of its sums. */
MATHS_INLINE void NAME(beside)(const running *r, const T *x, T *y, const int64_t *start, int lines,
                               bool product, bool exclusive)
{
    const int64_t step = r->reverse ? -r->s.after : r->s.after;
    T all[LINES];

    for (int i = 0; i < lines; i++)
        all[i] = product ? 1 : 0;
    for (int64_t k = 0, at = 0; k < r->s.length; k++, at += step) {
        for (int i = 0; i < lines; i++) {
            T next = product ? all[i] * x[start[i] + at] : all[i] + x[start[i] + at];

            y[start[i] + at] = exclusive ? all[i] : next;
            all[i] = next;
        }
    }
}

static void NAME(sums)(const running *r, const T *x, T *y, const int64_t *start, int lines)
{
    if (lines == LINES && r->exclusive)
        NAME(beside)(r, x, y, start, LINES, false, true);
    else if (lines == LINES)
        NAME(beside)(r, x, y, start, LINES, false, false);
    else
        NAME(beside)(r, x, y, start, lines, false, r->exclusive);
}

/* Computes all lines, some at a time. */
static void NAME(run_lines)(const running *r, const T *x, T *y)
{
    const int64_t lines = r->s.before * r->s.after, plane = r->s.length * r->s.after;

    for (int64_t i = 0; i < lines; i += LINES) {
        int64_t start[LINES];
        int n = lines - i < LINES ? (int)(lines - i) : LINES;

        for (int k = 0; k < n; k++)
            start[k] = (i + k) / r->s.after * plane + (i + k) % r->s.after +
                       (r->reverse ? plane - r->s.after : 0);
        if (r->product)
            NAME(beside)(r, x, y, start, n, true, r->exclusive);
        else
            NAME(sums)(r, x, y, start, n);
    }
}

static void NAME(run)(const running *r, const T *x, T *y)
{
    const int64_t n = r->s.after, step = r->reverse ? -n : n, plane = r->s.length * n;

    if (n < NARROW && plane > 0) {
        NAME(run_lines)(r, x, y);
        return;
    }
    for (int64_t i = 0; i < r->s.before && plane > 0; i++, x += plane, y += plane) {
        int64_t at = r->reverse ? plane - n : 0;

        NAME(begin)(r, x + at, y + at, n);
        for (int64_t k = 1; k < r->s.length; k++) {
            at += step;
            NAME(step)(r, x + at, y + at, n, -step);
        }
    }
}
