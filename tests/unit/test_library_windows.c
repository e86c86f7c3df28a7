/* Convolutions and steps of recurrences of the library against plain loops, for each width of vectors
 * that the processor has. */
#include "interp/library/flat.h"
#include "interp/library/fused.h"
#include "interp/library/image.h"
#include "interp/library/near.h"
#include "interp/library/strip.h"
#include "node_case.h"
#include "unit.h"

#include <float.h>
#include <math.h>

enum { DEPTH = 33, ROWS = 2 * TILE_ROWS + 7, WIDTH = 2 * TILE_BYTES / (int)sizeof(float) };

/* Row I of what positions make: listed numbers of A, and B, whose rows are as long as a tile. */
static void check_positions(const tile_set *set, tile_positions *t, int64_t rows, int64_t cols,
                            rng *r)
{
    float before[ROWS * WIDTH], c[ROWS * WIDTH];

    for (int i = 0; i < ROWS * WIDTH; i++)
        c[i] = before[i] = (float)any_number(r, false);
    t->c = c;
    set->positions_f32(t, rows, cols);
    for (int64_t i = 0; i < rows * cols; i++) {
        int64_t row = i / cols, col = i % cols, at = row * set->cols_f32 + col;
        float wanted = t->adds ? before[at] : 0;

        for (int64_t k = 0; k < t->depth; k++)
            wanted =
                fmaf(t->a[t->row_at[row] + t->col_at[k]], t->b[k * set->cols_f32 + col], wanted);
        wanted += 0;
        if (memcmp(&c[at], &wanted, sizeof wanted) != 0)
            fail_msg("%s: %lld x %lld, element %lld,%lld is %g, not %g", set->name, (long long)rows,
                     (long long)cols, (long long)row, (long long)col, (double)c[at],
                     (double)wanted);
    }
}

static void positions(void **state)
{
    static float a[ROWS * DEPTH], b[DEPTH * WIDTH];
    int64_t row_at[ROWS], col_at[DEPTH];
    bool more = true;

    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 300; i++) {
            int64_t cols = rng_in(&r, 1, set->cols_f32), rows = rng_in(&r, 1, ROWS - TILE_ROWS);
            tile_positions t = {.depth = rng_in(&r, 0, DEPTH),
                                .a = a,
                                .row_at = row_at,
                                .col_at = col_at,
                                .b = b,
                                .adds = rng_one_in(&r, 2)};

            for (int k = 0; k < ROWS; k++)
                row_at[k] = rng_in(&r, 0, ROWS - 1) * DEPTH;
            for (int k = 0; k < DEPTH; k++)
                col_at[k] = rng_in(&r, 0, DEPTH - 1);
            for (int k = 0; k < ROWS * DEPTH; k++)
                a[k] = (float)any_number(&r, false);
            for (int k = 0; k < DEPTH * WIDTH; k++)
                b[k] = (float)any_number(&r, false);
            check_positions(set, &t, rows, cols, &r);
        }
    }
}

/* The result at position AT: a sum, divided by COUNT unless that is 0, or, without F, a
 * maximum. */
static float window_result(const field *w, const int64_t *at, const float *x, const float *f,
                           float count)
{
    const field_axis *a = w->axis;
    const int64_t dims[FIELD_AXES] = {a[0].kernel, a[1].kernel, a[2].kernel};
    float found = f ? 0 : -INFINITY;

    for (index_iter it = index_begin(FIELD_AXES, dims); index_valid(&it); index_next(&it)) {
        int64_t from = 0;
        bool seen = true;

        for (int i = 0; i < FIELD_AXES; i++) {
            int64_t e = field_element(&a[i], at[i], it.at[i]);

            seen = seen && e >= 0;
            from = from * a[i].large + e;
        }
        if (seen && f)
            found = fmaf(f[it.linear], x[from], found);
        else if (seen && x[from] > found)
            found = x[from];
    }
    return !f ? found : count > 0 ? (found + 0) / count : found + 0;
}

/* Returns X rounded as E says, by the function for a single element. */
static float rounded(const tile_end *e, float x)
{
    inlay_type type = e->half == FUSED_F16    ? INLAY_F16
                      : e->half == FUSED_BF16 ? INLAY_BF16
                                              : INLAY_F32;
    uint32_t code;

    inlay_store_f32(type, &code, 0, x);
    return inlay_load_f32(type, &code, 0);
}

