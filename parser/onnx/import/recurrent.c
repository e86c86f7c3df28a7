/* LSTM, GRU, RNN. A net that OpenVINO's sequences can express becomes one of them, in their order
 * of axes and gates. A net with peepholes, coupled gates or other activation functions becomes
 * ONNX's own row. */
#include "parser/onnx/import/make.h"

#include <string.h>

enum { MAX_NAMES = 6 };
enum { IN_X, IN_W, IN_R, IN_B, IN_LENGTHS, IN_H, IN_C, IN_P };

typedef struct net {
    onnx_node *n;
    int gates;
    const char *own;        /* the row of ONNX */
    char *names[MAX_NAMES]; /* in lower case, as OpenVINO writes them */
    int n_names, dirs;
    int64_t hidden, layout;
    const char *direction;
    double clip;
    bool coupled, linear;
} net;

static bool is_known(const char *name)
{
    return strcmp(name, "relu") == 0 || strcmp(name, "sigmoid") == 0 || strcmp(name, "tanh") == 0;
}

/* OpenVINO has three activation functions, and both directions must use the same ones. */
static bool is_openvino(const net *t)
{
    int half = t->n_names / t->dirs;

    for (int i = 0; i < t->n_names; i++) {
        if (!is_known(t->names[i]) || strcmp(t->names[i], t->names[i % half]) != 0)
            return false;
    }
    return !t->coupled && !onnx_in(t->n, IN_P) && (t->n_names == 0 || t->n_names % t->dirs == 0);
}

/* Reads the size of the state from attribute hidden_size, or from the recurrent weights. */
static bool read_hidden(net *t)
{
    const inlay_value *r = t->n->in[IN_R];
    bool ok = true;

    t->hidden = onnx_attr_int(t->n, "hidden_size", 0, &ok);
    if (ok && t->hidden == 0 && (onnx_rank(t->n, r) < 0 || r->fact.rank == 3)) {
        if ((t->hidden = r->fact.rank < 0 ? -1 : onnx_known_size(t->n, r, 2)) < 0)
            return false;
    }
    if (ok && t->hidden == 0)
        return onnx_node_fail(t->n, "attribute \"hidden_size\" is missing");
    return ok && ((t->hidden > 0 && t->hidden <= INT32_MAX) ||
                  onnx_node_fail(t->n, "attribute \"hidden_size\" is %lld, it must be from 1 to %d",
                                 (long long)t->hidden, INT32_MAX));
}

/* Checks the shapes of the operands against the size of the state and the directions. */
static bool has_shapes(const net *t)
{
    onnx_node *n = t->n;
    inlay_dim dirs = inlay_dim_of(t->dirs), hidden = inlay_dim_of(t->hidden),
              blocks = inlay_dim_of(t->gates * t->hidden), batch = onnx_dim(n, IN_X, !t->layout);
    const inlay_shape shapes[] = {
        [IN_X] = {.rank = 3, .dim = {inlay_dim_any(), inlay_dim_any(), inlay_dim_any()}},
        [IN_W] = {.rank = 3, .dim = {dirs, blocks, onnx_dim(n, IN_X, 2)}},
        [IN_R] = {.rank = 3, .dim = {dirs, blocks, hidden}},
        [IN_B] = {.rank = 2, .dim = {dirs, inlay_dim_of(2 * t->gates * t->hidden)}},
        [IN_LENGTHS] = {.rank = 1, .dim = {batch}},
        [IN_H] = {.rank = 3, .dim = {t->layout ? batch : dirs, t->layout ? dirs : batch, hidden}},
        [IN_C] = {.rank = 3, .dim = {t->layout ? batch : dirs, t->layout ? dirs : batch, hidden}},
        [IN_P] = {.rank = 2, .dim = {dirs, inlay_dim_of(3 * t->hidden)}},
    };

    for (int i = 0; i <= IN_P; i++) {
        if (!onnx_has_shape(n, i, &shapes[i]))
            return false;
    }
    return true;
}

/* The first COUNT activation functions; those of OpenVINO if none is named. */
#define NAMES(t, count)                                                                            \
    WORDS("activations", t->n_names > 0 ? (const char *const *)t->names : NULL, count)

