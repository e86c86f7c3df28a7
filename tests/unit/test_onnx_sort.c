/* Nodes of ONNX that do not stand in order: programs of integers are drawn, with bodies and calls,
 * their lines are shuffled, and they must give what the test computes. */
#include "generate/rng.h"
#include "graphs.h"
#include "models.h"
#include "seeds.h"

enum { MAX_LINES = 24, LINE = 600 };

static inlay_graph *read_text(const char *text, char *said, size_t size)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_onnx("m", text, strlen(text), NULL, NULL, d);

    snprintf(said, size, "%s", model_messages(d));
    inlay_diags_free(d);
    return g;
}

/* A program: line I makes value I from two before it; value -1 is the input x. */
typedef struct program {
    rng r;
    char lines[MAX_LINES][LINE];
    int64_t values[MAX_LINES + 1];
    bool c;
    int n;
} program;

typedef struct value_name {
    char text[16];
} value_name;

static value_name name_of(int value)
{
    value_name name = {"x"};

    if (value >= 0)
        sprintf(name.text, "v%d", value);
    return name;
}

/* The lines A and B in one order or the other. */
static void two_lines(program *p, char *out, const char *a, const char *b)
{
    bool swap = rng_one_in(&p->r, 2);

    sprintf(out, "%s\n%s\n", swap ? b : a, swap ? a : b);
}

/* Line I is an If one deep or two deep, or a call, of lines that are in no order either. */
static int64_t draw_body(program *p, int i, const char *a, const char *b, int64_t x, int64_t y)
{
    char then[LINE / 2], other[LINE / 2], use[80], make[80];

    sprintf(use, "r%d = Neg(q%d)", i, i);
    sprintf(make, "q%d = Add(%s, %s)", i, a, b);
    two_lines(p, then, use, make);
    sprintf(use, "s%d = Abs(t%d)", i, i);
    sprintf(make, "t%d = Mul(%s, k)", i, b);
    two_lines(p, other, use, make);
    if (rng_one_in(&p->r, 2)) {
        sprintf(p->lines[i],
                "v%d = If(c) <then_branch = g () => (int64[1] r%d) {\n%s}, else_branch = h () => "
                "(int64[1] s%d) {\n%s}>",
                i, i, then, i, other);
        return p->c ? -(x + y) : llabs(3 * y);
    }
    sprintf(p->lines[i],
            "v%d = If(c) <then_branch = g () => (int64[1] u%d) {u%d = If(c) <then_branch = g () => "
            "(int64[1] r%d) {\n%s}, else_branch = h () => (int64[1] %s) {}>}, else_branch = h () "
            "=> (int64[1] s%d) {\n%s}>",
            i, i, i, i, then, b, i, other);
    return p->c ? -(x + y) : llabs(3 * y);
}

static int64_t draw_line(program *p, int i)
{
    int from = i - 1, other = (int)rng_in(&p->r, -1, i - 1);
    value_name from_name = name_of(from), other_name = name_of(other);
    const char *a = from_name.text, *b = other_name.text;
    int64_t x = p->values[from + 1], y = p->values[other + 1];

    switch (rng_in(&p->r, 0, 3)) {
    case 0:
        sprintf(p->lines[i], "v%d = Sub(%s, %s)", i, a, b);
        return x - y;
    case 1:
        sprintf(p->lines[i], "v%d = Neg(%s)", i, a);
        return -x;
    case 2:
        sprintf(p->lines[i], "v%d = local.f(%s, %s)", i, a, b);
        return -(x - y);
    default:
        return draw_body(p, i, a, b, x, y);
    }
}

static void draw(program *p, uint64_t seed)
{
    p->r = (rng){seed};
    p->n = (int)rng_in(&p->r, 2, 14);
    p->c = rng_one_in(&p->r, 2);
    p->values[0] = rng_in(&p->r, -9, 9);
    for (int i = 0; i < p->n; i++)
        p->values[i + 1] = draw_line(p, i);
}

