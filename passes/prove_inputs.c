/* Made-up inputs: sizes for unknown dimensions, and elements that the operations can use.
 *
 * An operand that is an index must be within its axis or every run would only fail. The table below
 * says which operands are indices and of what; from each such operand the walk goes back through
 * operations that only move elements until it meets Parameters, and narrows what they may hold.
 */
#include "passes/passes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool inlay_fill_by_name(const char *name, inlay_fill *fill)
{
    static const char *const names[] = {[INLAY_FILL_ZEROS] = "zeros",
                                        [INLAY_FILL_ONES] = "ones",
                                        [INLAY_FILL_IOTA] = "iota",
                                        [INLAY_FILL_RANDOM] = "random"};

    for (int i = INLAY_FILL_ZEROS; i <= INLAY_FILL_RANDOM; i++) {
        if (strcmp(names[i], name) == 0) {
            *fill = (inlay_fill)i;
            return true;
        }
    }
    return false;
}

/* splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014) */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* What an index operand may hold. */
enum bound {
    IN_AXIS_ATTR,  /* [0, size of input 0's axis, named by attribute `axis` or `dim`) */
    IN_AXIS_INPUT, /* [0, size of input 0's axis, named by input `axis_input`) */
    IN_AXIS_ZERO,  /* [0, size of input 0's axis 0) */
    IN_ALL_AXES,   /* [0, the smallest of input 0's dimensions): the tuples of ND operations */
    AN_AXIS,       /* [0, rank of input 0) */
    A_STEP,        /* 1 or 2 */
    A_COUNT        /* 1 .. 3 */
};

static const struct index_operand {
    inlay_op_kind kind;
    int input;
    enum bound bound;
    int axis_input;
} index_operands[] = {
    {INLAY_OP_GATHER, 1, IN_AXIS_INPUT, 2},
    {INLAY_OP_GATHER, 2, AN_AXIS, 0},
    {INLAY_OP_GATHER_ELEMENTS, 1, IN_AXIS_ATTR, 0},
    {INLAY_OP_GATHER_ND, 1, IN_ALL_AXES, 0},
    {INLAY_OP_SCATTER_UPDATE, 1, IN_AXIS_INPUT, 3},
    {INLAY_OP_SCATTER_UPDATE, 3, AN_AXIS, 0},
    {INLAY_OP_SCATTER_ELEMENTS_UPDATE, 1, IN_AXIS_INPUT, 3},
    {INLAY_OP_SCATTER_ELEMENTS_UPDATE, 3, AN_AXIS, 0},
    {INLAY_OP_SCATTER_ND_UPDATE, 1, IN_ALL_AXES, 0},
    {INLAY_OP_TENSOR_SCATTER_ND_UPDATE, 1, IN_ALL_AXES, 0},
    {INLAY_OP_TENSOR_SCATTER, 1, IN_AXIS_ATTR, 0},
    {INLAY_OP_SLICE, 3, A_STEP, 0},
    {INLAY_OP_SLICE, 4, AN_AXIS, 0},
    {INLAY_OP_SLICE_SCATTER, 4, A_STEP, 0},
    {INLAY_OP_SLICE_SCATTER, 5, AN_AXIS, 0},
    {INLAY_OP_ONNX_SLICE, 3, AN_AXIS, 0},
    {INLAY_OP_ONNX_SLICE, 4, A_STEP, 0},
    {INLAY_OP_SPLIT, 1, AN_AXIS, 0},
    {INLAY_OP_VARIADIC_SPLIT, 1, AN_AXIS, 0},
    {INLAY_OP_TILE, 1, A_COUNT, 0},
    {INLAY_OP_ROLL, 2, AN_AXIS, 0},
    {INLAY_OP_UNSQUEEZE, 1, AN_AXIS, 0},
    {INLAY_OP_CUM_SUM, 1, AN_AXIS, 0},
    {INLAY_OP_TOP_K, 1, A_COUNT, 0},
    {INLAY_OP_ONE_HOT, 1, A_COUNT, 0},
    {INLAY_OP_LOOP, 0, A_COUNT, 0}, /* -1 would be for ever */
};

/* Operations whose output 0 holds nothing but elements of input 0. */
static const inlay_op_kind movers[] = {
    INLAY_OP_CONVERT,   INLAY_OP_RESHAPE,       INLAY_OP_SQUEEZE, INLAY_OP_UNSQUEEZE,
    INLAY_OP_TRANSPOSE, INLAY_OP_BROADCAST,     INLAY_OP_SLICE,   INLAY_OP_GATHER,
    INLAY_OP_TILE,      INLAY_OP_STRIDED_SLICE,
};

