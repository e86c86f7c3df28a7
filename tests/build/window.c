/* Builds a graph with the installed library, runs it and prints the result: a window of two columns
 * is set in a 2 x 5 matrix of zeros. */
#include <inlay.h>

#include <stdio.h>
#include <stdlib.h>

/* One Parameter is the updates; data and window bounds are constants. */
static inlay_node *build(inlay_graph *g, inlay_diags *d)
{
    int64_t matrix[] = {2, 5}, one[] = {1}, zeros[10] = {0};
    inlay_shape updates;
    inlay_shape_of_rank(&updates, 2);
    updates.dim[0] = updates.dim[1] = inlay_dim_of(2);

    inlay_value *in[] = {
        inlay_build_ints(g, "data", INLAY_I64, 2, matrix, zeros, d),
        inlay_build_parameter(g, "updates", INLAY_I64, &updates, d),
        inlay_build_ints(g, "start", INLAY_I64, 1, one, (int64_t[]){1}, d),
        inlay_build_ints(g, "stop", INLAY_I64, 1, one, (int64_t[]){3}, d),
        inlay_build_ints(g, "step", INLAY_I64, 1, one, (int64_t[]){1}, d),
        inlay_build_ints(g, "axes", INLAY_I64, 1, one, (int64_t[]){1}, d),
    };
    for (int i = 0; i < 6; i++) {
        if (!in[i])
            return NULL;
    }
    inlay_node *set = inlay_build(g, "set", "SliceScatter@opset15", in, 6, NULL, d);
    return set ? inlay_build_result(g, "out", &set->out[0], d) : NULL;
}

static inlay_tensor *run(const inlay_graph *g, inlay_diags *d)
{
    inlay_tensor *out = NULL;
    inlay_tensor *updates = inlay_tensor_new(INLAY_I64, 2, (int64_t[]){2, 2});
    inlay_program *program = inlay_compile(g, NULL, d);
    inlay_session *session = program ? inlay_session_new(program, d) : NULL;
    if (updates && session) {
        const inlay_tensor *in = updates;
        for (int i = 0; i < 4; i++)
            inlay_tensor_set_i64(updates, i, 10 * (i + 1));
        inlay_session_run(session, &in, NULL, &out, d);
    }
    inlay_session_free(session);
    inlay_program_free(program);
    inlay_tensor_release(updates);
    return out;
}

int main(void)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("window", d);
    inlay_tensor *out = NULL;

    if (g && build(g, d) && inlay_check_graph(g, d))
        out = run(g, d);
    for (size_t i = 0; i < inlay_diags_count(d); i++)
        fprintf(stderr, "%s\n", inlay_diags_at(d, i)->text);
    for (int64_t i = 0; out && i < inlay_tensor_count(out); i++)
        printf("%lld%c", (long long)inlay_tensor_get_i64(out, i), i % 5 == 4 ? '\n' : ' ');
    int status = out ? EXIT_SUCCESS : EXIT_FAILURE;
    inlay_tensor_release(out);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return status;
}