/* Writes the lines of P, in order or shuffled. */
static void write_program(program *p, bool shuffled, inlay_strbuf *b)
{
    int order[MAX_LINES];

    for (int i = 0; i < p->n; i++) {
        int at = shuffled ? (int)rng_in(&p->r, 0, i) : i;

        memmove(order + at + 1, order + at, (size_t)(i - at) * sizeof *order);
        order[at] = i;
    }
    b->n = 0;
    inlay_strbuf_printf(b,
                        "<ir_version: 10, opset_import: [\"\" : 20, \"local\" : 1]>\n"
                        "m (int64[1] x, bool c) => (int64[1] v%d)\n<int64[1] k = {3}>\n{\n",
                        p->n - 1);
    for (int i = 0; i < p->n; i++)
        inlay_strbuf_printf(b, "%s\n", p->lines[order[i]]);
    inlay_strbuf_printf(b, "}\n<opset_import: [\"\" : 20], domain: \"local\">\n"
                           "f (a, b) => (d) {\nd = Neg(e)\ne = Sub(a, b)\n}\n");
}

static void runs(const program *p, const inlay_strbuf *text, char *said, size_t size)
{
    inlay_graph *g = read_text(text->bytes, said, size);
    char x[40], c[40], y[60];
    runner r;

    if (!g)
        fail_msg("%s\n%s", said, text->bytes);
    r = runner_on(g, NULL);
    sprintf(x, "i64[1] %lld", (long long)p->values[0]);
    sprintf(c, "boolean %d", p->c);
    sprintf(y, "i64[1] %lld", (long long)p->values[p->n]);
    check_run(&r, OPERANDS(x, c), OPERANDS(y));
    runner_free(&r);
}

static int count_of(const char *text, const char *word)
{
    int n = 0;

    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        n++;
    return n;
}

static void test_shuffled(void **state)
{
    seed_range seeds = seeds_to_try(400, 100);
    int warned = 0;

    for (uint64_t i = 0; i < seeds.n; i++) {
        inlay_strbuf b = {0};
        program p = {.n = 0};
        char said[1000];

        draw(&p, seeds.first + i);
        write_program(&p, true, &b);
        runs(&p, &b, said, sizeof said);
        assert_in_range(count_of(said, "warning"), 0, 1);
        assert_int_equal(count_of(said, "are sorted"), count_of(said, "warning"));
        warned += count_of(said, "warning");
        write_program(&p, false, &b);
        runs(&p, &b, said, sizeof said);
        inlay_strbuf_free(&b);
    }
    assert_true(!seeds.whole || warned > 50);
}