/* There is an activation function for each gate of each direction, or none is named. */
static bool has_names(const net *t)
{
    int wanted = (t->gates == 1 ? 1 : t->gates - 1) * t->dirs;

    return t->n_names == 0 || t->n_names == wanted ||
           onnx_node_fail(t->n, "attribute \"activations\" has %d element%s, it must have %d",
                          t->n_names, inlay_plural(t->n_names, "", "s"), wanted);
}

static bool read_net(net *t)
{
    onnx_node *n = t->n;
    bool ok = true;

    t->direction = onnx_attr_string(n, "direction", "forward", &ok);
    t->dirs = strcmp(t->direction, "bidirectional") == 0 ? 2 : 1;
    t->clip = onnx_attr_float(n, "clip", 0, &ok);
    t->layout = n->version >= 14 ? onnx_attr_int(n, "layout", 0, &ok) : 0;
    t->n_names = onnx_attr_strings(n, "activations", t->names, MAX_NAMES, &ok);
    for (int i = 0; i < t->n_names; i++)
        *t->names[i] = (char)(*t->names[i] >= 'A' && *t->names[i] <= 'Z' ? *t->names[i] + 'a' - 'A'
                                                                         : *t->names[i]);
    if (t->gates == 4)
        t->coupled = onnx_attr_int(n, "input_forget", 0, &ok) != 0;
    if (t->gates == 3 && n->version >= 3)
        t->linear = onnx_attr_int(n, "linear_before_reset", 0, &ok) != 0;
    if (n->version < 7)
        onnx_attr_ignore(n, "output_sequence"); /* it only says whether Y is used */
    onnx_attr_ignore(n, "activation_alpha");    /* only ONNX's own row uses them */
    onnx_attr_ignore(n, "activation_beta");
    return ok && read_hidden(t);
}

/* Reads an attribute with at most one number for each activation function; returns how many. */
static int read_numbers(const net *t, const char *name, double *x, bool *ok)
{
    int count;
    const float *read = onnx_attr_floats(t->n, name, &count, ok);

    if (count > MAX_NAMES)
        *ok = onnx_node_fail(t->n, "attribute \"%s\" has %d elements, at most %d have a meaning",
                             name, count, MAX_NAMES);
    for (int i = 0; *ok && i < count; i++)
        x[i] = (double)read[i];
    return *ok ? count : 0;
}

/* Makes the row of ONNX, whose operands are those of the operator. */
static bool import_own(const net *t)
{
    const char *option = t->coupled ? "input_forget" : t->linear ? "linear_before_reset" : NULL;
    double alpha[MAX_NAMES], beta[MAX_NAMES];
    bool ok = true;
    int n_alpha = read_numbers(t, "activation_alpha", alpha, &ok),
        n_beta = read_numbers(t, "activation_beta", beta, &ok);
    inlay_node *made;

    if (!ok)
        return false;
    made = onnx_make_node(
        t->n, t->own, t->n->n_in, t->n->in,
        ATTRS(INT("hidden_size", t->hidden), WORD("direction", t->direction), REAL("clip", t->clip),
              INT("layout", t->layout), NAMES(t, t->n_names),
              REALS("activation_alpha", n_alpha > 0 ? alpha : NULL, n_alpha),
              REALS("activation_beta", n_beta > 0 ? beta : NULL, n_beta), INT(option, 1)));
    ok = made != NULL;
    for (int i = 0; ok && i < made->n_out; i++)
        ok = onnx_give(t->n, i, &made->out[i]);
    return ok;
}

/* Operands of OpenVINO */

/* Puts the batch first: in layout 0 it is the second axis. */
static inlay_value *batch_first(const net *t, inlay_value *x)
{
    return t->layout ? x : make_transpose(t->n, x, (int64_t[]){1, 0, 2}, 3);
}

static inlay_value *batch_size(const net *t)
{
    return make_size(t->n, t->n->in[IN_X], t->layout ? 0 : 1);
}

/* Returns state I, zeros if it is left out. */
static inlay_value *state(const net *t, int i)
{
    onnx_node *n = t->n;
    inlay_value *sizes[] = {batch_size(t), onnx_list(n, (int64_t[]){t->dirs, t->hidden}, 2)};

    if (onnx_in(n, i))
        return batch_first(t, n->in[i]);
    return make_zeros(n, onnx_type_of(n, n->in[IN_X]), make_join(n, sizes, 2));
}

