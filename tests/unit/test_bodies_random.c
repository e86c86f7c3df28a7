/* Loops of random bodies: values that are carried, handed down, joined, cut into parts, written
 * over at places that are known and at places that are computed, put into larger values, handed
 * through branches, which may write over them, and through loops in the loop. What a loop is given
 * may be written over by its body, or behind it, and be the state of a variable; what it gives,
 * too. The planned executor, with notes, without, and with claims drawn by lot as far as the
 * checker lets them stand, with poisoned memory, gives what the reference gives, bit for bit, run
 * after run in one session. */
#include "generate/rng.h"
#include "graphs.h"
#include "ir/shared.h"
#include "ir/tensor/storage.h"
#include "passes/passes.h"
#include "seeds.h"

enum {
    CARRIED = 3,
    ROWS = 3,
    RESULTS = CARRIED + 4,
    SPARE = CARRIED + 3 /* the place of the name that most writers take */
};

/* A graph as text; its values of 3 by 2 elements are numbered v0, v1, ... */
struct text {
    char bytes[1 << 15];
    size_t n;
    rng r;
    int values;
    int pair;      /* the output of the If that is made by a node of its own */
    int64_t fixed; /* iterations of the outer loop; 0: as many as the input says */
};

static void add(struct text *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    t->n += (size_t)vsnprintf(t->bytes + t->n, sizeof t->bytes - t->n, fmt, args);
    va_end(args);
    assert_true(t->n < sizeof t->bytes);
}

static int any(struct text *t)
{
    return (int)rng_in(&t->r, 0, t->values - 1);
}

/* A row is read, changed, and written back. */
static void add_window(struct text *t, int a)
{
    int v = t->values, row = (int)rng_in(&t->r, 0, ROWS - 1);

    add(t, "%%b%d = Const-1 {value = i64[1] [%d]}\n%%e%d = Const-1 {value = i64[1] [%d]}\n", v, row,
        v, row + 1);
    add(t, "%%s%d = Slice-8(%%v%d, %%b%d, %%e%d, %%step)\n", v, a, v, v);
    add(t, "%%n%d = Add-1(%%s%d, %%row)\n", v, v);
    add(t, "%%v%d = SliceScatter-15(%%v%d, %%n%d, %%b%d, %%e%d, %%step)\n", v, a, v, v, v);
}

/* The row that the iteration stands at is made of the row before it, or of itself. */
static void add_moving_window(struct text *t, int a)
{
    int v = t->values;
    static const char *const rows[] = {"%low, %mid", "%mid, %top"};
    const char *from = rows[rng_in(&t->r, 0, 1)], *to = rows[rng_in(&t->r, 0, 1)];

    add(t, "%%s%d = Slice-8(%%v%d, %s, %%step)\n%%n%d = Negative-1(%%s%d)\n", v, a, from, v, v);
    add(t, "%%v%d = SliceScatter-15(%%v%d, %%n%d, %s, %%step)\n", v, a, v, to);
}

/* Writes over row 1 of P in the body of a branch or of a loop, or makes another value of it; or
 * hands it through. */
static void add_inner(struct text *t, bool hands)
{
    static const char *const nodes[] = {
        "%q = Negative-1(%p)\n", "%q = ScatterUpdate-3(%p, %one, %row, %axis)\n",
        "%h = Negative-1(%row)\n%q = ScatterUpdate-3(%p, %one, %h, %axis)\n"};
    int kind = (int)rng_in(&t->r, 0, hands ? 3 : 2);

    add(t, "%%p = Parameter-1 {element_type = f32, shape = [3,2]}\n"
           "%%row = Parameter-1 {element_type = f32, shape = [1,2]}\n"
           "%%one = Const-1 {value = i64[1] [1]}\n%%axis = Const-1 {value = i64[] 0}\n");
    add(t, "%s%%o = Result-1(%%%c)\n", kind < 3 ? nodes[kind] : "", kind < 3 ? 'q' : 'p');
}

