/* Ten times the nodes cost at most 40/3 times the work, in every phase and on every kind of graph
 * (scaling_graphs.h): that is what n log n grows by from 1,000 nodes to 10,000, as do the steps in
 * the trees of spans of pass in-place-windows (passes/inplace/spans.h). Work is counted, not timed:
 * elementary steps and bytes hashed (ir/graph/work.h).
 *
 *     SCALING_MOST=100000 build/tests/test_scaling   goes on to as many nodes
 *     build/tests/test_scaling KIND           tests graphs of this kind alone
 *     build/tests/test_scaling KIND NODES     prints the text of such a graph and tests nothing
 *     build/tests/test_scaling kinds 0        prints the kinds
 */
#include "interp/interp.h"
#include "ir/shared.h"
#include "parser/parser.h"
#include "passes/passes.h"
#include "scaling_graphs.h"
#include "unit.h"

#include <math.h>
#include <time.h>

/* A graph on its way through the phases. */
struct subject {
    inlay_graph *g;
    bool made; /* G by the phase just run: its counters began then */
    inlay_strbuf text, xml, weights, json, onnx;
    inlay_diags *diags;
};

/* False when it failed. */
typedef bool phase_fn(struct subject *s);

static inlay_sink into(inlay_strbuf *b)
{
    return (inlay_sink){inlay_strbuf_sink, b};
}

static bool infer(struct subject *s)
{
    return inlay_infer_graph(s->g, s->diags);
}

static bool verify(struct subject *s)
{
    return inlay_check_graph(s->g, s->diags);
}

static bool print(struct subject *s)
{
    inlay_sink to = into(&s->text);

    s->text.n = 0;
    return inlay_print(s->g, true, &to, s->diags);
}

static bool print_dot(struct subject *s)
{
    inlay_strbuf dot = {0};
    inlay_sink to = into(&dot);
    bool ok = inlay_print_dot(s->g, &to, s->diags);

    inlay_strbuf_free(&dot);
    return ok;
}

static bool write_xml(struct subject *s)
{
    inlay_sink to = into(&s->xml), weights = into(&s->weights);

    return inlay_write_xml(s->g, NULL, &to, &weights, s->diags);
}

static bool write_json(struct subject *s)
{
    inlay_sink to = into(&s->json);

    return inlay_write_json(s->g, NULL, NULL, &to, NULL, s->diags);
}

static bool write_onnx(struct subject *s)
{
    inlay_sink to = into(&s->onnx);

    return inlay_write_onnx(s->g, NULL, NULL, &to, NULL, s->diags);
}

/* Replaces the graph by the one that was READ from what was written. */
static bool take(struct subject *s, inlay_graph *read)
{
    if (read) {
        inlay_graph_free(s->g);
        s->g = read;
        s->made = true;
    }
    return read != NULL;
}

static bool read_text(struct subject *s)
{
    return take(s, inlay_read_text("t.inlay", s->text.bytes, s->text.n, NULL, s->diags));
}

static bool read_json(struct subject *s)
{
    return take(s, inlay_read_json("t.json", s->json.bytes, s->json.n, NULL, s->diags));
}

static bool read_xml(struct subject *s)
{
    inlay_buffer *weights = inlay_buffer_wrap(s->weights.bytes, s->weights.n, NULL, NULL);
    inlay_graph *g = inlay_read_xml("t.xml", s->xml.bytes, s->xml.n, weights, NULL, s->diags);

    inlay_buffer_release(weights);
    return take(s, g);
}

static bool read_onnx(struct subject *s)
{
    return take(s, inlay_read_onnx("t.onnx", s->onnx.bytes, s->onnx.n, NULL, NULL, s->diags));
}

static bool clone(struct subject *s)
{
    return take(s, inlay_graph_clone(s->g, s->diags));
}

static bool compare(struct subject *s)
{
    return inlay_graph_equal(s->g, s->g, NULL, 0);
}

static bool name_outputs(struct subject *s)
{
    return inlay_result_names(s->g, s->diags) != NULL;
}