/* Returns X after E; NULL: nothing is done. */
static float ended(const tile_end *e, float x)
{
    x = e ? rounded(e, x) : x;
    x = e && e->add ? rounded(e, x + *e->add) : x;
    x = e && e->relu && x <= 0 ? 0 : x;
    if (e && e->clamps)
        x = x < e->low ? e->low : x > e->high ? e->high : x;
    return x;
}

/* Draws what is done to sums; ADD: room for a number to add. */
static tile_end draw_end(rng *r, float *add)
{
    *add = (float)any_number(r, true);
    return (tile_end){.add = rng_one_in(r, 2) ? add : NULL,
                      .relu = rng_one_in(r, 3),
                      .clamps = rng_one_in(r, 3),
                      .low = rng_one_in(r, 4) ? 2 : -1,
                      .high = 1,
                      .half = (int)rng_in(r, 0, FUSED_BF16)};
}

/* Returns whether a window of W sees element E. */
static bool is_seen(const field *w, int64_t e)
{
    const field_axis *a = w->axis;
    bool seen = true;

    for (int i = FIELD_AXES - 1; seen && i >= 0; i--) {
        int64_t at = e % a[i].large;

        e /= a[i].large;
        seen = false;
        for (int64_t p = 0; p < a[i].small; p++) {
            for (int64_t k = 0; k < a[i].kernel; k++)
                seen = seen || field_element(&a[i], p, k) == at;
        }
    }
    return seen;
}

/* Checks the results Y. COUNTS: for each by what it is divided, or NULL. E: what was done to it
 * then. FINITE: whether all sums are. */
static void check_windows(const tile_set *set, const field *w, const float *x, const float *f,
                          const float *counts, const tile_end *e, const float *y, bool finite)
{
    const field_axis *a = w->axis;
    const int64_t dims[FIELD_AXES] = {a[0].small, a[1].small, a[2].small};

    for (index_iter it = index_begin(FIELD_AXES, dims); index_valid(&it); index_next(&it)) {
        float wanted = ended(e, window_result(w, it.at, x, f, counts ? counts[it.linear] : 0));
        float is = y[it.linear];

        if (counts && !isfinite(wanted))
            assert_false(finite);
        if (isnan(wanted) ? !isnan(is) : memcmp(&is, &wanted, sizeof wanted) != 0)
            fail_msg("%s: %lld x %lld, stride %lld, of %lld x %lld, element %lld is %g, not %g",
                     set->name, (long long)a[1].kernel, (long long)a[2].kernel,
                     (long long)a[2].stride, (long long)a[1].large, (long long)a[2].large,
                     (long long)it.linear, (double)is, (double)wanted);
    }
}

/* Draws a field, of which most are supported, with rows of at most LONGEST. */
static void draw_field(rng *r, bool deep, int64_t longest, field *w)
{
    static const int64_t sides[] = {2, 3, 5, 7};
    int64_t one[] = {1, 1, 1}, side = sides[rng_in(r, 0, 3)], stride = rng_in(r, 1, 2);

    field_axes(0, one, one, one, w);
    for (int i = deep && rng_one_in(r, 4) ? 0 : 1; i < FIELD_AXES; i++) {
        field_axis *a = &w->axis[i];

        a->kernel = side;
        a->stride = stride;
        a->pad = rng_in(r, 0, side / 2);
        a->large = rng_in(r, side, i == 0 ? 9 : i == 1 ? 20 : longest);
        a->small = (a->large + a->pad + rng_in(r, 0, side / 2) - side) / stride + 1;
        w->large *= a->large;
        w->small *= a->small;
        w->kernel *= a->kernel;
    }
}

/* Returns N numbers; none of them NaN if PLAIN. */
static float *any_floats(rng *r, int64_t n, bool plain)
{
    float *x = malloc((size_t)n * sizeof *x);

    assert_non_null(x);
    for (int64_t i = 0; i < n; i++) {
        x[i] = (float)any_number(r, true);
        x[i] = plain && isnan(x[i]) ? -0.0F : x[i];
    }
    return x;
}

