/* The tiles of the library's kernels against plain loops, for each width of vectors that the
 * processor has. */
#include "interp/library/panel.h"
#include "interp/library/whole.h"
#include "node_case.h"
#include "unit.h"

#include <math.h>

enum {
    DEPTH = 33,
    ROWS = 2 * TILE_ROWS + 7,
    WIDTH = 2 * TILE_BYTES / (int)sizeof(float),
    LINE_COLS = 150
};

static float sum_of(const tile_f32 *t, float start, int64_t i, int64_t j)
{
    for (int64_t k = 0; k < t->depth; k++) {
        const float *row = t->b + (t->b_at ? t->b_at[k] : k * t->b_row);

        start = fmaf(t->a[i * t->a_row + k * t->a_col], row[j], start);
    }
    return start + 0;
}

/* X rounded to what E says. */
static float rounded(const tile_end *e, float x)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F16, INLAY_BF16};
    uint32_t code;

    inlay_store_f32(types[e->half], &code, 0, x);
    return inlay_load_f32(types[e->half], &code, 0);
}

/* X, element I,J of a result, after E, which has SUM beside it. */
static float ended(const tile_end *e, float x, const float *sum, int64_t i, int64_t j)
{
    x = rounded(e, x);
    x = e->add ? rounded(e, x + e->add[i]) : x;
    x = sum ? x + sum[i * e->sum_row + j] : x;
    x = e->relu && x <= 0 ? 0 : x;
    return e->clamps && x < e->low ? e->low : e->clamps && x > e->high ? e->high : x;
}

/* Whatever may be done at the end; rows that are added are at SUM. */
static tile_end any_end(rng *r, const float *add, const float *sum, int64_t sum_row)
{
    bool relu = rng_one_in(r, 3);
    tile_end e = {.add = rng_one_in(r, 2) ? add : NULL,
                  .sum = rng_one_in(r, 3) ? NULL : sum,
                  .sum_row = sum_row,
                  .relu = relu,
                  .clamps = !relu && rng_one_in(r, 2),
                  .low = rng_one_in(r, 2) ? -0.0F : -2,
                  .high = 3};

    e.half = e.sum ? 0 : (int)rng_in(r, 0, 2);
    return e;
}

static void check_tile(const tile_set *set, tile_f32 *t, int64_t rows, int64_t cols, rng *r)
{
    float before[ROWS * WIDTH + 64], c[ROWS * WIDTH + 64], add[ROWS + 1];
    bool over = rng_one_in(r, 2); /* the result is written over what is added to it */
    tile_end e = any_end(r, add, over ? c : before, t->c_row);

    for (int i = 0; i < ROWS * WIDTH + 64; i++)
        c[i] = before[i] = (float)any_number(r, false);
    for (int i = 0; i <= ROWS; i++)
        add[i] = (float)any_number(r, false);
    t->c = c;
    t->end = rng_one_in(r, 2) ? &e : NULL;
    set->fn_f32(t, rows, cols);
    for (int64_t i = 0; i < ROWS * WIDTH; i++) {
        int64_t row = i / t->c_row, col = i % t->c_row;
        bool inside = row < rows && col < cols;
        float wanted = inside ? sum_of(t, t->adds ? before[i] : 0, row, col) : before[i];

        wanted = inside && t->end ? ended(&e, wanted, e.sum ? before : NULL, row, col) : wanted;
        if (memcmp(&c[i], &wanted, sizeof wanted) != 0)
            fail_msg("%s: %lld x %lld, element %lld,%lld is %g, not %g", set->name, (long long)rows,
                     (long long)cols, (long long)row, (long long)col, (double)c[i], (double)wanted);
    }
}

/* Sums that are transposed, and then added to others, which they may be written over. */
static void turned(void **state)
{
    enum { MOST = 64, COLS = TILE_BYTES / (int)sizeof(float) };
    rng r = {1};

    for (int i = 0; i < 300; i++) {
        int64_t rows = rng_in(&r, 1, COLS), n = rng_in(&r, 1, MOST),
                pitch = rng_in(&r, n, 2 * MOST);
        float b[MOST * COLS], before[COLS * 2 * MOST], to[COLS * 2 * MOST];
        tile_end e = any_end(&r, NULL, rng_one_in(&r, 2) ? to : before, pitch);

        e.sum = e.sum ? e.sum : before;
        e.half = 0;
        for (int k = 0; k < MOST * COLS; k++)
            b[k] = (float)any_number(&r, false);
        for (int k = 0; k < COLS * 2 * MOST; k++)
            to[k] = before[k] = (float)any_number(&r, false);
        panel_turn_f32(b, COLS, rows, n, &e, pitch, to);
        for (int64_t k = 0; k < COLS * pitch; k++) {
            int64_t row = k / pitch, col = k % pitch;
            float wanted = row < rows && col < n ? ended(&e, b[col * COLS + row], before, row, col)
                                                 : before[k];

            if (memcmp(&to[k], &wanted, sizeof wanted) != 0)
                fail_msg("%lld rows of %lld: element %lld,%lld is %g, not %g", (long long)rows,
                         (long long)n, (long long)row, (long long)col, (double)to[k],
                         (double)wanted);
        }
    }
}

