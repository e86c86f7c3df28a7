/* Runs chains, steps that a module computes together (build/chain.c). */
#include "interp/exec/run/chain.h"
#include "interp/library/library.h"

/* Returns whether the inputs of C are finite, if that matters. Its outputs are not written yet. */
static bool check_finite(const exec_frame *f, const exec_fused *g, inlay_diags *d)
{
    const exec_chain *c = g->chain;

    for (int i = 0; c->finite && i < c->n_values; i++) {
        const inlay_tensor *t = c->enters[i] ? f->run.values[c->value[i]] : NULL;

        if (t && !library_are_finite((const char *)exec_first_byte(t), inlay_tensor_count(t)))
            return inlay_fail_node(d, f->x->list[g->first].step->node,
                                   "what enters its chain has a NaN or an infinity, which oneDNN's "
                                   "clamps would hide: use the portable kernels");
    }
    return true;
}

/* Each part of a chain may have a thread of its own: the module has made the parts large enough. */
static void split_chain(void *ctx, int64_t n, call_part_fn *fn, void *arg)
{
    exec_workers *w = ctx;
    int64_t worth = exec_workers_worth(w);

    if (worth == INT64_MAX)
        fn(arg, 0, n);
    else
        exec_workers_split(w, n, (double)worth / 2, fn, arg);
}

bool exec_chain_run(exec_frame *f, const exec_fused *g, inlay_diags *d)
{
    const exec_chain *c = g->chain;
    void **at = inlay_arena_array(f->run.run.scratch, (size_t)c->n_values + 1, sizeof *at);
    const module_threads threads = {split_chain, f->run.workers};
    void *room = c->room == SIZE_MAX ? NULL : f->run.values[c->room]->data;
    bool ok;

    if (!at)
        return inlay_fail_memory(d);
    if (!check_finite(f, g, d)) {
        run_empty_scratch(&f->run.run);
        return false;
    }
    for (int i = 0; i < c->n_values; i++) {
        if (c->value[i] != SIZE_MAX)
            at[i] = (void *)exec_first_byte(f->run.values[c->value[i]]);
    }
    ok = c->module->chain_run(c->made, at, room, &threads);
    run_empty_scratch(&f->run.run);
    return ok || inlay_fail_node(d, f->x->list[g->first].step->node, "oneDNN could not compute it");
}