/* The interval of values each Parameter may take. */
struct range {
    int64_t lo, hi; /* hi included */
    bool narrowed;
};

/* The size each dim identity got. */
struct sizes {
    int64_t *of; /* by id; -1: none yet */
    uint32_t n;
};

struct maker {
    const inlay_graph *g;
    const inlay_make_options *o;
    inlay_tensor **in;
    struct range *ranges; /* by Parameter */
    struct sizes sizes;
    uint64_t bytes; /* of what was given and what was made */
    inlay_diags *diags;
};

static int64_t clamp_size(inlay_dim d, int64_t n)
{
    return n < d.lo ? d.lo : n > d.hi ? d.hi : n;
}

static int64_t size_of(struct maker *m, inlay_dim d)
{
    int64_t n = inlay_dim_is_static(d) ? d.lo : clamp_size(d, d.lo > 3 ? d.lo : 3);

    if (d.id == 0 || d.id >= m->sizes.n)
        return n;
    if (m->sizes.of[d.id] < 0)
        m->sizes.of[d.id] = n;
    return m->sizes.of[d.id];
}

/* Dims of tensors that are already there fix the sizes of their identities. */
static void learn_sizes(struct maker *m)
{
    for (int i = 0; i < m->g->n_params; i++) {
        const inlay_fact *f = &m->g->params[i]->out[0].fact;
        const inlay_tensor *t = m->in[i];
        const inlay_shape *wish = m->o->shapes ? &m->o->shapes[i] : NULL;

        for (int k = 0; k < f->rank; k++) {
            uint32_t id = f->dims[k].id;

            if (id == 0 || id >= m->sizes.n)
                continue;
            if (t && t->rank == f->rank)
                m->sizes.of[id] = t->dims[k];
            else if (wish && wish->rank == f->rank && inlay_dim_is_static(wish->dim[k]))
                m->sizes.of[id] = wish->dim[k].lo;
        }
    }
}

/* The least size that input 0's axis may turn out to have in this run. */
static int64_t axis_size(struct maker *m, const inlay_fact *data, int axis)
{
    inlay_dim d = data->dims[axis];

    if (inlay_dim_is_static(d))
        return d.lo;
    if (d.id != 0 && d.id < m->sizes.n && m->sizes.of[d.id] >= 0)
        return m->sizes.of[d.id];
    return d.lo;
}

static int64_t smallest_axis(struct maker *m, const inlay_fact *data)
{
    int64_t least = INT64_MAX;

    for (int k = 0; k < data->rank; k++) {
        int64_t n = axis_size(m, data, k);

        least = n < least ? n : least;
    }
    return least;
}

/* The axis that NODE indexes, or -1 when it is not known. */
static int indexed_axis(const inlay_node *n, const struct index_operand *op, int rank)
{
    const inlay_value *v;
    int64_t axis = 0;

    if (op->bound == IN_AXIS_ATTR) {
        axis = inlay_node_int(n, inlay_op_attr(n->op, "axis") >= 0 ? "axis" : "dim");
    } else if (op->bound == IN_AXIS_INPUT) {
        v = inlay_node_input(n, op->axis_input);
        if (!v || !v->fact.known || v->fact.n_known != 1 || !inlay_dim_is_static(v->fact.known[0]))
            return -1;
        axis = v->fact.known[0].lo;
    }
    axis = axis < 0 ? axis + rank : axis;
    return axis >= 0 && axis < rank ? (int)axis : -1;
}

static struct range range_of(struct maker *m, const inlay_node *n, const struct index_operand *op)
{
    const inlay_value *data = inlay_node_input(n, 0);
    struct range r = {0, 0, true};
    int axis;

    if (op->bound == A_STEP || op->bound == A_COUNT)
        return (struct range){1, op->bound == A_STEP ? 2 : 3, true};
    if (!data || data->fact.rank <= 0)
        return r;
    if (op->bound == AN_AXIS)
        return (struct range){0, data->fact.rank - 1, true};
    axis = indexed_axis(n, op, data->fact.rank);
    r.hi = (axis >= 0 && op->bound != IN_ALL_AXES ? axis_size(m, &data->fact, axis)
                                                  : smallest_axis(m, &data->fact)) -
           1;
    if (r.hi < 0)
        r.hi = 0;
    return r;
}

static bool is_mover(const inlay_node *n)
{
    for (size_t i = 0; i < sizeof movers / sizeof movers[0]; i++) {
        if (inlay_node_is(n, movers[i]))
            return true;
    }
    return false;
}

