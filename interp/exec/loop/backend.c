/* What runs and rehearsals of a loop have in common. */
#include "interp/exec/loop/backend.h"
#include "interp/call/kernel.h"

bool exec_find_ours(const inlay_call *c, const inlay_body *b, exec_given_fn *given, bool *ours)
{
    bool any = false;

    for (int o = 0; o < c->n_out; o++) {
        int from = given(c, o);

        for (int i = 0; from >= 0 && i < b->n_in; i++) {
            if (b->in[i].outer == from)
                ours[b->in[i].inner] = any = true;
        }
    }
    return any;
}

inlay_tensor *backend_copy(const exec_loop_backend *h, inlay_call *c, const inlay_tensor *t)
{
    inlay_tensor *copy = h->like(c, t);

    if (copy && h->assign(c, copy, t)) {
        call_copied(c, inlay_tensor_bytes(copy));
        return copy;
    }
    inlay_tensor_release(copy);
    return NULL;
}