static bool check_notes(struct subject *s)
{
    inlay_order_list order;
    bool ok = inlay_order(s->g, false, &order, s->diags) &&
              inlay_check_notes(s->g, &order, NULL, s->diags);

    inlay_order_free(&order);
    return ok;
}

static bool compile(struct subject *s)
{
    inlay_exec_options o = {.mode = INLAY_EXEC_PLANNED};
    inlay_program *p = inlay_compile(s->g, &o, s->diags);

    inlay_program_free(p);
    return p != NULL;
}

/* Keeps every tenth node's value. */
static bool compile_keeping(struct subject *s)
{
    const char **names = calloc(s->g->n_nodes / 10 + 1, sizeof *names);
    inlay_exec_options o = {.mode = INLAY_EXEC_REFERENCE, .keep = names};
    inlay_order_list order;
    inlay_program *p = NULL;

    assert_non_null(names);
    if (inlay_order(s->g, false, &order, s->diags)) {
        for (size_t i = 9; i < order.n; i += 10) {
            if (order.nodes[i]->n_out > 0)
                names[o.n_keep++] = order.nodes[i]->name;
        }
        inlay_order_free(&order);
        p = inlay_compile(s->g, &o, s->diags);
    }
    inlay_program_free(p);
    free(names);
    return p != NULL;
}

static bool plan_memory(struct subject *s)
{
    inlay_memory_plan plan;
    bool ok = inlay_memory_plan_make(s->g, &plan, s->diags);

    if (ok)
        inlay_memory_plan_free(&plan);
    return ok;
}

/* The phases stand in the order in which they are run; the passes of the default pipeline come
 * between the two groups. */
static const struct phase {
    const char *name;
    phase_fn *run;
} before[] =
    {
        {"read text", read_text},   {"infer", infer},           {"verify", verify},
        {"write xml", write_xml},   {"write json", write_json}, {"read xml", read_xml},
        {"read json", read_json},   {"clone", clone},           {"compare", compare},
        {"print", print},           {"print dot", print_dot},   {"name outputs", name_outputs},
        {"write onnx", write_onnx}, {"read onnx", read_onnx},   {"read printed", read_text},
},
  after[] = {
      {"check notes", check_notes}, {"verify notes", verify},
      {"compile", compile},         {"compile keeping", compile_keeping},
      {"plan memory", plan_memory}, {"print notes", print},
      {"read notes", read_text},
};

enum {
    N_BEFORE = sizeof before / sizeof before[0],
    N_AFTER = sizeof after / sizeof after[0],
    MAX_PHASES = 64
};

static const char *const *default_passes(void)
{
    for (size_t i = 0; i < inlay_pipeline_count(NULL); i++) {
        if (strcmp(inlay_pipeline_at(NULL, i).name, "default") == 0)
            return inlay_pipeline_at(NULL, i).passes;
    }
    return NULL;
}

static bool run_pass(struct subject *s, const char *name)
{
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_pass_options o = {.passes = name, .evaluator = &reference};

    return inlay_run_passes(s->g, &o, s->diags);
}

/* The cost of a phase. */
struct cost {
    const char *phase;
    uint64_t steps, hashed;
    uint64_t least; /* steps that it must have counted: one for each node, of a pass none, nor of
                     the writer of ONNX, which leaves out what ONNX says otherwise */
    double ms;
};

struct costs {
    size_t kind;
    struct cost of[MAX_PHASES];
    int n;
};

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Measures a phase; RUN NULL: the phase is the pass called NAME. */
static void measure(struct costs *c, struct subject *s, const char *name, phase_fn *run)
{
    uint64_t steps = s->g ? inlay_steps(s->g) : 0, hashed = s->g ? inlay_hashed(s->g) : 0;
    double start = now_ms();

    s->made = false;
    if (!(run ? run(s) : run_pass(s, name)))
        fail_msg("%s, %s: %s", scaling_kind(c->kind), name,
                 inlay_diags_error(s->diags) ? inlay_diags_error(s->diags)->text : "failed");
    if (s->made)
        steps = hashed = 0;
    assert_true(c->n < MAX_PHASES);
    c->of[c->n++] =
        (struct cost){.phase = name,
                      .steps = inlay_steps(s->g) - steps,
                      .hashed = inlay_hashed(s->g) - hashed,
                      .least = run && run != name_outputs && run != write_onnx ? s->g->n_nodes : 0,
                      .ms = now_ms() - start};
}

