/* Operands of a pointwise node that are put together, of a border and what it surrounds, or of
 * parts:
 *
 *     %p = Pad(%u, 0 in front, 8 behind)      =>  Concat(Add(%x[:8], %u), Add(%x[8:], 0))
 *     %y = Add(%x, %p)
 *
 * A Pad copies its operand beside a border that is one number, and a Concat its operands. Computed
 * part by part, with that number itself in place of a border, every element is made of the same two
 * numbers as before, so that all bits are the same, of -0 + 0 too. The parts are views, and each is
 * computed in its part of the new Concat. So a frame that is added to the rest of the frame before
 * (overlap-add) copies nothing.
 *
 * This is done where what is put together comes from inputs or states, as streams do: products and
 * convolutions are better computed together with what follows them, and what is computed for a
 * Concat is computed in it. */
#include "passes/fold/scattering.h"

#include <string.h>

enum {
    MOST_LINKS = 16, /* that are followed to where a value comes from */
    MOST_PARTS = 8
};

/* A pointwise node, one operand of which consists of parts along one axis. */
typedef struct parted {
    const inlay_node *n;
    int operand, axis, n_parts;
    inlay_value *part[MOST_PARTS]; /* NULL: a border of 0 */
    int64_t end[MOST_PARTS];       /* along AXIS */
    bool border;                   /* some parts are numbers */
} parted;

/* Does N, a Pad, fill its border with one number? Sets *NUMBER; NULL: it is 0. */
static bool has_number(const inlay_node *n, inlay_value **number)
{
    const char *mode = inlay_node_string(n, "pad_mode");

    *number = inlay_node_input(n, 3);
    return strcmp(n->op->name, "Pad") == 0 && strcmp(n->op->set, "opset") == 0 && mode &&
           strcmp(mode, "constant") == 0 && (!*number || (*number)->fact.rank == 0);
}

static void add_part(parted *p, inlay_value *v, int64_t end)
{
    p->part[p->n_parts] = v;
    p->end[p->n_parts++] = end;
}

/* Lists the parts of V, a Pad of INNER with NUMBER along AXIS, from FRONT on. */
static void list_border(parted *p, const inlay_value *v, inlay_value *number, int64_t front)
{
    inlay_value *inner = inlay_node_input(v->node, 0);
    int64_t end = front + inner->fact.dims[p->axis].lo, size = v->fact.dims[p->axis].lo;

    if (front > 0)
        add_part(p, number, front);
    add_part(p, inner, end);
    if (end < size)
        add_part(p, number, size);
    p->border = true;
}

/* Lists the parts of V, if it is a Pad along one axis, on any side. */
static bool list_pad(parted *p, const inlay_value *v)
{
    const inlay_value *margins = inlay_node_input(v->node, 1), *inner;
    const inlay_fact *f = &v->fact;
    inlay_value *number;
    int64_t front = -1;

    if (!has_number(v->node, &number))
        return false;
    inner = inlay_node_input(v->node, 0);
    if (!inner || !margins || !margins->fact.known || margins->fact.n_known != f->rank ||
        inner->fact.rank != f->rank)
        return false;
    p->axis = -1;
    for (int i = 0; i < f->rank; i++) {
        inlay_dim before = margins->fact.known[i], size = inner->fact.dims[i];

        if (inlay_dim_proven_equal(f->dims[i], size) && before.lo == 0 && before.hi == 0)
            continue;
        if (p->axis >= 0 || !inlay_dim_is_static(before) || !inlay_dim_is_static(f->dims[i]) ||
            !inlay_dim_is_static(size) || before.lo < 0 || size.lo < 1 ||
            size.lo > f->dims[i].lo - before.lo)
            return false;
        p->axis = i;
        front = before.lo;
    }
    if (p->axis >= 0)
        list_border(p, v, number, front);
    return p->axis >= 0;
}

/* Is X given, kept or constant, or a view of such a value? */
static bool is_moved(const inlay_value *x)
{
    const unsigned through = INLAY_VIEW | INLAY_RESHAPES | INLAY_CUTS;

    for (int i = 0; i < MOST_LINKS && x->node->op->flags & through && inlay_node_input(x->node, 0);
         i++)
        x = inlay_node_input(x->node, 0);
    return x->node->n_in == 0 || inlay_node_is(x->node, INLAY_OP_READ_VALUE);
}

/* Are the sizes of the parts X and V proven to be the same, except along AXIS? What the Concat says
 * of its result holds only if it accepts them. */
static bool lies_beside(const inlay_value *x, const inlay_value *v, int axis)
{
    bool beside = x->fact.rank == v->fact.rank;

    for (int i = 0; beside && i < v->fact.rank; i++)
        beside = i == axis || inlay_dim_proven_equal(x->fact.dims[i], v->fact.dims[i]);
    return beside;
}

/* Lists the parts of V, if it is a Concat that copies all of them. Halves of which one is turned
 * round are better rotated together (fuse). */
static bool list_concat(parted *p, const inlay_value *v)
{
    const inlay_node *n = v->node;
    int64_t end = 0;
    bool copies = true;

    if (!inlay_node_joined_axis(n, &p->axis) || n->n_in > MOST_PARTS || n->n_in < 2)
        return false;
    for (int i = 0; i < n->n_in; i++) {
        inlay_value *x = n->in[i].value;

        if (x->fact.rank != v->fact.rank || !lies_beside(x, n->in[0].value, p->axis) ||
            !inlay_dim_is_static(x->fact.dims[p->axis]) || x->fact.dims[p->axis].lo < 1)
            return false;
        end += x->fact.dims[p->axis].lo;
        copies = copies && is_moved(x);
        add_part(p, x, end);
    }
    return copies;
}

