/* What passes/prove says of an operation is what the reference computes: for each operation, graphs
 * that are made up, the case of passes/prove that describes the graph, and each element of the
 * result, whose term is evaluated beside the reference's number. What a case assumes is true too.
 */
#include "interp/interp.h"
#include "passes/check/maker.h"
#include "passes/prove/rows.h"
#include "seeds.h"
#include "smt_places.h"
#include "smt_totals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INSTANCES = 1000, SLOW_INSTANCES = 60, ENTRIES = 48, RANK = 3 };

/* The left sides name all that the operations are given. What they become is of no matter. */
static const char rules_text[] =
    "rule slice exact:\n  Slice(x, window w) => x\n"
    "rule slice-scatter exact:\n  SliceScatter(d, u, window w) => d\n"
    "rule concat exact:\n  Concat(...xs) {axis = n} => Concat(...xs) {axis = n}\n"
    "rule split exact:\n  (y, z) = Split(x, a) {num_splits = 2} => (x, x)\n"
    "rule variadic-split exact:\n  (y, z) = VariadicSplit(x, a, l)\n"
    "  => (p, q) = VariadicSplit(x, a, l); (p, q)\n"
    "rule split-with-rest exact:\n  (y, z) = VariadicSplit(x, a, [1, -1])\n"
    "  => (p, q) = VariadicSplit(x, a, [1, -1]); (p, q)\n"
    "rule pad exact:\n  Pad(x, b, e, [v]) {pad_mode = m} => Pad(x, b, e, [v]) {pad_mode = m}\n"
    "rule transpose exact:\n  Transpose(x, p) => Transpose(x, p)\n"
    "rule squeeze exact:\n  Squeeze(x, a) => x\n"
    "rule unsqueeze exact:\n  Unsqueeze(x, a) => x\n"
    "rule reshape exact:\n  Reshape(x, s) {special_zero = false}\n"
    "  => Reshape(x, s) {special_zero = false}\n"
    "rule reshape-to-rest exact:\n  Reshape(x, [0, -1]) {special_zero = true}\n"
    "  => Reshape(x, [0, -1]) {special_zero = true}\n"
    "rule reshape-to-pairs exact:\n  Reshape(x, [-1, 2]) {special_zero = false}\n"
    "  => Reshape(x, [-1, 2]) {special_zero = false}\n"
    "rule reshape-to-nothing exact:\n  Reshape(x, [0, -1]) {special_zero = false}\n"
    "  => Reshape(x, [0, -1]) {special_zero = false}\n"
    "rule broadcast exact:\n  Broadcast(x, s) => Broadcast(x, s)\n"
    "rule explicit-broadcast exact:\n  Broadcast(x, s, m) {mode = explicit} => Broadcast(x, s)\n"
    "rule bidirectional-broadcast exact:\n"
    "  Broadcast@opset3..(x, s) {mode = bidirectional} => Broadcast(x, s)\n"
    "rule tile exact:\n  Tile(x, r) => Tile(x, r)\n"
    "rule reverse exact:\n  Reverse(x, a) {...} => x\n"
    "rule strided-slice exact:\n  StridedSlice(x, _, _, [_s]) {...} => x\n"
    "rule gather exact:\n  Gather@opset8..(d, i, a) => d\n"
    "rule older-gather exact:\n  Gather@opset1..7(d, i, a) => d\n"
    "rule scatter-update exact:\n  ScatterUpdate(d, i, u, a) => d\n"
    "rule joined-scatter-update exact:\n"
    "  ScatterUpdate(d, Concat(i, j) {axis = 0}, u, a) => d\n"
    "rule gather-elements exact:\n  GatherElements(d, i) {axis = n} => GatherElements(d, i) {axis "
    "= n}\n"
    "rule gather-nd exact:\n  GatherND(d, i) => d\n"
    "rule scatter-elements exact:\n  ScatterElementsUpdate@opset12..(d, i, u, a) => d\n"
    "rule older-scatter-elements exact:\n  ScatterElementsUpdate@opset3..11(d, i, u, a) => d\n"
    "rule scatter-nd exact:\n  ScatterNDUpdate@opset15..(d, i, u) => d\n"
    "rule joined-scatter-nd exact:\n"
    "  ScatterNDUpdate@opset15..(d, Concat(i, j) {axis = 0}, u) => d\n"
    "rule older-scatter-nd exact:\n  ScatterNDUpdate@opset4..14(d, i, u) => d\n"
    "rule summing-scatter-elements exact:\n"
    "  ScatterElementsUpdate@opset12..(d, i, u, a) {reduction = sum} => d\n"
    "rule summing-scatter-nd exact:\n  ScatterNDUpdate@opset15..(d, i, u) {reduction = sum} => d\n"
    "rule subtracting-scatter-nd exact:\n"
    "  ScatterNDUpdate@opset15..(d, i, u) {reduction = sub} => d\n"
    "rule mindspore-scatter refines:\n"
    "  Tensor.scatter_@mindspore(self, index, src) {dim = n} => self\n"
    "rule mindspore-number refines:\n"
    "  Tensor.scatter_@mindspore(self, index) {dim = n, value = v, value_type = t}\n"
    "  => Tensor.scatter_@mindspore(self, index) {dim = n, value = v, value_type = t}\n"
    "rule tensor-scatter exact:\n  TensorScatter@onnx24..(x, u, i) {axis = n} => x\n"
    "rule matmul exact:\n  MatMul(x, y) {transpose_a = s, transpose_b = t}\n"
    "  => MatMul(x, y) {transpose_a = s, transpose_b = t}\n"
    "rule select exact:\n  Select(m, a, b) => a\n"
    "rule reduction exact:\n  any f(x, a) {keep_dims = k} => f(x, a) {keep_dims = k}\n"
    "  where folds(f)\n"
    "rule sum exact:\n  ReduceSum(x, a) {keep_dims = k} => ReduceSum(x, a) {keep_dims = k}\n"
    "rule some-true exact:\n  ReduceLogicalOr(x, a) {keep_dims = k}\n"
    "  => ReduceLogicalOr(x, a) {keep_dims = k}\n"
    "rule all-true exact:\n  ReduceLogicalAnd(x, a) {keep_dims = k}\n"
    "  => ReduceLogicalAnd(x, a) {keep_dims = k}\n"
    "rule pointwise exact:\n  any f(x, y) => f(y, x)\n  where pointwise(f)\n";