/* V becomes A, or what a branch makes of it. ROW names a row, and EARLY what decides. */
static void add_branch(struct text *t, const char *v, const char *a, const char *row,
                       const char *early)
{
    add(t, "%%%s:1 = If-8(%%%s, %%%s, %%%s)\nthen_body \"t\" {\n", v, early, a, row);
    add_inner(t, true);
    add(t, "}\nin 1 -> %%p\nin 2 -> %%row\nout %%o -> 0\nelse_body \"e\" {\n");
    add_inner(t, true);
    add(t, "}\nin 1 -> %%p\nin 2 -> %%row\nout %%o -> 0\n");
}

/* V becomes what a loop of as many iterations as TRIP says makes of A. */
static void add_loop(struct text *t, const char *v, const char *a, const char *row,
                     const char *trip)
{
    add(t, "%%%s:1 = Loop-5(%%%s, %%go, %%%s, %%%s)\nbody \"n\" {\n", v, trip, a, row);
    add_inner(t, false);
    add(t, "%%yes = Const-1 {value = boolean[] true}\n%%on = Result-1(%%yes)\n}\n"
           "in 2 -> %%p\nin 3 -> %%row\nout %%on -> none condition\nout %%o -> 0\n"
           "back %%o -> %%p\n");
}

/* One of the two, in the body. */
static void add_bodies(struct text *t, int a)
{
    char v[16], of[16];

    snprintf(v, sizeof v, "v%d", t->values);
    snprintf(of, sizeof of, "v%d", a);
    if (rng_one_in(&t->r, 2))
        add_branch(t, v, of, "row", "early");
    else
        add_loop(t, v, of, "row", rng_one_in(&t->r, 2) ? "two" : "count");
}

/* V is made of two values, rows of which are computed and joined. */
static void add_join(struct text *t, const char *v, const char *a, const char *b)
{
    static const char *const makers[] = {"Negative-1", "ReLU-1", "Abs-1"};
    int cut = (int)rng_in(&t->r, 1, ROWS - 1);

    add(t, "%%%s_0 = Const-1 {value = i64[1] [0]}\n%%%s_1 = Const-1 {value = i64[1] [1]}\n", v, v);
    add(t, "%%%s_2 = Const-1 {value = i64[1] [%d]}\n", v, cut);
    add(t, "%%%s_3 = Const-1 {value = i64[1] [%d]}\n", v, ROWS - cut);
    add(t, "%%%s_a = Slice-8(%%%s, %%%s_0, %%%s_2, %%%s_1)\n", v, a, v, v, v);
    add(t, "%%%s_b = Slice-8(%%%s, %%%s_0, %%%s_3, %%%s_1)\n", v, b, v, v, v);
    add(t, "%%%s_c = %s(%%%s_a)\n", v, makers[rng_in(&t->r, 0, 2)], v);
    add(t, "%%%s_d = %s(%%%s_b)\n", v, makers[rng_in(&t->r, 0, 2)], v);
    add(t, "%%%s = Concat-1(%%%s_c, %%%s_d) {axis = 0}\n", v, v, v);
}

/* A is put into a value of twice the rows, and V is cut out around it. */
static void add_larger(struct text *t, const char *v, const char *a, const char *b)
{
    int at = (int)rng_in(&t->r, 0, ROWS), from = (int)rng_in(&t->r, 0, ROWS);

    add(t, "%%%s_0 = Const-1 {value = i64[1] [%d]}\n%%%s_1 = Const-1 {value = i64[1] [1]}\n", v, at,
        v);
    add(t, "%%%s_2 = Const-1 {value = i64[1] [%d]}\n", v, at + ROWS);
    add(t, "%%%s_3 = Const-1 {value = i64[1] [%d]}\n", v, from);
    add(t, "%%%s_4 = Const-1 {value = i64[1] [%d]}\n", v, from + ROWS);
    add(t, "%%%s_h = Concat-1(%%%s, %%%s) {axis = 0}\n", v, b, rng_one_in(&t->r, 2) ? a : b);
    add(t, "%%%s_k = SliceScatter-15(%%%s_h, %%%s, %%%s_0, %%%s_2, %%%s_1)\n", v, v, a, v, v, v);
    add(t, "%%%s = Slice-8(%%%s_k, %%%s_3, %%%s_4, %%%s_1)\n", v, v, v, v, v);
}

