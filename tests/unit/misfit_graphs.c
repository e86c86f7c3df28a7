#include "misfit_graphs.h"
#include "graphs.h"

enum { MOST = 60, SHAPE = 64, NAME = 16, RESULTS = 6 };

/* The graph as text; its values have two axes in each run that fits. */
struct text {
    char bytes[1 << 14];
    size_t n;
    rng r;
    generated_graph *out;
    int n_inputs, n_values, n_results;
    struct value {
        char name[NAME];
        int64_t dims[2];
    } values[MOST];
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
    const int newest = t->n_values > 4 && !rng_one_in(&t->r, 3) ? t->n_values - 4 : 0;

    return (int)rng_in(&t->r, newest, t->n_values - 1);
}

static int new_value(struct text *t, const char *name, int64_t rows, int64_t columns)
{
    struct value *v = &t->values[t->n_values];

    assert_true(t->n_values < MOST);
    *v = (struct value){.dims = {rows, columns}};
    snprintf(v->name, sizeof v->name, "%s", name);
    return t->n_values++;
}

/* What the graph knows of a shape. NAMES: of its sizes, that some are equal. */
static const char *shape_of(struct text *t, int64_t rows, int64_t columns, bool names, char *to)
{
    const int64_t dims[] = {rows, columns};
    int n = snprintf(to, SHAPE, "[");

    if (rng_one_in(&t->r, 8)) {
        snprintf(to, SHAPE, "[...]");
        return to;
    }
    for (int i = 0; i < 2; i++) {
        const int64_t how = rng_in(&t->r, 0, 9);

        n += snprintf(to + n, SHAPE - (size_t)n, "%s", i ? "," : "");
        if (how < 4)
            n += snprintf(to + n, SHAPE - (size_t)n, "?");
        else if (how == 4 && names)
            n += snprintf(to + n, SHAPE - (size_t)n, "?#n%lld", (long long)dims[i]);
        else
            n += snprintf(to + n, SHAPE - (size_t)n, "%lld", (long long)dims[i]);
    }
    snprintf(to + n, SHAPE - (size_t)n, "]");
    return to;
}

static bool has_room(const struct text *t)
{
    return t->n_inputs < GENERATE_MAX_INPUTS - 1 && t->n_values < MOST - 8;
}

static int input(struct text *t, int64_t rows, int64_t columns)
{
    char name[NAME], shape[SHAPE];

    snprintf(name, sizeof name, "p%d", t->n_inputs);
    t->out->inputs[t->n_inputs++] =
        (struct generated_input){.rank = 2, .dims = {rows, columns}, .lo = -8, .hi = 8};
    add(t, "%%%s = Parameter-1 {element_type = f32, shape = %s}\n", name,
        shape_of(t, rows, columns, true, shape));
    return new_value(t, name, rows, columns);
}

/* A number in [LO, HI], of RANK 0 or 1, that the graph knows, or is given. */
static const char *number(struct text *t, int rank, int64_t lo, int64_t hi, char *name)
{
    const int64_t at = rng_in(&t->r, lo, hi);

    if (has_room(t) && rng_one_in(&t->r, 4)) {
        snprintf(name, NAME, "p%d", t->n_inputs);
        t->out->inputs[t->n_inputs++] =
            (struct generated_input){.rank = rank, .dims = {1}, .lo = lo, .hi = hi};
        add(t, "%%%s = Parameter-1 {element_type = i64, shape = [%s]}\n", name, rank ? "1" : "");
    } else {
        snprintf(name, NAME, "k%u", (unsigned)t->n);
        add(t, "%%%s = Const-1 {value = i64[%s] [%lld]}\n", name, rank ? "1" : "", (long long)at);
    }
    return name;
}

/* A value of these sizes. */
static int of_sizes(struct text *t, int64_t rows, int64_t columns)
{
    for (int i = 0; i < 8; i++) {
        const int v = any(t);

        if (t->values[v].dims[0] == rows && t->values[v].dims[1] == columns)
            return v;
    }
    return has_room(t) ? input(t, rows, columns) : -1;
}