/* ---- a graph and what it computes ---- */

struct instance {
    inlay_arena *arena;
    check_maker *m;
    inlay_tensor **in, *out[2 * PROVE_LIST];
    int n_out;
    /* Operands that nodes make. They are results, too, behind those of the operation. */
    const inlay_value *made[PROVE_LIST];
    int n_made;
    bool ran, known, told; /* it is no error; its inputs can be described; a case describes it */
    uint64_t seed;
};

static inlay_tensor *make_input(struct instance *x, int at)
{
    const inlay_fact *fact = &x->m->graph->params[at]->out[0].fact;
    int64_t dims[INLAY_MAX_RANK] = {1};
    inlay_tensor *t;

    for (int i = 0; i < fact->rank; i++) {
        inlay_dim d = fact->dims[i];

        dims[i] = check_draw(x->m, d.lo, d.hi == INLAY_DIM_MAX ? d.lo + RANK : d.hi);
    }
    t = inlay_tensor_new(fact->type, fact->rank < 0 ? 1 : fact->rank, dims);
    assert_non_null(t);
    for (int64_t k = 0; k < inlay_tensor_count(t); k++)
        inlay_tensor_set_i64(t, k,
                             fact->type == INLAY_F32 ? 1 + 97 * at + k : check_draw(x->m, 0, 1));
    /* Lists that are not constants say nothing of the case. */
    x->known = x->known && fact->rank >= 0 && fact->rank <= RANK &&
               (fact->type == INLAY_F32 || fact->type == INLAY_BOOLEAN);
    return t;
}

/* What the value V of the graph is; NULL: it is made by a node. */
static const inlay_tensor *content(const struct instance *x, const inlay_value *v)
{
    if (v->fact.content)
        return v->fact.content;
    for (int i = 0; i < x->m->graph->n_params; i++) {
        if (&x->m->graph->params[i]->out[0] == v)
            return x->in[i];
    }
    for (int i = 0; i < x->n_made; i++) {
        if (x->made[i] == v)
            return x->out[x->n_out + i];
    }
    return NULL;
}

static const inlay_value *operand(const struct instance *x, int i)
{
    return x->m->nodes[x->m->rule->root]->in[i].value;
}

/* What nodes make of which the operation is given is shown, so that its elements are known. */
static void show_made(struct instance *x, inlay_diags *d)
{
    const inlay_node *root = x->m->nodes[x->m->rule->root];

    for (int i = 0; i < root->n_in && x->n_made < PROVE_LIST; i++) {
        inlay_value *v = root->in[i].value;

        if (!v || content(x, v) || inlay_node_is(v->node, INLAY_OP_CONST))
            continue;
        assert_true(inlay_build_result(x->m->graph, NULL, v, d));
        x->made[x->n_made++] = v;
    }
}

