/* Attention with a cache of keys and values, step by step, in the ways in which models spell it:
 * a cache that grows, and a buffer with more room than there are rows. With the cache as a state of
 * the session, and with a cache that is given away, results must be those for a caller who keeps
 * it, and as loops over the valid rows compute them. What stands behind the valid rows is no number
 * (NaN), and nobody may look at it. A step copies what is new at most. */
#include "front/front.h"
#include "generate/rng.h"
#include "graphs.h"
#include "parser/parser.h"
#include "passes/passes.h"

#include <math.h>

enum {
    HEADS = 4,
    SIZE = 4,
    WIDTH = HEADS * SIZE,
    ROOM = 12,
    BATCHES = 3,
    STEPS = 5,
    MOST = 10,
    LISTS = 1024
};

typedef struct spelling {
    const char *name, *inputs, *outputs, *nodes;
    int groups;
    int window;   /* how many keys a query sees; 0: all */
    bool shared;  /* a buffer with room; else the cache grows */
    bool alike;   /* all batches have as many rows */
    bool rotates; /* queries and keys, by their positions */
    bool unknown; /* only the run says whether the cache grows: then it is copied */
} spelling;

#define CACHES(groups, length)                                                                     \
    ", float[B, " groups ", " length ", 4] past_k, float[B, " groups ", " length ", 4] past_v"
#define PRESENT(groups, length)                                                                    \
    ", float[B, " groups ", " length ", 4] present_k, float[B, " groups ", " length ", 4] "        \
    "present_v"
#define GROUP(attributes, more)                                                                    \
    "y, present_k, present_v = com.microsoft.GroupQueryAttention <num_heads = 4, kv_num_heads = "  \
    "2" attributes "> (q, k, v, past_k, past_v, last, total" more ")\n"
#define SCATTER(what)                                                                              \
    what "4 = Reshape <allowzero = 0> (" what ", form)\n"                                          \
         "new_" what " = Transpose <perm = [0, 2, 1, 3]> (" what "4)\n"                            \
         "present_" what " = TensorScatter <axis = 2> (past_" what ", new_" what ", start)\n"

static const spelling spellings[] = {
    {"GroupQueryAttention, one buffer",
     "float[B, L, 8] k, float[B, L, 8] v, int32[B] last, int32 total" CACHES("2", "12"),
     PRESENT("2", "12"), GROUP("", ""), 2, 0, true, false, false, false},
    {"GroupQueryAttention, one buffer, a window of three",
     "float[B, L, 8] k, float[B, L, 8] v, int32[B] last, int32 total" CACHES("2", "12"),
     PRESENT("2", "12"), GROUP(", local_window_size = 3", ""), 2, 3, true, false, false, false},
    {"GroupQueryAttention, one buffer, rotated",
     "float[B, L, 8] k, float[B, L, 8] v, int32[B] last, int32 total, float[12, 2] cos, "
     "float[12, 2] sin" CACHES("2", "12"),
     PRESENT("2", "12"), GROUP(", do_rotary = 1", ", cos, sin"), 2, 0, true, false, true, false},
    {"GroupQueryAttention that grows",
     "float[B, L, 8] k, float[B, L, 8] v, int32[B] last, int32 total" CACHES("2", "P"),
     PRESENT("2", "N"), GROUP("", ""), 2, 0, false, true, false, true},
    {"MultiHeadAttention, one buffer",
     "float[B, L, 16] k, float[B, L, 16] v, int32[1] length" CACHES("4", "12"), PRESENT("4", "12"),
     "y, present_k, present_v = com.microsoft.MultiHeadAttention <num_heads = 4, unidirectional = "
     "1> (q, k, v, \"\", \"\", \"\", past_k, past_v, length)\n",
     4, 0, true, true, false, false},
    {"MultiHeadAttention that grows", "float[B, L, 16] k, float[B, L, 16] v" CACHES("4", "P"),
     PRESENT("4", "N"),
     "y, present_k, present_v = com.microsoft.MultiHeadAttention <num_heads = 4, unidirectional = "
     "1> (q, k, v, \"\", \"\", \"\", past_k, past_v)\n",
     4, 0, false, true, false, false},
    {"TensorScatter and Attention",
     "float[B, L, 8] k, float[B, L, 8] v, int64[B] start, int64[B] valid" CACHES("2", "12"),
     PRESENT("2", "12"),
     "form = Constant <value_ints = [0, 0, 2, 4]> ()\n" SCATTER("k")
         SCATTER("v") "q_form = Constant <value_ints = [0, 0, 4, 4]> ()\nq4 = Reshape (q, q_form)\n"
                      "own = Transpose <perm = [0, 2, 1, 3]> (q4)\n"
                      "y4 = Attention <is_causal = 1> (own, present_k, present_v, \"\", \"\", "
                      "\"\", valid)\n"
                      "back = Transpose <perm = [0, 2, 1, 3]> (y4)\n"
                      "flat = Constant <value_ints = [0, 0, 16]> ()\ny = Reshape (back, flat)\n",
     2, 0, true, false, false, false},
    {"Attention that grows", "float[B, L, 8] k, float[B, L, 8] v" CACHES("2", "P"),
     PRESENT("2", "N"),
     "y, present_k, present_v = Attention <is_causal = 1, q_num_heads = 4, kv_num_heads = 2> (q, "
     "k, v, \"\", past_k, past_v)\n",
     2, 0, false, true, false, false},
};