/* Nothing in front of the data or behind it may be read: it has no room there. */
static void near_case(const tile_set *set, rng *r)
{
    bool most = rng_one_in(r, 2), divides = !most && rng_one_in(r, 2);
    float rows[150], cols[150 + TILE_BYTES], add, *x, *y, *f, *counts;
    tile_end e = draw_end(r, &add);
    bool odd = most && rng_one_in(r, 4);
    int64_t at;
    field w;
    near_field n = {.w = &w, .most = most};

    draw_field(r, most, 150, &w);
    if (!near_takes(set, &w, most)) {
        assert_true(w.axis[2].small < 4 || set->vector_bytes < 32 ||
                    (w.axis[1].kernel == 2 && w.axis[1].stride == 1));
        return;
    }
    n.x = x = any_floats(r, w.large, most);
    n.f = f = any_floats(r, w.kernel, true);
    n.y = y = any_floats(r, w.small, true);
    counts = any_floats(r, w.small, true);
    for (int i = 0; i < 150 + TILE_BYTES; i++)
        cols[i] = rows[i % 150] = (float)(1 + i % 7);
    for (int64_t i = 0; i < w.small; i++)
        counts[i] = rows[i / w.axis[2].small % w.axis[1].small] * cols[i % w.axis[2].small];
    for (int64_t i = 0; i < w.kernel; i++)
        f[i] = isfinite(f[i]) ? f[i] : 1;
    n.rows = divides ? rows : NULL;
    n.cols = cols;
    n.end = most || divides ? NULL : &e;
    if (odd) {
        at = rng_in(r, 0, w.large - 1);
        x[at] = NAN;
        assert_true(!near_compute(set, &n) || !is_seen(&w, at));
    } else {
        check_windows(set, &w, x, most ? NULL : f, divides ? counts : NULL, n.end, y,
                      near_compute(set, &n));
    }
    free(x);
    free(y);
    free(f);
    free(counts);
}

/* Several channels in one call, whose narrow rows are computed side by side. */
static void channels_case(const tile_set *set, rng *r)
{
    enum { MOST = 9, GAP = 3 };
    float add[MOST], *x, *y, *f;
    tile_end e = draw_end(r, &add[0]), one = e;
    field w;
    near_field n = {.w = &w, .planes = rng_in(r, 2, MOST), .end = &e};

    draw_field(r, false, 24, &w);
    if (!near_takes(set, &w, false))
        return;
    n.x_pitch = w.large;
    n.f_pitch = w.kernel + rng_in(r, 0, GAP);
    n.y_pitch = w.small + rng_in(r, 0, GAP);
    n.x = x = any_floats(r, n.planes * n.x_pitch, false);
    n.f = f = any_floats(r, n.planes * n.f_pitch, true);
    n.y = y = any_floats(r, n.planes * n.y_pitch, true);
    for (int64_t i = 0; i < n.planes * n.f_pitch; i++)
        f[i] = isfinite(f[i]) ? f[i] : 1;
    for (int i = 1; i < MOST; i++)
        add[i] = (float)any_number(r, true);
    assert_true(near_compute(set, &n));
    for (int64_t i = 0; i < n.planes; i++) {
        one.add = e.add ? e.add + i : NULL;
        check_windows(set, &w, x + i * n.x_pitch, f + i * n.f_pitch, NULL, &one, y + i * n.y_pitch,
                      true);
    }
    free(x);
    free(y);
    free(f);
}

/* Draws a field whose results have the places of the data. */
static void draw_flat(rng *r, field *w)
{
    static const int64_t most[] = {3, 5, 5};
    int64_t one[] = {1, 1, 1};

    field_axes(0, one, one, one, w);
    for (int i = rng_one_in(r, 3) ? 0 : 1; i < FIELD_AXES; i++) {
        field_axis *a = &w->axis[i];

        a->kernel = rng_in(r, 1, most[i]);
        a->dilation = rng_in(r, 1, 2);
        a->pad = rng_in(r, 0, (a->kernel - 1) * a->dilation);
        a->large = a->small = rng_in(r, 1, i == 0 ? 4 : 16);
        w->large *= a->large;
        w->small *= a->small;
        w->kernel *= a->kernel;
    }
}

