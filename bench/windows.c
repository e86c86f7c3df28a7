/* Inlay on the workloads of this folder, through the public headers. usage: windows WORKLOAD
 * VARIANT: rows or columns with kept or donated inputs, or cache-LENGTH with variable. */
#include "bench/measure.h"
#include "inlay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    inlay_diags *d;
    inlay_graph *g;
    inlay_program *p;
    inlay_session *s;
    inlay_tensor *in[2], *out[1];
    bool donate;
    int64_t length, step; /* of a cache: its rows, the row that is written next */
};

/* the graphs, as text */

static void chain_text(inlay_strbuf *t, bool rows)
{
    int step = rows ? ROW_STEP : COLUMN_STEP, count = rows ? ROW_COUNT : COLUMN_COUNT;

    inlay_strbuf_printf(
        t,
        "graph \"chain\" {\n%%d0 = Parameter {element_type = f32, shape = [%d,%d]}\n"
        "%%one = Const {value = i64[1] [1]}\n%%axis = Const {value = i64[1] [%d]}\n"
        "%%scale = Const {value = f32[] [%g]}\n%%shift = Const {value = f32[] [%g]}\n",
        ROWS, COLUMNS, rows ? 0 : 1, (double)SCALE, (double)SHIFT);
    for (int i = 0; i < WINDOWS; i++)
        inlay_strbuf_printf(t,
                            "%%b%d = Const {value = i64[1] [%d]}\n"
                            "%%e%d = Const {value = i64[1] [%d]}\n"
                            "%%x%d = Slice(%%d%d, %%b%d, %%e%d, %%one, %%axis)\n"
                            "%%m%d = Multiply(%%x%d, %%scale)\n%%y%d = Add(%%m%d, %%shift)\n"
                            "%%d%d = SliceScatter(%%d%d, %%y%d, %%b%d, %%e%d, %%one, %%axis)\n",
                            i, i * step, i, i * step + count, i, i, i, i, i, i, i, i, i + 1, i, i,
                            i, i);
    inlay_strbuf_printf(t, "%%out = Result(%%d%d)\n}\n", WINDOWS);
}

static void cache_text(inlay_strbuf *t, long length)
{
    inlay_strbuf_printf(t,
                        "graph \"cache\" {\n"
                        "%%row = Parameter {element_type = f32, shape = [1,%d,1,%d]}\n"
                        "%%place = Parameter {element_type = i64, shape = [1]}\n"
                        "%%axis = Const {value = i64[] [2]}\n"
                        "%%all = Const {value = i64[4] [0, 1, 2, 3]}\n"
                        "%%old = ReadValue {variable_id = \"cache\", variable_type = f32, "
                        "variable_shape = [1,%d,%ld,%d]}\n"
                        "%%new = ScatterUpdate(%%old, %%place, %%row, %%axis)\n"
                        "%%store = Assign(%%new) {variable_id = \"cache\"}\n"
                        "%%back = Gather(%%new, %%place, %%axis)\n%%y = ReduceSum(%%back, %%all)\n"
                        "%%out = Result(%%y)\n}\n",
                        HEADS, WIDTH, HEADS, length, WIDTH);
}

/* running */

static bool run(void *ctx)
{
    struct bench *b = ctx;
    bool donated[2] = {b->donate, false};

    if (b->length)
        inlay_tensor_set_i64(b->in[1], 0, b->step++ % b->length);
    inlay_tensor_release(b->out[0]);
    b->out[0] = NULL;
    if (!inlay_session_run(b->s, (const inlay_tensor *const *)b->in, donated, b->out, b->d))
        die("run", b->d);
    if (b->donate) { /* the result is the donated tensor, which is donated again */
        inlay_tensor_release(b->in[0]);
        b->in[0] = b->out[0];
        b->out[0] = NULL;
    }
    return true;
}

static void compile(struct bench *b, const inlay_strbuf *text)
{
    inlay_evaluator e = inlay_reference_evaluator(NULL);
    inlay_pass_options passes = {.evaluator = &e};
    inlay_exec_options exec = {.mode = INLAY_EXEC_PLANNED, .threads = 1};

    b->g = inlay_read_text("bench", text->bytes, text->n, NULL, b->d);
    if (!b->g || !inlay_run_passes(b->g, &passes, b->d))
        die("graph", b->d);
    b->p = inlay_compile(b->g, &exec, b->d);
    b->s = b->p ? inlay_session_new(b->p, b->d) : NULL;
    if (!b->s)
        die("compile", b->d);
}

static double first_result(struct bench *b)
{
    const inlay_tensor *t;

    run(b);
    t = b->donate ? b->in[0] : b->out[0];
    return sum((const float *)t->data + t->offset, (size_t)inlay_tensor_count(t));
}

static void report(struct bench *b, const char *workload, const char *variant)
{
    inlay_exec_stats stats;
    char more[128];
    measurement m = {"inlay", workload, variant, run, b, 0, 0, more};

    m.check = first_result(b);
    if (!b->length)
        m.memcpy_size = sizeof(float) * ROWS * COLUMNS;
    inlay_session_stats(b->s, &stats);
    snprintf(more, sizeof more, ", \"copied_bytes\": %llu, \"in_place_writes\": %llu",
             (unsigned long long)stats.copied_bytes, (unsigned long long)stats.in_place_writes);
    measure(&m);
}

static void free_bench(struct bench *b)
{
    inlay_session_free(b->s);
    inlay_program_free(b->p);
    inlay_graph_free(b->g);
    inlay_tensor_release(b->in[0]);
    inlay_tensor_release(b->in[1]);
    inlay_tensor_release(b->out[0]);
    inlay_diags_free(b->d);
}

int main(int argc, char **argv)
{
    struct bench b = {.d = inlay_diags_new()};
    inlay_strbuf text = {0};
    const int64_t chain[] = {ROWS, COLUMNS}, row[] = {1, HEADS, 1, WIDTH}, one[] = {1};

    if (argc != 3) {
        fprintf(stderr, "usage: windows rows|columns kept|donated, or cache-LENGTH variable\n");
        return 2;
    }
    if (strncmp(argv[1], "cache-", 6) == 0) {
        b.length = atol(argv[1] + 6);
        cache_text(&text, (long)b.length);
        b.in[1] = inlay_tensor_new(INLAY_I64, 1, one);
    } else {
        chain_text(&text, strcmp(argv[1], "rows") == 0);
        b.donate = strcmp(argv[2], "donated") == 0;
    }
    b.in[0] =
        b.length ? inlay_tensor_new(INLAY_F32, 4, row) : inlay_tensor_new(INLAY_F32, 2, chain);
    if (text.failed || !b.in[0] || (b.length && !b.in[1]))
        die("out of memory", b.d);
    fill(b.in[0]->data, (size_t)inlay_tensor_count(b.in[0]));
    compile(&b, &text);
    report(&b, argv[1], argv[2]);
    inlay_strbuf_free(&text);
    free_bench(&b);
    return 0;
}
