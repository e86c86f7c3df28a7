/* Rows of floats as sums of integers (interp/library/digits.h): they are the floats again, whatever
 * these are, and products of them with weights are the same for each width of vectors that the
 * processor has. */
#include "generate/rng.h"
#include "interp/library/tile.h"
#include "interp/library/unpack.h"
#include "seeds.h"
#include "unit.h"

#include <math.h>

/* A row X, and the planes that it is cut in. */
struct row {
    digit_form form;
    int64_t depth;
    float *x;
    digit_plane planes[DIGITS_PLANES];
    int n_planes;
};

static void *memory(int64_t n, size_t size)
{
    void *p = calloc((size_t)n + 1, size);

    assert_non_null(p);
    return p;
}

/* Numbers of exponents that are far from each other or not, few or many of which are zero. */
static float any_float(rng *r, int64_t spread, int64_t zeros)
{
    static const float odd[] = {0x1p-149F, 3.4028235e38F, 1, 0x1.fffffep-1F, -0x1.ffffp30F};
    double x = (double)rng_in(r, -0xffffff, 0xffffff);

    if (rng_in(r, 0, 9) < zeros)
        return rng_one_in(r, 2) ? 0.0F : -0.0F;
    if (spread > 100 && rng_one_in(r, 10))
        return odd[rng_in(r, 0, 4)];
    return (float)ldexp(x, (int)rng_in(r, -spread, spread > 100 ? 100 : spread) - 24);
}

static void cut(struct row *w)
{
    double *units = memory(digits_parts(&w->form), sizeof *units);
    float *rest = memory(w->depth, sizeof *rest);
    bool left = true;

    memcpy(rest, w->x, (size_t)w->depth * sizeof *rest);
    digits_begin(&w->form, rest, units);
    while (left) {
        digit_plane *p = &w->planes[w->n_planes++];

        assert_true(w->n_planes <= DIGITS_PLANES);
        p->parts = memory(digits_parts(&w->form), sizeof *p->parts);
        p->at = memory(digits_blocks(&w->form), sizeof *p->at);
        p->pairs = memory(digits_blocks(&w->form) * DIGITS_BLOCK, sizeof *p->pairs);
        left = digits_cut(&w->form, rest, units, p);
    }
    free(units);
    free(rest);
}

static void make_row(rng *r, struct row *w)
{
    static const int64_t spreads[] = {0, 3, 12, 60, 149};
    int64_t spread = spreads[rng_in(r, 0, 4)], zeros = rng_one_in(r, 3) ? rng_in(r, 1, 10) : 0;

    w->form =
        (digit_form){rng_in(r, 1, 4), rng_one_in(r, 4) ? rng_in(r, 200, 800) : rng_in(r, 1, 70),
                     rng_one_in(r, 2) ? 8 : 4, rng_one_in(r, 2)};
    w->depth = w->form.groups * w->form.size;
    w->x = memory(w->depth, sizeof *w->x);
    for (int64_t i = 0; i < w->depth; i++)
        w->x[i] = any_float(r, spread, zeros);
    cut(w);
}

static void free_row(struct row *w)
{
    for (int i = 0; i < w->n_planes; i++) {
        free(w->planes[i].parts);
        free(w->planes[i].at);
        free(w->planes[i].pairs);
    }
    free(w->x);
}

/* Number K of block I of P, of its digits. */
static int64_t integer(const digit_form *f, const digit_part *p, int64_t i, int64_t k)
{
    const int32_t *block = p->pairs + i * DIGITS_BLOCK;
    int64_t word = k / f->per, place = k % f->per, half = f->per / 2, x = 0;

    for (int d = 3; f->bytes && d >= 0; d--) {
        int64_t quad = f->per == 8 ? k % 2 : k / 4, byte = f->per == 8 ? k / 2 : k % 4;

        x = x * 256 + (int8_t)((uint32_t)block[quad * 4 + d] >> byte * 8);
    }
    for (int d = 0; !f->bytes && d < 2; d++) {
        uint32_t pair = (uint32_t)block[word * f->per + place % half * 2 + d];

        x = x * 65536 + (int16_t)(pair >> (place < half ? 0 : 16));
    }
    return x;
}

/* Adds what P has to X; nothing is rounded where planes are added from the last one on. */
static void add_plane(const digit_form *f, const digit_plane *p, double *x)
{
    for (int64_t j = 0; j < p->n; j++) {
        const digit_part *part = &p->parts[j];
        double sum = 0;

        for (int64_t i = 0; i < part->blocks; i++) {
            for (int64_t k = 0; k < DIGITS_BLOCK; k++) {
                int64_t at = part->at[i] * DIGITS_BLOCK + k;

                sum += (double)integer(f, part, i, k);
                if (at < f->size)
                    x[part->group * f->size + at] += (double)integer(f, part, i, k) * part->unit;
                else
                    assert_true(integer(f, part, i, k) == 0);
            }
        }
        assert_true(sum == part->sum);
    }
}