/* The value that FMT makes of A, with the same sizes; the names in FMT are A's and B's. */
static int like(struct text *t, const char *fmt, int a, int b)
{
    char name[NAME];

    snprintf(name, sizeof name, "v%d", t->n_values);
    add(t, "%%%s = ", name);
    add(t, fmt, t->values[a].name, t->values[b].name);
    add(t, "\n");
    return new_value(t, name, t->values[a].dims[0], t->values[a].dims[1]);
}

static int computed(struct text *t, int a)
{
    static const char *const makers[] = {"Exp-1(%%%s)", "Negative-1(%%%s)", "Abs-1(%%%s)",
                                         "ReLU-1(%%%s)"};

    return like(t, makers[rng_in(&t->r, 0, 3)], a, a);
}

static void add_computed(struct text *t)
{
    computed(t, any(t));
}

static void add_sum(struct text *t)
{
    const int a = any(t), b = of_sizes(t, t->values[a].dims[0], t->values[a].dims[1]);

    if (b >= 0)
        like(t, "Add-1(%%%s, %%%s)", a, b);
}

/* A and B side by side. */
static int joined(struct text *t, int a, int b, int axis)
{
    const bool turned = rng_one_in(&t->r, 2);
    const int v = like(t, "Concat-1(%%%s, %%%s)", turned ? b : a, turned ? a : b);

    t->n--;
    add(t, " {axis = %d}\n", axis);
    t->values[v].dims[axis] = t->values[a].dims[axis] + t->values[b].dims[axis];
    return v;
}

static void add_joined(struct text *t)
{
    const int axis = (int)rng_in(&t->r, 0, 1), a = any(t);
    int64_t dims[] = {t->values[a].dims[0], t->values[a].dims[1]};
    int b;

    dims[axis] = rng_one_in(&t->r, 2) ? dims[axis] : rng_in(&t->r, 1, 2);
    b = of_sizes(t, dims[0], dims[1]);
    if (b >= 0)
        joined(t, a, b, axis);
}

static void add_split(struct text *t)
{
    const int axis = (int)rng_in(&t->r, 0, 1), a = any(t), v = t->n_values;
    const int64_t size = t->values[a].dims[axis], first = size < 2 ? 0 : rng_in(&t->r, 1, size - 1);
    char name[NAME];

    if (size < 2)
        return;
    add(t, "%%l%d = Const-1 {value = i64[2] [%lld,%lld]}\n%%x%d = Const-1 {value = i64[] %d}\n", v,
        (long long)first, (long long)(size - first), v, axis);
    add(t, "%%s%d:2 = VariadicSplit-1(%%%s, %%x%d, %%l%d)\n", v, t->values[a].name, v, v);
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "s%d:%d", v, i);
        new_value(t, name, t->values[a].dims[0], t->values[a].dims[1]);
        t->values[v + i].dims[axis] = i ? size - first : first;
    }
}

/* A window of one row or column, or two, of A: its operands, as words. SIZES receives what it
 * has. */
static void window(struct text *t, int a, char *words, int64_t *sizes)
{
    const int axis = (int)rng_in(&t->r, 0, 1), v = (int)t->n;
    const int64_t size = t->values[a].dims[axis], many = size > 2 && rng_one_in(&t->r, 3) ? 2 : 1;
    char at[NAME];

    memcpy(sizes, t->values[a].dims, sizeof t->values[a].dims);
    sizes[axis] = many;
    number(t, 1, 0, size - many, at);
    add(t,
        "%%m%d = Const-1 {value = i64[1] [%lld]}\n%%t%d = Const-1 {value = i64[1] [1]}\n"
        "%%y%d = Const-1 {value = i64[1] [%d]}\n%%f%d = Add-1(%%%s, %%m%d)\n",
        v, (long long)many, v, v, axis, v, at, v);
    snprintf(words, 60, "%%%s, %%f%d, %%t%d, %%y%d", at, v, v, v);
}

static void scatter(struct text *t, int a, int u, const char *words)
{
    const int v = like(t, "SliceScatter-15(%%%s, %%%s", a, u);

    (void)v;
    t->n--;
    add(t, ", %s)\n", words);
}