/* What is in order stays as it is; what is not moves no further than it must. */
static void test_stable(void **state)
{
    static const char head[] = "<ir_version: 10, opset_import: [\"\" : 20]>\n"
                               "m (float[2] x) => (float[2] d, float[2] b)\n{\n";
    static const struct {
        const char *lines, *order, *said;
    } cases[] = {
        {"d = Abs(x)\nc = Neg(x)\nb = Exp(x)\na = Sin(c)\n", "dcba", ""},
        {"d = Abs(x)\nb = Exp(a)\nc = Neg(x)\na = Sin(c)\n", "dcab",
         "5: warning: graph.node[1] (Exp-20): uses \"a\", which the later node[3] makes; the nodes "
         "are sorted"},
        {"a = Sin(c)\nd = Abs(x)\nc = Neg(x)\nb = Exp(x)\n", "cadb",
         "4: warning: graph.node[0] (Sin-20): uses \"c\", which the later node[2] makes; the nodes "
         "are sorted"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[500], said[300], order[20] = "";
        inlay_graph *g;

        sprintf(text, "%s%s}\n", head, cases[i].lines);
        g = read_text(text, said, sizeof said);
        assert_string_equal(said, cases[i].said);
        for (const inlay_node *n = g->first->next; n; n = n->next)
            strncat(order, n->n_out == 1 ? n->name : "", 1);
        assert_string_equal(order, cases[i].order);
        inlay_graph_free(g);
    }
}

static void test_cycles(void **state)
{
    static const char head[] = "<ir_version: 10, opset_import: [\"\" : 20, \"local\" : 1]>\n"
                               "m (float[2] x, bool c) => (float[2] y)\n{\n";
    static const struct {
        const char *lines, *said;
    } cases[] = {
        {"y = Add(x, y)\n}", "4: error: graph.node[0] (Add-20): needs its own result"},
        {"y = Abs(a)\na = Neg(b)\n[last] b = Add(a, x)\n}",
         "5: error: graph.node[1] (Neg-20): is one of 2 nodes that need each other: it needs "
         "node[2] \"last\" (Add), which needs it"},
        {"w = Abs(x)\ny = Abs(a)\na = Neg(y)\n}",
         "5: error: graph.node[1] (Abs-20): is one of 2 nodes that need each other: it needs "
         "node[2] (Neg), which needs it"},
        {"y = Abs(a)\na = If(c) <then_branch = g () => (float[2] q) {q = Neg(y)}, else_branch = h "
         "() => (float[2] x) {}>\n}",
         "4: error: graph.node[0] (Abs-20): is one of 2 nodes that need each other: it needs "
         "node[1] (If), which needs it"},
        {"y = If(c) <then_branch = g () => (float[2] q) {\nq = Neg(p)\np = Abs(q)\n}, else_branch "
         "= h () => (float[2] x) {}>\n}",
         "5: error: graph.node[0] (If-20).attribute \"then_branch\".node[0] (Neg-20): is one of 2 "
         "nodes that need each other: it needs node[1] (Abs), which needs it"},
        {"y = local.f(x)\n}\n<opset_import: [\"\" : 20], domain: \"local\">\nf (a) => (b) {\nb = "
         "Neg(d)\nd = Abs(b)\n}",
         "8: error: graph.node[0] (local.f-1).node[0] (Neg-20): is one of 2 nodes that need each "
         "other: it needs node[1] (Abs), which needs it"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[500], said[400];

        sprintf(text, "%s%s\n", head, cases[i].lines);
        assert_null(read_text(text, said, sizeof said));
        assert_string_equal(said, cases[i].said);
    }
}

/* A chain of COUNT nodes from the last one to the first; CYCLE: whose end is its beginning. */
static void write_chain(inlay_strbuf *b, int count, bool cycle)
{
    inlay_strbuf_printf(b, "<ir_version: 10, opset_import: [\"\" : 20]>\n"
                           "m (float[2] x) => (float[2] v0)\n{\n");
    for (int i = 0; i < count - 1; i++)
        inlay_strbuf_printf(b, "v%d = Neg(v%d)\n", i, i + 1);
    inlay_strbuf_printf(b, "v%d = Neg(%s)\n}\n", count - 1, cycle ? "v0" : "x");
}

/* Work and stack do not grow with the way that a node has to go. */
static void test_long(void **state)
{
    enum { COUNT = 100000 };
    inlay_strbuf b = {0};
    char said[1000];
    inlay_graph *g;
    int n = 0;

    write_chain(&b, COUNT, false);
    g = read_text(b.bytes, said, sizeof said);
    assert_int_equal(count_of(said, "warning"), 1);
    for (const inlay_node *at = g->first; at; at = at->next)
        n++;
    assert_int_equal(n, COUNT + 2);
    inlay_graph_free(g);
    b.n = 0;
    write_chain(&b, COUNT, true);
    assert_null(read_text(b.bytes, said, sizeof said));
    assert_non_null(strstr(said, "graph.node[0] (Neg-20): is one of 100000 nodes that need each "
                                 "other: it needs node[1] (Neg), which needs node[2] (Neg)"));
    assert_non_null(strstr(said, "node[8] (Neg), and so on to it"));
    inlay_strbuf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shuffled),
        cmocka_unit_test(test_stable),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
