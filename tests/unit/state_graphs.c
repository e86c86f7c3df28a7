#include "state_graphs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Text */

static void add(state_graph *g, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    g->n += (size_t)vsnprintf(g->text + g->n, sizeof g->text - g->n, fmt, args);
    va_end(args);
    assert_true(g->n < sizeof g->text);
}

/* Adds a value that is made as FMT says, and returns its number. */
static int make(state_graph *g, const char *fmt, ...)
{
    va_list args;
    char how[400];

    va_start(args, fmt);
    vsnprintf(how, sizeof how, fmt, args);
    va_end(args);
    add(g, "%%v%d = %s\n", g->values, how);
    return g->values++;
}

/* V has the axes of a state, so that others may be made of it. Returns V. */
static int see(state_graph *g, int v)
{
    if (g->n_seen < STATE_VALUES)
        g->seen[g->n_seen++] = v;
    return v;
}

static int any_seen(state_graph *g)
{
    return g->seen[rng_in(&g->r, 0, g->n_seen - 1)];
}

/* Adds a Result, and returns its index. */
static int give(state_graph *g, int v)
{
    assert_true(g->n_results < STATE_RESULTS);
    add(g, "%%o%d = Result-1(%%v%d)\n", g->n_results, v);
    return g->n_results++;
}

static int state_input_of(state_graph *g, state_input kind)
{
    assert_true(g->n_inputs < STATE_INPUTS);
    g->inputs[g->n_inputs++] = kind;
    return make(g, "Parameter-1 {element_type = %s, shape = %s}", g->type, g->shape);
}

/* What all parts of the graph use */

static void draw_form(state_graph *g)
{
    static const char *const types[] = {"i32", "i32", "f32", "i64", "u8", "f16"};
    int type = (int)rng_in(&g->r, 0, 5);

    g->type = types[type];
    g->sums = type < 4;
    g->rank = (int)rng_in(&g->r, 2, STATE_RANK);
    g->axis = (int)rng_in(&g->r, rng_one_in(&g->r, 4) ? 0 : 1, g->rank - 1);
    g->beams = g->axis > 0 ? (int)rng_in(&g->r, 0, rng_one_in(&g->r, 4) ? g->axis - 1 : 0)
                           : (int)rng_in(&g->r, 1, g->rank - 1);
    for (int i = 0; i < g->rank; i++)
        g->dims[i] = i == g->axis ? rng_in(&g->r, 0, 5) : rng_in(&g->r, 1, 3);
    if (rng_one_in(&g->r, 3)) /* the room behind a state, of 4 KiB, is used up in a few runs */
        g->dims[g->axis < g->rank - 1 ? g->rank - 1 : 0] = rng_in(&g->r, 50, 400);
    g->varies = rng_one_in(&g->r, 6);
    if (g->varies && g->dims[g->beams] > 3)
        g->dims[g->beams] = 2;
}

/* The axis along which rows are added is open, others are for some. */
static void write_shape(state_graph *g)
{
    bool open = rng_one_in(&g->r, 3);
    size_t n = (size_t)snprintf(g->shape, sizeof g->shape, "[");

    for (int i = 0; i < g->rank; i++) {
        const char *end = i + 1 < g->rank ? "," : "]";

        if (i == g->axis || (i == g->beams && g->varies) || (open && rng_one_in(&g->r, 2)))
            n += (size_t)snprintf(g->shape + n, sizeof g->shape - n, "?%s", end);
        else
            n += (size_t)snprintf(g->shape + n, sizeof g->shape - n, "%lld%s",
                                  (long long)g->dims[i], end);
    }
}

