/* What tests of states that grow share: a cache of rows, and its steps. */
#ifndef INLAY_TESTS_GROWING_H
#define INLAY_TESTS_GROWING_H

#include "graphs.h"

#define CACHE                                                                                      \
    "%token = Parameter-1 {element_type = i32, shape = [?,2]}\n"                                   \
    "%past = ReadValue-6 {variable_id = \"v\", variable_type = i32, variable_shape = [?,2]}\n"
#define APPEND "%new = Concat-1(%past, %token) {axis = 0}\n"
#define SAVE "%save = Assign-6(%new) {variable_id = \"v\"}\n"

static inline void set_state(runner *r, const char *text)
{
    inlay_tensor *t = tensor_of(text);

    assert_true(inlay_session_set_variable(r->session, 0, t, r->diags));
    inlay_tensor_release(t);
}

static inline const inlay_tensor *state_of(const runner *r)
{
    return inlay_session_variable(r->session, 0);
}

/* Runs R with the one input TOKEN; OUT receives the result, if there is one. */
static inline bool step(runner *r, const char *token, inlay_tensor **out)
{
    inlay_tensor *in = tensor_of(token);
    bool ok = inlay_session_run(r->session, (const inlay_tensor *const[]){in}, NULL, out, r->diags);

    inlay_tensor_release(in);
    return ok;
}

static inline uint64_t copied(const runner *r)
{
    return stats_of(r).copied_bytes;
}

#endif