static void tiles(void **state)
{
    static float a[ROWS * DEPTH], b[DEPTH * WIDTH + 64];
    int64_t at[DEPTH];
    bool more = true;

    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 300; i++) {
            float scale = ldexpf(1, (int)rng_in(&r, -26, 20)); /* too large and too small halves */
            bool turned = rng_one_in(&r, 2), listed = rng_one_in(&r, 2), adds = rng_one_in(&r, 2);
            int64_t depth = rng_in(&r, 0, DEPTH), rows = rng_in(&r, 1, ROWS);
            int64_t cols = rng_in(&r, 1, set->cols_f32);
            tile_f32 t = {.depth = depth,
                          .a = a,
                          .a_row = turned ? 1 : DEPTH,
                          .a_col = turned ? ROWS : 1,
                          .b = b,
                          .b_at = listed ? at : NULL,
                          .b_row = WIDTH,
                          .c_row = rng_in(&r, cols, WIDTH),
                          .adds = adds};

            for (int k = 0; k < ROWS * DEPTH; k++)
                a[k] = (float)any_number(&r, false) * scale;
            for (int k = 0; k < DEPTH * WIDTH + 64; k++)
                b[k] = (float)any_number(&r, false);
            for (int k = 0; k < DEPTH; k++)
                at[k] = rng_in(&r, 0, (DEPTH - 1) * WIDTH);
            check_tile(set, &t, rows, cols, &r);
        }
    }
}

/* Two or three rows of A by some panels, which lie APART. */
static void few(void **state)
{
    enum { MOST = 4 };
    static float a[TILE_FEW * DEPTH], b[DEPTH * WIDTH + 64];
    bool more = true;

    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 100; i++) {
            int64_t rows = rng_in(&r, TILE_FEW - 1, TILE_FEW), cols = set->few * set->cols_f32;
            int64_t depth = rng_in(&r, 0, DEPTH / MOST), apart = depth * set->cols_f32;
            float before[TILE_FEW * MOST * WIDTH], c[TILE_FEW * MOST * WIDTH];
            tile_f32 t = {.depth = depth,
                          .a = a,
                          .a_row = DEPTH,
                          .a_col = 1,
                          .b = b,
                          .b_row = set->cols_f32,
                          .c = c,
                          .c_row = rng_in(&r, cols, MOST * WIDTH),
                          .adds = rng_one_in(&r, 2)};

            for (int k = 0; k < TILE_FEW * DEPTH; k++)
                a[k] = (float)any_number(&r, false);
            for (int k = 0; k < DEPTH * WIDTH + 64; k++)
                b[k] = (float)any_number(&r, false);
            for (int k = 0; k < TILE_FEW * MOST * WIDTH; k++)
                c[k] = before[k] = (float)any_number(&r, false);
            set->few_f32(&t, rows, apart);
            for (int64_t k = 0; k < TILE_FEW * MOST * WIDTH; k++) {
                int64_t row = k / t.c_row, col = k % t.c_row;
                tile_f32 panel = t;
                float wanted = before[k];

                panel.b += col / set->cols_f32 * apart;
                if (row < rows && col < cols)
                    wanted = sum_of(&panel, t.adds ? wanted : 0, row, col % set->cols_f32);
                if (memcmp(&c[k], &wanted, sizeof wanted) != 0)
                    fail_msg("%s: element %lld,%lld of few rows is %g, not %g", set->name,
                             (long long)row, (long long)col, (double)c[k], (double)wanted);
            }
        }
    }
}

/* A row of A by SOME panels, which lie APART. */
static void check_line(const tile_set *set, tile_f32 *t, int some, int64_t apart, rng *r)
{
    int64_t cols = set->cols_f32;
    float before[2 * LINE_COLS], c[2 * LINE_COLS];

    assert_in_range((some - 1) * t->c_row + cols, 1, 2 * LINE_COLS);
    for (int64_t i = 0; i < 2 * LINE_COLS; i++)
        c[i] = before[i] = (float)any_number(r, false);
    t->c = c;
    set->line_f32(t, some, apart);
    for (int64_t i = 0; i < 2 * LINE_COLS; i++) {
        int64_t p = i / t->c_row, col = i % t->c_row;
        tile_f32 panel = *t;
        float wanted = before[i];

        panel.b = t->b + p * apart;
        if (p < some && col < cols)
            wanted = sum_of(&panel, t->adds ? before[i] : 0, 0, col);
        if (memcmp(&c[i], &wanted, sizeof wanted) != 0)
            fail_msg("%s: element %lld of a line is %g, not %g", set->name, (long long)i,
                     (double)c[i], (double)wanted);
    }
}