/* One sequence of steps. Rows are [batch][row][group * SIZE], before they are rotated. */
typedef struct play {
    const spelling *s;
    int batches, lengths[BATCHES], fresh; /* rows that there are; rows of a step */
    float q[BATCHES][MOST][WIDTH], k[BATCHES][MOST][WIDTH], v[BATCHES][MOST][WIDTH];
} play;

static float angle(int row, int pair)
{
    return (float)(row + 1) * (pair ? 0.25F : 0.75F);
}

/* Element I of the head X at position ROW, rotated. */
static double turned(const spelling *s, const float *x, int row, int i)
{
    int pair = i % (SIZE / 2);
    double c = cosf(angle(row, pair)), n = sinf(angle(row, pair));

    if (!s->rotates)
        return x[i];
    return i < SIZE / 2 ? x[pair] * c - x[pair + SIZE / 2] * n
                        : x[pair] * n + x[pair + SIZE / 2] * c;
}

/* Element I of what query ROW of BATCH and HEAD gets, by loops over what it may see. */
static double expected(const play *p, int batch, int head, int row, int i)
{
    int at = head / (HEADS / p->s->groups) * SIZE;
    int first = p->s->window && row >= p->s->window ? row - p->s->window + 1 : 0;
    double sum = 0, y = 0;

    for (int key = first; key <= row; key++) {
        double score = 0;

        for (int e = 0; e < SIZE; e++)
            score += turned(p->s, &p->q[batch][row][head * SIZE], row, e) *
                     turned(p->s, &p->k[batch][key][at], key, e);
        score = exp(score / sqrt(SIZE));
        sum += score;
        y += score * (double)p->v[batch][key][at + i];
    }
    return y / sum;
}

static inlay_tensor *tensor(inlay_type type, int rank, const int64_t *dims)
{
    inlay_tensor *t = inlay_tensor_new(type, rank, dims);

    assert_non_null(t);
    return t;
}

#define TENSOR(type, ...)                                                                          \
    tensor(type, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t),                         \
           (const int64_t[]){__VA_ARGS__})

