/* Proofs of whole graphs, on random ones: what is proven no trial may refute, both for a graph and
 * what the passes make of it, and for a graph and one that is not the same. */
#ifndef __SANITIZE_ADDRESS__ /* which has a malloc of its own */
#include "../oom/failing_malloc.c"
#include "unit.h"
#else
static long fail_at, calls, live;
static int counting;
#endif
#include "moved_graphs.h"

#include "interp/interp.h"
#include "parser/parser.h"
#include "passes/passes.h"

struct tally {
    int graphs, proven, refuted;
};

/* Compares A and B both ways. The proof may make so many TERMS: with one it can only look at whole
 * values. */
static void check_with(uint64_t terms, struct tally *t, uint64_t seed, const inlay_graph *a,
                       const inlay_graph *b)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_symbolic_options o = {.evaluator = e, .max_terms = terms};
    inlay_verify_options trials = {.trials = 16, .may_mend = true};
    inlay_symbolic_result proof;
    inlay_verify_result tried;
    inlay_diags *d = inlay_diags_new();

    if (!inlay_symbolic_same(a, b, &o, &proof, d))
        fail_msg("seed %llu: it failed without an answer", (unsigned long long)seed);
    assert_int_equal(inlay_diags_count(d), 0);
    assert_int_equal(proof.proven, *proof.why == '\0');
    assert_true(proof.terms <= terms);
    assert_true(inlay_verify(a, &e, b, &e, &trials, &tried, NULL));
    if (proof.proven && tried.verdict == INLAY_NOT_SAME)
        fail_msg("seed %llu: proven, but %s", (unsigned long long)seed, tried.why);
    t->graphs++;
    t->proven += proof.all_sizes;
    t->refuted += tried.verdict == INLAY_NOT_SAME;
    inlay_diags_free(d);
}

static void check(struct tally *t, uint64_t seed, const inlay_graph *a, const inlay_graph *b)
{
    check_with(1 << 20, t, seed, a, b);
}

/* Another operand of the same type and shape for a node of G that has one; false: none was found.
 */
static bool reconnect(inlay_graph *g, rng *r)
{
    int64_t skip = rng_in(r, 0, (int64_t)g->n_nodes - 1);

    for (inlay_node *n = g->first; n; n = n->next) {
        if (skip-- > 0 || n->n_in < 2 || !n->in[0].value || !n->in[1].value ||
            n->in[0].value == n->in[1].value ||
            n->in[0].value->fact.type != n->in[1].value->fact.type ||
            !inlay_fact_same_shape(&n->in[0].value->fact, &n->in[1].value->fact))
            continue;
        return inlay_node_set_input(n, 0, n->in[1].value, NULL) && inlay_infer_graph(g, NULL);
    }
    return false;
}

static void check_seed(struct tally *same, struct tally *other, inlay_generate_mix mix,
                       uint64_t seed)
{
    generated_graph g = random_graph_of(mix, seed, NULL);
    inlay_graph *b = inlay_graph_clone(g.graph, NULL);
    rng r = {seed};

    assert_true(inlay_run_passes(b, &(inlay_pass_options){.passes = "simplify"}, NULL));
    check(same, seed, g.graph, b);
    inlay_graph_free(b);
    b = inlay_graph_clone(g.graph, NULL);
    if (reconnect(b, &r))
        check(other, seed, g.graph, b);
    inlay_graph_free(b);
    inlay_graph_free(g.graph);
}

static void of_random_graphs(void **state)
{
    seed_range seeds = seeds_to_try(150, 40);
    struct tally same = {0}, other = {0};

    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.n; seed++) {
        for (int mix = 0; mix < INLAY_GENERATE_MIXES; mix++)
            check_seed(&same, &other, (inlay_generate_mix)mix, seed);
    }
    print_message("# simplified: %d of %d proven; reconnected: %d of %d proven, %d refuted\n",
                  same.proven, same.graphs, other.proven, other.graphs, other.refuted);
    if (seeds.whole) {
        assert_true(same.proven * 5 > same.graphs * 2);
        assert_true(other.refuted > 0);
    }
}

