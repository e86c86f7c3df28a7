/* Reductions: an element of the result is computed from those of the data along some axes. The
 * result is an uninterpreted function, with the same value for the same data and axes; and for
 * integers and booleans with the same value for the same elements in any order. */
#include "passes/prove/meaning.h"
#include "passes/prove/rows.h"

#include <string.h>

/* If there are no elements, an operation may have no result, which is an error. */
static void check_something(prove_case *c, prove_node *n, const smt *const *kept, int n_kept)
{
    smt_pool *p = &c->pool;
    const smt *zero = smt_int(p, 0), *none = smt_bool(false), *made = smt_bool(true);
    prove_name *op = &c->names[n->from->op_name];

    if (!op->attr)
        op->attr = smt_constant(p, "makes_of_nothing", "Bool");
    for (int i = 0; i < n->in[0]->rank; i++) {
        if (n->axes[i])
            none = smt_or(p, none, smt_eq(p, n->in[0]->dim[i], zero));
    }
    for (int i = 0; i < n_kept; i++)
        made = smt_and(p, made, smt_not(p, smt_eq(p, kept[i], zero)));
    prove_must(c, n, smt_or(p, op->attr, smt_not(p, smt_and(p, none, made))));
}

static void shape_fold(prove_case *c, prove_node *n)
{
    const smt *sizes[PROVE_RANK];
    int rank = prove_rank(c, n->in[0]), kept = 0;

    prove_need(c, n->n_in == 2);
    if (c->cut)
        return;
    n->form = prove_flag_attr(c, n, "keep_dims");
    prove_axes_of(c, n->in[1], rank, n->axes);
    for (int i = 0; i < rank && !c->cut; i++) {
        if (!n->axes[i] || n->form)
            sizes[kept++] = n->axes[i] ? smt_int(&c->pool, 1) : n->in[0]->dim[i];
    }
    prove_set_sizes(c, n, 0, kept, sizes);
    if (!c->cut && n->from->op_name >= 0)
        check_something(c, n, sizes, kept);
}

/* The function of a place, without the reduced axes, that gives the result there. */
static const char *made_by(prove_case *c, const prove_node *n)
{
    struct prove_fold *f = c->terms.folds, *end = f + c->terms.n_folds;
    int kept = 0;

    for (; f < end; f++) {
        if (f->data == n->in[0] && f->function == n->function &&
            memcmp(f->axes, n->axes, sizeof f->axes) == 0)
            return f->made;
    }
    if (c->terms.n_folds == PROVE_PLACES) {
        prove_unknown(c, "too many reductions");
        return NULL;
    }
    for (int i = 0; i < n->in[0]->rank; i++)
        kept += !n->axes[i];
    *f = (struct prove_fold){.data = n->in[0], .function = n->function};
    memcpy(f->axes, n->axes, sizeof f->axes);
    f->made = smt_function(&c->pool, "folded", kept, false, "E");
    c->terms.n_folds++;
    return f->made;
}

const smt *prove_folded(prove_case *c, const prove_node *n, const smt *const *at,
                        const smt *const *along)
{
    const smt *from[PROVE_RANK];

    for (int i = 0, k = 0, m = 0; i < n->in[0]->rank; i++) {
        k += n->axes[i] && n->form;
        from[i] = n->axes[i] ? along[m++] : at[k++];
    }
    return prove_element(c, n->in[0], from);
}

static int count_folded(const prove_node *n)
{
    int count = 0;

    for (int i = 0; i < n->in[0]->rank; i++)
        count += n->axes[i];
    return count;
}

/* The result of A at one place and that of B at another are computed from the same elements, if the
 * axes along which B reduces are taken in this ORDER; *SIZES: and these have the same sizes. */
static bool is_made_alike(prove_case *c, const struct prove_made *a, const struct prove_made *b,
                          const int *order, const smt *const *along, const smt **sizes)
{
    const smt *turned[PROVE_RANK], *of_b[PROVE_RANK];
    int n = 0, k = 0;

    for (int i = 0; i < b->node->in[0]->rank; i++) {
        if (b->node->axes[i])
            of_b[n++] = b->node->in[0]->dim[i];
    }
    for (int i = 0; i < n; i++)
        turned[order[i]] = along[i];
    *sizes = smt_bool(true);
    for (int i = 0; i < a->node->in[0]->rank; i++) {
        if (a->node->axes[i])
            *sizes = smt_and(&c->pool, *sizes,
                             smt_eq(&c->pool, a->node->in[0]->dim[i], of_b[order[k++]]));
    }
    return smt_same(prove_folded(c, a->node, a->at, along),
                    prove_folded(c, b->node, b->at, turned));
}