/* Where the operation fails, what a Concat makes along axis 0 is put together here. */
static void join_made(struct instance *x)
{
    for (int i = 0; i < x->n_made; i++) {
        const inlay_node *n = x->made[i]->node;
        int64_t dims[INLAY_MAX_RANK], at = 0;
        inlay_tensor *t;

        if (strcmp(n->op->name, "Concat") != 0)
            continue;
        for (int k = 0; k < x->made[i]->fact.rank; k++)
            dims[k] = x->made[i]->fact.dims[k].lo;
        t = inlay_tensor_new(INLAY_I64, x->made[i]->fact.rank, dims);
        assert_non_null(t);
        for (int part = 0; part < n->n_in; part++) {
            const inlay_tensor *from = content(x, n->in[part].value);

            for (int64_t k = 0; k < inlay_tensor_count(from); k++)
                inlay_tensor_set_i64(t, at++, inlay_tensor_get_i64(from, k));
        }
        x->out[x->n_out + i] = t;
    }
}

static void run(struct instance *x, inlay_diags *d)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    const char *type = x->m->nodes[x->m->rule->root]->op->name;

    for (int i = 0; i < x->m->graph->n_params; i++)
        x->in[i] = make_input(x, i);
    x->n_out = x->m->nodes[x->m->rule->root]->n_out;
    assert_int_equal(x->m->graph->n_results, x->n_out);
    show_made(x, d);
    inlay_diags_clear(d);
    x->ran = reference.eval_graph(reference.ctx, x->m->graph, (const inlay_tensor *const *)x->in,
                                  x->out, NULL, d);
    /* What a Reshape refuses, its own list of sizes says, which a case does not look at. A Squeeze
     * that keeps an axis which the shape rules took for gone breaks no rule of the row. */
    x->known =
        x->known && (x->ran || (strcmp(type, "Squeeze") != 0 && strcmp(type, "Reshape") != 0));
    if (!x->ran)
        join_made(x);
    if (!x->ran && getenv("INLAY_SEED"))
        print_message("%s\n", inlay_diags_at(d, 0)->text);
}

static void draw_indices(check_maker *m, check_name *out, int rank, int64_t columns)
{
    int64_t dims[] = {check_draw(m, 0, 3), columns}, x[3 * 3];

    for (int i = 0; i < 3 * 3; i++)
        x[i] = check_draw(m, -2, 2);
    *out =
        (check_name){.bound = true,
                     .value = inlay_build_ints(m->graph, NULL, INLAY_I64, rank, dims, x, m->diags)};
}

/* What a node in front of the operation joins are indices. The maker of graphs, which makes that
 * node first, would give it data. */
static void draw_joined(check_maker *m, const rule_node *joining)
{
    int rank = (int)check_draw(m, 1, 2);
    int64_t columns = check_draw(m, 1, 3);

    for (int k = 0; k < joining->n_in; k++)
        draw_indices(m, &m->names[joining->in[k].name], rank, columns);
}

static bool make_instance(const rule *r, uint64_t seed, struct instance *x)
{
    inlay_diags *d = inlay_diags_new();
    bool made;

    *x = (struct instance){.arena = inlay_arena_new(), .known = true, .seed = seed};
    x->m = inlay_arena_alloc(x->arena, sizeof *x->m);
    *x->m = (check_maker){.rule = r, .random = seed * 0x2545f4914f6cdd1d, .diags = d};
    x->m->rank = (int)check_draw(x->m, 0, RANK);
    x->m->type = INLAY_F32;
    for (int i = 0; i < x->m->rank; i++)
        x->m->dims[i] = check_draw(x->m, check_one_in(x->m, 8) ? 0 : 1, 3);
    x->m->graph = inlay_graph_new("made", d);
    assert_non_null(x->m->graph);
    for (int i = 0; i < r->left.n_nodes; i++) {
        if (i != r->root)
            draw_joined(x->m, &r->left.nodes[i]);
    }
    /* One reader alone: a second one is another output. */
    made = check_make(x->m) && x->m->graph->n_results == x->m->nodes[r->root]->n_out &&
           x->m->graph->n_results <= PROVE_LIST;
    if (made) {
        x->in = inlay_arena_array(x->arena, (size_t)x->m->graph->n_params + 1, sizeof *x->in);
        run(x, d);
    }
    inlay_diags_free(d);
    x->m->diags = NULL;
    return made;
}

static void free_instance(struct instance *x)
{
    for (int i = 0; x->in && i < x->m->graph->n_params; i++)
        inlay_tensor_release(x->in[i]);
    for (int i = 0; i < x->n_out + x->n_made; i++)
        inlay_tensor_release(x->out[i]);
    inlay_graph_free(x->m->graph);
    inlay_arena_free(x->arena);
}

/* ---- what the functions of a case mean in it ---- */