static void add_put_back(struct text *t)
{
    const int a = any(t);
    int64_t sizes[2];
    char words[60];
    int s;

    window(t, a, words, sizes);
    s = like(t, "Slice-8(%%%s", a, a);
    t->n--;
    add(t, ", %s)\n", words);
    memcpy(t->values[s].dims, sizes, sizeof sizes);
    scatter(t, a, computed(t, s), words);
}

static void add_written(struct text *t)
{
    const int a = any(t);
    int64_t sizes[2];
    char words[60];
    int u;

    window(t, a, words, sizes);
    u = of_sizes(t, sizes[0], sizes[1]);
    if (u >= 0)
        scatter(t, a, rng_one_in(&t->r, 2) ? computed(t, u) : u, words);
}

static void add_result(struct text *t, int v)
{
    if (t->n_results < RESULTS)
        add(t, "%%out%d = Result-1(%%%s)\n", t->n_results++, t->values[v].name);
}

/* A value is made, joined with others, and what is joined is read; then the value is written over,
 * and leaves. */
static void add_spoiled(struct text *t)
{
    const int a = computed(t, any(t)), axis = (int)rng_in(&t->r, 0, 1);
    const int b = of_sizes(t, t->values[a].dims[0], t->values[a].dims[1]);
    int64_t sizes[2];
    char words[60];
    int u;

    if (b < 0)
        return;
    add_result(t, computed(t, joined(t, a, b, axis)));
    window(t, a, words, sizes);
    u = of_sizes(t, sizes[0], sizes[1]);
    if (u < 0)
        return;
    scatter(t, a, u, words);
    if (rng_one_in(&t->r, 2))
        add_result(t, t->n_values - 1);
}

static void add_row(struct text *t)
{
    const int a = any(t), u = of_sizes(t, 1, t->values[a].dims[1]);
    char at[NAME];

    if (u < 0)
        return;
    number(t, 1, 0, t->values[a].dims[0] - 1, at);
    add(t, "%%x%d = Const-1 {value = i64[] 0}\n", t->n_values);
    like(t, "ScatterUpdate-3(%%%s", a, a);
    t->n--;
    add(t, ", %%%s, %%%s, %%x%d)\n", at, t->values[u].name, t->n_values - 1);
}

static void add_reshaped(struct text *t)
{
    const int a = any(t), v = t->n_values, how = (int)rng_in(&t->r, 0, 2);
    const int64_t rows = t->values[a].dims[0], columns = t->values[a].dims[1];
    const int64_t to[][2] = {{columns, rows}, {rows * columns, 1}, {-1, columns}};

    add(t, "%%h%d = Const-1 {value = i64[2] [%lld,%lld]}\n", v, (long long)to[how][0],
        (long long)to[how][1]);
    like(t, "Reshape-1(%%%s", a, a);
    t->n--;
    add(t, ", %%h%d) {special_zero = false}\n", v);
    if (how < 2)
        memcpy(t->values[v].dims, to[how], sizeof to[how]);
}

static void add_turned(struct text *t)
{
    const int a = any(t), v = t->n_values;

    add(t, "%%h%d = Const-1 {value = i64[2] [1,0]}\n", v);
    like(t, "Transpose-1(%%%s", a, a);
    t->n--;
    add(t, ", %%h%d)\n", v);
    t->values[v].dims[0] = t->values[a].dims[1];
    t->values[v].dims[1] = t->values[a].dims[0];
}

static void add_held(struct text *t)
{
    const int a = any(t), v = t->n_values;

    add(t, "%%h%d = Const-1 {value = i64[2] [0,0]}\n%%j%d = Const-1 {value = i64[2] [1,0]}\n", v,
        v);
    like(t, "Pad-12(%%%s", a, a);
    t->n--;
    add(t, ", %%h%d, %%j%d) {pad_mode = constant}\n", v, v);
    t->values[v].dims[0]++;
}