static void add_shared(state_graph *g)
{
    static const state_input kinds[] = {STATE_BY, STATE_BEAM, STATE_AT, STATE_FROM};
    bool wide = rng_one_in(&g->r, 2);

    for (int i = 0; i < 4; i++)
        g->inputs[g->n_inputs++] = kinds[i];
    add(g,
        "%%by = Parameter-1 {element_type = i32, shape = []}\n"
        "%%beam = Parameter-1 {element_type = %s, shape = [?]}\n"
        "%%at = Parameter-1 {element_type = i64, shape = [1]}\n"
        "%%from = Parameter-1 {element_type = i64, shape = [1]}\n",
        wide ? "i64" : "i32");
    add(g, "%%far = Convert-1(%%beam) {destination_type = %s}\n", wide ? "i32" : "i64");
    add(g,
        "%%zero = Const-1 {value = i64[1] [0]}\n%%one = Const-1 {value = i64[1] [1]}\n"
        "%%most = Const-1 {value = i64[1] [9999]}\n%%end = Add-1(%%at, %%one)\n"
        "%%flat = Const-1 {value = i64[1] [-1]}\n%%c = Const-1 {value = %s[1] [1]}\n",
        g->type);
    add(g, "%%axis = Const-1 {value = i64[] %d}\n%%along = Const-1 {value = i64[1] [%d]}\n",
        g->axis, g->axis);
    add(g, "%%other = Const-1 {value = i64[] %d}\n%%across = Const-1 {value = i64[1] [%d]}\n",
        g->beams, g->beams - (rng_one_in(&g->r, 3) ? g->rank : 0));
    g->order = rng_one_in(&g->r, 4) ? "far" : "beam";
}

/* What is made of a state */

static int add_picked(state_graph *g, int v)
{
    static const char *const versions[] = {"1", "7", "8"};

    return make(g, "Gather-%s(%%v%d, %%%s, %%other)", versions[rng_in(&g->r, 0, 2)], v, g->order);
}

/* The first rows go, or all but the last ones. */
static int add_cut(state_graph *g, int v)
{
    int k = (int)rng_in(&g->r, 0, 3);

    if (rng_one_in(&g->r, 4))
        return make(g, "Slice-8(%%v%d, %%from, %%most, %%one, %%along)", v);
    k = make(g, "Const-1 {value = i64[1] [%d]}", k < 3 ? k : -(int)rng_in(&g->r, 1, 4));
    return make(g, "Slice-8(%%v%d, %%v%d, %%most, %%one, %%along)", v, k);
}

/* A row is written, or one of the other axis is read, changed and written back. */
static int add_write(state_graph *g, int v)
{
    int kind = (int)rng_in(&g->r, 0, 2), row;

    if (kind == 2) {
        row = make(g, "Slice-8(%%v%d, %%zero, %%one, %%one, %%across)", v);
        row = make(g, "Add-1(%%v%d, %%c)", row);
        return make(g, "SliceScatter-15(%%v%d, %%v%d, %%zero, %%one, %%one, %%across)", v, row);
    }
    row = state_input_of(g, STATE_ROW);
    if (kind == 1)
        return make(g, "SliceScatter-15(%%v%d, %%v%d, %%at, %%end, %%one, %%along)", v, row);
    return make(g, "ScatterUpdate-3(%%v%d, %%at, %%v%d, %%axis)", v, row);
}

static int add_token(state_graph *g)
{
    int token = state_input_of(g, STATE_TOKEN);

    return rng_one_in(&g->r, 3) ? make(g, "Add-1(%%v%d, %%c)", token) : token;
}

/* Rows are added: behind, most of the time; of one value, or of two, or of one twice; or before. */
static int add_joined(state_graph *g, int v)
{
    int kind = (int)rng_in(&g->r, 0, 9), token = add_token(g), second;
    int axis = g->axis - (rng_one_in(&g->r, 3) ? g->rank : 0);

    if (kind == 0)
        return make(g, "Concat-1(%%v%d, %%v%d) {axis = %d}", token, v, axis);
    if (kind > 3)
        return make(g, "Concat-1(%%v%d, %%v%d) {axis = %d}", v, token, axis);
    second = kind == 1 ? token : kind == 2 ? add_token(g) : v;
    if (kind < 3)
        return make(g, "Concat-1(%%v%d, %%v%d, %%v%d) {axis = %d}", v, token, second, axis);
    v = make(g, "Concat-1(%%v%d, %%v%d, %%v%d) {axis = %d}", v, second, token, axis);
    return add_cut(g, make(g, "Slice-8(%%v%d, %%flat, %%most, %%one, %%along)", v));
}

static int add_computed(state_graph *g, int v)
{
    return rng_one_in(&g->r, 2) ? make(g, "Add-1(%%v%d, %%c)", v)
                                : make(g, "Maximum-1(%%v%d, %%c)", v);
}

/* Readers */

/* Somebody reads V in one of the ways that want strides, dense elements, or a tensor of their own.
 */