static bool element_of(const void *about, int flat, const int64_t *args, int n, int64_t *out)
{
    const inlay_tensor *t = about;
    int64_t at = 0;

    for (int i = 0; i < n && !flat; i++) {
        if (args[i] < 0 || args[i] >= t->dims[i])
            return false;
        at = at * t->dims[i] + args[i];
    }
    at = flat ? args[0] : at;
    if (at < 0 || at >= inlay_tensor_count(t))
        return false;
    *out = inlay_tensor_get_i64(t, at);
    return true;
}

enum { AT, HAS, WHICH };

static bool position(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    const inlay_window *w = about;
    int64_t k = w->step ? (args[0] - w->begin) / w->step : 0;
    bool has = w->begin + k * w->step == args[0] && k >= 0 && k < w->count;

    *out = which == AT ? w->begin + w->step * args[0] : which == HAS ? has : k;
    return n == 1 && (which != WHICH || has);
}

static bool same(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)about;
    *out = which ? args[0] != 0 : args[0];
    return n == 1;
}

static bool remainder_of(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)about;
    (void)which;
    *out = args[1] > 0 ? (args[0] % args[1] + args[1]) % args[1] : 0;
    return n == 2 && args[1] > 0;
}

static bool constant(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)which;
    (void)args;
    *out = *(const int64_t *)about;
    return n == 0;
}

static bool zero(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)about;
    (void)which;
    (void)args;
    *out = 0;
    return n == 0;
}