static inlay_value *lengths(const net *t)
{
    onnx_node *n = t->n;
    inlay_value *steps;

    if (onnx_in(n, IN_LENGTHS))
        return n->in[IN_LENGTHS];
    steps = make_size(n, n->in[IN_X], t->layout ? 1 : 0);
    return onnx_binary(n, "Broadcast", steps, batch_size(t));
}

/* Puts the gates of an LSTM, which are blocks of axis 1, from the order i, o, f, c into f, i, c, o;
 * X is [directions, gates, ...]. */
static inlay_value *ordered(const net *t, inlay_value *x)
{
    return t->gates == 4 ? onnx_take(t->n, x, onnx_list(t->n, (int64_t[]){2, 0, 3, 1}, 4), 1) : x;
}

/* Returns W or R, [directions, gates * hidden, columns], with the gates in OpenVINO's order. */
static inlay_value *weights(const net *t, inlay_value *w)
{
    onnx_node *n = t->n;

    if (t->gates != 4)
        return w;
    w = ordered(t, make_shaped(n, w, (int64_t[]){0, t->gates, t->hidden, -1}, 4));
    return make_shaped(n, w, (int64_t[]){0, t->gates * t->hidden, -1}, 3);
}

/* B is [directions, 2, 3, hidden]. The result has the sums of the two biases of z and of r, and the
 * two biases of the new state apart. */
static inlay_value *linear_biases(const net *t, inlay_value *b)
{
    onnx_node *n = t->n;
    inlay_value *two = onnx_list(n, (int64_t[]){2}, 1), *three = onnx_list(n, (int64_t[]){3}, 1);
    inlay_value *sums = make_reduce(n, "ReduceSum", b, onnx_list(n, (int64_t[]){1}, 1), false);
    inlay_value *apart = make_cut(n, b, 2, two, three, 1);

    sums = make_cut(n, sums, 1, onnx_list(n, (int64_t[]){0}, 1), two, 1);
    apart = make_squeeze(n, apart, (int64_t[]){2}, 1);
    return make_concat(n, sums, apart, 1);
}

/* B, [directions, 2 * gates * hidden], has the biases of the input, and then those of the state.
 * The result has their sums. */
static inlay_value *biases(const net *t)
{
    onnx_node *n = t->n;
    int blocks = t->gates + t->linear;
    inlay_value *b = onnx_in(n, IN_B);
    int64_t zeros[] = {t->dirs, blocks * t->hidden};

    if (!b)
        return make_zeros(n, onnx_type_of(n, n->in[IN_X]), onnx_list(n, zeros, 2));
    b = make_shaped(n, b, (int64_t[]){0, 2, t->gates, t->hidden}, 4);
    b = t->linear ? linear_biases(t, b)
                  : make_reduce(n, "ReduceSum", b, onnx_list(n, (int64_t[]){1}, 1), false);
    return make_shaped(n, ordered(t, b), (int64_t[]){0, blocks * t->hidden}, 2);
}

/* Gives the results of OpenVINO's sequence in the order of axes of ONNX. */
static bool give_results(const net *t, const inlay_node *made)
{
    static const int64_t orders[][4] = {{2, 1, 0, 3}, {0, 2, 1, 3}};
    onnx_node *n = t->n;

    if (!made || !onnx_give(n, 0, make_transpose(n, &made->out[0], orders[t->layout != 0], 4)))
        return false;
    for (int i = 1; i < made->n_out; i++) {
        if (!onnx_give(n, i, batch_first(t, &made->out[i])))
            return false;
    }
    return true;
}

static bool import_sequence(const net *t)
{
    onnx_node *n = t->n;
    inlay_value *in[7];
    int count = 0;

    in[count++] = batch_first(t, n->in[IN_X]);
    in[count++] = state(t, IN_H);
    if (t->gates == 4)
        in[count++] = state(t, IN_C);
    in[count++] = lengths(t);
    in[count++] = weights(t, n->in[IN_W]);
    in[count++] = weights(t, n->in[IN_R]);
    in[count++] = biases(t);
    return give_results(
        t, onnx_make_node(n, n->op->as, count, in,
                          ATTRS(INT("hidden_size", t->hidden), WORD("direction", t->direction),
                                REAL("clip", t->clip), NAMES(t, t->n_names / t->dirs),
                                FLAG(t->linear ? "linear_before_reset" : NULL, true))));
}