/* What is the same in two forms is proven, by whole values where sizes are open; where one number
 * differs, trials have the last word. */
static void of_forms(void **state)
{
    seed_range seeds = seeds_to_try(100, 40);
    struct tally other = {0};

    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.n; seed++) {
        struct tally same = {0};
        bool lists = seed % 2;
        int n, ignored;
        inlay_graph *a = moved(seed, 1, lists, -1, &n), *b = moved(seed, 2, lists, -1, &ignored);

        check(&same, seed, a, b);
        if (!same.proven)
            fail_msg("seed %llu: it is not proven", (unsigned long long)seed);
        check_with(1 << 8, &same, seed, a, b);
        for (int i = 0; i < n; i++) {
            inlay_graph_free(b);
            b = moved(seed, 2, lists, i, &ignored);
            check(&other, seed, a, b);
        }
        inlay_graph_free(a);
        inlay_graph_free(b);
    }
    print_message("# one number differs: %d of %d proven, %d refuted\n", other.proven, other.graphs,
                  other.refuted);
    if (seeds.whole)
        assert_true(other.refuted * 4 > other.graphs * 3);
}

static inlay_graph *reshaped(inlay_dim size, int64_t rows, int64_t columns)
{
    struct moves m = {.g = inlay_graph_new("reshaped", NULL)};
    const int64_t list[] = {rows, columns};
    inlay_shape shape;
    inlay_value *x;

    inlay_shape_of_rank(&shape, 1);
    shape.dim[0] = size;
    x = inlay_build_parameter(m.g, "x", INLAY_F32, &shape, NULL);
    x = moves_make(&m, "Reshape",
                   (inlay_value *[]){x, inlay_build_i64_list(m.g, NULL, list, 2, NULL)}, 2,
                   "special_zero=false");
    assert_non_null(inlay_build_result(m.g, "out", x, NULL));
    return m.g;
}

/* The same elements in the same order, as outputs of other shapes. */
static void of_other_shapes(void **state)
{
    static const int64_t shapes[][2] = {{2, 6}, {6, 2}, {3, 4}, {1, 12}, {12, 1}};
    enum { SHAPES = sizeof shapes / sizeof *shapes };

    for (int k = 0; k < 2 * SHAPES * SHAPES; k++) {
        const int64_t *s = shapes[k % SHAPES], *t = shapes[k / SHAPES % SHAPES];
        bool open = k >= SHAPES * SHAPES;
        inlay_dim size = open ? inlay_dim_any() : inlay_dim_of(12);
        inlay_graph *a = reshaped(size, open ? -1 : s[0], s[1]);
        inlay_graph *b = reshaped(size, open ? -1 : t[0], t[1]);
        struct tally tally = {0};

        check(&tally, (uint64_t)k, a, b);
        assert_int_equal(tally.proven, s == t);
        inlay_graph_free(a);
        inlay_graph_free(b);
    }
}

/* X in the order of a list, of which number AT, if there is one, is another. */
static inlay_graph *listed(int at)
{
    struct moves m = {.g = inlay_graph_new("listed", NULL)};
    int64_t list[SIDE];
    inlay_shape shape;
    inlay_value *x;

    for (int i = 0; i < SIDE; i++)
        list[i] = (i + (i == at)) % SIDE;
    inlay_shape_of_rank(&shape, 1);
    shape.dim[0] = inlay_dim_of(SIDE);
    x = inlay_build_parameter(m.g, "x", INLAY_F32, &shape, NULL);
    x = moves_make(&m, "Gather",
                   (inlay_value *[]){x, inlay_build_i64_list(m.g, NULL, list, SIDE, NULL),
                                     inlay_build_i64_scalar(m.g, NULL, 0, NULL)},
                   3, NULL);
    assert_non_null(inlay_build_result(m.g, "out", x, NULL));
    return m.g;
}

