/* Read, optimise, compile. */
#include "front/front.h"
#include "ir/shared.h"

#include <stdlib.h>

static bool optimise(inlay_graph *g, const inlay_load_options *o, inlay_diags *d)
{
    inlay_evaluator reference = inlay_reference_evaluator(&o->exec);
    inlay_pass_options passes = o->passes;

    if (!passes.evaluator)
        passes.evaluator = &reference;
    return inlay_run_passes(g, &passes, d);
}

inlay_model *inlay_load_graph(inlay_graph *g, const inlay_load_options *o, inlay_diags *d)
{
    static const inlay_load_options none;
    inlay_model *m = inlay_take(inlay_graph_budget(g), 1, sizeof *m);

    o = o ? o : &none;
    if (!m) {
        inlay_graph_free(g);
        inlay_fail_memory(d);
        return NULL;
    }
    m->graph = g;
    if (optimise(g, o, d))
        m->program = inlay_compile(g, &o->exec, d);
    if (m->program)
        return m;
    inlay_model_free(m);
    return NULL;
}

inlay_model *inlay_load(const char *path, const inlay_load_options *o, inlay_diags *d)
{
    inlay_graph *g = inlay_read_file(path, o ? &o->read : NULL, d);

    return g ? inlay_load_graph(g, o, d) : NULL;
}

void inlay_model_free(inlay_model *m)
{
    if (!m)
        return;
    inlay_program_free(m->program);
    inlay_graph_free(m->graph);
    inlay_give(m);
}
