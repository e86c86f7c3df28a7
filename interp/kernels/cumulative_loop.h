/* Cumulative operations for one element type T: cumulative.c includes it once for each domain. */
static void NAME(run)(const running *r, const T *x, T *y)
{
    for (int64_t i = 0; i < r->s.before; i++) {
        for (int64_t j = 0; j < r->s.after; j++) {
            T all = r->product ? 1 : 0;

            for (int64_t k = 0; k < r->s.length; k++) {
                int64_t place = r->reverse ? r->s.length - 1 - k : k;
                int64_t at = (i * r->s.length + place) * r->s.after + j;
                T next = r->product ? all * x[at] : all + x[at];

                y[at] = r->exclusive ? all : next;
                all = next;
            }
        }
    }
}
