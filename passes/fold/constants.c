/* fold-constants: a node whose operands are constants becomes a constant, computed by the caller's
 * evaluator, with the kernel and the precision of the reference. A node whose elements the shape
 * rules know (ShapeOf and what is computed from it) needs no evaluator.
 *
 * Limits: a result may be as large as the budget, or as the constants that it makes needless. The
 * work of one node is bounded. Compressed weights stay compressed. A node whose computation fails
 * stays, with a warning. Nodes with effects, with variables or with bodies are left alone, and so
 * are those that the user pinned. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/fold/fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_BYTES = 1 << 20,
    MOST_WORK = 100 * 1000 * 1000, /* element operations that one node may take */
    SMALL_WEIGHTS = 1024           /* weights with at most this many elements are decompressed */
};

static bool is_const(const inlay_value *v)
{
    return inlay_node_is(v->node, INLAY_OP_CONST) && v->fact.content;
}

/* LIST has the rt_info attribute NAME, which a file writes as <attribute name="NAME" .../>. */
static bool has_mark(const inlay_meta *list, const char *name)
{
    for (const inlay_meta *m = list; m; m = m->next) {
        for (int i = 0; i < m->n_attrs; i++) {
            if (strcmp(m->attrs[2 * i], "name") == 0 && strcmp(m->attrs[2 * i + 1], name) == 0)
                return true;
        }
    }
    return false;
}

/* disabled_constant_folding is how OpenVINO's rt_info pins a node. No format writes items. */
static bool may_fold(const inlay_node *n)
{
    unsigned never = INLAY_EFFECT | INLAY_SINK | INLAY_HAS_BODY | INLAY_STAND_IN;

    for (int i = 0; i < n->n_out; i++) {
        if (n->out[i].fact.type == INLAY_ITEM)
            return false;
    }
    return n->n_out > 0 && n->op->eval && !(n->op->flags & never) &&
           !inlay_node_is(n, INLAY_OP_CONST) && !has_mark(n->rt_info, "disabled_constant_folding");
}

static bool operands_are_const(const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && !is_const(n->in[i].value))
            return false;
    }
    return true;
}

/* N is a Convert that unpacks weights: it is marked so, or it converts a type of at most 8 bits to
 * floats. */
static bool unpacks_weights(const inlay_node *n)
{
    const inlay_value *in = inlay_node_input(n, 0);

    if (!inlay_node_is(n, INLAY_OP_CONVERT) || !in || !in->fact.content)
        return false;
    if (has_mark(n->rt_info, "decompression"))
        return true;
    return inlay_type_info_of(in->fact.type)->bits <= 8 && in->fact.type != INLAY_BOOLEAN &&
           inlay_type_is_float(n->out[0].fact.type) &&
           inlay_tensor_count(in->fact.content) > SMALL_WEIGHTS;
}

/* Upper bounds of the numbers of elements and bytes of the output. False: there is no bound. */
static bool bound_output(const inlay_fact *f, double *elements, double *bytes)
{
    double count = 1;

    for (int i = 0; i < f->rank; i++) {
        if (f->dims[i].hi == INLAY_DIM_MAX)
            return false;
        count *= (double)f->dims[i].hi;
    }
    *elements += count;
    *bytes += ceil(count * inlay_type_info_of(f->type)->bits / 8);
    return f->rank >= 0 && f->type != INLAY_DYNAMIC;
}

/* The bytes of constant operands that no other node reads. A constant that is read twice by N
 * counts once. */
static double dying_bytes(const inlay_node *n)
{
    double bytes = 0;

    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        const inlay_use *u = v ? v->uses : NULL;

        inlay_count_steps(n->graph, 1);
        if (u != &n->in[i])
            continue;
        for (; u && u->node == n; u = u->next)
            inlay_count_steps(n->graph, 1);
        if (!u)
            bytes += (double)inlay_tensor_bytes(v->fact.content);
    }
    return bytes;
}

