/* find-sequences and hoist-products: a TensorIterator of cells, made up from a seed, and the
 * sequence that it becomes give the same bits, by the reference and planned; and so does a
 * spelled-out cell whose data is multiplied before. Cells, activations, clipping, the axes of
 * steps, both directions, weights in the body, around it and as inputs, no B, sizes that are not
 * known. */
#include "generate/rng.h"
#include "interp/interp.h"
#include "models.h"
#include "parser/parser.h"
#include "passes/passes.h"
#include "seeds.h"
#include "unit.h"

enum { MOST = 6 };

static const struct cell {
    const char *op, *more[3];
    int gates, states;
} cells[] = {
    {"LSTMCell-4", {"", ", clip = 0.5", ", activations = [\"relu\", \"tanh\", \"sigmoid\"]"}, 4, 2},
    {"LSTMCell-1", {"", ", clip = 0.5", ", weights_format = fico"}, 4, 2},
    {"GRUCell-3", {"", ", clip = 0.5", ", linear_before_reset = true"}, 3, 1},
    {"RNNCell-0", {"", ", clip = 0.5", ", activations = [\"relu\"]"}, 1, 1},
};

/* A TensorIterator on its way to text. */
struct making {
    rng *r;
    const struct cell *cell;
    int64_t batch, steps, input, hidden;
    int x_axis, y_axis, more;
    bool reverse, open, flat; /* flat: Reshape instead of Squeeze */
    bool outside[3], absent;  /* W, R, B enter; there is no B */
    bool product;             /* the cell is spelled out */
    inlay_strbuf around, body, ports;
    int entering; /* operands of the node */
    inlay_tensor *in[MOST];
    int n_in;
};

static inlay_tensor *numbers(rng *r, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, rank, dims);

    for (int64_t i = 0; t && i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, (double)rng_in(r, -1000, 1000) / 700);
    return t;
}

static void add_dims(inlay_strbuf *b, int rank, const int64_t *dims, const bool *open)
{
    for (int i = 0; i < rank; i++) {
        if (open && open[i])
            inlay_strbuf_puts(b, i ? ",?" : "?");
        else
            inlay_strbuf_printf(b, i ? ",%lld" : "%lld", (long long)dims[i]);
    }
}

/* Adds an input of the graph. */
static void add_input(struct making *m, const char *name, int rank, const int64_t *dims,
                      const bool *open)
{
    inlay_strbuf_printf(&m->around, "%%%s = Parameter-1 {element_type = f32, shape = [", name);
    add_dims(&m->around, rank, dims, open);
    inlay_strbuf_puts(&m->around, "]}\n");
    m->in[m->n_in++] = numbers(m->r, rank, dims);
}

static void add_parameter(struct making *m, const char *name, int rank, const int64_t *dims,
                          const bool *open)
{
    inlay_strbuf_printf(&m->body, "%%%s = Parameter-1 {element_type = f32, shape = [", name);
    add_dims(&m->body, rank, dims, open);
    inlay_strbuf_puts(&m->body, "]}\n");
}

static void add_constant(inlay_strbuf *b, rng *r, const char *name, int rank, const int64_t *dims)
{
    int64_t n = 1;

    inlay_strbuf_printf(b, "%%%s = Const-1 {value = f32[", name);
    add_dims(b, rank, dims, NULL);
    for (int i = 0; i < rank; i++)
        n *= dims[i];
    for (int64_t i = 0; i < n; i++)
        inlay_strbuf_printf(b, "%s%.3f", i ? ", " : "] [", (double)rng_in(r, -1000, 1000) / 900);
    inlay_strbuf_puts(b, "]}\n");
}

/* Adds W, R or B: a constant of the body, or a value of the graph that enters. */
static void add_weights(struct making *m, int i, const char *name, int rank, const int64_t *dims)
{
    char outer[8];

    snprintf(outer, sizeof outer, "outer_%s", name);
    if (!m->outside[i]) {
        add_constant(&m->body, m->r, name, rank, dims);
        return;
    }
    if (rng_one_in(m->r, 2))
        add_constant(&m->around, m->r, outer, rank, dims);
    else
        add_input(m, outer, rank, dims, NULL);
    add_parameter(m, name, rank, dims, NULL);
    inlay_strbuf_printf(&m->ports, "in %d -> %%%s\n", m->entering++, name);
}