/* The rows of X behind those that there are. */
static inlay_tensor *fresh_rows(const play *p, float x[BATCHES][MOST][WIDTH], int width)
{
    inlay_tensor *t = TENSOR(INLAY_F32, p->batches, p->fresh, width);

    for (int b = 0; b < p->batches; b++)
        for (int r = 0; r < p->fresh; r++)
            memcpy((float *)t->data + (b * p->fresh + r) * width, x[b][p->lengths[b] + r],
                   (size_t)width * sizeof(float));
    return t;
}

/* The cache of the rows of X, which are rotated if they are keys; behind them there is no number.
 */
static inlay_tensor *cache_of(const play *p, float x[BATCHES][MOST][WIDTH], bool keys)
{
    int64_t room = p->s->shared ? ROOM : p->lengths[0];
    inlay_tensor *t = TENSOR(INLAY_F32, p->batches, p->s->groups, room, SIZE);
    spelling plain = {.rotates = keys && p->s->rotates};

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        int e = (int)(i % SIZE), row = (int)(i / SIZE % room);
        int g = (int)(i / SIZE / room % p->s->groups), b = (int)(i / SIZE / room / p->s->groups);

        ((float *)t->data)[i] =
            row < p->lengths[b] ? (float)turned(&plain, &x[b][row][g * SIZE], row, e) : NAN;
    }
    return t;
}

static inlay_tensor *numbers(inlay_type type, const play *p, int more)
{
    inlay_tensor *t = TENSOR(type, p->batches);

    for (int b = 0; b < p->batches; b++)
        inlay_tensor_set_i64(t, b, p->lengths[b] + more);
    return t;
}

static inlay_tensor *total_of(const play *p)
{
    inlay_tensor *t = tensor(INLAY_I32, 0, NULL);
    int most = 0;

    for (int b = 0; b < p->batches; b++)
        most = p->lengths[b] > most ? p->lengths[b] : most;
    inlay_tensor_set_i64(t, 0, most + p->fresh);
    return t;
}

static inlay_tensor *angles(bool sine)
{
    inlay_tensor *t = TENSOR(INLAY_F32, ROOM, SIZE / 2);

    for (int i = 0; i < ROOM * SIZE / 2; i++) {
        float a = angle(i / (SIZE / 2), i % (SIZE / 2));

        ((float *)t->data)[i] = sine ? sinf(a) : cosf(a);
    }
    return t;
}

/* What the input NAME of a step is. */
static inlay_tensor *input_of(play *p, const char *name)
{
    int width = p->s->groups * SIZE;
    inlay_tensor *t;

    if (strlen(name) == 1)
        return fresh_rows(p,
                          *name == 'q'   ? p->q
                          : *name == 'k' ? p->k
                                         : p->v,
                          *name == 'q' ? WIDTH : width);
    if (strncmp(name, "past", 4) == 0)
        return cache_of(p, name[5] == 'k' ? p->k : p->v, name[5] == 'k');
    if (strcmp(name, "last") == 0)
        return numbers(INLAY_I32, p, p->fresh - 1);
    if (strcmp(name, "total") == 0)
        return total_of(p);
    if (strcmp(name, "cos") == 0 || strcmp(name, "sin") == 0)
        return angles(*name == 's');
    if (strcmp(name, "length") != 0)
        return numbers(INLAY_I64, p, strcmp(name, "valid") == 0 ? p->fresh : 0);
    t = TENSOR(INLAY_I32, 1);
    inlay_tensor_set_i64(t, 0, p->lengths[0]);
    return t;
}

/* How the cache goes from step to step. */
typedef enum binding { REFERENCE, KEPT, DONATED, CARRIED } binding;

typedef struct decoder {
    inlay_model *m;
    inlay_session *session;
    inlay_diags *d;
    inlay_tensor *past[2]; /* what the caller hands on; NULL: the session does */
    binding by;
} decoder;

