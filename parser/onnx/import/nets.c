/* Exports of recurrent cells and sequences: all of them are LSTM, GRU and RNN, a cell one of one
 * step. The order of axes and gates is the other way round than in recurrent.c:
 *
 *     X [batch, steps, input]        =>  [steps, batch, input]
 *     W [dirs, f i c o, input]       =>  [dirs, i o f c, input]
 *     B [dirs, gates]                =>  [dirs, gates of the input, gates of the state] */
#include "ir/shared.h"
#include "parser/onnx/write.h"

#include <ctype.h>
#include <string.h>

enum { MAX_NAMES = 6, LSTM_GATES = 4 };

typedef struct net {
    onnx_export *x;
    bool is_cell;              /* one step, without axes of steps and directions */
    int gates, state;          /* STATE: how many operands it has */
    int64_t order[LSTM_GATES]; /* the place of ONNX's gates among those of the operands */
    int64_t hidden;
    inlay_type type;
} net;

/* V, operand I in its type, with the first two axes exchanged, or with one in front in a cell. */
static const char *steps_first(const net *t, int i)
{
    const char *v = put_as(t->x, i, t->type);

    return t->is_cell ? put_unsqueeze(t->x, v, (int64_t[]){0}, 1)
                      : put_transpose(t->x, v, (int64_t[]){1, 0, 2}, 3);
}

static const char *with_directions(const net *t, int i)
{
    const char *v = put_as(t->x, i, t->type);

    return t->is_cell ? put_unsqueeze(t->x, v, (int64_t[]){0}, 1) : v;
}

/* What V reshapes, or NULL. */
static const inlay_value *reshaped(const inlay_value *v)
{
    return v && (v->node->op->flags & INLAY_RESHAPES) ? inlay_node_input(v->node, 0) : NULL;
}

/* Whether V, a Gather, takes the gates of an LSTM in OpenVINO's order. */
static bool takes_gates(const inlay_value *v)
{
    static const int64_t order[LSTM_GATES] = {2, 0, 3, 1};
    const inlay_value *list = put_operand_of(v, "Gather", 1);

    if (!list || !list->fact.content || list->fact.rank != 1 ||
        inlay_tensor_count(list->fact.content) != LSTM_GATES)
        return false;
    for (int i = 0; i < LSTM_GATES; i++) {
        if (inlay_tensor_get_i64(list->fact.content, i) != order[i])
            return false;
    }
    return true;
}

/* What the import has put into the order of operands, which is ONNX's own one. */
static const inlay_value *unordered(const inlay_value *v)
{
    const inlay_value *in = reshaped(v), *from;

    if (!in || !takes_gates(in))
        return NULL;
    from = reshaped(inlay_node_input(in->node, 0));
    return from && from->fact.rank == v->fact.rank ? from : NULL;
}

/* The biases of input and state, of which the import has made V, their sums. */
static const inlay_value *summed(const net *t, const inlay_value *v)
{
    const inlay_value *sums = reshaped(v), *both;

    if (sums && t->gates == LSTM_GATES)
        sums = takes_gates(sums) ? inlay_node_input(sums->node, 0) : NULL;
    if (!sums || strcmp(sums->node->op->name, "ReduceSum") != 0 || t->is_cell)
        return NULL;
    both = reshaped(inlay_node_input(sums->node, 0));
    return both && both->fact.rank == 2 && inlay_dim_is_static(both->fact.dims[1]) &&
                   both->fact.dims[1].lo == 2 * t->gates * t->hidden
               ? both
               : NULL;
}

/* Whether operand I is known to be zeros, which ONNX takes where there is none. */
static bool is_zero(const net *t, int i)
{
    const inlay_value *v = inlay_node_input(t->x->n, i);
    const inlay_tensor *c;

    if (v && strcmp(v->node->op->name, "Broadcast") == 0)
        v = inlay_node_input(v->node, 0);
    if (!v || !(c = v->fact.content) || !inlay_type_is_float(c->type))
        return false;
    for (int64_t k = 0; k < inlay_tensor_count(c); k++) {
        if (inlay_tensor_get_f64(c, k) != 0)
            return false;
    }
    return true;
}

