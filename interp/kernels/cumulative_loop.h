/* Running sums for one element type T: included by cumulative.c once a domain. */
static void run_sums(const running *r, const T *x, T *y)
{
    for (int64_t i = 0; i < r->s.before; i++) {
        for (int64_t j = 0; j < r->s.after; j++) {
            T sum = 0;

            for (int64_t k = 0; k < r->s.length; k++) {
                int64_t place = r->reverse ? r->s.length - 1 - k : k;
                int64_t at = (i * r->s.length + place) * r->s.after + j;

                y[at] = r->exclusive ? sum : sum + x[at];
                sum += x[at];
            }
        }
    }
}