static int flat_case(const tile_set *set, rng *r)
{
    bool most = rng_one_in(r, 2), divides = !most && rng_one_in(r, 2), finite;
    float add, *x, *y, *f, *counts;
    tile_end e = draw_end(r, &add);
    void *room;
    flat_plan p;
    field w;

    draw_flat(r, &w);
    if (!flat_takes(set, &w))
        return 0;
    room = malloc((size_t)flat_bytes(set, &w));
    assert_non_null(room);
    flat_prepare(set, &w, room, &p);
    x = any_floats(r, w.large, most);
    f = any_floats(r, w.kernel, true);
    y = any_floats(r, w.small, true);
    counts = any_floats(r, w.small + TILE_BYTES, true);
    for (int64_t i = 0; i < w.small + TILE_BYTES; i++)
        counts[i] = (float)(1 + i % 7);
    for (int64_t i = 0; i < w.kernel; i++)
        f[i] = isfinite(f[i]) ? f[i] : 1;
    p.counts = divides ? counts : NULL;
    finite = flat_compute(set, &p, x, most ? NULL : f, y, most || divides ? NULL : &e);
    check_windows(set, &w, x, most ? NULL : f, p.counts, most || divides ? NULL : &e, y, finite);
    free(x);
    free(y);
    free(f);
    free(counts);
    free(room);
    return 1;
}

/* Draws a field with steps along its rows. */
static void draw_steps(rng *r, field *w)
{
    int64_t one[] = {1, 1, 1};

    field_axes(0, one, one, one, w);
    for (int i = 0; i < FIELD_AXES; i++) {
        field_axis *a = &w->axis[i];

        a->kernel = i == 0 && !rng_one_in(r, 4) ? 1 : rng_in(r, 1, i == 0 ? 2 : 12);
        a->stride = rng_in(r, i == 2 ? 2 : 1, 4);
        a->dilation = rng_in(r, 1, 2);
        a->pad = rng_in(r, 0, (a->kernel - 1) * a->dilation);
        a->large = rng_in(r, 1, i == 0 ? 2 : i == 1 ? 40 : 300);
        a->small = (a->large + a->pad - 1) / a->stride + 1;
        w->large *= a->large;
        w->small *= a->small;
        w->kernel *= a->kernel;
    }
}

/* Maxima of ordinary numbers, or mostly zeros of both signs. */
static int strip_case(rng *r)
{
    bool zeros = rng_one_in(r, 2), plain = true, done;
    float *x, *y;
    field w;

    draw_steps(r, &w);
    if (!strip_takes(&w, true))
        return 0;
    x = any_floats(r, w.large, true);
    y = any_floats(r, w.small, true);
    for (int64_t i = 0; zeros && i < w.large; i++)
        x[i] = rng_one_in(r, 20) ? x[i] : rng_one_in(r, 2) ? 0 : -0.0F;
    for (int64_t i = 0; i < w.large; i++)
        plain = plain && !(x[i] == 0 && signbit(x[i]));
    done = strip_compute(&w, true, plain, NULL, x, y);
    assert_true(done || !plain);
    if (done)
        check_windows(tile_set_best(), &w, x, NULL, NULL, NULL, y, true);
    free(x);
    free(y);
    return done;
}

static void strips(void **state)
{
    rng r = {7};
    int taken = 0;

    for (int i = 0; i < 3000; i++)
        taken += strip_case(&r);
    assert_true(taken > 1000);
}

/* What place K of position P reads in an image that is not split. */
static float stepped(const image *x, const float *images, const int64_t *at, const int64_t *p,
                     int64_t k)
{
    int64_t line = p[0] * x->step[0] * x->width[1] + p[1] * x->step[1];

    return images[line * x->width[2] + p[2] * x->step[2] + at[k]];
}

/* What place K of position P of W reads of DATA. */
static float element_of(const field *w, const float *data, const int64_t *p, const int64_t *k)
{
    int64_t e = 0;

    for (int i = 0; i < FIELD_AXES; i++) {
        int64_t at = field_element(&w->axis[i], p[i], k[i]);

        if (at < 0)
            return 0;
        e = e * w->axis[i].large + at;
    }
    return data[e];
}

static void check_steps(const field *w, const image *x, const float *images, const float *data)
{
    const field_axis *a = w->axis;
    const int64_t small[] = {a[0].small, a[1].small, a[2].small};
    const int64_t kernel[] = {a[0].kernel, a[1].kernel, a[2].kernel};
    int64_t *at = malloc((size_t)w->kernel * sizeof *at);

    assert_non_null(at);
    image_list(x, 1, at);
    for (index_iter p = index_begin(FIELD_AXES, small); index_valid(&p); index_next(&p)) {
        for (index_iter k = index_begin(FIELD_AXES, kernel); index_valid(&k); index_next(&k))
            assert_float_equal(stepped(x, images, at, p.at, k.linear),
                               element_of(w, data, p.at, k.at), 0);
    }
    free(at);
}

