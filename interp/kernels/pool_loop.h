/* Poolings for one element type T, with sums of type SUM: included by pool.c once a domain. */

/* LEAST stands for the padding, so a field without an element of the image gives LEAST. A NaN in
 * the field comes out; of equal elements the first is taken. */
static void NAME(max)(const field *w, int64_t planes, T least, const T *x, T *y, int64_t *index)
{
    int64_t dims[FIELD_AXES] = {w->axis[0].small, w->axis[1].small, w->axis[2].small};

    for (int64_t plane = 0; plane < planes; plane++, x += w->large) {
        for (index_iter it = index_begin(FIELD_AXES, dims); index_valid(&it); index_next(&it)) {
            patch p = patch_at(w, it.at);
            T most = least;
            int64_t found = -1;

            for (int64_t i = p.from[0]; i < p.to[0]; i++) {
                for (int64_t j = p.from[1]; j < p.to[1]; j++) {
                    for (int64_t k = p.from[2]; k < p.to[2]; k++) {
                        int64_t at = element_at(w, it.at, i, j, k);

                        if (found < 0 || x[at] > most || (IS_NAN(x[at]) && !IS_NAN(most))) {
                            most = x[at];
                            found = at;
                        }
                    }
                }
            }
            *y++ = most;
            if (index)
                *index++ = found < 0 ? 0 : found;
        }
    }
}

/* The sum over the field by the number of its elements: those INSIDE the image, or with the
 * padding, which counts as zeros. A field without any element gives 0. */
static void NAME(average)(const field *w, int64_t planes, bool inside, const T *x, T *y)
{
    int64_t dims[FIELD_AXES] = {w->axis[0].small, w->axis[1].small, w->axis[2].small};

    for (int64_t plane = 0; plane < planes; plane++, x += w->large) {
        for (index_iter it = index_begin(FIELD_AXES, dims); index_valid(&it); index_next(&it)) {
            patch p = patch_at(w, it.at);
            int64_t n = inside ? patch_count(&p) : padded_count(w, it.at);
            SUM sum = 0;

            for (int64_t i = p.from[0]; i < p.to[0]; i++) {
                for (int64_t j = p.from[1]; j < p.to[1]; j++) {
                    for (int64_t k = p.from[2]; k < p.to[2]; k++)
                        sum += (SUM)x[element_at(w, it.at, i, j, k)];
                }
            }
            *y++ = n > 0 ? (T)sum / (T)n : 0;
        }
    }
}
