/* Attention and recurrences of interp/library against the reference, bit for bit (test_library.c). */
#include "node_case.h"
#include "unit.h"

/* Attention */

/* Matrices whose leading axes are broadcast or may be absent, as many as ABSENT. */
static inlay_tensor *any_operand(rng *r, inlay_type type, const int64_t *lead, int64_t rows,
                                 int64_t cols, int absent, bool special)
{
    int64_t dims[4] = {rng_one_in(r, 3) ? 1 : lead[0], rng_one_in(r, 3) ? 1 : lead[1], rows, cols};
    int from = (int)rng_in(r, 0, absent);

    return any_tensor(r, type, 4 - from, dims + from, special, rng_one_in(r, 2));
}

static void attention_case(rng *r, struct node_case *k)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    int64_t lead[2] = {rng_in(r, 1, 2), rng_in(r, 1, 5)}, queries = any_size(r), keys = any_size(r);
    int64_t size = rng_in(r, 1, 70), values = any_size(r), one = 1;
    inlay_type type = types[rng_in(r, 0, 4)];
    bool special = rng_one_in(r, 4), causal = rng_one_in(r, 3);

    snprintf(k->op, sizeof k->op, "ScaledDotProductAttention");
    snprintf(k->attrs, sizeof k->attrs, "causal=%s", causal ? "true" : "false");
    k->in[0] = any_tensor(r, type, 4, (int64_t[]){lead[0], lead[1], queries, size}, special,
                          rng_one_in(r, 2));
    k->in[1] = any_operand(r, type, lead, keys, size, 1, special);
    k->in[2] = any_operand(r, type, lead, keys, values, 1, special);
    if (rng_one_in(r, 3))
        return;
    k->in[3] = any_operand(r, rng_one_in(r, 2) ? INLAY_BOOLEAN : type, lead,
                           rng_one_in(r, 3) ? 1 : queries, rng_one_in(r, 3) ? 1 : keys, 2, special);
    if (rng_one_in(r, 2))
        k->in[4] = any_tensor(r, type, (int)rng_in(r, 0, 1), &one, false, true);
}

static void attention(void **state)
{
    try_cases(seeds_to_try(250, 40), attention_case, NULL);
}

/* LSTM */

static void lstm_case(rng *r, struct node_case *k)
{
    static const char *const directions[] = {"forward", "reverse", "bidirectional"};
    static const char *const more[] = {"", "clip=0.25;", "activations=tanh,sigmoid,tanh;",
                                       "activations=relu,tanh,tanh;"};
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    int64_t batch = rng_in(r, 1, 4), steps = rng_in(r, rng_one_in(r, 20) ? 0 : 1, 9),
            input = rng_in(r, 1, 40);
    int64_t hidden = rng_in(r, 1, rng_one_in(r, 4) ? 300 : 30), which = rng_in(r, 0, 2);
    int64_t dirs = which == 2 ? 2 : 1, gates = 4 * hidden;
    inlay_type type = types[rng_in(r, 0, 4)];
    const int64_t dims[7][3] = {
        {batch, steps, input}, {batch, dirs, hidden}, {batch, dirs, hidden}, {batch},
        {dirs, gates, input},  {dirs, gates, hidden}, {dirs, gates}};

    snprintf(k->op, sizeof k->op, "LSTMSequence");
    snprintf(k->attrs, sizeof k->attrs, "hidden_size=%lld;direction=%s;%s", (long long)hidden,
             directions[which], more[rng_in(r, 0, 3)]);
    for (int i = 0; i < 7; i++) {
        k->constant[i] = i > 3 && rng_one_in(r, 2);
        k->in[i] = any_tensor(r, i == 3 ? INLAY_I64 : type,
                              i == 3   ? 1
                              : i == 6 ? 2
                                       : 3,
                              dims[i], false, k->constant[i] || rng_one_in(r, 2));
    }
    for (int64_t i = 0; i < batch; i++)
        inlay_tensor_set_i64(k->in[3], i, rng_one_in(r, 2) ? steps : rng_in(r, 0, steps));
    k->output = (int)rng_in(r, 0, 2);
}

static void lstm(void **state)
{
    try_cases(seeds_to_try(150, 30), lstm_case, NULL);
}

/* GRUSequence and RNNSequence */