static void lines(void **state)
{
    enum { ROOM = LINE_COLS * DEPTH };
    static float a[ROWS * DEPTH], b[2 * ROOM];
    bool more = true;

    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 200; i++) {
            tile_f32 t = {.depth = rng_in(&r, 0, DEPTH),
                          .a = a,
                          .a_col = rng_in(&r, 1, ROWS),
                          .b = b,
                          .b_row = rng_in(&r, set->cols_f32, 2 * set->cols_f32),
                          .c_row = rng_in(&r, set->cols_f32, 2 * set->cols_f32),
                          .adds = rng_one_in(&r, 2)};
            int64_t apart = rng_in(&r, 1, ROOM / set->line);

            for (int k = 0; k < ROWS * DEPTH; k++)
                a[k] = (float)any_number(&r, false);
            for (int k = 0; k < 2 * ROOM; k++)
                b[k] = (float)any_number(&r, false);
            check_line(set, &t, rng_one_in(&r, 3) ? 1 : set->line >> rng_in(&r, 0, 1), apart, &r);
        }
    }
}

/* A row of A by columns whose elements follow one another. */
static void check_dots(const tile_set *set, tile_f32 *t, int64_t cols)
{
    float c[LINE_COLS];

    for (int64_t j = 0; j < LINE_COLS; j++)
        c[j] = (float)j;
    t->c = c;
    set->dots_f32(t, cols);
    for (int64_t j = 0; j < LINE_COLS; j++) {
        float wanted = j < cols ? 0 : (float)j;

        for (int64_t k = 0; j < cols && k < t->depth; k++)
            wanted = fmaf(t->a[k * t->a_col], t->b[j * t->b_row + k], wanted);
        wanted += 0;
        if (memcmp(&c[j], &wanted, sizeof wanted) != 0)
            fail_msg("%s: %lld columns of %lld: element %lld is %g, not %g", set->name,
                     (long long)cols, (long long)t->depth, (long long)j, (double)c[j],
                     (double)wanted);
    }
}

/* B has no more room than its last column needs. */
static void dots(void **state)
{
    bool more = true;

    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 200; i++) {
            int64_t depth = rng_in(&r, 0, DEPTH), cols = rng_in(&r, 1, LINE_COLS);
            tile_f32 t = {.depth = depth,
                          .a_col = rng_in(&r, 1, ROWS),
                          .b_row = rng_in(&r, depth, 2 * DEPTH)};
            int64_t room = (cols - 1) * t.b_row + depth;
            float a[ROWS * DEPTH], *b = malloc((size_t)(room + 1) * sizeof *b);

            assert_non_null(b);
            for (int k = 0; k < ROWS * DEPTH; k++)
                a[k] = (float)any_number(&r, false);
            for (int64_t k = 0; k < room; k++)
                b[k] = (float)any_number(&r, false);
            t.a = a;
            t.b = b;
            check_dots(set, &t, cols);
            free(b);
        }
    }
}

/* Row I of what taps make: one row of A, and B from I * b_row on. */
static void check_taps(const tile_set *set, tile_f32 *t, int64_t rows, int64_t cols)
{
    float c[ROWS * WIDTH];

    memset(c, 0, sizeof c);
    t->c = c;
    set->taps_f32(t, rows, cols);
    for (int64_t i = 0; i < ROWS * WIDTH; i++) {
        int64_t row = i / t->c_row, col = i % t->c_row;
        float wanted = 0;

        for (int64_t k = 0; row < rows && col < cols && k < t->depth; k++)
            wanted = fmaf(t->a[k], t->b[t->b_at[k] + row * t->b_row + col], wanted);
        wanted += 0;
        if (memcmp(&c[i], &wanted, sizeof wanted) != 0)
            fail_msg("%s: %lld x %lld, element %lld,%lld is %g, not %g", set->name, (long long)rows,
                     (long long)cols, (long long)row, (long long)col, (double)c[i], (double)wanted);
    }
}