static void measure_all(struct costs *c, struct subject *s)
{
    for (int i = 0; i < N_BEFORE; i++)
        measure(c, s, before[i].name, before[i].run);
    for (const char *const *name = default_passes(); *name; name++)
        measure(c, s, *name, NULL);
    for (int i = 0; i < N_AFTER; i++)
        measure(c, s, after[i].name, after[i].run);
}

static struct costs costs_of(size_t kind, int n)
{
    struct costs c = {.kind = kind};
    struct subject s = {.diags = inlay_diags_new()};

    scaling_text(kind, n, &s.text);
    measure_all(&c, &s);
    inlay_graph_free(s.g);
    inlay_strbuf_free(&s.text);
    inlay_strbuf_free(&s.xml);
    inlay_strbuf_free(&s.weights);
    inlay_strbuf_free(&s.json);
    inlay_strbuf_free(&s.onnx);
    inlay_diags_free(s.diags);
    return c;
}

/* Returns how many phases cost too much more of TIMES the nodes. */
static int compare_costs(const struct costs *few, const struct costs *many, uint64_t times)
{
    int bad = 0;

    assert_int_equal(few->n, many->n);
    for (int i = 0; i < few->n; i++) {
        const struct cost *a = &few->of[i], *b = &many->of[i];
        bool good = 3 * b->steps <= 4 * times * a->steps &&
                    5 * b->hashed <= 6 * times * a->hashed && a->steps >= a->least &&
                    b->steps >= b->least;

        print_message(
            "# %s %s, %s: %llu and %llu steps, %llu and %llu bytes, %.1f and %.1f ms\n",
            good ? "fine:" : "MORE THAN N LOG N, OR NOT COUNTED:", scaling_kind(few->kind),
            a->phase, (unsigned long long)a->steps, (unsigned long long)b->steps,
            (unsigned long long)a->hashed, (unsigned long long)b->hashed, a->ms, b->ms);
        bad += !good;
    }
    return bad;
}

static void check_kind(void **state)
{
    size_t kind = *(const size_t *)*state;
    const char *asked = getenv("SCALING_MOST");
    struct costs few = costs_of(kind, 1000), many = costs_of(kind, 10000);
    int bad = compare_costs(&few, &many, 10);

    if (asked) {
        int n = (int)strtol(asked, NULL, 10);
        struct costs most = costs_of(kind, n);

        bad += compare_costs(&many, &most, (uint64_t)n / 10000);
    }
    if (bad)
        fail_msg("%s: %d phases cost more than n log n", scaling_kind(kind), bad);
}

/* What is read before there is a graph has no counters: the time of the processor is taken, of
 * three the least, and ten times the text may take thirty times as long, where a quadratic reader
 * takes seventy. */
typedef bool text_fn(int n, inlay_diags *d);

static double cpu_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double least_ms(text_fn *read, int n)
{
    double least = HUGE_VAL;

    for (int i = 0; i < 3; i++) {
        inlay_diags *d = inlay_diags_new();
        double start = cpu_ms(), took;

        if (!read(n, d))
            fail_msg("%s", inlay_diags_error(d)->text);
        took = cpu_ms() - start;
        least = took < least ? took : least;
        inlay_diags_free(d);
    }
    return least;
}

static void check_reader(text_fn *read)
{
    double few = least_ms(read, 1000), many = least_ms(read, 10000);

    print_message("# %.1f and %.1f ms\n", few, many);
    assert_true(many < 30 * few + 20);
}