static int by_size(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Entry I of a list as a case has it: an axis of Squeeze and Unsqueeze counts from the front, and
 * they ascend; a length of -1 is what is left. */
static int64_t entry_of(const struct instance *x, const inlay_tensor *t, int64_t i)
{
    const inlay_node *root = x->m->nodes[x->m->rule->root];
    const inlay_tensor *data = content(x, root->in[0].value);
    int64_t n = inlay_tensor_get_i64(t, i), sum = 0;

    if (n < 0 && (strcmp(root->op->name, "Squeeze") == 0 || (root->op->flags & INLAY_FOLDS)))
        return n + data->rank;
    if (n < 0 && strcmp(root->op->name, "Unsqueeze") == 0)
        return n + root->out[0].fact.rank;
    if (n != -1 || strcmp(root->op->name, "VariadicSplit") != 0 || t->rank != 1 ||
        t != content(x, root->in[2].value))
        return n;
    for (int64_t k = 0; k < inlay_tensor_count(t); k++)
        sum += inlay_tensor_get_i64(t, k);
    n = inlay_tensor_get_i64(content(x, root->in[1].value), 0);
    return data->dims[n < 0 ? n + data->rank : n] - sum - 1;
}

static bool mean_ints(smt_world *w, const struct instance *x, const prove_value *v,
                      const inlay_tensor *t)
{
    const char *type = x->m->nodes[x->m->rule->root]->op->name;
    bool ok = t->rank <= 1 && inlay_tensor_count(t) == v->n_ints;
    int64_t entries[PROVE_RANK];

    for (int i = 0; ok && i < v->n_ints; i++)
        entries[i] = entry_of(x, t, i);
    if (ok && (strcmp(type, "Squeeze") == 0 || strcmp(type, "Unsqueeze") == 0 ||
               strncmp(type, "Reduce", 6) == 0))
        qsort(entries, (size_t)v->n_ints, sizeof *entries, by_size);
    for (int i = 0; ok && i < v->n_ints; i++)
        ok = smt_mean_constant(w, v->ints[i], entries[i]);
    return ok;
}

/* AXIS is that of a case, which names one of OF axes and stands for what counts from the end, too.
 */
static bool is_axis(const smt *axis, int of, int64_t n)
{
    return axis->n == (n < 0 ? n + of : n);
}

static bool mean_value(smt_world *w, const struct instance *x, const prove_case *c,
                       const prove_value *v, const inlay_value *of)
{
    const inlay_tensor *t = of ? content(x, of) : NULL;
    bool ok;

    if (!t || !v || v->node)
        return (v != NULL) == (of != NULL);
    if (v->axis_of > 0) /* for a list of one, too */
        return inlay_tensor_count(t) == 1 &&
               is_axis(v->ints[0], v->axis_of, inlay_tensor_get_i64(t, 0));
    ok = v->rank < 0 || (v->rank == t->rank && (v->n_ints < 0 || mean_ints(w, x, v, t)));
    for (int i = 0; ok && i < v->rank; i++)
        ok = smt_mean_constant(w, v->dim[i], t->dims[i]);
    if (ok && v->element)
        smt_mean(w, v->element, element_of, t, c->flat);
    return ok;
}

static void mean_axis(smt_world *w, const prove_window *of, int i, const inlay_window *axis)
{
    smt_mean_constant(w, of->axis[i].count, axis->count);
    smt_mean(w, of->axis[i].at, position, axis, AT);
    smt_mean(w, of->axis[i].has, position, axis, HAS);
    smt_mean(w, of->axis[i].which, position, axis, WHICH);
}

static bool mean_window(smt_world *w, const struct instance *x, const prove_window *of,
                        inlay_value *const *lists, const inlay_tensor *data)
{
    int64_t numbers[4][INLAY_MAX_RANK];
    inlay_slice s = {
        lists[0]->fact.n_known, numbers[0], numbers[1], numbers[2], numbers[3], "", ""};
    inlay_window *axis = inlay_arena_array(x->arena, INLAY_MAX_RANK, sizeof *axis);
    char why[100];
    bool proper;

    for (int i = 0; i < 4; i++) {
        const inlay_tensor *t = content(x, lists[i]);

        for (int k = 0; k < s.n; k++)
            numbers[i][k] = inlay_tensor_get_i64(t, k);
    }
    proper = inlay_slice_windows(&s, data->rank, data->dims, axis, why, sizeof why);
    smt_mean_constant(w, of->proper, proper);
    for (int i = 0; proper && i < data->rank; i++)
        mean_axis(w, of, i, &axis[i]);
    return proper && of->rank == data->rank;
}

static bool same_attr(const prove_name *name, const check_name *of)
{
    if (name->axis_of > 0)
        return of->attr && is_axis(name->attr, name->axis_of, of->attr->as.i);
    if (name->attr)
        return of->attr && name->attr->n ==
                               (of->attr_kind == INLAY_ATTR_BOOL ? of->attr->as.b : of->attr->as.i);
    if (name->text)
        return strcmp(name->text, of->attr ? of->attr->as.s : "constant") == 0;
    return true;
}

/* Every name of these rules is a part of their left sides. */
static bool mean_name(smt_world *w, const struct instance *x, const prove_case *c, int i)
{
    const rule *r = c->rule;
    const prove_name *name = &c->names[i];
    const check_name *of = &x->m->names[i];

    switch (r->names[i].kind) {
    case RULE_VALUE:
    case RULE_INTEGERS:
    case RULE_NUMBERS:
        return mean_value(w, x, c, name->value, of->value);
    case RULE_WINDOW:
        return mean_window(w, x, name->window, of->window,
                           content(x, x->m->nodes[r->root]->in[0].value));
    case RULE_LIST:
        for (int k = 0; k < name->n_list && k < of->n_list; k++) {
            if (!mean_value(w, x, c, name->list[k], of->list[k]))
                return false;
        }
        return name->n_list == of->n_list;
    case RULE_OP: /* those reductions that are tried make something of nothing */
        return !name->attr || smt_mean_constant(w, name->attr, 1);
    default:
        return same_attr(name, of);
    }
}

/* The axes that a Reverse turns are no part of the names. */
static bool same_turn(const struct instance *x, const prove_node *n)
{
    const inlay_tensor *t = content(x, x->m->nodes[x->m->rule->root]->in[1].value);
    bool turned[PROVE_RANK] = {false};

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        int64_t k = inlay_tensor_get_i64(t, i);

        if (t->type == INLAY_BOOLEAN)
            turned[i] = k != 0;
        else
            turned[k < 0 ? k + n->in[0]->rank : k] = true;
    }
    return memcmp(turned, n->axes, (size_t)n->in[0]->rank * sizeof *turned) == 0;
}

/* ---- the window of a StridedSlice, which has no name ---- */

/* A StridedSlice: its masks, by inlay_strided_entries, and its lists. */
struct strided {
    int rank, n;
    inlay_strided_entry entries[2 * INLAY_MAX_RANK + 1];
    const inlay_tensor *lists[3]; /* begin, end, stride; NULL: there is none */
};

static bool read_strided(const struct instance *x, const inlay_node *of, struct strided *s)
{
    char why[160];

    *s = (struct strided){.rank = content(x, of->in[0].value)->rank};
    for (int i = 1; i < of->n_in; i++) {
        s->lists[i - 1] = of->in[i].value ? content(x, of->in[i].value) : NULL;
        if (of->in[i].value && !s->lists[i - 1])
            return false;
    }
    s->n = (int)inlay_tensor_count(s->lists[0]);
    return s->n <= 2 * INLAY_MAX_RANK &&
           inlay_strided_entries(of, s->n, s->rank, s->entries, why, sizeof why);
}