static void add_data(struct making *m)
{
    int64_t whole[3] = {m->batch, m->batch, m->input}, part[3];
    bool open[3] = {m->open, m->open, false}, open_part[3] = {m->open, m->open, false};

    memcpy(part, whole, sizeof part);
    whole[m->x_axis] = m->steps;
    part[m->x_axis] = 1;
    open_part[m->x_axis] = false;
    add_input(m, "x", 3, whole, open);
    add_parameter(m, "p", 3, part, open_part);
    inlay_strbuf_printf(&m->ports, "in 0 -> %%p axis %d %s part_size 1\n", m->x_axis,
                        m->reverse ? "start -1 end 0 stride -1" : "start 0 end -1 stride 1");
    m->entering = 1;
}

static void add_states(struct making *m)
{
    static const char *const names[] = {"h", "c"}, *const outer[] = {"h0", "c0"};
    const int64_t dims[] = {m->batch, m->hidden};
    const bool open[] = {m->open, false};

    for (int k = 0; k < m->cell->states; k++) {
        add_input(m, outer[k], 2, dims, open);
        add_parameter(m, names[k], 2, dims, open);
        inlay_strbuf_printf(&m->ports, "in %d -> %%%s\n", m->entering++, names[k]);
    }
}

/* l = tanh(x W^T + h R^T + b) */
static void add_spelled(struct making *m)
{
    inlay_strbuf_printf(&m->body,
                        "%%g = MatMul-1(%%d, %%w) {transpose_a = false, transpose_b = true}\n"
                        "%%z = MatMul-1(%%h, %%r) {transpose_a = false, transpose_b = true}\n"
                        "%%q = Add-1(%%g, %%z)\n%s%%l = Tanh-1(%s)\n",
                        m->absent ? "" : "%u = Add-1(%q, %b)\n", m->absent ? "%q" : "%u");
}

static void add_cell(struct making *m)
{
    bool lstm = m->cell->states == 2;
    const char *h = lstm ? "%l:0" : "%l";

    inlay_strbuf_printf(&m->body,
                        "%%x_axis = Const-1 {value = i64[1] [%d]}\n"
                        "%%y_axis = Const-1 {value = i64[1] [%d]}\n"
                        "%%flat_as = Const-1 {value = i64[2] [-1, %lld]}\n",
                        m->x_axis, m->y_axis, (long long)m->input);
    inlay_strbuf_puts(&m->body, m->flat ? "%d = Reshape-1(%p, %flat_as) {special_zero = false}\n"
                                        : "%d = Squeeze-1(%p, %x_axis)\n");
    if (m->product)
        add_spelled(m);
    else
        inlay_strbuf_printf(&m->body, "%%l%s = %s(%%d, %%h%s, %%w, %%r%s) {hidden_size = %lld%s}\n",
                            lstm ? ":2" : "", m->cell->op, lstm ? ", %c" : "",
                            m->absent ? "" : ", %b", (long long)m->hidden, m->cell->more[m->more]);
    inlay_strbuf_printf(&m->body,
                        "%%part = Unsqueeze-1(%s, %%y_axis)\n%%o = Result-1(%%part)\n"
                        "%%ho = Result-1(%s)\n%s",
                        h, h, lstm ? "%co = Result-1(%l:1)\n" : "");
    inlay_strbuf_printf(
        &m->ports, "out %%o -> 0 axis %d %s part_size 1\nout %%ho -> 1\n%sback %%ho -> %%h\n%s",
        m->y_axis, m->reverse ? "start -1 end 0 stride -1" : "start 0 end -1 stride 1",
        lstm ? "out %co -> 2\n" : "", lstm ? "back %co -> %c\n" : "");
}

static void make(struct making *m, inlay_strbuf *text)
{
    int64_t rows = m->cell->gates * m->hidden;
    const int64_t w[] = {rows, m->input}, r[] = {rows, m->hidden},
                  b[] = {rows + (strstr(m->cell->more[m->more], "linear") ? m->hidden : 0)};

    add_data(m);
    add_states(m);
    add_weights(m, 0, "w", 2, w);
    add_weights(m, 1, "r", 2, r);
    if (!m->absent)
        add_weights(m, 2, "b", 1, b);
    add_cell(m);
    inlay_strbuf_printf(text, "graph \"g\" {\n%s%%t:%d = TensorIterator-1(%%x, %%h0%s%s%s%s)\n",
                        m->around.bytes, 1 + m->cell->states, m->cell->states == 2 ? ", %c0" : "",
                        m->outside[0] ? ", %outer_w" : "", m->outside[1] ? ", %outer_r" : "",
                        m->outside[2] && !m->absent ? ", %outer_b" : "");
    inlay_strbuf_printf(text, "body \"b\" {\n%s}\n%s", m->body.bytes, m->ports.bytes);
    for (int i = 0; i <= m->cell->states; i++)
        inlay_strbuf_printf(text, "%%y%d = Result-1(%%t:%d)\n", i, i);
    inlay_strbuf_puts(text, "}\n");
    inlay_strbuf_free(&m->around);
    inlay_strbuf_free(&m->body);
    inlay_strbuf_free(&m->ports);
}