/* An estimate of the element operations that N takes. If N works element by element, or moves
 * elements, it is one for each. Otherwise it is the root of the product of the sizes of the two
 * largest operands and the result, which is right for a matrix product and near enough for a
 * convolution. */
static double work(const inlay_node *n, double out)
{
    double largest = 1, second = 1, sum = out;

    for (int i = 0; i < n->n_in; i++) {
        const inlay_value *v = n->in[i].value;
        double count = v ? (double)inlay_tensor_count(v->fact.content) : 0;

        sum += count;
        if (count > largest) {
            second = largest;
            largest = count;
        } else if (count > second) {
            second = count;
        }
    }
    if (n->op->flags & (INLAY_POINTWISE | INLAY_VIEW))
        return sum;
    return fmax(sum, sqrt(largest * second * out));
}

static bool within_budget(const inlay_node *n, pass_run *r)
{
    enum { ROOM = 4 }; /* of what the budget leaves one in so many, so that others have some */
    size_t limit = r->options->fold_bytes ? r->options->fold_bytes : DEFAULT_BYTES;
    inlay_diags *said = r->again ? NULL : r->diags;
    double elements = 0, bytes = 0, dying = dying_bytes(n);

    for (int i = 0; i < n->n_out; i++) {
        if (!bound_output(&n->out[i].fact, &elements, &bytes)) {
            inlay_note_node(said, n, "not folded: the size of the result is not known");
            return false;
        }
    }
    if (bytes > (double)limit && bytes > dying) {
        inlay_note_node(said, n,
                        "not folded: the result has %.0f bytes, the limit is %zu and the constants "
                        "that would go have %.0f",
                        bytes, limit, dying);
        return false;
    }
    if (r->options->max_memory && bytes + (double)r->folded > (double)r->options->max_memory) {
        inlay_note_node(
            said, n,
            "not folded: the result has %.0f bytes; with the %llu folded before that is "
            "over the memory limit of %llu",
            bytes, (unsigned long long)r->folded, (unsigned long long)r->options->max_memory);
        return false;
    }
    if (bytes > (double)inlay_budget_left(inlay_node_budget(n)) / ROOM) {
        inlay_note_node(said, n,
                        "not folded: the result has %.0f bytes, and the memory limit leaves %llu",
                        bytes, (unsigned long long)inlay_budget_left(inlay_node_budget(n)));
        return false;
    }
    if (work(n, elements) > MOST_WORK) {
        inlay_note_node(said, n, "not folded: about %.0f element operations, the limit is %d",
                        work(n, elements), MOST_WORK);
        return false;
    }
    return true;
}

/* Reports the first error in FROM as a warning, with its location; one without a location is about
 * N. */
static void warn_of(const inlay_diags *from, const inlay_node *n, pass_run *r)
{
    const inlay_diag *e = inlay_diags_error(from);
    inlay_pos pos = {n->graph->file, e && e->line > 0 ? e->line : n->line};

    if (e)
        inlay_warn(r->again ? NULL : r->diags, &pos, "%s; the node is left as it is", e->text);
}

/* The value V as a tensor, if the shape rules know all of its elements; else NULL, as without
 * memory (*FATAL). */
static inlay_tensor *known_tensor(const inlay_value *v, bool *fatal)
{
    const inlay_fact *f = &v->fact;
    int64_t dims[INLAY_MAX_RANK], count;
    inlay_tensor *t;

    if (!f->known || f->rank < 0 || !(inlay_type_is_int(f->type) || f->type == INLAY_BOOLEAN))
        return NULL;
    for (int i = 0; i < f->rank; i++) {
        if (!inlay_dim_is_static(f->dims[i]))
            return NULL;
        dims[i] = f->dims[i].lo;
    }
    if (!inlay_count_elements(f->rank, dims, &count) || count != f->n_known)
        return NULL;
    for (int i = 0; i < f->n_known; i++) {
        if (!inlay_dim_is_static(f->known[i]) || f->known[i].lo == INT64_MAX)
            return NULL;
    }
    t = inlay_tensor_in(inlay_node_budget(v->node), f->type, f->rank, dims);
    *fatal = *fatal || !t;
    for (int i = 0; t && i < f->n_known; i++) {
        inlay_tensor_set_i64(t, i, f->known[i].lo);
        if (inlay_tensor_get_i64(t, i) !=
            f->known[i].lo) { /* does not fit the type: what comes out is up to the kernel */
            inlay_tensor_release(t);
            return NULL;
        }
    }
    return t;
}

