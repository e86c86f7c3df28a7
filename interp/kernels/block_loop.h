/* Col2Im for one element type T: block.c includes it once for each domain. X [planes, kernel,
 * blocks], Y [planes, image], zeros. */
static void NAME(add)(const blocks *b, const T *x, T *y)
{
    int64_t image = dims_product(b->image, b->axes);

    for (int64_t plane = 0; plane < b->planes; plane++, y += image) {
        for (index_iter k = index_begin(b->axes, b->kernel); index_valid(&k); index_next(&k)) {
            for (index_iter p = index_begin(b->axes, b->count); index_valid(&p); index_next(&p)) {
                int64_t at = image_element(b, p.at, k.at);
                T next = *x++;

                if (at >= 0)
                    y[at] += next;
            }
        }
    }
}