/* One element that differs is enough, wherever it stands. */
static void of_one_element(void **state)
{
    for (int k = -1; k < SIDE; k++) {
        inlay_graph *a = listed(-1), *b = listed(k);
        struct tally tally = {0};

        check(&tally, (uint64_t)k, a, b);
        assert_int_equal(tally.proven, k < 0);
        inlay_graph_free(a);
        inlay_graph_free(b);
    }
}

/* Proves that A is itself, with allocation AT failing: all is freed, and it is as good as GOOD, or
 * an error is told. Returns how many there were. */
static long prove_with(long at, const inlay_graph *a, inlay_symbolic_result *good)
{
    inlay_symbolic_options o = {.evaluator = inlay_reference_evaluator(NULL)};
    inlay_symbolic_result proof;
    inlay_diags *d = inlay_diags_new();
    long before = live, first, n;
    inlay_graph *copy = inlay_graph_clone(a, NULL);
    bool ok;

    first = calls;
    fail_at = at ? first + at : 0;
    ok = inlay_symbolic_same(copy, copy, &o, at ? &proof : good, d);
    fail_at = 0;
    n = calls - first;
    assert_int_equal(ok, inlay_diags_count(d) == 0);
    assert_true(ok || inlay_diags_status(d) == INLAY_NO_RESOURCE);
    if (ok && at && (proof.proven != good->proven || proof.terms != good->terms))
        fail_msg("allocation %ld of %ld: %s", at, n, proof.why);
    inlay_diags_clear(d);
    inlay_graph_free(copy);
    if (live != before)
        fail_msg("allocation %ld of %ld: %ld blocks are never freed", at, n, live - before);
    inlay_diags_free(d);
    return n;
}

static inlay_graph *flattened(void)
{
    struct moves m = {.g = inlay_graph_new("flattened", NULL)};
    inlay_shape shape;
    inlay_value *x, *sizes;

    inlay_shape_of_rank(&shape, 1);
    shape.dim[0] = inlay_dim_of(2);
    x = inlay_build_parameter(m.g, "x", INLAY_F32, &shape, NULL);
    sizes = moves_make(&m, "ShapeOf", &x, 1, NULL);
    x = moves_make(&m, "Reshape", (inlay_value *[]){x, sizes}, 2, "special_zero=false");
    assert_non_null(inlay_build_result(m.g, "out", x, NULL));
    return m.g;
}

/* Of a small graph, in which sizes are computed on the way, each allocation fails. */
static void of_memory(void **state)
{
    int ignored;

    for (uint64_t seed = 0; seed < 9; seed++) {
        inlay_graph *a = seed == 0 ? flattened() : moved(seed, 1, seed % 2, -1, &ignored);
        inlay_symbolic_result good;
        long n = prove_with(0, a, &good);

        for (long at = 1; at <= n; at += seed == 0 ? 1 : n / 200 + 1)
            prove_with(at, a, &good);
        inlay_graph_free(a);
    }
}

/* Reads GRAPH, of a parameter %x with open sizes. */
static inlay_graph *graph_of(const char *nodes)
{
    inlay_strbuf text = {0};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;

    inlay_strbuf_printf(
        &text,
        "graph \"g\" {\n%%x = Parameter-1 {element_type = f32, shape = [?#n]}\n"
        "%%s = ShapeOf-3(%%x) {output_type = i64}\n%%zero = Const {value = f32[] 0}\n"
        "%%one = Const {value = f32[] 1}\n%%c = Const {value = boolean[] true}\n%s"
        "%%result = Result(%%y)\n}\n",
        nodes);
    g = inlay_read_text("g", text.bytes, text.n, NULL, d);
    if (!g)
        fail_msg("%s", inlay_diags_error(d)->text);
    inlay_strbuf_free(&text);
    inlay_diags_free(d);
    return g;
}

