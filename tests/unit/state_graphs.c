#include "state_graphs.h"
#include "unit.h"

/* Text */

static void add(state_graph *g, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    g->n += (size_t)vsnprintf(g->text + g->n, sizeof g->text - g->n, fmt, args);
    va_end(args);
    assert_true(g->n < sizeof g->text);
}

static const char *name(const state_graph *g, int v)
{
    return g->names[v];
}

/* Returns the number of another value; it is output OUTPUT of the node of value OF, unless OF is
 * below 0. */
static int new_value(state_graph *g, int of, int output)
{
    char *to = g->names[g->values];

    assert_true(g->values < STATE_VALUES);
    if (of >= 0)
        snprintf(to, sizeof *g->names, "v%d:%d", of, output);
    else
        snprintf(to, sizeof *g->names, "v%d", g->values);
    return g->values++;
}

/* Adds a value that is made as FMT says, and returns its number. */
static int make(state_graph *g, const char *fmt, ...)
{
    int v = new_value(g, -1, 0);
    va_list args;
    char how[400];

    va_start(args, fmt);
    vsnprintf(how, sizeof how, fmt, args);
    va_end(args);
    add(g, "%%%s = %s\n", name(g, v), how);
    return v;
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
    add(g, "%%o%d = Result-1(%%%s)\n", g->n_results, name(g, v));
    return g->n_results++;
}