/* One of the two, in the body. */
static void add_joined(struct text *t, int a, int b)
{
    char v[16], of[16], with[16];

    snprintf(v, sizeof v, "v%d", t->values);
    snprintf(of, sizeof of, "v%d", a);
    snprintf(with, sizeof with, "v%d", b);
    (rng_one_in(&t->r, 2) ? add_join : add_larger)(t, v, of, with);
}

static void add_node(struct text *t)
{
    int a = any(t), b = any(t), kind = (int)rng_in(&t->r, 0, 10);

    if (kind <= 1)
        add(t, "%%v%d = %s-1(%%v%d, %%v%d)\n", t->values, kind ? "Subtract" : "Add", a, b);
    else if (kind == 2)
        add(t, "%%v%d = ReLU-1(%%v%d)\n", t->values, a);
    else if (kind <= 4)
        add(t, "%%v%d = ScatterUpdate-3(%%v%d, %%at, %%row, %%axis)\n", t->values, a);
    else if (kind == 5)
        add_window(t, a);
    else if (kind <= 7)
        add_bodies(t, a);
    else if (kind == 8)
        add_moving_window(t, a);
    else
        add_joined(t, a, b);
    t->values++;
}

static void add_body(struct text *t, bool counted)
{
    add(t, "body \"b\" {\n");
    for (t->values = 0; t->values <= CARRIED; t->values++)
        add(t, "%%v%d = Parameter-1 {element_type = f32, shape = [3,2]}\n", t->values);
    add(t, "%%row = Parameter-1 {element_type = f32, shape = [1,2]}\n"
           "%%i = Parameter-1 {element_type = i64, shape = [1]}\n"
           "%%axis = Const-1 {value = i64[] 0}\n%%step = Const-1 {value = i64[1] [1]}\n"
           "%%three = Const-1 {value = i64[1] [3]}\n%%six = Const-1 {value = i64[1] [6]}\n"
           "%%at = FloorMod-1(%%i, %%three)\n%%early = Less-1(%%i, %%three)\n"
           "%%pair = Const-1 {value = i64[1] [2]}\n%%low = FloorMod-1(%%i, %%pair)\n"
           "%%mid = Add-1(%%low, %%step)\n%%top = Add-1(%%mid, %%step)\n"
           "%%two = Const-1 {value = i64[] 2}\n%%go = Const-1 {value = boolean[] true}\n"
           "%%scalar = Const-1 {value = i64[0] []}\n%%count = Reshape-1(%%at, %%scalar) "
           "{special_zero = false}\n");
    add(t,
        counted ? "%%more = Const-1 {value = boolean[] true}\n" : "%%more = Less-1(%%i, %%six)\n");
    for (int64_t n = rng_in(&t->r, 1, 6); n > 0; n--)
        add_node(t);
    add(t, "%%on = Result-1(%%more)\n");
    for (int i = 0; i < CARRIED; i++) /* mostly what was made last */
        add(t, "%%r%d = Result-1(%%v%d)\n", i,
            rng_one_in(&t->r, 2) ? any(t) : t->values - 1 - (int)rng_in(&t->r, 0, 1));
    add(t, "}\n");
}

static void add_ports(struct text *t)
{
    static const char *const cuts[] = {"axis 0 start 0 end -1 stride 1 part_size 3",
                                       "axis 0 start -1 end 0 stride -3 part_size 3",
                                       "axis 1 start 0 end -1 stride 1 part_size 2"};

    int joined = (int)rng_in(&t->r, 0, 2);

    for (int i = 0; i <= CARRIED; i++)
        add(t, "in %d -> %%v%d\n", 2 + i, i);
    add(t, "in %d -> %%row axis 0 start 0 end -1 stride 1 part_size 1\n", 3 + CARRIED);
    add(t, "in none -> %%i iteration\nout %%on -> none condition\n");
    for (int i = 0; i < CARRIED; i++)
        add(t, "out %%r%d -> %d\n", i, i);
    add(t, "out %%r%d -> %d %s\n", joined, CARRIED, cuts[rng_in(&t->r, 0, 2)]);
    for (int i = 0; i < CARRIED; i++)
        add(t, "back %%r%d -> %%v%d\n", (int)(rng_one_in(&t->r, 3) ? rng_in(&t->r, 0, 2) : i), i);
}