/* What an operation does that has bodies they say, and nothing else tells such nodes apart. Of one
 * with as many operands as there is no room for, elements tell. */
static void of_others(void **state)
{
    static const char *const does[] = {"Abs", "Exp"};
    inlay_strbuf many = {0};
    inlay_graph *bodies[2];
    struct tally tally = {0};

    for (int i = 0; i < 2; i++) {
        char text[500];

        snprintf(text, sizeof text,
                 "%%y = If-8(%%c, %%x)\n"
                 "then_body \"t\" {\n%%p = Parameter-1 {element_type = f32, shape = [?]}\n"
                 "%%q = %s-1(%%p)\n%%o = Result-1(%%q)\n}\nin 1 -> %%p\nout %%o -> 0\n"
                 "else_body \"e\" {\n%%p = Parameter-1 {element_type = f32, shape = [?]}\n"
                 "%%o = Result-1(%%p)\n}\nin 1 -> %%p\nout %%o -> 0\n",
                 does[i]);
        bodies[i] = graph_of(text);
    }
    check(&tally, 0, bodies[0], bodies[1]);
    assert_int_equal(tally.proven, 0);
    inlay_graph_free(bodies[0]);
    inlay_graph_free(bodies[1]);
    for (int n = 1; n < 200; n += n < 60 || n > 70 ? 30 : 1) {
        inlay_graph *g;

        inlay_strbuf_puts(&many, "%y = Concat-1(%x");
        for (int i = 1; i < n; i++)
            inlay_strbuf_puts(&many, ", %x");
        inlay_strbuf_puts(&many, ") {axis = 0}\n");
        g = graph_of(many.bytes);
        check(&(struct tally){0}, (uint64_t)n, g, g);
        inlay_graph_free(g);
        inlay_strbuf_free(&many);
        many = (inlay_strbuf){0};
    }
}

/* A number and two elements by way of [ROWS, 2 / ROWS]. */
static inlay_graph *by_way_of(int rows)
{
    char text[600];
    inlay_graph *g;

    snprintf(text, sizeof text,
             "graph \"g\" {\n%%n = Parameter-1 {element_type = f32, shape = []}\n"
             "%%x = Parameter-1 {element_type = f32, shape = [2]}\n"
             "%%s = Const {value = i64[2] [%d, %d]}\n%%t = Const {value = i64[1] [2]}\n"
             "%%y = Reshape-1(%%x, %%s) {special_zero = false}\n"
             "%%z = Reshape-1(%%y, %%t) {special_zero = false}\n"
             "%%r = Result(%%n)\n%%u = Result(%%z)\n}\n",
             rows, 2 / rows);
    g = inlay_read_text("g", text, strlen(text), NULL, NULL);
    assert_non_null(g);
    return g;
}

/* A number has no sizes, and so none that are open: what elements tell is so of all sizes. */
static void of_a_number(void **state)
{
    const inlay_symbolic_options o = {.evaluator = inlay_reference_evaluator(NULL)};
    inlay_graph *a = by_way_of(1), *b = by_way_of(2);
    inlay_symbolic_result proof;

    assert_true(inlay_symbolic_same(a, b, &o, &proof, NULL));
    assert_true(proof.proven && proof.all_sizes);
    assert_int_equal(proof.sizes, 1);
    inlay_graph_free(a);
    inlay_graph_free(b);
}

enum { DIMS = 3, WAYS = 5 };

/* Two inputs, of one and of two axes, and outputs, which are theirs; WAY says of each axis what is
 * known of its size: a number, a range, nothing, or that it is the same as another one. */