/* What entry I selects of an axis of SIZE. False: it is an error. */
static bool strided_window(const struct strided *s, int i, int64_t size, inlay_window *out)
{
    const inlay_strided_entry *e = &s->entries[i];
    int64_t step = s->lists[2] ? inlay_tensor_get_i64(s->lists[2], i) : 1;
    int64_t begin = inlay_tensor_get_i64(s->lists[0], i),
            end = inlay_tensor_get_i64(s->lists[1], i);

    if (e->shrinks) {
        begin = e->from_first ? 0 : begin;
        *out = (inlay_window){begin < 0 ? begin + size : begin, 1, 1};
        return begin >= -size && begin < size;
    }
    begin = !e->from_first ? begin : step < 0 ? INT64_MAX : 0;
    end = !e->to_last ? end : step < 0 ? INT64_MIN : INT64_MAX;
    if (step != 0)
        *out = inlay_window_normalise(begin, end, step, size);
    return step != 0;
}

/* The axes of the result are those that N has chosen: axes of the data, or -1 for a new one. */
static bool same_strided_axes(const struct strided *s, const prove_node *n)
{
    int order[3 * INLAY_MAX_RANK + 1], all = 0, next = 0, named = 0;
    bool lost[INLAY_MAX_RANK] = {false}, same;

    for (int i = 0; i < s->n; i++)
        named += s->entries[i].axis >= 0;
    for (int i = 0; i <= s->n; i++) { /* behind the entries, too, stands what none of them names */
        int axis = i < s->n ? s->entries[i].axis : -2;

        for (int k = named; axis == -2 && k < s->rank; k++)
            order[all++] = next++;
        if (axis == -2)
            named = s->rank;
        else if (axis == -1)
            order[all++] = -1;
        else if (!s->entries[i].shrinks)
            order[all++] = next++;
        else
            lost[next++] = true;
    }
    same = all == n->out[0].rank;
    for (int i = 0; same && i < all; i++)
        same = n->order[i] == order[i];
    for (int i = 0; same && i < s->rank; i++)
        same = n->axes[i] == lost[i];
    return same;
}

static bool mean_strided(smt_world *w, const struct instance *x, const prove_node *n)
{
    const inlay_node *of = x->m->nodes[x->m->rule->root];
    const inlay_tensor *data = content(x, of->in[0].value);
    inlay_window *axis = inlay_arena_array(x->arena, INLAY_MAX_RANK, sizeof *axis);
    struct strided s;
    bool proper = true;

    if (!read_strided(x, of, &s) || !same_strided_axes(&s, n))
        return false;
    for (int i = 0; i < data->rank; i++)
        axis[i] = (inlay_window){0, data->dims[i], 1};
    for (int i = 0; proper && i < s.n; i++) {
        int a = s.entries[i].axis;

        proper = a < 0 || strided_window(&s, i, data->dims[a], &axis[a]);
    }
    smt_mean_constant(w, n->window->proper, proper);
    for (int i = 0; i < data->rank; i++)
        mean_axis(w, n->window, i, &axis[i]);
    return true;
}

/* What the row of N chose without asking a name. The sizes of a Reshape, which may be 0 and -1, are
 * those that come out. */
static bool same_choice(smt_world *w, const struct instance *x, const prove_node *n)
{
    const inlay_node *of = x->m->nodes[x->m->rule->root];
    bool same = strcmp(n->row->type, "Reverse") != 0 || same_turn(x, n);

    if (n->from->op_name >= 0 && n->n_in > 1 && n->row != &prove_fold)
        same = (strcmp(inlay_node_string(of, "auto_broadcast"), "none") == 0) ==
               (n->form == PROVE_STRICT);
    if (strcmp(n->row->type, "StridedSlice") == 0)
        return mean_strided(w, x, n);
    if (strcmp(n->row->type, "Reshape") != 0 || !n->listed)
        return same;
    same = x->ran && x->out[0]->rank == n->out[0].rank + 1;
    for (int i = 0; same && i < n->out[0].rank; i++)
        same = smt_mean_constant(w, n->out[0].dim[i], x->out[0]->dims[i + 1]);
    return same;
}

/* The updates of N are a number. */
static void mean_number(smt_world *w, const struct instance *x, const prove_node *n)
{
    const inlay_attr *a = inlay_node_attr(x->m->nodes[x->m->rule->root], "value");
    const prove_node *repeated = n->n_in < 3 && n->in[2] ? n->in[2]->node : NULL;

    if (repeated && a)
        smt_mean(w, repeated->in[0]->element, constant, &a->as.number.i, 0);
}

static bool minus(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)about;
    (void)which;
    *out = args[0] - args[1];
    return n == 2;
}

static bool plus(const void *about, int which, const int64_t *args, int n, int64_t *out)
{
    (void)about;
    (void)which;
    *out = args[0] + args[1];
    return n == 2;
}