/* Puts the blocks of gates of V, [dirs, gates * hidden, ...] with RANK axes, into ONNX's order. */
static const char *ordered(const net *t, const char *v, int rank)
{
    bool same = true;

    for (int i = 0; i < t->gates; i++)
        same = same && t->order[i] == i;
    if (same)
        return v;
    v = put_reshape(t->x, v, (int64_t[]){0, t->gates, t->hidden, -1}, rank + 1);
    v = v ? put(t->x, "Gather", IN(v, put_list(t->x, t->order, t->gates)), ATTRS(INT("axis", 1)))
          : NULL;
    return put_reshape(t->x, v, (int64_t[]){0, t->gates * t->hidden, -1}, rank);
}

static const char *weights(const net *t, int i)
{
    const inlay_value *from =
        t->gates == LSTM_GATES && !t->is_cell ? unordered(t->x->n->in[i].value) : NULL;

    return from && from->fact.type == t->type ? put_value(t->x, from)
                                              : ordered(t, with_directions(t, i), 3);
}

/* The biases of the state are 0. With linear_before_reset a GRU has four, of which the last one is
 * the state's. */
static const char *biases(const net *t, int i)
{
    bool linear = t->gates == 3 && inlay_node_bool(t->x->n, "linear_before_reset");
    int64_t dims[] = {t->is_cell ? 1 : put_size(t->x, i, 0), (linear ? 2 : t->gates) * t->hidden};
    const inlay_value *both;
    const char *b, *none, *last;

    if (!inlay_node_input(t->x->n, i) || is_zero(t, i))
        return "";
    if (!linear && (both = summed(t, t->x->n->in[i].value)) && both->fact.type == t->type)
        return put_value(t->x, both);
    if (dims[0] < 0)
        return put_refuse(t->x, "the number of directions is not known"), NULL;
    b = with_directions(t, i);
    none = put_own_tensor(t->x, "zeros", put_new(t->x, t->type, 2, dims));
    if (!linear)
        return put(t->x, "Concat", IN(ordered(t, b, 2), none), ATTRS(INT("axis", 1)));
    last = put_cut(t->x, b, 1, 3 * t->hidden, INT64_MAX, 1);
    return put(t->x, "Concat", IN(put_cut(t->x, b, 1, 0, 3 * t->hidden, 1), none, last),
               ATTRS(INT("axis", 1)));
}

/* Whether all lengths, operand I, are known to be of some steps. */
static bool has_steps(const net *t, int i)
{
    int64_t list[INLAY_MAX_KNOWN];
    int count = put_seen(t->x, i, list, INLAY_MAX_KNOWN);

    for (int k = 0; k < count; k++) {
        if (list[k] == 0)
            return false;
    }
    return count >= 0;
}

/* Y, the state after the last step; for a sequence without steps BEFORE, since ONNX Runtime gives
 * zeros there. */
static const char *or_before(const net *t, const char *lengths, const char *before, const char *y)
{
    int64_t axes[] = {0, 2};
    const char *none = put_binary(t->x, "Equal", lengths, put_number(t->x, INLAY_I32, 0));

    return put(t->x, "Where", IN(put_unsqueeze(t->x, none, axes, 2), before, y), NULL);
}

/* Lengths that are all the number of steps say nothing. */
static const char *lengths(const net *t, int i)
{
    int64_t list[INLAY_MAX_KNOWN], steps = put_size(t->x, 0, 1);
    int count = steps < 0 ? -1 : put_seen(t->x, i, list, INLAY_MAX_KNOWN);

    for (int k = 0; k < count; k++) {
        if (list[k] != steps)
            count = -1;
    }
    return count >= 0 ? "" : put_as(t->x, i, INLAY_I32);
}