static inlay_graph *sized(int way)
{
    static const char *const known[WAYS] = {"2", "2..5", "?", "?#n", "?#m"};
    const char *of[DIMS];
    char text[500];
    inlay_graph *g;

    for (int i = 0; i < DIMS; i++, way /= WAYS)
        of[i] = known[way % WAYS];
    snprintf(text, sizeof text,
             "graph \"g\" {\n%%x = Parameter-1 {element_type = f32, shape = [%s]}\n"
             "%%y = Parameter-1 {element_type = f32, shape = [%s, %s]}\n"
             "%%r = Result(%%x)\n%%s = Result(%%y)\n}\n",
             of[0], of[1], of[2]);
    g = inlay_read_text("g", text, strlen(text), NULL, NULL);
    assert_non_null(g);
    return g;
}

/* The way that says the same, of those that do the first one: a name that stands alone is none, and
 * the names of two are exchanged. */
static int first_alike(int way)
{
    int dims[DIMS], first = 0;
    int names[WAYS] = {0};

    for (int i = 0; i < DIMS; i++, way /= WAYS)
        names[dims[i] = way % WAYS]++;
    for (int i = DIMS - 1; i >= 0; i--)
        first = first * WAYS + (dims[i] < 3 ? dims[i] : names[dims[i]] < 2 ? 2 : 3);
    return first;
}

/* Graphs are the same of all sizes if their inputs take the same ones, or those of the first are
 * all known. */
static void of_inputs(void **state)
{
    int all = 1;

    for (int i = 0; i < DIMS; i++)
        all *= WAYS;
    for (int k = 0; k < all; k++) {
        inlay_graph *a = sized(k), *b;

        for (int l = k % 7; l < all; l += 7) {
            const inlay_symbolic_options o = {.evaluator = inlay_reference_evaluator(NULL)};
            inlay_symbolic_result proof;

            b = sized(l);
            assert_true(inlay_symbolic_same(a, b, &o, &proof, NULL));
            if ((proof.proven && proof.all_sizes) != (k == 0 || first_alike(k) == first_alike(l)))
                fail_msg("%d and %d: %s", k, l, proof.why);
            inlay_graph_free(b);
        }
        inlay_graph_free(a);
    }
}

/* What is said otherwise: two ways to compute %y of %x = f32[?,?] and %n = i64[2], and whether they
 * are the same for all sizes. */