static bool all_known(const inlay_node *n, inlay_tensor **out, pass_run *r, bool *fatal)
{
    bool ok = true;

    for (int i = 0; i < n->n_out; i++) {
        out[i] = known_tensor(&n->out[i], fatal);
        ok = ok && out[i];
    }
    if (*fatal)
        inlay_fail_memory(r->diags);
    return ok;
}

static void release_all(inlay_tensor **out, int n)
{
    for (int i = 0; i < n; i++) {
        inlay_tensor_release(out[i]);
        out[i] = NULL;
    }
}

/* Computes the outputs of N; false: N stays; *FATAL: the pass must end. */
static bool compute(const inlay_node *n, inlay_tensor **out, pass_run *r, bool *fatal)
{
    const inlay_evaluator *e = r->options->evaluator;
    const inlay_tensor **in =
        inlay_take_raw(inlay_node_budget(n), ((size_t)n->n_in + 1) * sizeof *in);
    inlay_diags *d = inlay_diags_new();
    bool ok = false;

    *fatal = !in || !d;
    if (!*fatal) {
        for (int i = 0; i < n->n_in; i++)
            in[i] = n->in[i].value ? n->in[i].value->fact.content : NULL;
        ok = e->eval_node(e->ctx, n, in, out, d);
        *fatal = !ok && inlay_diags_status(d) == INLAY_NO_RESOURCE;
        if (*fatal) /* what is folded must not depend on the memory of the machine */
            inlay_fail_resource(r->diags, NULL, "%s", inlay_diags_error(d)->text);
        else if (!ok)
            warn_of(d, n, r);
    } else {
        inlay_fail_memory(r->diags);
    }
    inlay_give(in);
    inlay_diags_free(d);
    return ok;
}

/* Makes Consts of VALUES for the outputs of N that are read; false: out of memory. */
static bool make_consts(const inlay_node *n, inlay_tensor *const *values, inlay_node **consts,
                        inlay_diags *d)
{
    for (int i = 0; i < n->n_out; i++) {
        inlay_value *v = n->out[i].uses ? inlay_build_const(n->graph, n->name, values[i], d) : NULL;

        if (n->out[i].uses && !v)
            return false;
        consts[i] = v ? v->node : NULL;
    }
    return true;
}

/* The readers of N accept CONSTS: no shape rule refuses at compile time what may never run. */
static bool readers_take(inlay_node *n, inlay_node *const *consts, pass_run *r)
{
    inlay_diags *d = inlay_diags_new();
    inlay_value **by = inlay_take(inlay_node_budget(n), (size_t)n->n_out, sizeof(inlay_value *));
    bool take = d && by;

    for (int i = 0; take && i < n->n_out; i++)
        by[i] = consts[i] ? &consts[i]->out[0] : NULL;
    take = take && pass_readers_take_all(n, by, d);
    if (!take && (!d || !by || inlay_diags_status(d) == INLAY_NO_RESOURCE))
        r->failed = !inlay_fail_memory(r->diags);
    else if (!take)
        warn_of(d, n, r);
    inlay_give(by);
    inlay_diags_free(d);
    return take;
}

static bool remove_consts(inlay_node *const *consts, int n, inlay_diags *d)
{
    for (int i = 0; i < n; i++) {
        if (consts[i] && !inlay_node_remove(consts[i], d))
            return false;
    }
    return true;
}

/* Replaces output I of N by C, with its names and its position in the source. */
static bool take_place(inlay_node *c, inlay_node *n, int i, inlay_diags *d)
{
    inlay_value *old = &n->out[i], *v = &c->out[0];

    if (!inlay_value_add_names(v, old->names, old->n_names, d))
        return false;
    v->rt_info = old->rt_info;
    c->line = n->line;
    c->place = n->place;
    return inlay_value_replace(old, v, d);
}