static bool import_net(net t)
{
    if (!read_net(&t))
        return false;
    if (t.layout != 0 && t.layout != 1)
        return onnx_node_fail(t.n, "layout is %lld, it must be 0 or 1", (long long)t.layout);
    if (!has_names(&t) || !has_shapes(&t))
        return false;
    return is_openvino(&t) ? import_sequence(&t) : import_own(&t);
}

static bool import_lstm(onnx_node *n)
{
    return import_net((net){.n = n, .gates = 4, .own = "LSTM@onnx14"});
}

static bool import_gru(onnx_node *n)
{
    return import_net((net){.n = n, .gates = 3, .own = "GRU@onnx14"});
}

static bool import_rnn(onnx_node *n)
{
    return import_net((net){.n = n, .gates = 1, .own = "RNN@onnx14"});
}

/* DynamicQuantizeLSTM: weights are codes [directions, columns, gates * hidden], with scales and zero
 * points for each direction, or each of its rows. */
enum { CODES_SCALE = 8 };

/* The weights that the codes, operand I, stand for, as LSTM has them; their scales stand from
 * operand AT on. */
static inlay_value *decoded(onnx_node *n, int i, int at)
{
    inlay_value *x = onnx_convert(n, n->in[i], INLAY_F32), *numbers[2];

    if (!onnx_has_rank(n, i, 3, 3))
        return NULL;
    for (int k = 0; k < 2; k++) {
        int rank = onnx_rank(n, n->in[at + k]);
        const int64_t axes[] = {1, 2};

        if (rank != 1 && rank != 2)
            return NULL;
        numbers[k] = onnx_convert(n, n->in[at + k], INLAY_F32);
        numbers[k] = make_unsqueeze(n, numbers[k], axes, 3 - rank);
    }
    x = onnx_binary(n, "Subtract", x, numbers[1]);
    return make_transpose(n, onnx_binary(n, "Multiply", x, numbers[0]), (int64_t[]){0, 2, 1}, 3);
}

/* What ONNX Runtime computes nearly: it rounds X and the state to 8 bits. */
static bool import_quantized_lstm(onnx_node *n)
{
    onnx_node inner = *n;
    inlay_value *in[IN_P + 1];
    bool ok;

    for (int i = CODES_SCALE; i < CODES_SCALE + 4; i++) {
        if (!onnx_in(n, i))
            return onnx_node_fail(n, "input[%d] is missing", i);
        if (!onnx_has_rank(n, i, 1, 2))
            return false;
    }
    for (int i = 0; i <= IN_P; i++)
        in[i] = onnx_in(n, i);
    in[IN_W] = decoded(n, IN_W, CODES_SCALE);
    in[IN_R] = decoded(n, IN_R, CODES_SCALE + 2);
    if (!in[IN_W] || !in[IN_R])
        return false;
    inner.in = in;
    inner.n_in = in[IN_P] ? IN_P + 1 : IN_P;
    inner.version = 7; /* without layout */
    ok = import_net((net){.n = &inner, .gates = 4, .own = "LSTM@onnx14"});
    n->first_made = inner.first_made;
    return ok;
}

const onnx_operator onnx_operators_recurrent[] = {
    {"GRU", 14, import_gru, "GRUSequence", 3},
    {"GRU", 7, import_gru, "GRUSequence", 3},
    {"GRU", 3, import_gru, "GRUSequence", 3},
    {"GRU", 1, import_gru, "GRUSequence", 3},
    {"LSTM", 14, import_lstm, "LSTMSequence", 3},
    {"LSTM", 7, import_lstm, "LSTMSequence", 3},
    {"LSTM", 1, import_lstm, "LSTMSequence", 3},
    {"RNN", 14, import_rnn, "RNNSequence", 3},
    {"RNN", 7, import_rnn, "RNNSequence", 3},
    {"RNN", 1, import_rnn, "RNNSequence", 3},
    {"com.microsoft.DynamicQuantizeLSTM", 1, import_quantized_lstm, "LSTMSequence", 3},
    {NULL, 0, NULL, NULL, 0},
};