/* Has the pass done what it should? */
static bool is_done(const struct making *m, const inlay_graph *g)
{
    bool bodies = false, product = false;

    for (const inlay_node *n = g->first; n; n = n->next) {
        bodies = bodies || n->n_bodies > 0;
        product = product || strcmp(n->op->name, "MatMul") == 0;
    }
    return m->product ? product || m->open : !bodies;
}

static void run(const inlay_graph *g, bool planned, const struct making *m, inlay_tensor **out,
                inlay_diags *d)
{
    inlay_evaluator e = planned ? inlay_planned_evaluator(NULL) : inlay_reference_evaluator(NULL);

    if (!e.eval_graph(e.ctx, g, (const inlay_tensor *const *)m->in, out, NULL, d))
        fail_msg("%s", model_messages(d));
}

static void compare(const inlay_graph *before, const inlay_graph *after, const struct making *m,
                    uint64_t seed, inlay_diags *d)
{
    inlay_tensor *want[3] = {NULL};

    run(before, false, m, want, d);
    for (int i = 0; i < 3; i++) {
        inlay_tensor *out[3] = {NULL};
        inlay_compare_options exact = {0};
        char why[512];

        run(i == 0 ? before : after, i != 1, m, out, d);
        for (int k = 0; k < before->n_results; k++) {
            if (!inlay_compare_tensors(want[k], out[k], &exact, why, sizeof why))
                fail_msg("seed %llu, output %d, %s: %s", (unsigned long long)seed, k,
                         i == 0 ? "the cells, planned" : "the sequence", why);
            inlay_tensor_release(out[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        inlay_tensor_release(want[k]);
}

static void try_seed(uint64_t seed)
{
    rng r = {.state = seed};
    inlay_pass_options passes = {.passes = "find-sequences,hoist-products", .check = true};
    inlay_strbuf text = {0};
    inlay_diags *d = inlay_diags_new();
    struct making m = {.r = &r};
    inlay_graph *before, *after;

    m.cell = &cells[rng_in(&r, 0, 3)];
    m.product = rng_one_in(&r, 3);
    m.cell = m.product ? &cells[3] : m.cell;
    m.batch = rng_in(&r, 1, 3);
    m.steps = rng_in(&r, 1, 5);
    m.input = rng_in(&r, 1, 9);
    m.hidden = rng_in(&r, 1, 20);
    m.x_axis = (int)rng_in(&r, 0, 1);
    m.y_axis = (int)rng_in(&r, 0, 1);
    m.more = (int)rng_in(&r, 0, 2);
    m.reverse = rng_one_in(&r, 3);
    m.open = rng_one_in(&r, 3);
    m.flat = rng_one_in(&r, 2);
    m.absent = rng_one_in(&r, 4);
    for (int i = 0; i < 3; i++)
        m.outside[i] = rng_one_in(&r, 3);
    if (m.open && rng_one_in(&r, 4))
        m.steps = 0;
    make(&m, &text);
    before = inlay_read_text("g", text.bytes, text.n, NULL, d);
    after = before ? inlay_graph_clone(before, d) : NULL;
    if (!after || !inlay_run_passes(after, &passes, d))
        fail_msg("seed %llu: %s", (unsigned long long)seed, model_messages(d));
    if (!is_done(&m, after))
        fail_msg("seed %llu: it stays", (unsigned long long)seed);
    compare(before, after, &m, seed, d);
    for (int i = 0; i < m.n_in; i++)
        inlay_tensor_release(m.in[i]);
    inlay_graph_free(before);
    inlay_graph_free(after);
    inlay_strbuf_free(&text);
    inlay_diags_free(d);
}

static void test_iterators(void **state)
{
    seed_range seeds = seeds_to_try(400, 60);

    for (uint64_t i = 0; i < seeds.n; i++)
        try_seed(seeds.first + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_iterators)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
