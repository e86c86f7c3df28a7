/* What passes/prove says of an operation is what the reference computes: for each operation, graphs
 * that are made up, the case of passes/prove that describes the graph, and each element of the
 * result, whose term is evaluated beside the reference's number. What a case assumes is true too.
 */
#include "prove_instance.h"
#include "seeds.h"
#include "smt_places.h"
#include "smt_totals.h"
#include "unit.h"

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
    "rule tensor-scatter-circular exact:\n"
    "  TensorScatter@onnx24..(x, u, i) {axis = n, mode = circular} => x\n"
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
        smt_mean_updates(w, x->arena, &c->terms.updates[i],
                         instance_content(x, instance_operand(x, 1)),
                         instance_content(x, instance_operand(x, 2)));
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
        bool made = instance_make(r, seeds->first + i, &all[n]);

        if (made && fits(&all[n]))
            n++;
        else
            instance_free(&all[n]);
    }
    return n;
}

static void compare_case(prove_case *c, struct instance *all, int n)
{
    static smt_world w;

    prove_build_left(c);
    for (int i = 0; i < n && !c->cut && !c->unknown; i++) {
        if (!all[i].told && instance_mean(&w, &all[i], c))
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
        instance_free(&all[i]);
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