static void add_parameter(struct text *t, const char *name, int a)
{
    char shape[SHAPE];

    add(t, "%%%s = Parameter-1 {element_type = f32, shape = %s}\n", name,
        shape_of(t, t->values[a].dims[0], t->values[a].dims[1], false, shape));
}

/* The body of a branch, or of a loop, that writes over row 0 of what it is given, makes it anew, or
 * hands it through. */
static void add_body(struct text *t, int a, int row)
{
    static const char *const nodes[] = {"%q = ScatterUpdate-3(%p, %zero, %w, %axis)\n",
                                        "%q = Negative-1(%p)\n", "%q = Add-1(%p, %w)\n"};

    add_parameter(t, "p", a);
    add_parameter(t, "w", row);
    add(t,
        "%%zero = Const-1 {value = i64[1] [0]}\n%%axis = Const-1 {value = i64[] 0}\n%s"
        "%%o = Result-1(%%q)\n",
        nodes[rng_in(&t->r, 0, 2)]);
}

static void add_branch(struct text *t)
{
    const int a = any(t), row = of_sizes(t, 1, t->values[a].dims[1]), v = t->n_values;
    char at[NAME];

    if (row < 0)
        return;
    number(t, 0, 0, 1, at);
    add(t, "%%c%d = Convert-1(%%%s) {destination_type = boolean}\n", v, at);
    add(t, "%%b%d:1 = If-8(%%c%d, %%%s, %%%s)\n", v, v, t->values[a].name, t->values[row].name);
    for (int i = 0; i < 2; i++) {
        add(t, "%s {\n", i ? "else_body \"e\"" : "then_body \"t\"");
        add_body(t, a, row);
        add(t, "}\nin 1 -> %%p\nin 2 -> %%w\nout %%o -> 0\n");
    }
    snprintf(at, sizeof at, "b%d", v);
    new_value(t, at, t->values[a].dims[0], t->values[a].dims[1]);
}

static void add_loop(struct text *t)
{
    const int a = any(t), row = of_sizes(t, 1, t->values[a].dims[1]), v = t->n_values;
    char at[NAME];

    if (row < 0)
        return;
    number(t, 0, 0, 3, at);
    add(t, "%%g%d = Const-1 {value = boolean[] true}\n%%b%d:1 = Loop-5(%%%s, %%g%d, %%%s, %%%s)\n",
        v, v, at, v, t->values[a].name, t->values[row].name);
    add(t, "body \"b\" {\n");
    add_body(t, a, row);
    add(t, "%%go = Const-1 {value = boolean[] true}\n%%on = Result-1(%%go)\n}\nin 2 -> %%p\n"
           "in 3 -> %%w\nout %%on -> none condition\nout %%o -> 0\nback %%o -> %%p\n");
    snprintf(at, sizeof at, "b%d", v);
    new_value(t, at, t->values[a].dims[0], t->values[a].dims[1]);
}

/* A loop whose value gets a row more in each iteration, so that a later one may be refused when an
 * earlier one has written. */
static void add_growing(struct text *t)
{
    const int a = any(t), row = of_sizes(t, 1, t->values[a].dims[1]);
    const int k = of_sizes(t, t->values[a].dims[0], t->values[a].dims[1]), v = (int)t->n;
    char at[NAME];

    if (row < 0 || k < 0)
        return;
    number(t, 0, 0, 3, at);
    add(t, "%%g%d = Const-1 {value = boolean[] true}\n", v);
    add(t, "%%b%d:1 = Loop-5(%%%s, %%g%d, %%%s, %%%s, %%%s)\nbody \"b\" {\n", v, at, v,
        t->values[a].name, t->values[row].name, t->values[k].name);
    add(t, "%%p = Parameter-1 {element_type = f32, shape = [?,?]}\n");
    add_parameter(t, "w", row);
    add_parameter(t, "k", k);
    add(t, "%%zero = Const-1 {value = i64[1] [0]}\n%%axis = Const-1 {value = i64[] 0}\n"
           "%%x = ScatterUpdate-3(%%p, %%zero, %%w, %%axis)\n%%s = Add-1(%%x, %%k)\n"
           "%%q = Concat-1(%%s, %%w) {axis = 0}\n%%o = Result-1(%%q)\n"
           "%%go = Const-1 {value = boolean[] true}\n%%on = Result-1(%%go)\n}\nin 2 -> %%p\n"
           "in 3 -> %%w\nin 4 -> %%k\nout %%on -> none condition\nout %%o -> 0\n"
           "back %%o -> %%p\n");
    snprintf(at, sizeof at, "b%d", v);
    add_result(t, new_value(t, at, 0, 0));
    t->n_values--; /* nobody else knows its sizes */
}

