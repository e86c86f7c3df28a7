#include "audited.h"
#include "interp/audit/audit.h"
#include "interp/exec/plan/packed.h"
#include "models.h"
#include "passes/passes.h"

subject subject_behind(const char *passes, const char *body, bool of_body)
{
    inlay_pass_options o = {.passes = passes};
    static const int64_t dims[] = {4, 6};
    static const bool all_ours[] = {true, true, true, true};
    subject s = {.graph = graph_of(body), .diags = inlay_diags_new()};
    const exec_plan *plan;

    if (!inlay_run_passes(s.graph, &o, s.diags))
        fail_msg("%s", model_messages(s.diags));
    s.steps = steps_new(s.graph, s.diags);
    assert_non_null(s.steps);
    s.plan = exec_plan_new(s.steps, s.diags);
    assert_non_null(s.plan);
    exec_plan_kernels(s.plan, INLAY_KERNELS_REFERENCE, false); /* test_fused.c has fused steps */
    for (int i = 0; i < 4; i++)
        s.in[i] = of_body ? inlay_tensor_new(INLAY_F32, 1, &dims[1])
                          : inlay_tensor_new(INLAY_F32, 2, dims);
    plan = of_body ? s.plan->bodies[0] : s.plan;
    s.x = exec_instance_new(
        plan,
        &(exec_outside){.in = (const inlay_tensor *const *)s.in, .ours = of_body ? all_ours : NULL},
        s.diags);
    assert_non_null(s.x);
    if (!audit_instance(s.x, s.diags))
        fail_msg("%s", model_messages(s.diags));
    return s;
}

subject subject_of(const char *body, bool of_body)
{
    return subject_behind(NULL, body, of_body);
}

/* Makes the segment behind S's instance, once the only loose value of that instance has turned out
 * to be i64[2,7]. */
static void go_on(subject *s)
{
    inlay_tensor **values = calloc(s->steps->n_slots + 1, sizeof *values);
    exec_outside o = {.in = (const inlay_tensor *const *)s->in, .segments = true};

    exec_instance_free(s->x);
    s->before = exec_instance_new(s->plan, &o, s->diags);
    assert_true(values && s->before && exec_goes_on(s->before) && s->before->segment.n_over == 1);
    s->loose = inlay_tensor_new(INLAY_I64, 2, (int64_t[]){2, 7});
    values[s->before->segment.over[0]] = s->loose;
    o.before = s->before;
    o.values = values;
    s->x = exec_instance_new(s->plan, &o, s->diags);
    free(values);
    assert_true(s->x && s->x->segment.number == 1 && !exec_goes_on(s->x));
    if (!audit_instance(s->x, s->diags))
        fail_msg("%s", model_messages(s->diags));
}

void subject_free(subject *s)
{
    exec_instance_free(s->x);
    exec_instance_free(s->before);
    inlay_tensor_release(s->loose);
    exec_plan_free(s->plan);
    steps_free(s->steps);
    for (int i = 0; i < 4; i++)
        inlay_tensor_release(s->in[i]);
    inlay_diags_free(s->diags);
    inlay_graph_free(s->graph);
}

exec_step *step_of(exec_instance *x, const char *name)
{
    for (size_t i = 0; i < x->n; i++) {
        if (strcmp(x->list[i].step->node->name, name) == 0)
            return &x->list[i];
    }
    fail_msg("there is no step \"%s\"", name);
    return NULL;
}

size_t value_of(exec_instance *x, const char *name)
{
    return step_of(x, name)->out[0];
}

exec_allocation *unit_of(exec_instance *x, const char *name)
{
    return &x->allocations[x->allocations[x->allocation[value_of(x, name)]].same];
}

void reshow(exec_instance *x, const char *name, int64_t bytes, const int64_t *strides)
{
    size_t v = value_of(x, name);
    inlay_tensor *was = x->meta[v], moved = *was;

    moved.data = (char *)moved.data + bytes;
    x->meta[v] =
        inlay_tensor_window(&moved, was->rank, was->dims, strides ? strides : was->strides, 0);
    inlay_tensor_release(was);
    assert_non_null(x->meta[v]);
}

void check_mistake(const mistake *m)
{
    subject s = subject_of(m->body, m->of == BODY);

    if (m->of == NEXT_SEGMENT)
        go_on(&s);
    m->plant(s.x);
    if (audit_instance(s.x, s.diags))
        fail_msg("the audit accepts %s", m->name);
    if (!strstr(model_messages(s.diags), "audit: step"))
        fail_msg("%s: %s", m->name, model_messages(s.diags));
    subject_free(&s);
}