/* Something that writes over value A, or over what is behind it, or joins it with B; then VALUE is
 * the name of it. */
static void add_writer(struct text *t, char *value, size_t size, const char *a, const char *b)
{
    int v = t->values++, kind = (int)rng_in(&t->r, 0, 5);

    snprintf(value, size, "w%d", v);
    if (kind == 0)
        add(t, "%%w%d = ScatterUpdate-3(%%%s, %%at, %%line, %%axis)\n", v, a);
    else if (kind == 1)
        add(t, "%%w%d = Negative-1(%%%s)\n", v, a);
    else if (kind == 2)
        add_branch(t, value, a, "line", "first");
    else if (kind == 3)
        add_join(t, value, a, b);
    else if (kind == 4)
        add_larger(t, value, a, b);
    else
        add_loop(t, value, a, "line", rng_one_in(&t->r, 2) ? "some" : "trip");
}

/* The Loop l makes something of what is there, of the state too. */
static void add_outer_loop(struct text *t)
{
    static const char given[] = {'x', 'y', 's'};
    char second = given[rng_in(&t->r, 0, 2)], third = given[rng_in(&t->r, 0, 2)];
    bool counted = rng_one_in(&t->r, 2);

    add(t, "%%l:%d = Loop-5(%%%s, %%go, %%x, %%%c, %%%c, %%x, %%rows)\n", CARRIED + 1,
        t->fixed > 0 ? "fixed" : "trip", second, third);
    add_body(t, counted);
    add_ports(t);
}

/* The value that results are made of is one of NAMES, of which SPARE is replaced most often. */
static void add_writers(struct text *t, char (*names)[16])
{
    for (int64_t n = rng_in(&t->r, 0, 5); n > 0; n--) {
        int k = (int)rng_in(&t->r, 0, SPARE - 1), b = (int)rng_in(&t->r, 0, SPARE - 1);
        char old[16], other[16];

        memcpy(old, names[k], sizeof old);
        memcpy(other, names[b], sizeof other);
        add_writer(t, names[rng_one_in(&t->r, 3) ? SPARE : k], sizeof names[k], old, other);
    }
}

/* A branch gives two values, which may be one, or what it was given, or what a branch inside of it
 * hands through. */
static void add_two(struct text *t)
{
    static const char *const firsts[] = {"%q = Negative-1(%p)\n", "%q = Abs-1(%p)\n",
                                         "%q = ScatterUpdate-3(%p, %one, %row, %axis)\n"};
    static const char *const seconds[] = {
        "%s = Result-1(%q)\n", "%s = Result-1(%p)\n", "%w = ReLU-1(%q)\n%s = Result-1(%w)\n",
        "%w = ReLU-1(%p)\n%s = Result-1(%w)\n",
        "%c = Less-1(%axis, %axis)\n%h:1 = If-8(%c, %q)\nthen_body \"a\" {\n"
        "%p = Parameter-1 {element_type = f32, shape = [3,2]}\n%o = Result-1(%p)\n}\n"
        "in 1 -> %p\nout %o -> 0\nelse_body \"b\" {\n"
        "%p = Parameter-1 {element_type = f32, shape = [3,2]}\n%w = Abs-1(%p)\n"
        "%o = Result-1(%w)\n}\nin 1 -> %p\nout %o -> 0\n%s = Result-1(%h)\n"};

    add(t, "%%p = Parameter-1 {element_type = f32, shape = [3,2]}\n"
           "%%row = Parameter-1 {element_type = f32, shape = [1,2]}\n"
           "%%one = Const-1 {value = i64[1] [1]}\n%%axis = Const-1 {value = i64[] 0}\n");
    add(t, "%s", firsts[rng_in(&t->r, 0, 2)]);
    add(t, "%s%%o = Result-1(%%q)\n}\n", seconds[rng_in(&t->r, 0, 4)]);
    add(t, "in 1 -> %%p\nin 2 -> %%row\nout %%o -> %d\nout %%s -> %d\n", t->pair, 1 - t->pair);
}