static void sequence_case(rng *r, struct node_case *k)
{
    static const char *const directions[] = {"forward", "reverse", "bidirectional"};
    static const char *const more[][4] = {
        {"", "clip=0.25;", "linear_before_reset=true;", "activations=tanh,relu;"},
        {"", "clip=0.25;", "activations=relu;", "activations=sigmoid;"}};
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    bool gru = rng_one_in(r, 2);
    int64_t batch = rng_in(r, 1, 4), steps = rng_in(r, rng_one_in(r, 20) ? 0 : 1, 9),
            input = rng_in(r, 1, 40);
    int64_t hidden = rng_in(r, 1, rng_one_in(r, 4) ? 200 : 30), which = rng_in(r, 0, 2);
    int64_t dirs = which == 2 ? 2 : 1, option = rng_in(r, 0, 3), gates = gru ? 3 * hidden : hidden;
    inlay_type type = types[rng_in(r, 0, 4)];
    const int64_t dims[6][3] = {{batch, steps, input},
                                {batch, dirs, hidden},
                                {batch},
                                {dirs, gates, input},
                                {dirs, gates, hidden},
                                {dirs, gates + (gru && option == 2 ? hidden : 0)}};
    const int ranks[] = {3, 3, 1, 3, 3, 2};

    snprintf(k->op, sizeof k->op, gru ? "GRUSequence" : "RNNSequence");
    snprintf(k->attrs, sizeof k->attrs, "hidden_size=%lld;direction=%s;%s", (long long)hidden,
             directions[which], more[!gru][option]);
    for (int i = 0; i < 6; i++) {
        k->constant[i] = i > 2 && rng_one_in(r, 2);
        k->in[i] = any_tensor(r, i == 2 ? INLAY_I64 : type, ranks[i], dims[i], false,
                              k->constant[i] || rng_one_in(r, 2));
    }
    for (int64_t i = 0; i < batch; i++)
        inlay_tensor_set_i64(k->in[2], i, rng_one_in(r, 2) ? steps : rng_in(r, 0, steps));
    k->output = (int)rng_in(r, 0, 1);
}

static void sequences(void **state)
{
    try_cases(seeds_to_try(300, 60), sequence_case, NULL);
}

/* Cells: [batch, input], states [batch, hidden], W, R, and B, which may be absent */

static void cell_case(rng *r, struct node_case *k)
{
    static const struct cell_kind {
        const char *op, *more[3];
        int64_t gates;
        int states;
    } kinds[] = {
        {"LSTMCell", {"", "clip=0.25;", "activations=relu,tanh,tanh;"}, 4, 2},
        {"LSTMCell@opset1", {"", "weights_format=ifco;", "input_forget=true;"}, 4, 2},
        {"GRUCell", {"", "linear_before_reset=true;", "activations=tanh,relu;"}, 3, 1},
        {"RNNCell", {"", "clip=0.25;", "activations=relu;"}, 1, 1},
    };
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    const struct cell_kind *kind = &kinds[rng_in(r, 0, 3)];
    int64_t batch = rng_in(r, 1, 4), input = rng_in(r, 1, 40), option = rng_in(r, 0, 2);
    int64_t hidden = rng_in(r, 1, rng_one_in(r, 4) ? 200 : 30), rows = kind->gates * hidden;
    int64_t biases = rows + (strstr(kind->more[option], "linear") ? hidden : 0);
    inlay_type type = types[rng_in(r, 0, 4)];
    const int64_t dims[6][2] = {{batch, input}, {batch, hidden}, {batch, hidden},
                                {rows, input},  {rows, hidden},  {biases}};
    int n = 0, last = rng_one_in(r, 4) ? 4 : 5;

    snprintf(k->op, sizeof k->op, "%s", kind->op);
    snprintf(k->attrs, sizeof k->attrs, "hidden_size=%lld;%s", (long long)hidden,
             kind->more[option]);
    for (int i = 0; i <= last; i++) {
        if (i == 2 && kind->states == 1)
            continue;
        k->constant[n] = i > 2 && !rng_one_in(r, 3);
        k->in[n] =
            any_tensor(r, type, i == 5 ? 1 : 2, dims[i], false, k->constant[n] || rng_one_in(r, 2));
        n++;
    }
    k->output = (int)rng_in(r, 0, kind->states - 1);
}

static void cells(void **state)
{
    try_cases(seeds_to_try(400, 80), cell_case, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(attention), cmocka_unit_test(lstm),
                                       cmocka_unit_test(sequences), cmocka_unit_test(cells)};

    return cmocka_run_group_tests_name("kernels of the library", tests, NULL, NULL);
}