/* What the indices of H are: an operand by its name, else those of the operation. */
static const inlay_tensor *indices_of(const struct instance *x, const prove_case *c,
                                      const prove_places *h)
{
    for (int i = 0; i < c->rule->n_names; i++) {
        if (c->names[i].value == h->indices)
            return content(x, x->m->names[i].value);
    }
    return content(x, operand(x, 1));
}

/* False: the case describes another graph. */
static bool mean_all(smt_world *w, const struct instance *x, const prove_case *c)
{
    const prove_node *root = c->left[c->rule->root];
    int64_t held;

    w->n = w->n_constants = 0;
    smt_mean(w, "zero", zero, NULL, 0);
    smt_mean(w, "of_int", same, NULL, 0);
    smt_mean(w, "as_int", same, NULL, 0);
    smt_mean(w, prove_remainder_of, remainder_of, NULL, 0);
    smt_mean(w, prove_holds, same, NULL, 1);
    smt_mean(w, "|scattered sum|", plus, NULL, 0);
    smt_mean(w, "|scattered sub|", minus, NULL, 0);
    smt_mean_operations(w);
    if (root->function)
        smt_mean(w, root->function, minus, NULL, 0);
    for (int i = 0; i < c->rule->n_names; i++) {
        if (!mean_name(w, x, c, i))
            return false;
    }
    mean_number(w, x, root);
    for (int i = 0; i < c->windows.n_places; i++) {
        if (!smt_mean_places(w, x->arena, &c->windows.places[i],
                             indices_of(x, c, &c->windows.places[i])))
            return false;
    }
    return same_choice(w, x, root) && smt_value(w, c->assumed, &held) && held;
}

/* ---- the comparison ---- */

/* The graph of X as text, which the caller frees. */
static inlay_strbuf graph_text(const struct instance *x)
{
    inlay_strbuf text = {0};
    inlay_sink sink = {inlay_strbuf_sink, &text};
    inlay_diags *d = inlay_diags_new();

    assert_true(inlay_print(x->m->graph, true, &sink, d));
    inlay_diags_free(d);
    return text;
}

static void say(const struct instance *x, const char *what)
{
    inlay_strbuf text = graph_text(x);

    fail_msg("%s: %s, INLAY_SEED=%llu\n%s", x->m->rule->name, what, (unsigned long long)x->seed,
             text.bytes);
}

/* That no case describes a graph is no mistake of the row: the graph may have more axes than a
 * case, or an operand that a node makes, of which the test does not know the elements. */
static void say_untold(const struct instance *x)
{
    inlay_strbuf text = graph_text(x);

    print_message("%s: no case describes INLAY_SEED=%llu\n%s", x->m->rule->name,
                  (unsigned long long)x->seed, text.bytes);
    inlay_strbuf_free(&text);
}

/* A sum is that of the products of its factors, at the place that is looked at. */
static void mean_sum(smt_world *w, prove_case *c, const struct prove_sum *sum)
{
    int64_t depth, a, b, total = 0;

    if (!smt_value(w, sum->node->sizes[0], &depth))
        return;
    for (int64_t k = 0; k < depth; k++) {
        const smt *at = smt_int(&c->pool, k);

        if (!smt_value(w, prove_factor(c, sum->node, 0, sum->at, at), &a) ||
            !smt_value(w, prove_factor(c, sum->node, 1, sum->at, at), &b))
            return;
        total += a * b;
    }
    smt_mean_constant(w, sum->made, total);
}

static void compare_element(smt_world *w, prove_case *c, const struct instance *x,
                            const smt *const *at, const smt *term, const inlay_tensor *t,
                            int64_t number)
{
    int64_t value, rest = number;
    int n = w->n, n_constants = w->n_constants;
    smt_totals totals = {w, c};
    const char *type = x->m->nodes[x->m->rule->root]->op->name;

    for (int i = t->rank - 1; i > 0; i--) { /* axis 0 is that of the graph's Unsqueeze */
        smt_mean_constant(w, at[i - 1], rest % t->dims[i]);
        rest /= t->dims[i];
    }
    for (int i = 0; i < c->terms.n_sums; i++)
        mean_sum(w, c, &c->terms.sums[i]);
    smt_mean_totals(&totals);
    for (int i = 0; i < c->terms.n_made; i++)
        smt_mean_made(w, c, x->arena, &c->terms.made[i], type);
    for (int i = 0; i < c->terms.n_updates; i++)
        smt_mean_updates(w, x->arena, &c->terms.updates[i], content(x, operand(x, 1)),
                         content(x, operand(x, 2)));
    if (smt_value(w, term, &value) && value != inlay_tensor_get_i64(t, number))
        say(x, "an element is another");
    w->n = n;
    w->n_constants = n_constants;
}