/* The axis of operand X that is P's, or below 0. */
static int axis_of(const parted *p, const inlay_value *x)
{
    return p->axis - (p->n->out[0].fact.rank - x->fact.rank);
}

/* Can operand X be cut where P is? */
static bool is_cut_or_repeated(const parted *p, const inlay_value *x)
{
    int axis = x ? axis_of(p, x) : 0;
    bool fits = x && x->fact.rank >= 0;

    if (fits && axis >= 0)
        fits = inlay_dim_is_static(x->fact.dims[axis]) &&
               (x->fact.dims[axis].lo == 1 || x->fact.dims[axis].lo == p->end[p->n_parts - 1]);
    return fits;
}

/* Is X given or kept from run to run, or is it computed element by element of such a value? */
static bool is_of_others(const inlay_value *x)
{
    const unsigned through =
        INLAY_VIEW | INLAY_RESHAPES | INLAY_CUTS | INLAY_CONVERTS | INLAY_POINTWISE | INLAY_HOLDS;

    for (int i = 0; i < MOST_LINKS && x->node->op->flags & through && inlay_node_input(x->node, 0);
         i++)
        x = inlay_node_input(x->node, 0);
    return inlay_node_is(x->node, INLAY_OP_PARAMETER) ||
           inlay_node_is(x->node, INLAY_OP_READ_VALUE);
}

/* Is operand I of N the only reader of parts that P then lists? */
static bool is_parted(const inlay_node *n, int i, parted *p)
{
    const inlay_value *v = inlay_node_input(n, i);

    *p = (parted){.n = n, .operand = i};
    return v && v->node->op->flags & INLAY_HOLDS && v->uses && !v->uses->next &&
           inlay_fact_same_shape(&v->fact, &n->out[0].fact) && v->fact.type != INLAY_DYNAMIC &&
           !inlay_type_refers(v->fact.type) && (list_pad(p, v) || list_concat(p, v));
}

/* Does another operand give each part its sizes, where a number stands in place of a border? And
 * can all be cut? */
static bool can_be_parted(const parted *p)
{
    bool sized = !p->border, others = is_of_others(p->n->in[p->operand].value), fit = true;

    for (int i = 0; fit && i < p->n->n_in; i++) {
        const inlay_value *x = inlay_node_input(p->n, i);

        fit = i == p->operand || is_cut_or_repeated(p, x);
        if (fit && i != p->operand) {
            sized = sized || inlay_fact_same_shape(&x->fact, &p->n->out[0].fact);
            others = others || is_of_others(x);
        }
    }
    return fit && sized && others;
}

static bool find_parts(const inlay_node *n, parted *p)
{
    const char *how = inlay_node_string(n, "auto_broadcast");
    bool found = false;

    if (!(n->op->flags & INLAY_POINTWISE) || n->n_out != 1 || n->n_in < 2 ||
        n->n_in > INLAY_MAX_RANK || n->out[0].fact.rank < 1 || !how || strcmp(how, "numpy") != 0)
        return false;
    for (int i = 0; i < n->n_in && !found; i++)
        found = is_parted(n, i, p) && can_be_parted(p);
    return found;
}

/* Returns rows FROM to TO of operand X. */
static inlay_value *cut(const scattering *s, const parted *p, inlay_value *x, int64_t from,
                        int64_t to)
{
    int64_t one = 1, axis = axis_of(p, x);
    inlay_value *in[5] = {x};

    if (axis < 0 || x->fact.dims[axis].lo == 1)
        return x;
    in[1] = scattering_ints(s, "start", 1, &one, &from);
    in[2] = scattering_ints(s, "stop", 1, &one, &to);
    in[3] = scattering_ints(s, "step", 1, &one, &one);
    in[4] = scattering_ints(s, "axes", 1, &one, &axis);
    return scattering_build(s, "Slice", in, 5, NULL);
}

/* Returns part K of the result; ZERO stands for a border of 0. */
static inlay_value *compute_part(const scattering *s, const parted *p, int k, inlay_value *zero)
{
    inlay_value *in[INLAY_MAX_RANK];
    inlay_node *made;

    for (int i = 0; i < p->n->n_in; i++) {
        if (i == p->operand)
            in[i] = p->part[k] ? p->part[k] : zero;
        else
            in[i] = cut(s, p, p->n->in[i].value, k > 0 ? p->end[k - 1] : 0, p->end[k]);
        if (!in[i])
            return NULL;
    }
    made = inlay_node_clone(s->g, p->n, in, s->diags);
    return made && inlay_infer_node(made, s->diags) ? &made->out[0] : NULL;
}

/* Sets *ZERO to a number, if P needs one. */
static bool make_zero(const scattering *s, const parted *p, inlay_value **zero)
{
    inlay_tensor *t;
    bool needed = false;

    for (int i = 0; i < p->n_parts; i++)
        needed = needed || !p->part[i];
    if (!needed)
        return true;
    t = inlay_tensor_new(p->n->in[p->operand].value->fact.type, 0, NULL);
    *zero = t ? inlay_build_const(s->g, "border", t, s->diags) : NULL;
    if (!t)
        inlay_fail_memory(s->diags);
    inlay_tensor_release(t);
    return *zero != NULL;
}

bool fold_parted(const inlay_node *n, simpler *out, inlay_diags *d)
{
    scattering s = {.g = n->graph, .out = out, .diags = d};
    inlay_value *parts[MOST_PARTS], *zero = NULL;
    parted p;

    if (!find_parts(n, &p))
        return true;
    if (!make_zero(&s, &p, &zero))
        return false;
    for (int i = 0; i < p.n_parts; i++)
        parts[i] = compute_part(&s, &p, i, zero);
    out->new = scattering_join(&s, parts, p.n_parts, p.axis);
    return out->new != NULL;
}