static inlay_graph *graph_for(const play *p, bool open, inlay_diags *d)
{
    const spelling *s = p->s;
    char text[4000];
    inlay_graph *g;
    int n = snprintf(text, sizeof text,
                     "<ir_version: 10, opset_import: [\"\" : 24, \"com.microsoft\" : 1]>\n"
                     "m (float[B, L, 16] q, %s) => (float[B, L, 16] y%s)\n{\n%s}\n",
                     s->inputs, s->outputs, s->nodes);

    for (char *at = text; !open && (at = strpbrk(at, "BL")); at++) /* the sizes are known */
        if (strchr("[ ", at[-1]) && (at[1] == ',' || at[1] == ']'))
            *at = (char)('0' + (*at == 'B' ? p->batches : p->fresh));
    g = inlay_read_onnx(s->name, text, (size_t)n, NULL, NULL, d);
    if (!g)
        fail_msg("%s: %s", s->name, inlay_diags_at(d, 0)->text);
    return g;
}

static decoder decoder_of(play *p, binding by, bool open)
{
    const inlay_load_options o = {
        .exec = {.mode = by == REFERENCE ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED,
                 .threads = 1}};
    decoder x = {.d = inlay_diags_new(), .by = by};
    inlay_graph *g = graph_for(p, open, x.d);
    inlay_carried pairs[2];

    for (int i = 0; i < 2; i++) {
        const char *name = i ? "past_v" : "past_k";

        pairs[i] = (inlay_carried){1 + i, inlay_graph_find_input(g, name, strlen(name))};
        x.past[i] = input_of(p, name);
    }
    if (by == CARRIED && !inlay_graph_carry(g, pairs, 2, x.d))
        fail_msg("%s: %s", p->s->name, inlay_diags_at(x.d, 0)->text);
    x.m = inlay_load_graph(g, &o, x.d);
    x.session = x.m ? inlay_session_new(x.m->program, x.d) : NULL;
    if (!x.session)
        fail_msg("%s: %s", p->s->name, inlay_diags_at(x.d, 0)->text);
    return x;
}

/* A step; Y receives its result. */
static void step(decoder *x, play *p, inlay_tensor **y)
{
    const inlay_graph *g = x->m->graph;
    inlay_tensor *in[12], *out[3] = {NULL};
    bool donated[12] = {false};

    for (int i = 0; i < g->n_params; i++) {
        const char *name = g->params[i]->name;
        bool past = strncmp(name, "past", 4) == 0;

        in[i] = past ? x->past[name[5] == 'v'] : input_of(p, name);
        donated[i] = past && x->by == DONATED;
    }
    if (!inlay_session_run(x->session, (const inlay_tensor *const *)in, donated, out, x->d))
        fail_msg("%s: %s", p->s->name, inlay_diags_at(x->d, 0)->text);
    for (int i = 0; i < g->n_params; i++) {
        if (strncmp(g->params[i]->name, "past", 4) != 0)
            inlay_tensor_release(in[i]);
    }
    for (int i = 0; i < 2 && x->by != CARRIED; i++) {
        inlay_tensor_release(x->past[i]);
        x->past[i] = out[1 + i];
    }
    *y = out[0];
}

static void free_decoder(decoder *x)
{
    inlay_tensor_release(x->past[0]);
    inlay_tensor_release(x->past[1]);
    inlay_session_free(x->session);
    inlay_model_free(x->m);
    inlay_diags_free(x->d);
}

static void check_step(const play *p, const inlay_tensor *y)
{
    for (int64_t i = 0; i < inlay_tensor_count(y); i++) {
        int e = (int)(i % SIZE), head = (int)(i / SIZE % HEADS);
        int row = (int)(i / WIDTH % p->fresh), b = (int)(i / WIDTH / p->fresh);
        double want = expected(p, b, head, p->lengths[b] + row, e),
               got = (double)((const float *)y->data)[i];

        if (!(fabs(got - want) <= 1e-5))
            fail_msg("%s, %d batches, row %d of batch %d: %g, must be %g", p->s->name, p->batches,
                     p->lengths[b] + row, b, got, want);
    }
}

