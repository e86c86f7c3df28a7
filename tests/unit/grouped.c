#include "grouped.h"
#include "graphs.h"
#include "interp/audit/audit.h"
#include "interp/exec/plan/packed.h"
#include "interp/exec/report/static_instance.h"
#include "interp/session.h"
#include "models.h"

#include <math.h>

grouped grouped_of(const char *body, inlay_kernels kernels)
{
    grouped s = {.graph = graph_of(body), .diags = inlay_diags_new()};

    s.steps = steps_new(s.graph, s.diags);
    assert_non_null(s.steps);
    s.plan = exec_plan_new(s.steps, s.diags);
    assert_non_null(s.plan);
    exec_plan_kernels(s.plan, kernels, false);
    s.x = exec_static_instance(s.plan, false, s.diags);
    assert_non_null(s.x);
    if (!audit_instance(s.x, s.diags))
        fail_msg("%s", model_messages(s.diags));
    return s;
}

void grouped_free(grouped *s)
{
    exec_instance_free(s->x);
    exec_plan_free(s->plan);
    steps_free(s->steps);
    inlay_diags_free(s->diags);
    inlay_graph_free(s->graph);
}

exec_step *grouped_step(const grouped *s, const char *name)
{
    for (size_t i = 0; i < s->x->n; i++) {
        if (strcmp(s->x->list[i].step->node->name, name) == 0)
            return &s->x->list[i];
    }
    fail_msg("no step %s", name);
    return NULL;
}

bool in_register(const grouped *s, const char *name)
{
    return exec_in_register(s->x, grouped_step(s, name)->out[0]);
}

void grouped_run(const inlay_graph *g, const inlay_exec_options *o, inlay_tensor *const *in,
                 const char *text, inlay_tensor **out)
{
    inlay_diags *d = inlay_diags_new();
    inlay_program *p = inlay_compile(g, o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;

    if (p)
        program_split(p, 1);
    if (!s || !inlay_session_run(s, (const inlay_tensor *const *)in, NULL, out, d))
        fail_msg("%s\n%s", text, model_messages(d));
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_diags_free(d);
}

bool grouped_same(const inlay_tensor *a, const inlay_tensor *b)
{
    bool same = inlay_tensor_count(a) == inlay_tensor_count(b);

    if (a->type == INLAY_I64 && same && inlay_tensor_count(a) > 0) /* more than a double tells */
        return memcmp(a->data, b->data, inlay_tensor_bytes(a)) == 0;
    for (int64_t i = 0; same && i < inlay_tensor_count(a); i++) {
        double x = inlay_tensor_get_f64(a, i), y = inlay_tensor_get_f64(b, i);

        same = (isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y));
    }
    return same;
}
