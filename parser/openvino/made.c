/* Invents the elements of weights (made.h). They depend on the seed and on their offset in the
 * weights file: constants that share bytes are equal, and no constant depends on another. */
#include "parser/openvino/made.h"
#include "ir/shared.h"

#include <math.h>

/* A number in [0, 1). */
static double next_real(uint64_t *state)
{
    return (double)(inlay_random(state) >> 11) * 0x1p-53;
}

/* Returns an upper bound for how many weights are summed up for an element of the result.
 * [64,3,7,7] is a convolution from 3 channels to 64 or the other way round: 64*7*7. 0: at most one
 * axis is longer than 1, as in a bias or a scale. */
static double fan(int rank, const int64_t *dims, int64_t count)
{
    int64_t least = INT64_MAX;
    int axes = 0;

    for (int i = 0; i < rank && axes < 2; i++) {
        if (dims[i] > 1) {
            least = dims[i] < least ? dims[i] : least;
            axes++;
        }
    }
    return axes < 2 ? 0 : (double)count / (double)least;
}

/* Draws weights such that values keep their magnitude or shrink (He et al., "Delving deep into
 * rectifiers", 2015), so that results of a deep net stay finite. A bias, a scale or a variance is
 * near 1 and positive. */
static void draw_floats(inlay_tensor *t, uint64_t *state)
{
    int64_t count = inlay_tensor_count(t);
    double in = fan(t->rank, t->dims, count), limit = in > 0 ? sqrt(6 / in) : 0;

    for (int64_t i = 0; i < count; i++) {
        double x = next_real(state);

        inlay_tensor_set_f64(t, i, in > 0 ? (2 * x - 1) * limit : 0.5 + x);
    }
}

/* Draws small numbers, also negative ones if the type has them. */
static void draw_integers(inlay_tensor *t, uint64_t *state)
{
    const inlay_type_info *info = inlay_type_info_of(t->type);
    bool wide = info->bits >= 4 && t->type != INLAY_BOOLEAN;
    int64_t lo = wide && info->cls == INLAY_CLASS_SIGNED ? -3 : 0, n = wide ? 7 : 2;
    int64_t count = inlay_tensor_count(t);

    for (int64_t i = 0; i < count; i++)
        inlay_tensor_set_i64(t, i, lo + (int64_t)(inlay_random(state) % (uint64_t)n));
}

static bool draw_strings(inlay_tensor *t, uint64_t *state)
{
    int64_t count = inlay_tensor_count(t);

    for (int64_t i = 0; i < count; i++) {
        char letter = (char)('a' + inlay_random(state) % 26);

        if (!inlay_tensor_set_string(t, i, &letter, 1))
            return false;
    }
    return true;
}

static bool draw(inlay_tensor *t, uint64_t seed, int64_t offset)
{
    uint64_t at = (uint64_t)offset, state = seed ^ inlay_random(&at);

    if (t->type == INLAY_STRING)
        return draw_strings(t, &state);
    if (inlay_type_is_float(t->type))
        draw_floats(t, &state);
    else
        draw_integers(t, &state);
    return true;
}

/* Whether T is small enough to be a shape, an axis or a condition. */
static bool has_choice(const inlay_tensor *t)
{
    enum { FEW = 16 };
    bool whole = inlay_type_is_int(t->type) || t->type == INLAY_BOOLEAN;

    return whole && t->rank <= 1 && inlay_tensor_count(t) > 0 && inlay_tensor_count(t) <= FEW;
}

static ov_choice *choice_at(ov_reader *r, int64_t offset, const inlay_tensor *t)
{
    ov_choice *c = r->choices;

    while (c && (c->offset != offset || c->type != t->type || c->count != inlay_tensor_count(t)))
        c = c->next;
    if (c || !(c = inlay_arena_alloc(r->a.scratch, sizeof *c)))
        return c;
    *c = (ov_choice){offset, inlay_tensor_count(t), t->type, NULL, r->choices};
    r->choices = c;
    return c;
}

/* Notes that other elements may be chosen for T, the value of L. */
static bool add_choice(ov_reader *r, const ov_layer *l, int64_t offset, inlay_tensor *t)
{
    ov_choice *c = choice_at(r, offset, t);
    ov_choice_use *u = inlay_arena_alloc(r->a.scratch, sizeof *u);

    if (!c || !u)
        return false;
    *u = (ov_choice_use){l, t, c->uses};
    c->uses = u;
    return true;
}

inlay_tensor *ov_make_tensor(ov_reader *r, const ov_layer *l, int64_t offset, inlay_type type,
                             int rank, const int64_t *dims)
{
    inlay_tensor *t = assemble_tensor(&r->a, type, rank, dims);

    if (!t)
        return NULL;
    if (draw(t, r->a.options.weights_seed, offset) &&
        (!has_choice(t) || add_choice(r, l, offset, t)))
        return t;
    inlay_tensor_release(t);
    inlay_fail_memory(r->a.d);
    return NULL;
}