/* An If that gives two values, of which one is put into a larger one and written over there, and
 * the other one is looked at in the end. */
static void add_pair(struct text *t)
{
    static const char *const larger[] = {
        "%pl = Concat-1(%pair:0, %line) {axis = 0}\n",
        "%pl = Concat-1(%pair:0, %pair:1, %line) {axis = 0}\n",
        ("%pd = Concat-1(%line, %line, %line, %line) {axis = 0}\n"
         "%pl = SliceScatter-15(%pd, %pair:0, %pone, %pfour, %pone)\n")};

    t->pair = (int)rng_in(&t->r, 0, 1);
    add(t, "%%pin = Negative-1(%%x)\n%%pair:2 = If-8(%%first, %%pin, %%line)\n"
           "then_body \"t\" {\n");
    add_two(t);
    add(t, "else_body \"e\" {\n");
    add_two(t);
    add(t, "%%pone = Const-1 {value = i64[1] [1]}\n%%pfour = Const-1 {value = i64[1] [4]}\n%s",
        larger[rng_in(&t->r, 0, 2)]);
    add(t, "%%pw = ScatterUpdate-3(%%pl, %%at, %%line, %%axis)\n%%pair_out = Result-1(%%pair:1)\n"
           "%%pair_last = Result-1(%%pw)\n");
}

static void add_graph(struct text *t)
{
    char names[SPARE + 1][16] = {"x", "y", "l:0", "l:1", "l:2", "s", "z"};
    rng pairs = {t->r.state ^ UINT64_C(0x5851f42d4c957f2d)}; /* the rest is as it was without */
    rng trips = {t->r.state ^ UINT64_C(0x14057b7ef767814f)};

    t->fixed = rng_one_in(&trips, 2) ? rng_in(&trips, 1, 9) : 0;
    add(t, "%%fixed = Const-1 {value = i64[] %d}\n", (int)t->fixed);
    add(t, "%%trip = Parameter-1 {element_type = i64, shape = []}\n"
           "%%x = Parameter-1 {element_type = f32, shape = [3,2]}\n"
           "%%rows = Parameter-1 {element_type = f32, shape = [?,2]}\n"
           "%%go = Const-1 {value = boolean[] true}\n%%y = Negative-1(%%x)\n"
           "%%z = Negative-1(%%y)\n%%line = Const-1 {value = f32[1,2] [-3, 4]}\n"
           "%%at = Const-1 {value = i64[1] [2]}\n%%axis = Const-1 {value = i64[] 0}\n"
           "%%some = Const-1 {value = i64[] 2}\n%%first = Less-1(%%trip, %%some)\n"
           "%%s = ReadValue-6(%%x) {variable_id = \"s\", variable_type = f32, "
           "variable_shape = [3,2]}\n");
    add_outer_loop(t);
    add_writers(t, names);
    add(t, "%%kept = Assign-6(%%%s) {variable_id = \"s\"}\n", names[rng_in(&t->r, 0, SPARE)]);
    for (int i = 0; i < CARRIED; i++) {
        if (rng_one_in(&t->r, 2))
            add(t, "%%out%d = Result-1(%%%s)\n", i, names[2 + i]);
        else
            add(t, "%%z%d = Negative-1(%%%s)\n%%out%d = Result-1(%%z%d)\n", i, names[2 + i], i, i);
    }
    add(t, "%%out%d = Result-1(%%l:%d)\n", CARRIED, CARRIED);
    add(t, "%%more = Result-1(%%%s)\n", names[rng_in(&t->r, 0, SPARE)]);
    t->r = pairs;
    add_pair(t);
}

/* The ways to run a graph; the first is the measure of the others. */
enum { REFERENCE, PLANNED, NOTED, CLAIMED, WAYS };

struct way {
    inlay_graph *graph;
    inlay_program *program;
    inlay_session *session;
};