/* If A and B are computed from the same elements, in any order, they are equal. */
static void compare(prove_case *c, const struct prove_made *a, const struct prove_made *b)
{
    const smt *along[PROVE_RANK], *sizes;
    int n = count_folded(a->node), order[PROVE_RANK], orders = 1;

    if (a->node->function != b->node->function || n != count_folded(b->node) ||
        !prove_is_discrete(c, a->node->in[0]) || !prove_is_discrete(c, b->node->in[0]))
        return;
    for (int i = 0; i < n; i++) {
        along[i] = smt_constant(&c->pool, "along", "Int");
        orders *= i + 1;
    }
    for (int k = 0; k < orders; k++) {
        prove_nth_order(k, n, order);
        if (is_made_alike(c, a, b, order, along, &sizes))
            prove_assume(c, smt_implies(&c->pool, sizes, smt_eq(&c->pool, a->made, b->made)));
    }
}

/* A reduction of a single element is that element, if the rule says so of the operation. */
static void state_single(prove_case *c, const prove_node *n, const smt *const *at, const smt *made)
{
    smt_pool *p = &c->pool;
    const smt *one = smt_bool(true), *first[PROVE_RANK];

    for (int i = 0; i < PROVE_RANK; i++)
        first[i] = smt_int(p, 0);
    for (int i = 0; i < n->in[0]->rank; i++) {
        if (n->axes[i])
            one = smt_and(p, one, smt_eq(p, n->in[0]->dim[i], smt_int(p, 1)));
    }
    prove_assume(c, smt_implies(p, one, smt_eq(p, made, prove_folded(c, n, at, first))));
}

/* States what is known of MADE, the result of N at AT. */
static void state_made(prove_case *c, const prove_node *n, const smt *const *at, const smt *made)
{
    struct prove_made *m = &c->terms.made[c->terms.n_made];

    for (int i = 0; i < n->out[0].rank; i++) {
        if (smt_is_open(at[i]))
            return;
    }
    if (c->terms.n_made == PROVE_SUMS) {
        prove_unknown(c, "too many reductions");
        return;
    }
    *m = (struct prove_made){.node = n, .made = made};
    memcpy(m->at, at, (size_t)n->out[0].rank * sizeof *at);
    for (int i = 0; i < c->terms.n_made; i++)
        compare(c, &c->terms.made[i], m);
    c->terms.n_made++;
    if (n->from->op_name >= 0 && c->names[n->from->op_name].op->single)
        state_single(c, n, at, made);
}

static const smt *element_of_fold(prove_case *c, const prove_node *n, int out, const smt *const *at)
{
    const char *function = made_by(c, n);
    const smt *kept[PROVE_RANK], *made;
    int n_kept = 0;

    (void)out;
    if (!function)
        return smt_bool(false);
    for (int i = 0, k = 0; i < n->in[0]->rank; i++) {
        if (!n->axes[i])
            kept[n_kept++] = at[k++];
        else
            k += n->form;
    }
    made = smt_apply(&c->pool, function, n_kept, kept);
    state_made(c, n, at, made);
    return made;
}

const prove_row prove_fold = {
    "", shape_fold, element_of_fold, NULL, PROVE_ALONG_AXES | PROVE_FOLDS, " keep_dims "};

/* ---- reductions that the rule names ---- */

static const char mean_name[] = "ReduceMean";

static void shape_named(prove_case *c, prove_node *n)
{
    n->function = n->row->type;
    shape_fold(c, n);
    if (c->cut || strcmp(n->function, mean_name) != 0)
        return;
    if (c->meanings.numbers == PROVE_AS_THEY_ARE)
        prove_unknown(c, "ReduceMean has no encoding");
    else
        prove_must_have_some(c, n);
}

/* Integers and booleans have more properties that are known. */
static const smt *element_of_named(prove_case *c, const prove_node *n, int out,
                                   const smt *const *at)
{
    bool mean = c->meanings.numbers == PROVE_REAL && strcmp(n->function, mean_name) == 0;
    prove_total t = {.kind = prove_total_kind_of(mean ? "ReduceSum" : n->function)};

    if (!t.kind || !prove_is_discrete(c, n->in[0]))
        return element_of_fold(c, n, out, at);
    for (int i = 0; i < n->out[0].rank; i++) {
        if (smt_is_open(at[i]))
            prove_unknown(c, "a reduction at every place");
    }
    for (int i = 0; i < n->in[0]->rank; i++) {
        if (!n->axes[i])
            continue;
        t.var[t.n] = smt_constant(&c->pool, "along", "Int");
        t.size[t.n++] = n->in[0]->dim[i];
    }
    t.body = prove_folded(c, n, at, t.var);
    return mean ? prove_mean_of(c, t) : prove_total_of(c, t);
}

#define NAMED(type)                                                                                \
    {                                                                                              \
        type, shape_named, element_of_named, NULL, PROVE_ALONG_AXES | PROVE_FOLDS, " keep_dims "   \
    }

const prove_row prove_fold_rows[] = {
    NAMED("ReduceSum"),        NAMED("ReduceProd"),
    NAMED("ReduceMax"),        NAMED("ReduceMin"),
    NAMED("ReduceL1"),         NAMED("ReduceL2"),
    NAMED("ReduceLogicalAnd"), NAMED("ReduceLogicalOr"),
    NAMED(mean_name),          {0},
};