/* The constant of a node's only output gets its name, others "name.port". */
static bool take_name(inlay_node *c, const inlay_node *from, int i, inlay_diags *d)
{
    const char *name = from->name;

    if (from->n_out > 1) {
        name = inlay_arena_printf(c->graph->arena, "%s.%d", name, i);
        if (!name)
            return inlay_fail_memory(d);
    }
    if (!inlay_node_rename(c, name, d))
        return false;
    if (from->n_out == 1)
        c->label = from->label;
    return true;
}

static bool take_places(inlay_node *const *consts, inlay_node *n, inlay_diags *d)
{
    bool ok = true;

    for (int i = 0; ok && i < n->n_out; i++)
        ok = !consts[i] || take_place(consts[i], n, i, d);
    ok = ok && inlay_node_remove(n, d);
    for (int i = 0; ok && i < n->n_out; i++)
        ok = !consts[i] || take_name(consts[i], n, i, d);
    return ok;
}

/* *DONE: N was replaced by Consts of VALUES; otherwise a reader refuses one. False: out of memory.
 */
static bool replace(inlay_node *n, inlay_tensor *const *values, bool *done, pass_run *r)
{
    inlay_node **consts = inlay_take(inlay_node_budget(n), (size_t)n->n_out, sizeof *consts);
    bool ok = (consts || inlay_fail_memory(r->diags)) && make_consts(n, values, consts, r->diags);

    *done = ok && readers_take(n, consts, r);
    if (ok)
        ok = *done ? take_places(consts, n, r->diags) : remove_consts(consts, n->n_out, r->diags);
    inlay_give(consts);
    return ok;
}

/* Infers N again, because operands may have become constants. If the shape rule refuses them now, N
 * would fail in the run, so it stays; without memory the pass ends (*FATAL). Nodes without operands
 * are left alone: nothing is new, and a Parameter of a body would lose the facts that it has from
 * outside. */
static bool refresh(inlay_node *n, pass_run *r, bool *fatal)
{
    inlay_diags *d;
    bool ok;

    if (n->n_in == 0 || n->settled)
        return true;
    d = inlay_diags_new();
    ok = d && inlay_check_node(n, d) && inlay_infer_node(n, d);
    *fatal = !d || (!ok && inlay_diags_status(d) == INLAY_NO_RESOURCE);
    if (*fatal)
        inlay_fail_memory(r->diags);
    else if (!ok)
        warn_of(d, n, r);
    inlay_diags_free(d);
    return ok;
}

bool fold_node(inlay_node *n, pass_run *r)
{
    inlay_tensor **out;
    bool fold, fatal = false;

    if (!refresh(n, r, &fatal) || !may_fold(n) || !inlay_node_is_used(n))
        return !fatal;
    out = inlay_take(inlay_node_budget(n), (size_t)n->n_out, sizeof *out);
    if (!out)
        return inlay_fail_memory(r->diags);
    fold = all_known(n, out, r, &fatal);
    if (!fold && !fatal) {
        release_all(out, n->n_out);
        fold = r->options->evaluator && operands_are_const(n) && !unpacks_weights(n) &&
               within_budget(n, r) && compute(n, out, r, &fatal);
    }
    if (fold && inlay_pass_begin(r, n)) {
        bool done;

        fatal = !replace(n, out, &done, r) || !inlay_pass_end(r, done) || r->failed;
        for (int i = 0; !fatal && done && i < n->n_out; i++)
            r->folded += inlay_tensor_bytes(out[i]);
    }
    release_all(out, n->n_out);
    inlay_give(out);
    return !fatal;
}

bool pass_fold_constants(inlay_graph *g, pass_run *r)
{
    inlay_order_list order;
    bool ok = inlay_order(g, false, &order, r->diags);

    for (size_t i = 0; ok && i < order.n; i++)
        ok = fold_node(order.nodes[i], r);
    inlay_order_free(&order);
    return ok;
}