/* Does something claim to be written over V? */
static bool has_successor(const inlay_value *v)
{
    bool found = false;

    for (const inlay_use *u = v->uses; u && !found; u = u->next) {
        for (int i = 0; i < u->node->n_out; i++)
            found = found ||
                    (u->node->out[i].note == INLAY_OVERWRITES && u->node->out[i].note_target == v);
    }
    return found;
}

/* Claims that V is made in what U's node makes of it, or stands in the window that it writes. */
static void claim_use(inlay_value *v, const inlay_use *u, inlay_diags *d)
{
    inlay_value *to = u->node->n_out > 0 ? &u->node->out[0] : NULL, *data;

    if (!to || v->note != INLAY_FRESH || !(u->node->op->flags & (INLAY_HOLDS | INLAY_SCATTER)))
        return;
    data = u->node->op->flags & INLAY_SCATTER ? u->node->in[0].value : NULL;
    if (data && data != v && to->note == INLAY_FRESH && !has_successor(data))
        assert_true(inlay_value_set_note(to, INLAY_OVERWRITES, data, d));
    if (data != v)
        assert_true(inlay_value_set_note(v, INLAY_INTO, to, d));
}

/* Claims this for some values of G and its bodies, or that they are written over what a body is
 * given. */
static void claim(inlay_graph *g, rng *r, inlay_diags *d)
{
    for (inlay_node *n = g->first; n; n = n->next) {
        inlay_value *v = n->n_out > 0 ? &n->out[0] : NULL;
        int i = n->n_in > 0 ? (int)rng_in(r, 0, n->n_in - 1) : 0;

        for (int k = 0; k < n->n_bodies; k++)
            claim(n->bodies[k].graph, r, d);
        for (const inlay_use *u = v ? v->uses : NULL; u; u = u->next) {
            if (!rng_one_in(r, 3))
                claim_use(v, u, d);
        }
        if (n->n_bodies > 0 && v->note == INLAY_FRESH && n->in[i].value && rng_one_in(r, 2) &&
            !has_successor(n->in[i].value))
            assert_true(inlay_value_set_note(v, INLAY_OVERWRITES, n->in[i].value, d));
    }
}

/* Makes the notes of W as HOW says. */
static bool note(struct way *w, int how, uint64_t seed, inlay_diags *d)
{
    inlay_pass_options passes = {.passes = "in-place-windows", .check = true};
    inlay_diags *dropped = inlay_diags_new();
    rng r = {seed + 1};
    bool ok = how != NOTED || inlay_run_passes(w->graph, &passes, d);

    if (how == CLAIMED) {
        claim(w->graph, &r, d);
        ok = inlay_drop_illegal_notes(w->graph, dropped);
    }
    inlay_diags_free(dropped);
    return ok;
}

static void begin(struct way *w, const char *body, int how, uint64_t seed, inlay_diags *d)
{
    inlay_exec_options o = {.mode = how == REFERENCE ? INLAY_EXEC_REFERENCE : INLAY_EXEC_PLANNED,
                            .poison = true};

    w->graph = graph_of(body);
    if (!note(w, how, seed, d)) {
        fputs(body, stderr);
        fail_msg("%s\n%s", inlay_diags_at(d, 0)->text, body);
    }
    w->program = inlay_compile(w->graph, &o, d);
    w->session = w->program ? inlay_session_new(w->program, d) : NULL;
    if (!w->session || inlay_diags_count(d) > 0) /* a note that is refused is a warning */
    {
        fputs(body, stderr);
        fail_msg("%s\n%s", inlay_diags_at(d, 0)->text, body);
    }
}

static void end(struct way *w)
{
    inlay_session_free(w->session);
    inlay_program_free(w->program);
    inlay_graph_free(w->graph);
}

static bool to_stderr(void *ctx, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, ctx) == n;
}

static void give_up(const struct way *w, uint64_t seed, int how, const char *why)
{
    static const char *const ways[] = {"reference", "planned", "with notes", "with claims"};
    const inlay_sink sink = {to_stderr, stderr};

    inlay_print(w[how].graph, true, &sink, NULL);
    fail_msg("seed %llu, %s: %s", (unsigned long long)seed, ways[how], why);
}