/* Bytes that a step of X may copy: the new rows, and in a state those that they replace, too; heads
 * that change places with several queries, a row of cosines and one of sines; if sizes are OPEN,
 * lists of them. */
static uint64_t allowed(const play *p, const decoder *x, bool open)
{
    uint64_t rows = (uint64_t)2 * (uint64_t)(p->batches * p->fresh * p->s->groups * SIZE) * 4;
    uint64_t queries = p->fresh > 1 ? (uint64_t)(p->batches * p->fresh * WIDTH) * 4 : 0;
    uint64_t angles = p->s->rotates ? (uint64_t)(p->batches * p->fresh * SIZE) * 4 : 0;

    rows = x->by == CARRIED && p->s->shared ? 2 * rows : rows;
    return rows + 2 * queries + angles + (open ? LISTS : 0);
}

static void check_copied(const play *p, const decoder *x, int k, bool open)
{
    bool counts = p->s->shared ? x->by == DONATED || (x->by == CARRIED && k > 0)
                               : x->by == CARRIED && k > 0 && p->fresh == 1 && !p->s->unknown;
    inlay_exec_stats s;

    inlay_session_stats(x->session, &s);
    if (counts && s.copied_bytes > allowed(p, x, open))
        fail_msg("%s, %s%d batches, step %d, %s: %llu bytes are copied, %llu may be", p->s->name,
                 open ? "open, " : "", p->batches, k, x->by == CARRIED ? "carried" : "donated",
                 (unsigned long long)s.copied_bytes, (unsigned long long)allowed(p, x, open));
}

static void play_steps(play *p, bool open, int steps)
{
    decoder x[4];

    for (int i = 0; i < 4; i++)
        x[i] = decoder_of(p, (binding)i, open);
    for (int k = 0; k < steps; k++) {
        inlay_tensor *y[4];

        for (int i = 0; i < 4; i++) {
            step(&x[i], p, &y[i]);
            check_step(p, y[i]);
            check_copied(p, &x[i], k, open);
            if (memcmp(y[i]->data, y[0]->data, inlay_tensor_bytes(y[0])) != 0)
                fail_msg("%s, step %d: binding %d gives other bits", p->s->name, k, i);
        }
        for (int i = 0; i < 4; i++)
            inlay_tensor_release(y[i]);
        for (int b = 0; b < p->batches; b++)
            p->lengths[b] += p->fresh;
    }
    for (int i = 0; i < 4; i++)
        free_decoder(&x[i]);
}

static play play_of(const spelling *s, int batches, int fresh, rng *r)
{
    play p = {.s = s, .batches = batches, .fresh = fresh};
    float *rows[] = {&p.q[0][0][0], &p.k[0][0][0], &p.v[0][0][0]};

    for (int i = 0; i < 3 * BATCHES * MOST * WIDTH; i++)
        rows[i % 3][i / 3] = (float)rng_in(r, -64, 64) / 32;
    for (int b = 0; b < batches; b++)
        p.lengths[b] = s->alike ? (int)(s->shared ? 0 : 2) : 2 * b;
    return p;
}

static void test_spelling(void **state)
{
    const spelling *s = *state;
    rng r = {1};

    for (int batches = 1; batches <= BATCHES; batches += 2) {
        for (int open = 0; open < 2; open++) {
            play p = play_of(s, batches, 1, &r);

            play_steps(&p, open, STEPS);
        }
    }
    for (int open = 0; open < 2; open++) { /* a prompt, and another one */
        play p = play_of(s, 1, 3, &r);

        play_steps(&p, open, 2);
    }
}

int main(void)
{
    enum { COUNT = sizeof spellings / sizeof spellings[0] };
    struct CMUnitTest tests[COUNT];

    for (int i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){spellings[i].name, test_spelling, NULL, NULL,
                                       (void *)(uintptr_t)&spellings[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