/* Reads the order of the gates, which old files name: "fico" and others. */
static void read_order(net *t)
{
    const char *format = inlay_op_attr(t->x->n->op, "weights_format") >= 0
                             ? inlay_node_string(t->x->n, "weights_format")
                             : "fico";

    for (int i = 0; i < t->gates; i++)
        t->order[i] = t->gates == LSTM_GATES ? strchr(format, "iofc"[i]) - format : i;
}

/* Names of functions as ONNX writes them, once for each direction. */
static const char *const *names(const net *t, int directions, int *count)
{
    const inlay_attr *given = inlay_node_attr(t->x->n, "activations");
    const char **list = inlay_arena_array(t->x->w->a, MAX_NAMES, sizeof *list);
    int n = given ? given->n : 0;

    *count = n * directions <= MAX_NAMES ? n * directions : 0;
    for (int i = 0; list && i < *count; i++) {
        char *name = inlay_arena_strdup(t->x->w->a, given->as.strings[i % n]);

        if (!name)
            return onnx_out_of_memory(t->x->w), NULL;
        *name = (char)toupper((unsigned char)*name);
        list[i] = name;
    }
    return *count > 0 ? list : NULL;
}

static const double *numbers(const net *t, const char *name, int *count)
{
    const inlay_attr *given = inlay_node_attr(t->x->n, name);

    *count = given ? given->n : 0;
    return *count > 0 ? given->as.floats : NULL;
}

/* Puts the operator with its attributes; ALPHA and BETA are the names of the node's own. */
static bool put_net(const net *t, const char *const *in, const char *alpha, const char *beta,
                    int64_t layout, const char **out)
{
    const inlay_node *n = t->x->n;
    const char *direction =
        inlay_op_attr(n->op, "direction") >= 0 ? inlay_node_string(n, "direction") : "forward";
    int n_names, n_alpha, n_beta, linear = inlay_op_attr(n->op, "linear_before_reset"),
                                  coupled = inlay_op_attr(n->op, "input_forget");
    bool own = strcmp(alpha, "activation_alpha") == 0;
    const char *const *list =
        names(t, own || strcmp(direction, "bidirectional") != 0 ? 1 : 2, &n_names);
    const double *a = numbers(t, alpha, &n_alpha), *b = numbers(t, beta, &n_beta);
    double clip = inlay_node_float(n, "clip");
    const inlay_attr *l = linear >= 0 ? inlay_node_attr_at(n, linear) : NULL;
    const inlay_attr *c = coupled >= 0 ? inlay_node_attr_at(n, coupled) : NULL;
    bool is_linear = l && (n->op->attrs[linear].kind == INLAY_ATTR_BOOL ? l->as.b : l->as.i != 0);
    bool is_coupled = c && (n->op->attrs[coupled].kind == INLAY_ATTR_BOOL ? c->as.b : c->as.i != 0);

    return put_many(
        t->x, t->x->how->as, in,
        ATTRS(INT("hidden_size", t->hidden), WORD("direction", direction),
              clip > 0 ? REAL("clip", clip) : WORD("clip", NULL),
              list ? WORDS("activations", list, n_names) : WORD("activations", NULL),
              a ? REALS("activation_alpha", a, n_alpha) : WORD("activation_alpha", NULL),
              b ? REALS("activation_beta", b, n_beta) : WORD("activation_beta", NULL),
              is_linear ? INT("linear_before_reset", 1) : WORD("linear_before_reset", NULL),
              is_coupled ? INT("input_forget", 1) : WORD("input_forget", NULL),
              layout ? INT("layout", 1) : WORD("layout", NULL)),
        t->gates == LSTM_GATES ? 3 : 2, out);
}

