/* Scan: a loop over slices, whose body is a graph of the model. */
#include "parser/onnx/import/loop.h"
#include "parser/onnx/import/make.h"

enum { MAX_SCAN = 64 }; /* values that are carried, sliced or joined */

typedef struct scan {
    onnx_node *n;
    const Onnx__GraphProto *g;
    const char *const *captured; /* names of values of the graph around */
    int n_captured;
    int n_states, n_inputs, n_outputs;
    int in_axes[MAX_SCAN], out_axes[MAX_SCAN];
    bool backward[MAX_SCAN], prepended[MAX_SCAN];
} scan;

static bool fill_scan(const onnx_loop *l, onnx_node *n, inlay_value **params, inlay_value **results)
{
    const scan *s = l->data;
    int count = s->n_states + s->n_inputs;

    for (int i = 0; i < count; i++) {
        if (!onnx_define_value(n->s, s->g->input[i]->name, params[i]))
            return false;
    }
    for (int i = 0; i < s->n_captured; i++) {
        if (!onnx_define_value(n->s, s->captured[i], params[count + i]))
            return false;
    }
    if (!onnx_import_inside(n->s, s->g))
        return false;
    for (int i = 0; i < s->n_states + s->n_outputs; i++) {
        const char *name = s->g->output[i]->name;

        if (!(results[i] = name ? onnx_find_value(n->s, name) : NULL))
            return onnx_node_fail(n, "no node of its body makes output %d", i);
    }
    return true;
}

/* Reads the list NAME, which has COUNT numbers; *LIST is NULL where it is absent. */
static bool read_list(scan *s, const char *name, int count, const int64_t **list)
{
    bool ok = true;
    int found;

    *list = onnx_attr_ints(s->n, name, &found, &ok);
    if (ok && *list && found != count)
        return onnx_node_fail(s->n, "attribute \"%s\" has %d element%s, it must have %d", name,
                              found, inlay_plural(found, "", "s"), count);
    return ok;
}

/* Reads the directions that attribute NAME says for COUNT values. */
static bool read_directions(scan *s, const char *name, int count, bool *backward)
{
    const int64_t *list;
    bool ok = read_list(s, name, count, &list);

    for (int i = 0; ok && i < count; i++)
        backward[i] = list && list[i] != 0;
    return ok;
}

/* Reads the axes in attribute NAME, which may count from the end. */
static bool read_axes(scan *s, const char *name, int count, int *axes)
{
    const int64_t *list;
    bool ok = read_list(s, name, count, &list);

    for (int i = 0; ok && i < count; i++) {
        int64_t axis = list ? list[i] : 0;

        if (axis < -INLAY_MAX_RANK || axis >= INLAY_MAX_RANK)
            return onnx_node_fail(s->n, "attribute \"%s\" has an axis %lld", name, (long long)axis);
        axes[i] = (int)axis;
    }
    return ok;
}

/* Reads the attributes of a Scan. FIRST is the number of the operand that is the first state. */
static bool read_scan(scan *s, int first)
{
    onnx_node *n = s->n;
    bool ok = true;
    int64_t inputs = onnx_attr_int(n, "num_scan_inputs", 0, &ok);

    s->g = onnx_attr_graph(n, "body", &ok);
    if (!ok)
        return false;
    if (!s->g || inputs < 1 || inputs > n->n_in - first || n->n_in > MAX_SCAN ||
        n->n_out > MAX_SCAN)
        return onnx_node_fail(n,
                              "attributes \"body\" and \"num_scan_inputs\" must say a graph and "
                              "how many of at most %d inputs are scanned",
                              MAX_SCAN);
    s->n_inputs = (int)inputs;
    s->n_states = n->n_in - first - s->n_inputs;
    s->n_outputs = n->n_out - s->n_states;
    if (s->g->n_input != (size_t)(n->n_in - first) || s->g->n_output != (size_t)n->n_out ||
        s->n_outputs < 0)
        return onnx_node_fail(n,
                              "attribute \"body\" must be a graph with %d input%s and %d output%s",
                              n->n_in - first, inlay_plural(n->n_in - first, "", "s"), n->n_out,
                              inlay_plural(n->n_out, "", "s"));
    for (int i = first; i < n->n_in; i++) {
        if (!n->in[i])
            return onnx_node_fail(n, "input[%d] is missing", i);
    }
    for (size_t i = 0; i < s->g->n_input; i++) {
        if (!s->g->input[i]->name)
            return onnx_node_fail(n, "input %zu of its body has no name", i);
    }
    return onnx_captured(n, s->g, &s->captured, &s->n_captured);
}

/* Moves the first axis of X to AXIS. */
static inlay_value *placed(onnx_node *n, inlay_value *x, int axis)
{
    int rank, at;

    if (axis == 0 || !x)
        return x;
    rank = onnx_rank(n, x);
    at = rank < 0 ? -1 : onnx_axis(n, axis, rank);
    return at < 0 ? NULL : make_moved(n, x, rank, 0, at);
}