static void taps(void **state)
{
    static float a[DEPTH], b[(DEPTH + ROWS) * WIDTH + 64];
    int64_t at[DEPTH];
    bool more = true;

    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; set && i < 200; i++) {
            int64_t cols = rng_in(&r, 1, set->cols_f32), rows = rng_in(&r, 1, ROWS);
            tile_f32 t = {.depth = rng_in(&r, 0, DEPTH), .a = a, .b = b, .b_at = at};

            t.b_row = rng_in(&r, 1, WIDTH);
            t.c_row = rng_in(&r, cols, WIDTH);
            for (int k = 0; k < DEPTH; k++) {
                a[k] = (float)any_number(&r, false);
                at[k] = rng_in(&r, 0, (DEPTH - 1) * WIDTH);
            }
            for (int k = 0; k < (DEPTH + ROWS) * WIDTH + 64; k++)
                b[k] = (float)any_number(&r, false);
            check_taps(set, &t, rows, cols);
        }
    }
}

/* Tiles of integers */

/* Returns what word X times word Y is. */
static uint32_t word_product(uint32_t x, uint32_t y, whole_kind kind)
{
    uint32_t sum = 0;

    if (kind == WHOLE_WORDS)
        return x * y;
    if (kind == WHOLE_PAIRS)
        return (uint32_t)((int16_t)x * (int16_t)y) +
               (uint32_t)((int16_t)(x >> 16) * (int16_t)(y >> 16));
    for (int i = 0; i < 32; i += 8) {
        int u = (uint8_t)(x >> i), v = (uint8_t)(y >> i);

        sum += (uint32_t)(kind == WHOLE_BYTES ? (int8_t)u * v : u * (int8_t)v);
    }
    return sum;
}

static void check_whole(const tile_set *set, whole_tile *t, int64_t rows, int64_t cols)
{
    uint32_t before[ROWS * WHOLE_COLS], c[ROWS * WHOLE_COLS];

    for (uint32_t i = 0; i < ROWS * WHOLE_COLS; i++)
        c[i] = before[i] = i * 0x9e3779b9;
    t->c = c;
    whole_multiply(set, t, rows, cols);
    for (int64_t i = 0; i < ROWS * WHOLE_COLS; i++) {
        int64_t row = i / WHOLE_COLS, col = i % WHOLE_COLS;
        bool inside = row < rows && col < cols;
        uint32_t wanted = t->adds || !inside ? before[i] : 0;

        for (int64_t k = 0; inside && k < t->depth; k++)
            wanted += word_product(t->a[row * t->a_row + k],
                                   t->b[(t->b_at ? t->b_at[k] : k * WHOLE_COLS) + col], t->kind);
        if (c[i] != wanted)
            fail_msg("%s: %lld x %lld, element %lld is %u, not %u", set->name, (long long)rows,
                     (long long)cols, (long long)i, c[i], wanted);
    }
}

static void whole_tiles(void **state)
{
    static uint32_t a[ROWS * DEPTH], b[DEPTH * WHOLE_COLS];
    int64_t at[DEPTH];
    bool more = true;

    for (int s = 0; more; s++) {
        const tile_set *set = tile_set_at(s, &more);
        rng r = {(uint64_t)s};

        for (int i = 0; i < ROWS * DEPTH; i++)
            a[i] = rng_one_in(&r, 4) ? (rng_one_in(&r, 2) ? 0x80008000 : 0x80ff7fff)
                                     : (uint32_t)rng_in(&r, 0, UINT32_MAX);
        for (int i = 0; i < DEPTH * WHOLE_COLS; i++)
            b[i] = rng_one_in(&r, 4) ? (rng_one_in(&r, 2) ? 0x80008000 : 0xffffffff)
                                     : (uint32_t)rng_in(&r, 0, UINT32_MAX);
        for (int i = 0; set && i < 400; i++) {
            whole_tile t = {.a = a, .a_row = DEPTH, .b = b, .c_row = WHOLE_COLS};

            t.depth = rng_in(&r, 0, DEPTH);
            t.kind = (whole_kind)rng_in(&r, WHOLE_WORDS, WHOLE_TURNED);
            t.b_at = rng_one_in(&r, 2) ? at : NULL;
            for (int64_t k = 0; k < t.depth; k++)
                at[k] = rng_in(&r, 0, (DEPTH - 1) * WHOLE_COLS);
            t.adds = rng_one_in(&r, 2);
            check_whole(set, &t, rng_in(&r, 1, ROWS), rng_in(&r, 1, WHOLE_COLS));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles),      cmocka_unit_test(turned),
                                       cmocka_unit_test(few),        cmocka_unit_test(lines),
                                       cmocka_unit_test(dots),       cmocka_unit_test(taps),
                                       cmocka_unit_test(whole_tiles)};

    return cmocka_run_group_tests_name("tiles of the library", tests, NULL, NULL);
}