static void add_reader(state_graph *g, int v)
{
    int kind = (int)rng_in(&g->r, g->sums ? 0 : 2, 8);

    if (kind <= 1)
        v = make(g, "ReduceSum-1(%%v%d, %%along)", v);
    else if (kind == 2)
        v = make(g, "Maximum-1(%%v%d, %%c)", v);
    else if (kind == 3)
        v = make(g, "ShapeOf-3(%%v%d)", v);
    else if (kind == 4)
        v = make(g, "Reshape-1(%%v%d, %%flat) {special_zero = false}", v);
    else if (kind == 5)
        v = make(g, "Gather-8(%%v%d, %%zero, %%other)", v);
    else if (kind == 6)
        v = make(g, "Maximum-1(%%v%d, %%c)", make(g, "Unsqueeze-1(%%v%d, %%zero)", v));
    else if (kind == 7)
        v = add_cut(g, v);
    give(g, v);
}

static void add_readers(state_graph *g, int most)
{
    for (int64_t n = rng_in(&g->r, 0, most); n > 0; n--)
        add_reader(g, any_seen(g));
}

/* The run fails here, sometimes. */
static void add_failure(state_graph *g)
{
    int x = make(g, "Const-1 {value = i32[1] [1]}");

    give(g, make(g, "Divide-1(%%v%d, %%by)", x));
}

/* States */

static void add_state(state_graph *g, int k, bool as_input)
{
    int first = -1;

    g->given[k] = as_input ? g->n_inputs : -1;
    if (as_input || rng_one_in(&g->r, 2))
        first = state_input_of(g, STATE_FIRST);
    g->begins[k] = first >= 0;
    if (as_input) {
        g->past[k] = see(g, first);
        return;
    }
    add(g, "%%v%d = ReadValue-6", g->values);
    if (first >= 0)
        add(g, "(%%v%d)", first);
    add(g, " {variable_id = \"s%d\", variable_type = %s, variable_shape = %s}\n", k, g->type,
        g->shape);
    g->past[k] = see(g, g->values++);
}

/* Returns what becomes of V: usually what caches do, else a few things in any order. */
static int add_chain(state_graph *g, int v)
{
    typedef int maker(state_graph *, int);
    static maker *const makers[] = {add_picked, add_cut, add_write, add_joined, add_computed};
    static const char *const usual[] = {"J", "PJ", "CJ", "PCJ", "JC", "PJC", "W", "PW", "WW", "JW"};
    static const char letters[] = "PCWJA";
    char drawn[8] = "";
    const char *all = drawn;

    if (!rng_one_in(&g->r, 3))
        all = usual[rng_in(&g->r, 0, 9)];
    else
        for (int64_t i = rng_in(&g->r, 0, 4); i > 0; i--)
            drawn[i - 1] = letters[rng_in(&g->r, 0, 4)];
    for (; *all; all++) {
        v = see(g, makers[strchr(letters, *all) - letters](g, v));
        if (rng_one_in(&g->r, 4))
            add_reader(g, any_seen(g));
    }
    return v;
}

/* V is what state K will be. */
static void add_next(state_graph *g, int k, int v)
{
    if (g->given[k] < 0)
        add(g, "%%a%d = Assign-6(%%v%d) {variable_id = \"s%d\"}\n", k, v, k);
    else
        g->pairs[g->n_pairs++] = (inlay_carried){give(g, v), g->given[k]};
}

void make_state_graph(state_graph *g, uint64_t seed)
{
    int next[STATE_MOST], turn, failure;
    bool as_inputs;

    *g = (state_graph){.r = {seed}};
    draw_form(g);
    write_shape(g);
    add_shared(g);
    as_inputs = rng_one_in(&g->r, 3);
    g->n_states = rng_one_in(&g->r, 2) ? 1 : (int)rng_in(&g->r, 2, STATE_MOST);
    for (int k = 0; k < g->n_states; k++)
        add_state(g, k, as_inputs);
    failure = (int)rng_in(&g->r, 0, 3);
    if (failure == 0)
        add_failure(g);
    for (int k = 0; k < g->n_states; k++)
        next[k] = add_chain(g, g->past[k]);
    if (failure == 1)
        add_failure(g);
    add_readers(g, 2);
    turn = rng_one_in(&g->r, 4) ? (int)rng_in(&g->r, 1, 2) : 0;
    for (int k = 0; k < g->n_states; k++)
        add_next(g, k, rng_one_in(&g->r, 12) ? any_seen(g) : next[(k + turn) % g->n_states]);
    add_readers(g, 2);
    add_failure(g);
}