static void compare_output(smt_world *w, prove_case *c, const struct instance *x, int out)
{
    const prove_value *v = &c->left[c->rule->root]->out[out];
    const inlay_tensor *t = x->out[out];
    const smt *at[PROVE_RANK], *term, *assumed = c->assumed;
    int64_t size;

    if (v->rank + 1 != t->rank)
        say(x, "another number of axes");
    for (int i = 0; i < v->rank; i++) {
        at[i] = smt_constant(&c->pool, "at", "Int");
        if (!smt_value(w, v->dim[i], &size))
            say(x, "a size that is not told");
        if (size != t->dims[i + 1])
            say(x, "a size is another");
    }
    term = prove_element(c, v, at);
    for (int64_t k = 0; k < inlay_tensor_count(t) && k < ENTRIES; k++)
        compare_element(w, c, x, at, term, t, k);
    /* What is said of the sums of this place. */
    c->terms.n_sums = c->terms.n_made = c->terms.n_totals = 0;
    c->assumed = assumed;
}

static void compare(smt_world *w, prove_case *c, struct instance *x)
{
    int64_t valid;

    x->told = true;
    for (int i = 0; x->ran && i < x->n_out; i++)
        compare_output(w, c, x, i);
    if (smt_value(w, c->left_valid, &valid) && (valid != 0) != x->ran)
        say(x, valid ? "the reference fails" : "the reference does not fail");
}

/* ---- all operations ---- */

/* Of operations of any type. */
static bool is_tried(const inlay_node *n)
{
    const char *type = n->op->name;

    return (strcmp(type, "Subtract") == 0 &&
            strcmp(inlay_node_string(n, "auto_broadcast"), "pdpd") != 0) ||
           strcmp(type, "ReduceSum") == 0 || strcmp(type, "ReduceMax") == 0 ||
           strcmp(type, "ReduceMin") == 0;
}

/* Of an operation of any type those that subtract are taken, and not those with auto_broadcast
 * pdpd, which the rows leave out, as they do a StridedSlice of a number; of reductions those that
 * are exact of small numbers. */
static bool fits(const struct instance *x)
{
    const rule *r = x->m->rule;
    const inlay_node *root = x->m->nodes[r->root];

    if (strcmp(root->op->name, "StridedSlice") == 0 && root->in[0].value->fact.rank == 0)
        return false;
    return x->known && (r->left.nodes[r->root].op_name < 0 || is_tried(root));
}

static int make_instances(const rule *r, const seed_range *seeds, struct instance *all)
{
    int n = 0;
    uint64_t most = seeds->n == 1 ? 1 : 200 * seeds->n;

    for (uint64_t i = 0; i < most && (uint64_t)n < seeds->n; i++) {
        bool made = make_instance(r, seeds->first + i, &all[n]);

        if (made && fits(&all[n]))
            n++;
        else
            free_instance(&all[n]);
    }
    return n;
}

static void compare_case(prove_case *c, struct instance *all, int n)
{
    static smt_world w;

    prove_build_left(c);
    for (int i = 0; i < n && !c->cut && !c->unknown; i++) {
        if (!all[i].told && mean_all(&w, &all[i], c))
            compare(&w, c, &all[i]);
    }
}

static void compare_rule(const rule *r, const seed_range *seeds)
{
    struct instance *all = calloc(seeds->n, sizeof *all);
    inlay_arena *arena = inlay_arena_new();
    prove_case c = {0};
    int n = make_instances(r, seeds, all), told = 0;

    do {
        prove_begin_case(&c, r, RANK, arena);
        compare_case(&c, all, n);
        inlay_strbuf_free(&c.pool.declared);
    } while (prove_next_way(&c));
    for (int i = 0; i < n; i++) {
        told += all[i].told;
        if (!all[i].told && getenv("INLAY_SEED"))
            say_untold(&all[i]);
        free_instance(&all[i]);
    }
    print_message("%s: %d graphs, %d of them with up to %d axes\n", r->name, n, told, RANK);
    if (seeds->whole) /* of few graphs chance decides, so that half of them are enough */
        assert_true(told >= (seeds->n < INSTANCES ? (int)seeds->n / 2 : INSTANCES));
    inlay_arena_free(arena);
    free(all);
}

static void test_rows(void **state)
{
    seed_range seeds = seeds_to_try(INSTANCES + INSTANCES * 2 / 5, SLOW_INSTANCES);
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("rows.rules", rules_text, strlen(rules_text), d);

    (void)state;
    if (!rules)
        print_message("%s\n", inlay_diags_at(d, 0)->text);
    assert_non_null(rules);
    for (size_t i = 0; i < rules->n; i++)
        compare_rule(rules->rules[i], &seeds);
    inlay_rules_free(rules);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
