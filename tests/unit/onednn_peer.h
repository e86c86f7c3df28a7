/* What the tests of the module of oneDNN's kernels share. */
#ifndef INLAY_TESTS_ONEDNN_PEER_H
#define INLAY_TESTS_ONEDNN_PEER_H

#include "generate/rng.h"
#include "interp/session.h"
#include "unit.h"

static inline bool is_there(void)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("probe", d);
    const int64_t dims[2] = {2, 2};
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, dims);
    inlay_value *in[2] = {inlay_build_const(g, "a", t, d), inlay_build_const(g, "b", t, d)};
    inlay_node *n = inlay_build(g, "m", "MatMul", in, 2, "", d);
    inlay_program *p;

    assert_non_null(inlay_build_result(g, "out", &n->out[0], d));
    p = inlay_compile(g, &(inlay_exec_options){.kernels = INLAY_KERNELS_ONEDNN}, d);
    if (!p)
        assert_non_null(strstr(inlay_diags_at(d, 0)->text, "there are no kernels of oneDNN"));
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_tensor_release(t);
    inlay_diags_free(d);
    return p != NULL;
}

static inline int64_t count_of(int rank, const int64_t *dims)
{
    int64_t n = 1;

    for (int i = 0; i < rank; i++)
        n *= dims[i];
    return n;
}

static inline inlay_tensor *whole_numbers(rng *r, int rank, const int64_t *dims, int64_t most)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, rank, dims);

    assert_non_null(t);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i, (double)rng_in(r, -most, most));
    return t;
}

/* Runs G on IN, twice, so that the second run finds everything there. */
static inline void run(const inlay_graph *g, const inlay_exec_options *o, const inlay_tensor *in,
                       inlay_tensor **out, int n_out)
{
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;

    if (p) {
        program_chain_worth(p, 0);
        program_split(p, 1); /* threads share what is small, too */
    }
    for (int i = 0; i < 2; i++) {
        if (!s || !inlay_session_run(s, &in, NULL, out, d))
            fail_msg("%s", inlay_diags_at(d, 0)->text);
        for (int k = 0; i == 0 && k < n_out; k++)
            inlay_tensor_release(out[k]);
    }
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
}

#endif