static bool give_results(const net *t, const char *const *out)
{
    bool ok = true;

    if (t->is_cell) {
        for (int i = 0; ok && i < t->x->n->n_out; i++)
            ok = put_give_as(t->x, i, put_squeeze(t->x, out[i + 1], (int64_t[]){0}, 1), t->type);
        return ok;
    }
    ok = put_give_as(t->x, 0, put_transpose(t->x, out[0], (int64_t[]){2, 1, 0, 3}, 4), t->type);
    for (int i = 1; ok && i < t->x->n->n_out; i++)
        ok = put_give_as(t->x, i, put_transpose(t->x, out[i], (int64_t[]){1, 0, 2}, 3), t->type);
    return ok;
}

static bool export_net(onnx_export *x)
{
    net t = {.x = x,
             .is_cell = strstr(x->n->op->name, "Cell") != NULL,
             .type = put_wider(put_type(x, 0), PUT_BASIC)};
    const char *in[9] = {NULL}, *out[3];
    int at;

    t.gates = *x->how->as == 'L' ? LSTM_GATES : *x->how->as == 'G' ? 3 : 1;
    t.hidden = inlay_node_int(x->n, "hidden_size");
    t.state = t.gates == LSTM_GATES ? 2 : 1;
    if (t.type == INLAY_DYNAMIC)
        return put_refuse(x, "its type");
    read_order(&t);
    x->w->turns = true;
    at = 1 + t.state + !t.is_cell; /* of W */
    in[0] = steps_first(&t, 0);
    in[1] = weights(&t, at);
    in[2] = weights(&t, at + 1);
    in[3] = biases(&t, at + 2);
    in[4] = t.is_cell ? "" : lengths(&t, at - 1);
    for (int i = 1; i <= t.state; i++)
        in[4 + i] = is_zero(&t, i) && !t.is_cell ? "" : steps_first(&t, i);
    if (t.gates == LSTM_GATES && inlay_node_input(x->n, at + 3))
        in[7] = with_directions(&t, at + 3);
    if (!put_net(&t, in, "activations_alpha", "activations_beta", 0, out))
        return false;
    for (int i = 1; !t.is_cell && in[4] && *in[4] && !has_steps(&t, at - 1) && i <= t.state; i++)
        out[i] = !in[4 + i] || !*in[4 + i] ? out[i] : or_before(&t, in[4], in[4 + i], out[i]);
    return give_results(&t, out);
}

static bool export_own_net(onnx_export *x)
{
    net t = {.x = x,
             .hidden = inlay_node_int(x->n, "hidden_size"),
             .gates = *x->how->as == 'L' ? LSTM_GATES : 3};
    const char *in[9] = {NULL}, *out[3];
    bool ok = true;

    for (int i = 0; i < x->n->n_in && i < 8; i++)
        in[i] = inlay_node_input(x->n, i) && inlay_type_is_int(put_type(x, i))
                    ? put_as(x, i, INLAY_I32)
                    : put_in(x, i);
    ok =
        put_net(&t, in, "activation_alpha", "activation_beta", inlay_node_int(x->n, "layout"), out);
    for (int i = 0; ok && i < x->n->n_out; i++)
        ok = put_give(x, i, out[i]);
    return ok;
}

const onnx_exporter onnx_exporters_nets[] = {
    {"GRU@onnx", export_own_net, "GRU", 0, PUT_ANY},
    {"GRUCell", export_net, "GRU", 0, PUT_ANY},
    {"GRUSequence", export_net, "GRU", 0, PUT_ANY},
    {"LSTM@onnx", export_own_net, "LSTM", 0, PUT_ANY},
    {"LSTMCell", export_net, "LSTM", 0, PUT_ANY},
    {"LSTMSequence", export_net, "LSTM", 0, PUT_ANY},
    {"RNN@onnx", export_own_net, "RNN", 0, PUT_ANY},
    {"RNNCell", export_net, "RNN", 0, PUT_ANY},
    {"RNNSequence", export_net, "RNN", 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