/* Images with steps between positions; where nothing is padded, the data itself. */
static void far_apart(void **state)
{
    rng r = {1};
    int plain = 0;

    for (int i = 0; i < 300; i++) {
        field w, unit;
        image x;
        float *data, *images;

        draw_field(&r, true, 30, &w);
        w.small = 1;
        for (int k = 0; k < FIELD_AXES; k++) {
            field_axis *a = &w.axis[k];

            a->stride = rng_in(&r, 1, 4);
            a->small = (a->large + a->pad - a->kernel) / a->stride + 1;
            w.small *= a->small;
        }
        image_of_steps(&w, &unit, &x);
        data = any_floats(&r, w.large, true);
        images = x.plain ? data : any_floats(&r, x.plane, true);
        if (!x.plain)
            image_copy(&x, 1, data, images);
        check_steps(&w, &x, images, data);
        plain += x.plain;
        assert_true(x.plain || w.axis[0].pad + w.axis[1].pad + w.axis[2].pad > 0);
        if (!x.plain)
            free(images);
        free(data);
    }
    assert_in_range(plain, 10, 290);
}

static void windows(void **state)
{
    bool more = true;

    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};
        int flat = 0;

        for (int i = 0; set && i < 1500; i++) {
            near_case(set, &r);
            channels_case(set, &r);
            flat += flat_case(set, &r);
        }
        assert_true(!set || set->vector_bytes < 32 || flat > 100);
    }
}

/* Numbers whose products, added to others, lie halfway between two floats, or just beside: of few
 * bits, near each other in magnitude, near a third one with all bits, and at the ends of the range.
 */
static float hard_number(rng *r, int least, int most)
{
    static const float odd[] = {0, -0.0F, INFINITY, -INFINITY, NAN, FLT_MAX, -FLT_MAX, 1e-45F};
    int64_t bits = rng_in(r, 0, 0xffffff) & -(1 << rng_in(r, 0, 23));
    double x = ldexp((double)bits + (rng_one_in(r, 4) ? 1 : 0), (int)rng_in(r, least, most) - 24);

    if (rng_one_in(r, 50))
        return odd[rng_in(r, 0, 7)];
    return (float)(rng_one_in(r, 2) ? x : -x);
}

/* One step each, of any magnitude or of a range in which ties are frequent; C cancels the product
 * or not. Bits of NaN do not matter. */
static void steps_of(const tile_set *set, rng *r)
{
    enum { SIDE = 8 };
    static const int ranges[][4] = {
        {-150, 128, -150, 128}, {-2, 2, -30, 30}, {-80, -64, -150, -120}, {50, 70, 100, 128}};
    const int *range = ranges[rng_in(r, 0, 3)];
    float a[SIDE], b[TILE_BYTES], c[SIDE * SIDE], before[SIDE * SIDE];
    tile_f32 t = {.depth = 1, .a = a, .a_row = 1, .b = b, .c = c, .c_row = SIDE, .adds = true};

    for (int i = 0; i < SIDE; i++) {
        a[i] = hard_number(r, range[0], range[1]);
        b[i] = hard_number(r, range[0], range[1]);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        c[i] = before[i] =
            rng_one_in(r, 4) ? -a[i / SIDE] * b[i % SIDE] : hard_number(r, range[2], range[3]);
    set->fn_f32(&t, SIDE, SIDE);
    for (int i = 0; i < SIDE * SIDE; i++) {
        float wanted = fmaf(a[i / SIDE], b[i % SIDE], before[i]) + 0;

        if (isnan(wanted) ? !isnan(c[i]) : memcmp(&c[i], &wanted, sizeof wanted) != 0)
            fail_msg("%s: %a x %a + %a is %a, not %a", set->name, (double)a[i / SIDE],
                     (double)b[i % SIDE], (double)before[i], (double)c[i], (double)wanted);
    }
}

static void steps(void **state)
{
    seed_range seeds = seeds_to_try(60, 4);
    bool more = true;

    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);

        for (uint64_t i = 0; set && i < seeds.n; i++) {
            rng r = {seeds.first + i};

            for (int k = 0; k < 1000; k++)
                steps_of(set, &r);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(positions), cmocka_unit_test(far_apart),
                                       cmocka_unit_test(windows), cmocka_unit_test(strips),
                                       cmocka_unit_test(steps)};

    return cmocka_run_group_tests_name("tiles of the library", tests, NULL, NULL);
}