/* Runs S on the values IN: states, then scan inputs. */
static bool run_scan(const scan *s, inlay_value *const *in, inlay_value *trips, inlay_value **out)
{
    inlay_value **shared =
        inlay_arena_array(s->n->s->r->a.scratch, (size_t)s->n_captured, sizeof *shared);
    onnx_loop l = {.n = s->n,
                   .trips = trips,
                   .carried = in,
                   .n_carried = s->n_states,
                   .sliced = in + s->n_states,
                   .n_sliced = s->n_inputs,
                   .axes = s->in_axes,
                   .backward = s->backward,
                   .shared = shared,
                   .n_shared = s->n_captured,
                   .n_joined = s->n_outputs,
                   .prepended = s->prepended,
                   .fill = fill_scan,
                   .data = s};

    if (!shared)
        return inlay_fail_memory(s->n->d);
    for (int i = 0; i < s->n_captured; i++)
        shared[i] = onnx_find_value(s->n->s, s->captured[i]);
    return onnx_iterate(&l, out);
}

static bool import_scan(onnx_node *n)
{
    scan s = {.n = n};
    inlay_value *out[MAX_SCAN];

    if (!read_scan(&s, 0) || !read_axes(&s, "scan_input_axes", s.n_inputs, s.in_axes) ||
        !read_axes(&s, "scan_output_axes", s.n_outputs, s.out_axes) ||
        !read_directions(&s, "scan_input_directions", s.n_inputs, s.backward) ||
        !read_directions(&s, "scan_output_directions", s.n_outputs, s.prepended))
        return false;
    for (int i = 0; i < s.n_inputs; i++) {
        int rank = onnx_rank(n, n->in[s.n_states + i]);

        if (rank < 0 || (s.in_axes[i] = onnx_axis(n, s.in_axes[i], rank)) < 0)
            return false;
    }
    if (!run_scan(&s, n->in, NULL, out))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if (!onnx_give(n, i,
                       i < s.n_states ? out[i] : placed(n, out[i], s.out_axes[i - s.n_states])))
            return false;
    }
    return true;
}

/* Scan-8 has a batch axis, with a length for each element: each gets a loop. */

/* Returns element B of the first axis of X. */
static inlay_value *element(onnx_node *n, inlay_value *x, int64_t b)
{
    return onnx_take(n, x, onnx_integer(n, b), 0);
}

/* Pads X with zeros behind its first axis, which becomes as long as axis 1 of the scanned LIKE. */
static inlay_value *filled_up(onnx_node *n, inlay_value *x, inlay_value *like)
{
    int rank = x ? onnx_rank(n, x) : -1;
    inlay_value *missing;

    if (rank < 1)
        return NULL;
    missing = onnx_binary(n, "Subtract", make_size(n, like, 1), make_size(n, x, 0));
    return make_longer(n, x, rank, 0, missing, 0);
}

/* Returns in OUT the results of batch B, each with a first axis of one element. */
static bool scan_batch(const scan *s, int64_t b, inlay_value **out)
{
    onnx_node *n = s->n;
    inlay_value *in[MAX_SCAN], *trips = onnx_in(n, 0);

    for (int i = 1; i < n->n_in; i++) {
        if (!(in[i - 1] = element(n, n->in[i], b)))
            return false;
    }
    if (trips && !(trips = element(n, trips, b)))
        return false;
    if (!run_scan(s, in, trips, out))
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if (trips && i >= s->n_states)
            out[i] = filled_up(n, out[i], n->in[1 + s->n_states]);
        if (!(out[i] = make_unsqueeze(n, out[i], (int64_t[]){0}, 1)))
            return false;
    }
    return true;
}

enum { MAX_SCAN_BATCH = 64 };

static bool import_scan_8(onnx_node *n)
{
    scan s = {.n = n};
    inlay_value *out[MAX_SCAN], *more[MAX_SCAN];
    int64_t batch;

    if (!read_scan(&s, 1) || !read_directions(&s, "directions", s.n_inputs, s.backward))
        return false;
    if (onnx_rank(n, n->in[1]) < 1)
        return false;
    if ((batch = onnx_known_size(n, n->in[1], 0)) < 0)
        return false;
    if (batch < 1 || batch > MAX_SCAN_BATCH)
        return onnx_node_fail(n, "is read for 1 to %d batches only", MAX_SCAN_BATCH);
    for (int i = 0; onnx_in(n, 0) && i < s.n_inputs; i++) {
        if (s.backward[i])
            return onnx_node_fail(n,
                                  "scans backward sequences of several lengths, which is not read");
    }
    for (int64_t b = 0; b < batch; b++) {
        if (!scan_batch(&s, b, b == 0 ? out : more))
            return false;
        for (int i = 0; b > 0 && i < n->n_out; i++) {
            if (!(out[i] = make_concat(n, out[i], more[i], 0)))
                return false;
        }
    }
    for (int i = 0; i < n->n_out; i++)
        onnx_give(n, i, out[i]);
    return true;
}

const onnx_operator onnx_operators_scan[] = {
    {"Scan", 9, import_scan, NULL, -1},
    {"Scan", 8, import_scan_8, NULL, -1},
    {NULL, 0, NULL, NULL, 0},
};