static void same_row(void **state)
{
    seed_range seeds = seeds_to_try(500, 100);

    for (uint64_t s = 0; s < seeds.n; s++) {
        rng r = {seeds.first + s};
        struct row w = {0};
        double *x;

        make_row(&r, &w);
        x = memory(w.depth, sizeof *x);
        for (int i = w.n_planes - 1; i >= 0; i--)
            add_plane(&w.form, &w.planes[i], x);
        for (int64_t i = 0; i < w.depth; i++) {
            if (x[i] != (double)w.x[i])
                fail_msg("seed %llu: number %lld is %a, not %a",
                         (unsigned long long)(seeds.first + s), (long long)i, x[i], (double)w.x[i]);
        }
        free(x);
        free_row(&w);
    }
}

/* Weights of a panel, whose words are so long as the form says. */
struct panel {
    int cols;
    int64_t step; /* words of a group */
    uint32_t *words;
};

static void make_panel(rng *r, const digit_form *f, int cols, struct panel *p)
{
    p->cols = cols;
    p->step = ((f->size + DIGITS_BLOCK - 1) / DIGITS_BLOCK * (DIGITS_BLOCK / f->per) + 2) * cols;
    p->words = memory(p->step * f->groups, sizeof *p->words);
    for (int64_t i = 0; i < p->step * f->groups; i++)
        p->words[i] = (uint32_t)rng_in(r, 0, 0xffffffff);
    for (int64_t g = 0; g < f->groups; g++) {
        float *zero = (float *)p->words + g * p->step;

        for (int i = 0; i < cols; i++) {
            zero[i] = (float)rng_in(r, -383, 383);
            zero[cols + i] = any_float(r, 10, 0);
        }
    }
}

/* What P adds to the sum of a column. */
static double part_sum(const digit_form *f, const struct panel *p, const digit_part *part,
                       int column)
{
    const uint32_t *words = p->words + part->group * p->step;
    const float *zero = (const float *)words + column;
    int64_t sum = 0, bits = 32 / f->per;

    for (int64_t i = 0; i < part->blocks; i++) {
        for (int64_t k = 0; k < DIGITS_BLOCK; k++) {
            int64_t at = part->at[i] * (DIGITS_BLOCK / f->per) + k / f->per;
            uint32_t word = words[(2 + at) * p->cols + column];
            int64_t weight = word >> (k % f->per * bits) & ((1U << bits) - 1);

            sum += weight * integer(f, part, i, k);
        }
    }
    return ((double)sum - zero[0] * part->sum) * zero[p->cols] * part->unit;
}

static void check_width(rng *r, const struct row *w, int cols)
{
    unpack_kind kind = w->form.per == 8 ? UNPACK_U4 : UNPACK_U8;
    double sums[TILE_BYTES / sizeof(float)] = {0}, wanted[TILE_BYTES / sizeof(float)] = {0};
    const unpack_set *set = unpack_set_of(cols);
    digit_part *parts;
    int64_t n, left = 0;
    struct panel p;
    unpack_run run;

    if (w->form.bytes && !unpack_has_bytes(set))
        return;

    make_panel(r, &w->form, cols, &p);
    run = (unpack_run){p.words + 2 * cols, w->form.size, (float *)p.words, (float *)p.words + cols};
    parts = memory(w->n_planes * digits_parts(&w->form), sizeof *parts);
    n = digits_join(&w->form, w->planes, w->n_planes, parts);
    (w->form.bytes ? set->bytes : set->digits)[kind](&run, 1, p.step, parts, n, sums);
    for (int i = 0; i < w->n_planes; i++)
        left += w->planes[i].n;
    for (int64_t k = 0; k < n; k++) {
        if (k > 0)
            assert_true(parts[k].group > parts[k - 1].group ||
                        parts[k].at[0] / 32 >= parts[k - 1].at[0] / 32);
        for (int j = 0; j < cols; j++)
            wanted[j] += part_sum(&w->form, &p, &parts[k], j);
    }
    assert_int_equal(n, left);
    free(parts);
    assert_memory_equal(sums, wanted, (size_t)cols * sizeof *sums);
    free(p.words);
}

static void same_widths(void **state)
{
    seed_range seeds = seeds_to_try(300, 60);

    for (uint64_t s = 0; s < seeds.n; s++) {
        rng r = {seeds.first + s};
        struct row w = {0};
        bool more = true;

        make_row(&r, &w);
        for (int i = 0; more; i++) {
            const tile_set *set = tile_set_at(i, &more);

            if (set)
                check_width(&r, &w, set->cols_f32);
        }
        free_row(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_row),
        cmocka_unit_test(same_widths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