/* Each row by itself, joined again. */
static void add_rows(struct text *t)
{
    const int a = any(t), v = t->n_values;
    char name[NAME];
    const char *columns = rng_one_in(&t->r, 2) ? "?" : NULL;

    add(t, "%%b%d:1 = TensorIterator-1(%%%s)\nbody \"b\" {\n", v, t->values[a].name);
    if (columns)
        add(t, "%%p = Parameter-1 {element_type = f32, shape = [1,?]}\n");
    else
        add(t, "%%p = Parameter-1 {element_type = f32, shape = [1,%lld]}\n",
            (long long)t->values[a].dims[1]);
    add(t, "%%q = Negative-1(%%p)\n%%o = Result-1(%%q)\n}\n"
           "in 0 -> %%p axis 0 start 0 end -1 stride 1 part_size 1\n"
           "out %%o -> 0 axis 0 start 0 end -1 stride 1 part_size 1\n");
    snprintf(name, sizeof name, "b%d", v);
    new_value(t, name, t->values[a].dims[0], t->values[a].dims[1]);
}

static void add_variable(struct text *t, int k)
{
    const int a = any(t);
    char shape[SHAPE], name[NAME];

    snprintf(name, sizeof name, "r%d", k);
    add(t,
        "%%%s = ReadValue-6(%%%s) {variable_id = \"%s\", variable_type = f32, "
        "variable_shape = %s}\n",
        name, t->values[a].name, name,
        shape_of(t, t->values[a].dims[0], t->values[a].dims[1], false, shape));
    new_value(t, name, t->values[a].dims[0], t->values[a].dims[1]);
}

static void assign(struct text *t, int k, int v)
{
    const int now = of_sizes(t, t->values[v].dims[0], t->values[v].dims[1]);

    add(t, "%%a%d = Assign-6(%%%s) {variable_id = \"r%d\"}\n", k, t->values[now < 0 ? v : now].name,
        k);
}

typedef void maker(struct text *t);

static void add_nodes(struct text *t)
{
    static maker *const makers[] = {
        add_computed, add_computed, add_sum,     add_joined,  add_joined, add_joined,
        add_spoiled,  add_spoiled,  add_spoiled, add_spoiled, add_split,  add_put_back,
        add_put_back, add_written,  add_written, add_row,     add_row,    add_reshaped,
        add_turned,   add_held,     add_branch,  add_loop,    add_rows,   add_growing};

    for (int64_t n = rng_in(&t->r, 3, 12); n > 0 && t->n_values < MOST - 16; n--)
        makers[rng_in(&t->r, 0, (int64_t)(sizeof makers / sizeof *makers) - 1)](t);
}

generated_graph make_misfit_graph(uint64_t seed)
{
    generated_graph g = {.graph = NULL};
    struct text t = {.r = {seed}, .out = &g};
    int variables, first;

    for (int64_t n = rng_in(&t.r, 1, 3); n > 0; n--) {
        const int64_t rows = rng_in(&t.r, 1, 3);

        input(&t, rows, rng_in(&t.r, 1, 3));
    }
    variables = rng_one_in(&t.r, 2) ? (int)rng_in(&t.r, 1, 2) : 0;
    first = t.n_values;
    for (int k = 0; k < variables; k++)
        add_variable(&t, k);
    add_nodes(&t);
    for (int k = 0; k < variables; k++)
        assign(&t, k, first + k);
    for (int64_t n = rng_in(&t.r, t.n_results ? 0 : 1, 2); n > 0; n--)
        add_result(&t, any(&t));
    g.graph = graph_of(t.bytes);
    return g;
}