static void narrow(struct maker *m, const inlay_node *param, struct range r)
{
    for (int i = 0; i < m->g->n_params; i++) {
        struct range *old = &m->ranges[i];

        if (m->g->params[i] != param)
            continue;
        if (!old->narrowed)
            *old = r;
        old->lo = r.lo > old->lo ? r.lo : old->lo;
        old->hi = r.hi < old->hi ? r.hi : old->hi;
    }
}

/* From VALUE back to Parameters. Concat joins several; its operands are walked one after the other
 * with a stack, for a graph may be deep. */
static bool walk_back(struct maker *m, const inlay_value *value, struct range r)
{
    const inlay_value **stack = malloc((m->g->n_nodes + 1) * sizeof *stack);
    unsigned char *seen = calloc((size_t)m->g->next_id + 1, 1);
    size_t depth = 0;
    bool ok = stack && seen;

    if (ok)
        stack[depth++] = value;
    while (ok && depth > 0) {
        const inlay_node *n = stack[--depth]->node;
        int inputs = inlay_node_is(n, INLAY_OP_CONCAT) ? n->n_in : is_mover(n) ? 1 : 0;

        if (inlay_node_is(n, INLAY_OP_PARAMETER))
            narrow(m, n, r);
        for (int i = 0; i < inputs; i++) {
            const inlay_value *v = n->in[i].value;

            if (v && !seen[v->node->id]) {
                seen[v->node->id] = 1;
                stack[depth++] = v;
            }
        }
    }
    free(stack);
    free(seen);
    return ok || inlay_fail_memory(m->diags);
}

static bool find_ranges(struct maker *m)
{
    const size_t n_ops = sizeof index_operands / sizeof index_operands[0];

    for (const inlay_node *n = m->g->first; n; n = n->next) {
        for (size_t k = 0; k < n_ops; k++) {
            const struct index_operand *op = &index_operands[k];
            const inlay_value *v;

            if (!inlay_node_is(n, op->kind) || !(v = inlay_node_input(n, op->input)))
                continue;
            if (!walk_back(m, v, range_of(m, n, op)))
                return false;
        }
    }
    return true;
}

static bool choose_dims(struct maker *m, int i, int *rank, int64_t *dims)
{
    const inlay_node *p = m->g->params[i];
    const inlay_fact *f = &p->out[0].fact;
    const inlay_shape *wish = m->o->shapes ? &m->o->shapes[i] : NULL;
    bool wished = wish && wish->rank >= 0;
    char asked[512], own[512];

    *rank = f->rank >= 0 ? f->rank : wished ? wish->rank : 1;
    if (wished && wish->rank != *rank)
        return inlay_fail_node(
            m->diags, p, "the shape asked for, %s, has rank %d, it must have rank %d as %s",
            inlay_shape_text(wish->rank, wish->dim, asked, sizeof asked), wish->rank, *rank,
            inlay_shape_text(f->rank, f->dims, own, sizeof own));
    for (int k = 0; k < *rank; k++) {
        inlay_dim d = f->rank >= 0 ? f->dims[k] : inlay_dim_any();

        if (wished && inlay_dim_is_static(wish->dim[k])) {
            dims[k] = wish->dim[k].lo;
            if (dims[k] < d.lo || dims[k] > d.hi)
                return inlay_fail_node(m->diags, p, "dimension %d asked for is %lld, it must be %s",
                                       k, (long long)dims[k], inlay_dim_text(d, own, sizeof own));
        } else {
            dims[k] = size_of(m, d);
        }
    }
    return true;
}

static double random_float(inlay_fill fill, uint64_t *state)
{
    static const double specials[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 1e30, -1e-30};
    uint64_t r = next_random(state);

    if (fill == INLAY_FILL_SMALL)
        return (double)(r % 9) - 4;
    if (fill == INLAY_FILL_SPECIAL && r % 4 == 0)
        return specials[(r >> 8) % (sizeof specials / sizeof specials[0])];
    return (double)(r >> 11) * 0x1p-52 - 1;
}

/* Tensors to fill are fresh, so they are dense. */
static void fill_floats(inlay_tensor *t, inlay_fill fill, uint64_t *state)
{
    int64_t n = inlay_tensor_count(t);

    for (int64_t i = 0; i < n; i++) {
        double x = fill == INLAY_FILL_ZEROS  ? 0
                   : fill == INLAY_FILL_ONES ? 1
                   : fill == INLAY_FILL_IOTA ? (double)i
                                             : random_float(fill, state);

        inlay_store_f64(t->type, t->data, i, x);
    }
}