static const struct spelling {
    const char *a, *b;
    bool same;
} spellings[] = {
    {"%s = Const {value = i64[2] [-1, 3]}\n%y = Reshape(%x, %s) {special_zero = true}",
     "%s = Const {value = i64[2] [-1, 3]}\n%y = Reshape(%x, %s) {special_zero = false}", true},
    {"%s = Const {value = i64[2] [-1, 3]}\n%y = Reshape(%x, %s) {special_zero = true}",
     "%s = Const {value = i32[2] [-1, 3]}\n%y = Reshape(%x, %s) {special_zero = true}", true},
    {"%s = Const {value = i64[2] [-1, 3]}\n%y = Reshape(%x, %s) {special_zero = true}",
     "%s = Const {value = i64[2] [3, -1]}\n%y = Reshape(%x, %s) {special_zero = true}", false},
    {"%s = Const {value = i64[2] [0, -1]}\n%y = Reshape(%x, %s) {special_zero = true}",
     "%s = Const {value = i64[2] [0, -1]}\n%y = Reshape(%x, %s) {special_zero = false}", false},
    {"%y = Reshape(%x, %n) {special_zero = true}", "%y = Reshape(%x, %n) {special_zero = false}",
     false},
    {"%s = ShapeOf(%x)\n%c = Const {value = f32[] 2}\n%y = Broadcast(%c, %s) {mode = numpy}",
     "%s = ShapeOf(%x)\n%c = Const {value = f32[] 2}\n%y = Broadcast(%c, %s) {mode = "
     "bidirectional}",
     true},
    {"%s = ShapeOf(%x)\n%c = Const {value = f32[] 2}\n%y = Broadcast(%c, %s) {mode = numpy}",
     "%s = ShapeOf(%x)\n%c = Const {value = f32[] 3}\n%y = Broadcast(%c, %s) {mode = "
     "bidirectional}",
     false},
    {"%y = Broadcast(%x, %n) {mode = numpy}", "%y = Broadcast(%x, %n) {mode = bidirectional}",
     false},
    {"%y = If(%b, %x)\nthen_body \"t\" {\n%p = Parameter {element_type = f32, shape = [?,?]}\n"
     "%q = Abs(%p)\n%r = Result(%q)\n}\nin 1 -> %p\nout %r -> 0\n"
     "else_body \"e\" {\n%p = Parameter {element_type = f32, shape = [?,?]}\n%r = Result(%p)\n}\n"
     "in 1 -> %p\nout %r -> 0",
     "%y = If(%b, %x)\nthen_body \"a\" {\n%k = Parameter {element_type = f32, shape = [?,?]}\n"
     "%l = Abs(%k)\n%m = Result(%l)\n}\nin 1 -> %k\nout %m -> 0\n"
     "else_body \"c\" {\n%k = Parameter {element_type = f32, shape = [?,?]}\n%m = Result(%k)\n}\n"
     "in 1 -> %k\nout %m -> 0",
     true},
    {"%y = If(%b, %x)\nthen_body \"t\" {\n%p = Parameter {element_type = f32, shape = [?,?]}\n"
     "%q = Abs(%p)\n%r = Result(%q)\n}\nin 1 -> %p\nout %r -> 0\n"
     "else_body \"e\" {\n%p = Parameter {element_type = f32, shape = [?,?]}\n%r = Result(%p)\n}\n"
     "in 1 -> %p\nout %r -> 0",
     "%y = If(%b, %x)\nthen_body \"t\" {\n%p = Parameter {element_type = f32, shape = [?,?]}\n"
     "%q = Negative(%p)\n%r = Result(%q)\n}\nin 1 -> %p\nout %r -> 0\n"
     "else_body \"e\" {\n%p = Parameter {element_type = f32, shape = [?,?]}\n%r = Result(%p)\n}\n"
     "in 1 -> %p\nout %r -> 0",
     false}};

static inlay_graph *spelled(const char *body)
{
    inlay_diags *d = inlay_diags_new();
    char text[2000];
    inlay_graph *g;

    snprintf(
        text, sizeof text,
        "graph \"g\" {\n%%x = Parameter {element_type = f32, shape = [?,?]}\n"
        "%%n = Parameter {element_type = i64, shape = [2]}\n"
        "%%b = Parameter {element_type = boolean, shape = []}\n%s\n%%result = Result(%%y)\n}\n",
        body);
    g = inlay_read_text("g", text, strlen(text), NULL, d);
    if (!g)
        fail_msg("%s: %s", body, inlay_diags_error(d)->text);
    inlay_diags_free(d);
    return g;
}

static void of_spellings(void **state)
{
    const inlay_symbolic_options o = {.evaluator = inlay_reference_evaluator(NULL)};

    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        inlay_graph *a = spelled(spellings[i].a), *b = spelled(spellings[i].b);
        inlay_symbolic_result proof;

        assert_true(inlay_symbolic_same(a, b, &o, &proof, NULL));
        if (proof.all_sizes != spellings[i].same)
            fail_msg("%s\n%s\n%s", spellings[i].a, spellings[i].b, proof.why);
        inlay_graph_free(a);
        inlay_graph_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_random_graphs), cmocka_unit_test(of_forms),
        cmocka_unit_test(of_other_shapes),  cmocka_unit_test(of_one_element),
        cmocka_unit_test(of_memory),        cmocka_unit_test(of_others),
        cmocka_unit_test(of_inputs),        cmocka_unit_test(of_a_number),
        cmocka_unit_test(of_spellings)};

    counting = 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
