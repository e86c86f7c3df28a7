/* Do the shape rules of a graph accept assumptions about its Parameters?
 *
 * A rule fails only on a proven contradiction, however little is known: sizes and elements may be
 * intervals, and ranks unknown. So the rules judge partial choices as well as complete ones. An
 * assumption that they refuse cannot be part of any valid choice; the search of fit.c relies on
 * that.
 *
 * A value that depends on no assumption keeps its recorded fact, and its node is not asked again.
 */
#include "ir/shared.h"
#include "passes/verify/verify.h"

#include <stdlib.h>

bool verify_probe_begin(verify_probe *p, const inlay_graph *g, inlay_diags *d)
{
    size_t n = 0;

    *p = (verify_probe){.g = g};
    if (!inlay_order(g, false, &p->order, d))
        return false;
    p->slot = inlay_take_raw(inlay_graph_budget(g), ((size_t)g->next_id + 1) * sizeof *p->slot);
    for (size_t i = 0; p->slot && i < p->order.n; i++) {
        p->slot[p->order.nodes[i]->id] = n;
        n += (size_t)p->order.nodes[i]->n_out;
    }
    p->facts = inlay_take(inlay_graph_budget(g), n + 1, sizeof(inlay_fact *));
    p->scratch = inlay_arena_of(inlay_graph_budget(g));
    p->said = inlay_diags_new();
    return (p->slot && p->facts && p->scratch && p->said) || inlay_fail_memory(d);
}

void verify_probe_end(verify_probe *p)
{
    inlay_order_free(&p->order);
    inlay_arena_free(p->scratch);
    inlay_diags_free(p->said);
    inlay_give(p->facts);
    inlay_give(p->slot);
}

const inlay_fact *verify_fact(const verify_probe *p, const inlay_value *v)
{
    return p ? p->facts[p->slot[v->node->id] + (size_t)v->index] : &v->fact;
}

static bool says_no_more(const inlay_fact *now, const inlay_fact *recorded)
{
    return now->type == recorded->type && now->rank == recorded->rank &&
           now->n_known == recorded->n_known && now->content == recorded->content &&
           (now->rank <= 0 || inlay_dims_same_bounds(now->dims, recorded->dims, now->rank)) &&
           inlay_dims_same_bounds(now->known, recorded->known, now->n_known);
}

/* Facts of the operands of N; *NEWS: one differs from the recorded fact. */
static const inlay_fact **operand_facts(verify_probe *p, const inlay_node *n, bool *news)
{
    const inlay_fact **in = inlay_arena_array(p->scratch, (size_t)n->n_in + 1, sizeof *in);

    *news = false;
    for (int i = 0; in && i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;

        in[i] = v ? verify_fact(p, v) : NULL;
        *news = *news || (v && in[i] != &v->fact);
    }
    return in;
}

/* The value has at least this many elements. */
static bool is_large(const inlay_fact *f)
{
    enum { LARGE = 1 << 20 };
    inlay_dim n = inlay_dim_of(1);

    for (int i = 0; i < f->rank; i++)
        n = inlay_dim_mul(n, f->dims[i]);
    return n.lo > LARGE;
}

/* An assumption that makes a small graph large is of no use for a trial. */
static bool grows(const inlay_node *n, const inlay_fact *now)
{
    for (int i = 0; i < n->n_out; i++) {
        if (is_large(&now[i]) && !is_large(&n->out[i].fact))
            return true;
    }
    return false;
}

/* The fact of the operand of N that has ROLE, or NULL. */
static const inlay_fact *operand_fact(const verify_probe *p, const inlay_node *n, inlay_role role)
{
    const inlay_value *v = inlay_node_operand(n, role);

    return v ? verify_fact(p, v) : NULL;
}

/* Returns whether the indices of OP, which has no axis, are row numbers: positions on the first
 * axis. */
static bool always_the_first(const inlay_op *op)
{
    return inlay_op_operand(op, INLAY_ROLE_INDICES) >= 0 &&
           inlay_op_operand(op, INLAY_ROLE_AXIS) < 0;
}

int verify_indexed_axis(const verify_probe *p, const inlay_node *n)
{
    int attr = inlay_op_role_attr(n->op, INLAY_ROLE_AXIS);
    const inlay_fact *axes = operand_fact(p, n, INLAY_ROLE_AXIS);
    const inlay_fact *data = operand_fact(p, n, INLAY_ROLE_DATA);
    int64_t axis = -1;

    if (!data || data->rank < 0)
        return -1;
    if (attr >= 0)
        axis = inlay_node_int(n, n->op->attrs[attr].name);
    else if (always_the_first(n->op))
        axis = 0;
    else if (!axes || !axes->known || axes->n_known != 1 || !inlay_dim_is_static(axes->known[0]))
        return -1;
    else
        axis = axes->known[0].lo;
    axis = axis < 0 ? axis + data->rank : axis;
    return axis >= 0 && axis < data->rank ? (int)axis : -1;
}

/* The axis of the data that component I of tuples belongs to; -1: not known. */
static int axis_of_tuple(const inlay_node *n, const inlay_fact *tuples, int i)
{
    int attr = inlay_op_role_attr(n->op, INLAY_ROLE_BATCH);
    int64_t batch = attr >= 0 ? inlay_node_int(n, n->op->attrs[attr].name) : 0;
    inlay_dim length = tuples->rank > 0 ? tuples->dims[tuples->rank - 1] : inlay_dim_any();

    if (!inlay_dim_is_static(length) || length.lo < 1 || batch < 0 || batch >= INLAY_MAX_RANK)
        return -1;
    return (int)batch + (int)(i % length.lo);
}