static void compare(const struct way *w, uint64_t seed, int how, const inlay_tensor *a,
                    const inlay_tensor *b)
{
    if (!inlay_tensor_equal(a, b))
        give_up(w, seed, how, "it gives something else");
}

/* Runs all ways once, with TRIP iterations and parts for N of them: if these are fewer, all fail,
 * and the state is what it was. */
static void run_all(struct way *w, uint64_t seed, int64_t trip, int64_t n)
{
    const int64_t dims[] = {n, 2}, square[] = {ROWS, 2};
    inlay_tensor *in[] = {inlay_tensor_new(INLAY_I64, 0, NULL),
                          inlay_tensor_new(INLAY_F32, 2, square),
                          inlay_tensor_new(INLAY_F32, 2, dims)};
    inlay_tensor *out[WAYS][RESULTS];
    inlay_diags *d = inlay_diags_new();
    bool right = true;

    inlay_tensor_set_i64(in[0], 0, trip);
    for (int64_t i = 0; i < ROWS * 2; i++)
        inlay_tensor_set_f64(in[1], i, (double)(i + 1));
    for (int64_t i = 0; i < n * 2; i++)
        inlay_tensor_set_f64(in[2], i, (double)(i - 7) / 2);
    for (int k = 0; k < WAYS; k++) {
        bool ok = inlay_session_run(w[k].session, (const inlay_tensor *const *)in, NULL, out[k], d);

        right = k == REFERENCE ? ok : right;
        if (ok != right || (!ok && n >= trip))
            give_up(w, seed, k, ok ? "it does not fail" : inlay_diags_at(d, 0)->text);
        for (int i = 0; ok && i < RESULTS; i++)
            compare(w, seed, k, out[k][i], out[REFERENCE][i]);
        if (inlay_session_variable(w[REFERENCE].session, 0))
            compare(w, seed, k, inlay_session_variable(w[k].session, 0),
                    inlay_session_variable(w[REFERENCE].session, 0));
    }
    for (int i = 0; right && i < WAYS * RESULTS; i++)
        inlay_tensor_release(out[i / RESULTS][i % RESULTS]);
    for (int i = 0; i < 3; i++)
        inlay_tensor_release(in[i]);
    inlay_diags_free(d);
}

/* Returns how many writes were made in place. */
static uint64_t check_seed(struct text *t, uint64_t seed)
{
    static const int64_t trips[] = {5, 1, 2, 9, 9, 5, 12};
    struct way w[WAYS];
    inlay_diags *d = inlay_diags_new();
    inlay_exec_stats s;

    *t = (struct text){.r = {seed}};
    add_graph(t);
    for (int k = 0; k < WAYS; k++)
        begin(&w[k], t->bytes, k, seed, d);
    for (size_t i = 0; i < sizeof trips / sizeof *trips; i++) {
        int64_t n = t->fixed > trips[i] ? t->fixed : trips[i];

        run_all(w, seed, trips[i], n);
        if (i % 3 == 1)
            run_all(w, seed, n, n / 2);
    }
    inlay_session_stats(w[NOTED].session, &s);
    for (int k = 0; k < WAYS; k++)
        end(&w[k]);
    inlay_diags_free(d);
    return s.in_place_writes;
}

static void test_random_bodies(void **state)
{
    seed_range seeds = seeds_to_try(1000, 200);
    uint64_t in_place = 0;
    struct text *t = malloc(sizeof *t);

    assert_non_null(t);
    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.n; seed++)
        in_place += check_seed(t, seed);
    free(t);
    print_message("# %llu writes in place\n", (unsigned long long)in_place);
    assert_true(!seeds.whole || in_place > seeds.n);
}

/* What once failed: a value that is made behind a segment's border in a part of another one, and
 * written over by one that leaves. */
static void test_once_failed(void **state)
{
    struct text *t = malloc(sizeof *t);

    assert_non_null(t);
    check_seed(t, 701758);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_once_failed),
        cmocka_unit_test(test_random_bodies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