/* A body is given the new rows, and the one row, of the graph around it. */
static int state_input_of(state_graph *g, state_input kind)
{
    if (g->depth > 0)
        return kind == STATE_ROW ? g->row : g->token;
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

/* Constants, and what is computed of the numbers that a graph or a body is given: %at and %end are
 * where a row begins and ends, and %low and %high another one. */
static void add_numbers(state_graph *g)
{
    add(g,
        "%%zero = Const-1 {value = i64[1] [0]}\n%%one = Const-1 {value = i64[1] [1]}\n"
        "%%most = Const-1 {value = i64[1] [9999]}\n%%end = Add-1(%%at, %%one)\n"
        "%%high = Add-1(%%low, %%one)\n%%go = Const-1 {value = boolean[] true}\n"
        "%%flat = Const-1 {value = i64[1] [-1]}\n%%c = Const-1 {value = %s[1] [1]}\n",
        g->type);
    add(g, "%%axis = Const-1 {value = i64[] %d}\n%%along = Const-1 {value = i64[1] [%d]}\n",
        g->axis, g->axis);
    add(g, "%%other = Const-1 {value = i64[] %d}\n%%across = Const-1 {value = i64[1] [%d]}\n",
        g->beams, g->beams - (rng_one_in(&g->r, 3) ? g->rank : 0));
    add(g, "%%far = Convert-1(%%beam) {destination_type = %s}\n", g->wide ? "i32" : "i64");
}

static void add_shared(state_graph *g)
{
    static const state_input kinds[] = {STATE_BY, STATE_BEAM, STATE_AT, STATE_FROM, STATE_TRIP};

    for (int i = 0; i < 5; i++)
        g->inputs[g->n_inputs++] = kinds[i];
    g->wide = rng_one_in(&g->r, 2);
    add(g,
        "%%by = Parameter-1 {element_type = i32, shape = []}\n"
        "%%beam = Parameter-1 {element_type = %s, shape = [?]}\n"
        "%%at = Parameter-1 {element_type = i64, shape = [1]}\n"
        "%%from = Parameter-1 {element_type = i64, shape = [1]}\n"
        "%%trip = Parameter-1 {element_type = i64, shape = []}\n"
        "%%low = Const-1 {value = i64[1] [0]}\n",
        g->wide ? "i64" : "i32");
    add_numbers(g);
    g->order = rng_one_in(&g->r, 4) ? "far" : "beam";
}

/* What is made of a state */

static int add_picked(state_graph *g, int v)
{
    static const char *const versions[] = {"1", "7", "8"};

    return make(g, "Gather-%s(%%%s, %%%s, %%other)", versions[rng_in(&g->r, 0, 2)], name(g, v),
                g->order);
}

/* The first rows go, or all but the last ones. */
static int add_cut(state_graph *g, int v)
{
    int k = (int)rng_in(&g->r, 0, 3);

    if (rng_one_in(&g->r, 4))
        return make(g, "Slice-8(%%%s, %%from, %%most, %%one, %%along)", name(g, v));
    k = make(g, "Const-1 {value = i64[1] [%d]}", k < 3 ? k : -(int)rng_in(&g->r, 1, 4));
    return make(g, "Slice-8(%%%s, %%%s, %%most, %%one, %%along)", name(g, v), name(g, k));
}

/* A row is written, or one of the other axis is read, changed and written back. */
static int add_write(state_graph *g, int v)
{
    int kind = (int)rng_in(&g->r, 0, 2), row;

    if (kind == 2) {
        row = make(g, "Slice-8(%%%s, %%zero, %%one, %%one, %%across)", name(g, v));
        row = make(g, "Add-1(%%%s, %%c)", name(g, row));
        return make(g, "SliceScatter-15(%%%s, %%%s, %%zero, %%one, %%one, %%across)", name(g, v),
                    name(g, row));
    }
    row = state_input_of(g, STATE_ROW);
    if (kind == 1)
        return make(g, "SliceScatter-15(%%%s, %%%s, %%at, %%end, %%one, %%along)", name(g, v),
                    name(g, row));
    return make(g, "ScatterUpdate-3(%%%s, %%at, %%%s, %%axis)", name(g, v), name(g, row));
}

/* A row is made of another one. */
static int add_step(state_graph *g, int v)
{
    int row = make(g, "Slice-8(%%%s, %%low, %%high, %%one, %%along)", name(g, v));

    row = make(g, "Add-1(%%%s, %%c)", name(g, row));
    return make(g, "SliceScatter-15(%%%s, %%%s, %%at, %%end, %%one, %%along)", name(g, v),
                name(g, row));
}

static int add_token(state_graph *g)
{
    int token = state_input_of(g, STATE_TOKEN);

    return rng_one_in(&g->r, 3) ? make(g, "Add-1(%%%s, %%c)", name(g, token)) : token;
}

/* Rows are added: behind, most of the time; of one value, or of two, or of one twice; or before. */
static int add_joined(state_graph *g, int v)
{
    int kind = (int)rng_in(&g->r, 0, 9), token = add_token(g), second;
    int axis = g->axis - (rng_one_in(&g->r, 3) ? g->rank : 0);

    if (kind == 0)
        return make(g, "Concat-1(%%%s, %%%s) {axis = %d}", name(g, token), name(g, v), axis);
    if (kind > 3)
        return make(g, "Concat-1(%%%s, %%%s) {axis = %d}", name(g, v), name(g, token), axis);
    second = kind == 1 ? token : kind == 2 ? add_token(g) : v;
    if (kind < 3)
        return make(g, "Concat-1(%%%s, %%%s, %%%s) {axis = %d}", name(g, v), name(g, token),
                    name(g, second), axis);
    v = make(g, "Concat-1(%%%s, %%%s, %%%s) {axis = %d}", name(g, v), name(g, second),
             name(g, token), axis);
    return add_cut(g, make(g, "Slice-8(%%%s, %%flat, %%most, %%one, %%along)", name(g, v)));
}

static int add_computed(state_graph *g, int v)
{
    return rng_one_in(&g->r, 2) ? make(g, "Add-1(%%%s, %%c)", name(g, v))
                                : make(g, "Maximum-1(%%%s, %%c)", name(g, v));
}

/* Readers */

/* Somebody reads V in one of the ways that want strides, dense elements, or a tensor of their own.
 */
static void add_reader(state_graph *g, int v)
{
    int kind = (int)rng_in(&g->r, g->sums ? 0 : 2, 8);

    if (kind <= 1)
        v = make(g, "ReduceSum-1(%%%s, %%along)", name(g, v));
    else if (kind == 2)
        v = make(g, "Maximum-1(%%%s, %%c)", name(g, v));
    else if (kind == 3)
        v = make(g, "ShapeOf-3(%%%s)", name(g, v));
    else if (kind == 4)
        v = make(g, "Reshape-1(%%%s, %%flat) {special_zero = false}", name(g, v));
    else if (kind == 5)
        v = make(g, "Gather-8(%%%s, %%zero, %%other)", name(g, v));
    else if (kind == 6)
        v = make(g, "Maximum-1(%%%s, %%c)",
                 name(g, make(g, "Unsqueeze-1(%%%s, %%zero)", name(g, v))));
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

    give(g, make(g, "Divide-1(%%%s, %%by)", name(g, x)));
}

/* Bodies */

static int add_loop(state_graph *g, int v);
static int add_branch(state_graph *g, int v);

typedef int maker(state_graph *, int);
static maker *const makers[] = {add_picked,   add_cut,  add_write, add_joined,
                                add_computed, add_step, add_loop,  add_branch};
static const char letters[] = "PCWJASLB";

/* Adds the first of *LETTERS. */
static int add_letter(state_graph *g, const char *all, int v)
{
    return see(g, makers[strchr(letters, *all) - letters](g, v));
}

/* What a graph has while one of its bodies is written. */
typedef struct around {
    int seen[STATE_VALUES], n_seen, row, token;
} around;

/* The last operands of a node with bodies: one row, new rows, and numbers that the body calls as
 * the graph around it does. */
#define GIVEN ", %%%s, %%%s, %%beam, %%from, %%trip"

/* Begins a body that is given MANY values, which are all that it sees. */
static around begin_body(state_graph *g, const char *word, int many, int *given)
{
    around was = {.n_seen = g->n_seen, .row = g->row, .token = g->token};

    memcpy(was.seen, g->seen, sizeof was.seen);
    add(g, "%s \"b\" {\n", word);
    g->depth++;
    g->n_seen = 0;
    for (int k = 0; k < many; k++)
        given[k] =
            see(g, make(g, "Parameter-1 {element_type = %s, shape = %s}", g->type, g->shape));
    g->row = make(g, "Parameter-1 {element_type = %s, shape = %s}", g->type, g->shape);
    g->token = make(g, "Parameter-1 {element_type = %s, shape = %s}", g->type, g->shape);
    add(g,
        "%%beam = Parameter-1 {element_type = %s, shape = [?]}\n"
        "%%from = Parameter-1 {element_type = i64, shape = [1]}\n"
        "%%trip = Parameter-1 {element_type = i64, shape = []}\n",
        g->wide ? "i64" : "i32");
    return was;
}

/* Ends it, with the ports of what it is given from input FIRST on. */
static void end_body(state_graph *g, const around *was, int first, int many, const int *given)
{
    add(g, "}\n");
    for (int k = 0; k < many; k++)
        add(g, "in %d -> %%%s\n", first + k, name(g, given[k]));
    add(g, "in %d -> %%%s\nin %d -> %%%s\nin %d -> %%beam\nin %d -> %%from\nin %d -> %%trip\n",
        first + many, name(g, g->row), first + many + 1, name(g, g->token), first + many + 2,
        first + many + 3, first + many + 4);
    memcpy(g->seen, was->seen, sizeof g->seen);
    g->n_seen = was->n_seen;
    g->row = was->row;
    g->token = was->token;
    g->depth--;
}

/* Adds a few nodes in a body. */
static int add_inner(state_graph *g, const char *drawn, int least)
{
    int v = g->seen[0];

    for (int64_t n = rng_in(&g->r, least, 3); n > 0; n--) {
        const char *letter = &drawn[rng_in(&g->r, 0, (int64_t)strlen(drawn) - 1)];

        v = add_letter(g, strchr("LB", *letter) && g->depth > 1 ? "A" : letter,
                       rng_one_in(&g->r, 3) ? any_seen(g) : v);
    }
    return v;
}

/* The results of the body of a loop, which carries MANY values: they may change places. */
static void add_loop_results(state_graph *g, int many, const int *given, int last)
{
    int part = make(g, "Slice-8(%%%s, %%at, %%end, %%one, %%along)", name(g, any_seen(g)));

    add(g, "%%on = Result-1(%%go)\n%%part = Result-1(%%%s)\n", name(g, part));
    for (int k = 0; k < many; k++) {
        int v = k == 0 ? last : rng_one_in(&g->r, 3) ? given[k] : any_seen(g);

        add(g, "%%r%d = Result-1(%%%s)\n", k, name(g, v));
    }
}

static void add_loop_ports(state_graph *g, int many, const int *given)
{
    int turn = rng_one_in(&g->r, 3) ? (int)rng_in(&g->r, 1, 2) : 0;
    bool back = rng_one_in(&g->r, 3);

    add(g, "in none -> %%i iteration\nout %%on -> none condition\n");
    for (int k = 0; k < many; k++)
        add(g, "out %%r%d -> %d\n", k, k);
    add(g, "out %%part -> %d axis %d start %d end %d stride %d part_size 1\n", many, g->axis,
        back ? -1 : 0, back ? 0 : -1, back ? -1 : 1);
    for (int k = 0; k < many; k++)
        add(g, "back %%r%d -> %%%s\n", (k + turn) % many, name(g, given[k]));
}

/* V and others are carried by a loop, each iteration of which makes something of them, at a row
 * that goes on. Returns what the first of them becomes. */
static int add_loop(state_graph *g, int v)
{
    int many = (int)rng_in(&g->r, 1, 3), given[3], node, first, last;
    int row = state_input_of(g, STATE_ROW), token = state_input_of(g, STATE_TOKEN);
    around was;

    node = new_value(g, -1, 0);
    add(g, "%%%s:%d = Loop-5(%%trip, %%go", name(g, node), many + 1);
    for (int k = 0; k < many; k++)
        add(g, ", %%%s", name(g, k == 0 || rng_one_in(&g->r, 3) ? v : any_seen(g)));
    add(g, GIVEN ")\n", name(g, row), name(g, token));
    was = begin_body(g, "body", many, given);
    add(g,
        "%%i = Parameter-1 {element_type = i64, shape = [1]}\n"
        "%%few = Const-1 {value = i64[1] [%d]}\n%%at = FloorMod-1(%%i, %%few)\n"
        "%%less = Const-1 {value = i64[1] [%d]}\n%%then = Add-1(%%i, %%less)\n"
        "%%low = FloorMod-1(%%then, %%few)\n",
        (int)rng_in(&g->r, 1, 3), (int)rng_in(&g->r, 0, 2));
    add_numbers(g);
    last = add_inner(g, "PCWJASSWLB", 1);
    add_loop_results(g, many, given, last);
    end_body(g, &was, 2, many, given);
    add_loop_ports(g, many, given);
    first = see(g, new_value(g, node, 0));
    for (int k = 1; k <= many; k++)
        see(g, new_value(g, node, k));
    return first;
}

/* V becomes what one of two bodies makes of it, if they make anything. */
static int add_branch(state_graph *g, int v)
{
    int row = state_input_of(g, STATE_ROW), token = state_input_of(g, STATE_TOKEN), node, early;

    early = make(g, "Less-1(%%at, %%one)");
    node = new_value(g, -1, 0);
    add(g, "%%%s:1 = If-8(%%%s, %%%s" GIVEN ", %%at)\n", name(g, node), name(g, early), name(g, v),
        name(g, row), name(g, token));
    for (int k = 0; k < 2; k++) {
        int given;
        around was = begin_body(g, k == 0 ? "then_body" : "else_body", 1, &given);

        add(g, "%%at = Parameter-1 {element_type = i64, shape = [1]}\n"
               "%%low = Const-1 {value = i64[1] [0]}\n");
        add_numbers(g);
        add(g, "%%r = Result-1(%%%s)\n", name(g, add_inner(g, "PCWJAS", 0)));
        end_body(g, &was, 1, 1, &given);
        add(g, "in 7 -> %%at\nout %%r -> 0\n");
    }
    return new_value(g, node, 0);
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
    g->past[k] = see(g, new_value(g, -1, 0));
    add(g, "%%%s = ReadValue-6", name(g, g->past[k]));
    if (first >= 0)
        add(g, "(%%%s)", name(g, first));
    add(g, " {variable_id = \"s%d\", variable_type = %s, variable_shape = %s}\n", k, g->type,
        g->shape);
}

/* Returns what becomes of V: usually what caches do, else a few things in any order. */
static int add_chain(state_graph *g, int v)
{
    static const char *const usual[] = {"J",  "PJ", "CJ", "PCJ", "JC", "PJC", "W",
                                        "PW", "WW", "JW", "L",   "PL", "LJ",  "JL"};
    char drawn[8] = "";
    const char *all = drawn;

    if (!rng_one_in(&g->r, 3))
        all = usual[rng_in(&g->r, 0, 13)];
    else
        for (int64_t i = rng_in(&g->r, 0, 4); i > 0; i--)
            drawn[i - 1] = letters[rng_in(&g->r, 0, 7)];
    for (; *all; all++) {
        v = add_letter(g, all, v);
        if (rng_one_in(&g->r, 4))
            add_reader(g, any_seen(g));
    }
    return v;
}

/* V is what state K will be. */
static void add_next(state_graph *g, int k, int v)
{
    if (g->given[k] < 0)
        add(g, "%%a%d = Assign-6(%%%s) {variable_id = \"s%d\"}\n", k, name(g, v), k);
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
