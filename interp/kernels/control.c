/* If-8: runs one of two bodies, with its values through the port map. */
#include "interp/call/body.h"

bool eval_if(inlay_call *c)
{
    const inlay_body *b;
    const inlay_tensor **in;
    inlay_tensor **out;
    int64_t cond;
    int taken;
    bool ok;

    if (inlay_tensor_count(c->in[0]) == 0)
        cond = 0; /* as TensorFlow, where models with such a condition come from */
    else if (!load_one_int(c, 0, &cond))
        return false;
    taken = cond ? 0 : 1;
    b = &c->node->bodies[taken];
    in = inlay_call_memory(c, b->graph->n_params, sizeof *in);
    out = inlay_call_memory(c, b->graph->n_results, sizeof *out);
    if (!in || !out)
        return false;
    for (int i = 0; i < b->n_in; i++)
        in[b->in[i].inner] = b->in[i].outer >= 0 ? c->in[b->in[i].outer] : NULL;
    ok = call_body(c, taken, in, out);
    for (int i = 0; ok && i < b->n_out; i++) {
        if (b->out[i].outer >= 0)
            ok = call_adopt(c, b->out[i].outer, out[b->out[i].inner]);
    }
    call_release(out, (size_t)b->graph->n_results);
    return ok;
}