/* Each known length is within the axis that it is a part of. */
static bool prefixes_fit(const verify_probe *p, const inlay_node *n)
{
    const inlay_fact *data = operand_fact(p, n, INLAY_ROLE_DATA);
    const inlay_fact *lengths = operand_fact(p, n, INLAY_ROLE_PREFIXES);
    int axis = lengths ? verify_indexed_axis(p, n) : -1;

    for (int i = 0; axis >= 0 && i < lengths->n_known; i++) {
        if (lengths->known[i].lo > data->dims[axis].hi)
            return false;
    }
    return true;
}

/* Shape rules do not look at indices, kernels do: a known index must be within its axis. */
static bool indices_fit(const verify_probe *p, const inlay_node *n)
{
    const inlay_fact *data = operand_fact(p, n, INLAY_ROLE_DATA);
    const inlay_fact *tuples = operand_fact(p, n, INLAY_ROLE_TUPLES);
    const inlay_fact *indices = tuples ? tuples : operand_fact(p, n, INLAY_ROLE_INDICES);
    int along = data && indices && !tuples ? verify_indexed_axis(p, n) : -1;

    for (int i = 0; data && indices && i < indices->n_known; i++) {
        int axis = tuples ? axis_of_tuple(n, tuples, i) : along;
        int64_t size = axis >= 0 && axis < data->rank ? data->dims[axis].hi : INLAY_DIM_MAX;

        if (indices->known[i].lo >= size || indices->known[i].hi < -size)
            return false;
    }
    return true;
}

/* A rule refuses. That memory ran out is noted apart: which inputs are made must not depend on it.
 */
static bool refuse(verify_probe *p)
{
    p->failed = p->failed || inlay_diags_status(p->said) == INLAY_NO_RESOURCE;
    inlay_diags_clear(p->said);
    return false;
}

static bool run_out(verify_probe *p)
{
    p->failed = true;
    return false;
}

static bool ask_rule(verify_probe *p, const inlay_node *n)
{
    bool news;
    const inlay_fact **slot = &p->facts[p->slot[n->id]], **in = operand_facts(p, n, &news);
    inlay_fact *out;

    if (!in)
        return run_out(p);
    if (!news || (n->op->flags & INLAY_STAND_IN))
        return true;
    out = inlay_arena_array(p->scratch, (size_t)n->n_out + 1, sizeof *out);
    p->rules++;
    if (!out)
        return run_out(p);
    if (!inlay_infer_facts(n, in, p->scratch, out, p->said))
        return refuse(p);
    if (grows(n, out) || !indices_fit(p, n) || !prefixes_fit(p, n))
        return false;
    for (int i = 0; i < n->n_out; i++)
        slot[i] = says_no_more(&out[i], slot[i]) ? slot[i] : &out[i];
    return true;
}

static void assume(verify_probe *p, const int *pair, const verify_assumption *assumed)
{
    for (int i = 0; i < p->g->n_params; i++) {
        const inlay_value *v = &p->g->params[pair ? pair[i] : i]->out[0];
        const inlay_fact *f = assumed ? &assumed[i].fact : &v->fact;

        p->facts[p->slot[v->node->id]] = says_no_more(f, &v->fact) ? &v->fact : f;
    }
}

bool verify_probe_accepts(verify_probe *p, const int *pair, const verify_assumption *assumed)
{
    bool ok = true;

    inlay_arena_clear(p->scratch);
    assume(p, pair, assumed);
    for (size_t i = 0; i < p->order.n; i++) {
        const inlay_node *n = p->order.nodes[i];

        if (inlay_node_is(n, INLAY_OP_PARAMETER))
            continue;
        for (int k = 0; k < n->n_out; k++)
            p->facts[p->slot[n->id] + (size_t)k] = &n->out[k].fact;
        ok = ok && ask_rule(p, n);
    }
    return ok;
}

/* Elements of a type that rules cannot represent, or too many of them, stay unknown. */
static void assume_elements(verify_assumption *a, const inlay_tensor *t)
{
    int64_t n = inlay_tensor_count(t);

    if (n > INLAY_MAX_KNOWN || !(inlay_type_is_int(t->type) || t->type == INLAY_BOOLEAN))
        return;
    for (int64_t i = 0; i < n; i++)
        a->known[i] = inlay_dim_of(inlay_tensor_get_i64(t, i));
    a->fact.known = a->known;
    a->fact.n_known = (int)n;
}

void verify_assume_dims(verify_assumption *a, inlay_type type, int rank, const inlay_dim *dims)
{
    a->fact = (inlay_fact){.type = type, .rank = rank, .dims = a->dims};
    for (int k = 0; k < rank; k++)
        a->dims[k] = dims[k];
}

void verify_assume_tensor(verify_assumption *a, const inlay_tensor *t)
{
    a->fact = (inlay_fact){.type = t->type, .rank = t->rank, .dims = a->dims, .content = t};
    for (int k = 0; k < t->rank; k++)
        a->dims[k] = inlay_dim_of(t->dims[k]);
    assume_elements(a, t);
}