static bool read_rules(int n, inlay_diags *d)
{
    inlay_strbuf text = {0};
    inlay_rules *rules;

    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(&text, "rule r%d exact: Abs(Abs(x)) => Abs(x)\n", i);
    rules = inlay_rules_parse("many.rules", text.bytes, text.n, d);
    inlay_strbuf_free(&text);
    inlay_rules_free(rules);
    return rules != NULL;
}

/* Each node calls a function of its own. */
static bool read_functions(int n, inlay_diags *d)
{
    inlay_strbuf text = {0};
    inlay_graph *g;

    inlay_strbuf_puts(&text, "<ir_version: 8, opset_import: [\"\" : 17, \"d\" : 1]>\n"
                             "g (float[4] x) => (float[4] y0) {\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(&text, "y%d = d.F%d(x)\n", i, n - 1 - i);
    inlay_strbuf_puts(&text, "}\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(&text,
                            "<domain: \"d\", opset_import: [\"\" : 17]>\n"
                            "F%d (a) => (b) { b = Abs(a) }\n",
                            i);
    g = inlay_read_onnx("many.onnxtxt", text.bytes, text.n, NULL, NULL, d);
    inlay_strbuf_free(&text);
    inlay_graph_free(g);
    return g != NULL;
}

/* One node waits for all others, which an ONNX file says in one string. */
static bool write_order(int n, inlay_diags *d)
{
    inlay_strbuf text = {0}, bytes = {0};
    inlay_graph *g;
    bool ok;

    inlay_strbuf_puts(&text, "graph \"g\" {\n%d = Parameter-1 {element_type = f32, shape = [8]}\n"
                             "%y = Tanh-1(%d)\n%end = Result-1(%y)\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(&text, "%%reader%d = Exp-1(%%d)\n%%r%d = Result-1(%%reader%d)\n", i, i,
                            i);
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(&text, "order %%reader%d before %%y\n", i);
    inlay_strbuf_puts(&text, "}\n");
    g = inlay_read_text("many.inlay", text.bytes, text.n, NULL, d);
    ok = g && inlay_write_onnx(g, NULL, NULL, &(inlay_sink){inlay_strbuf_sink, &bytes}, NULL, d);
    inlay_strbuf_free(&text);
    inlay_strbuf_free(&bytes);
    inlay_graph_free(g);
    return ok;
}

static void test_many_rules(void **state)
{
    check_reader(read_rules);
}

static void test_many_functions(void **state)
{
    check_reader(read_functions);
}

static void test_many_order_edges(void **state)
{
    check_reader(write_order);
}

static int print_graph(const char *kind, int n)
{
    for (size_t i = 0; scaling_kind(i); i++) {
        inlay_strbuf text = {0};

        if (strcmp(kind, "kinds") == 0)
            printf("%s\n", scaling_kind(i));
        if (strcmp(scaling_kind(i), kind) != 0)
            continue;
        scaling_text(i, n, &text);
        fwrite(text.bytes, 1, text.n, stdout);
        inlay_strbuf_free(&text);
        return 0;
    }
    return strcmp(kind, "kinds") == 0 ? 0 : 2;
}

int main(int argc, char **argv)
{
    static size_t kinds[SCALING_KINDS];
    struct CMUnitTest tests[SCALING_KINDS + 3] = {
        [SCALING_KINDS] = cmocka_unit_test(test_many_rules),
        [SCALING_KINDS + 1] = cmocka_unit_test(test_many_functions),
        [SCALING_KINDS + 2] = cmocka_unit_test(test_many_order_edges)};

    if (argc == 3)
        return print_graph(argv[1], (int)strtol(argv[2], NULL, 10));
    if (argc == 2)
        cmocka_set_test_filter(argv[1]);
    for (size_t i = 0; i < SCALING_KINDS; i++) {
        kinds[i] = i;
        tests[i] = (struct CMUnitTest){scaling_kind(i), check_kind, NULL, NULL, &kinds[i]};
    }
    return cmocka_run_group_tests_name("scaling", tests, NULL, NULL);
}