static void fill_ints(inlay_tensor *t, inlay_fill fill, struct range r, uint64_t *state)
{
    int64_t n = inlay_tensor_count(t);

    for (int64_t i = 0; i < n; i++) {
        int64_t x = fill == INLAY_FILL_ZEROS  ? 0
                    : fill == INLAY_FILL_ONES ? 1
                    : fill == INLAY_FILL_IOTA
                        ? i
                        : r.lo + (int64_t)(next_random(state) % ((uint64_t)(r.hi - r.lo) + 1));

        inlay_store_i64(t->type, t->data, i, x);
    }
}

static bool fill_strings(inlay_tensor *t, uint64_t *state, inlay_diags *d)
{
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        char text[2] = {(char)('a' + next_random(state) % 26), '\0'};

        if (!inlay_tensor_set_string(t, i, text, 1))
            return inlay_fail_memory(d);
    }
    return true;
}

static struct range default_range(const inlay_type_info *info)
{
    if (info->cls == INLAY_CLASS_BOOLEAN || info->bits == 1)
        return (struct range){0, 1, false};
    return info->cls == INLAY_CLASS_SIGNED ? (struct range){-8, 7, false}
                                           : (struct range){0, 15, false};
}

/* A model may say any size: what it asks for is looked at before it is allocated. */
static bool fits(struct maker *m, const inlay_node *p, inlay_type type, int rank,
                 const int64_t *dims)
{
    size_t bytes;

    if (!inlay_count_bytes(type, rank, dims, &bytes))
        return inlay_fail_resource_node(m->diags, p,
                                        "a tensor of this shape does not fit the address space");
    if (m->o->max_memory > 0 &&
        (m->bytes > m->o->max_memory || bytes > m->o->max_memory - m->bytes))
        return inlay_fail_resource_node(
            m->diags, p,
            "the input has %zu bytes; with the %llu of others that is over "
            "the memory limit of %llu bytes",
            bytes, (unsigned long long)m->bytes, (unsigned long long)m->o->max_memory);
    m->bytes += bytes;
    return true;
}

static bool make_one(struct maker *m, int i, inlay_fill fill)
{
    const inlay_node *p = m->g->params[i];
    inlay_type type = p->out[0].fact.type == INLAY_DYNAMIC ? INLAY_F32 : p->out[0].fact.type;
    const inlay_type_info *info = inlay_type_info_of(type);
    struct range r = m->ranges[i].narrowed ? m->ranges[i] : default_range(info);
    uint64_t state = m->o->seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)i;
    int64_t dims[INLAY_MAX_RANK];
    int rank;

    if (!choose_dims(m, i, &rank, dims) || !fits(m, p, type, rank, dims))
        return false;
    m->in[i] = inlay_tensor_new(type, rank, dims);
    if (!m->in[i])
        return inlay_fail_memory(m->diags);
    if (r.hi < r.lo)
        r.hi = r.lo;
    if (info->cls == INLAY_CLASS_STRING)
        return fill == INLAY_FILL_ZEROS || fill_strings(m->in[i], &state, m->diags);
    if (info->cls == INLAY_CLASS_FLOAT || info->cls == INLAY_CLASS_COMPLEX)
        fill_floats(m->in[i], fill, &state);
    else
        fill_ints(m->in[i], fill, r, &state);
    return true;
}

static bool make_all(struct maker *m)
{
    for (uint32_t i = 0; i < m->sizes.n; i++)
        m->sizes.of[i] = -1;
    for (int i = 0; i < m->g->n_params; i++)
        m->bytes += m->in[i] ? inlay_tensor_bytes(m->in[i]) : 0;
    learn_sizes(m);
    if (!find_ranges(m))
        return false;
    for (int i = 0; i < m->g->n_params; i++) {
        inlay_fill fill = m->o->fills ? m->o->fills[i] : INLAY_FILL_RANDOM;

        if (!m->in[i] && fill != INLAY_FILL_NONE && !make_one(m, i, fill))
            return false;
    }
    return true;
}

bool inlay_make_inputs(const inlay_graph *g, const inlay_make_options *o, inlay_tensor **in,
                       inlay_diags *d)
{
    static const inlay_make_options none;
    struct maker m = {.g = g, .o = o ? o : &none, .in = in, .diags = d};
    bool ok;

    m.sizes.n = g->next_dim_id;
    m.sizes.of = malloc((size_t)m.sizes.n * sizeof *m.sizes.of + 1);
    m.ranges = calloc((size_t)g->n_params + 1, sizeof *m.ranges);
    ok = m.sizes.of && m.ranges ? make_all(&m) : inlay_fail_memory(d);
    free(m.sizes.of);
    free(m.ranges);
    return ok;
}
