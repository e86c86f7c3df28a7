/* The call of one node: what every executor does before and after the kernel. */
#include "interp/call/run.h"
#include "ir/shared.h"

#include <string.h>

/* Makes dense copies of operands for a kernel whose row does not say `strided`. */
static INLAY_OWN_FRAME bool make_dense(call_step *s)
{
    inlay_call *c = &s->call;
    const inlay_tensor **in;

    if ((c->node->op->flags & INLAY_STRIDED) || call_adopts(c->node->op))
        return true;
    in = inlay_call_memory(c, c->n_in, sizeof *in);
    s->copies = inlay_call_memory(c, c->n_in, sizeof *s->copies);
    if (!in || !s->copies)
        return false;
    for (int i = 0; i < c->n_in; i++) {
        const inlay_tensor *t = c->in[i];

        in[i] = t;
        if (!t || inlay_tensor_is_dense(t))
            continue;
        s->copies[i] = meter_tensor_like(c->run->env->meter, t, c->node, c->diags);
        if (!s->copies[i] || !call_copy_part(c, s->copies[i], s->copies[i], t, t))
            return false;
        call_copied(c, inlay_tensor_bytes(t));
        in[i] = s->copies[i];
    }
    c->in = in;
    return true;
}

static bool operands_are_exact(const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && !inlay_fact_is_exact(&n->in[i].value->fact))
            return false;
    }
    return true;
}

/* Known types were checked when the graph was compiled. */
static bool has_unknown_type(const inlay_node *n)
{
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value && n->in[i].value->fact.type == INLAY_DYNAMIC)
            return true;
    }
    return false;
}

/* The facts of the outputs: what inference promised when the graph was compiled or, if something
 * was not known then, the result of the shape rule for the actual operands. An operand of unknown
 * shape is reason enough to ask again: the output of a scatter has the shape of the data, but it
 * was not checked whether the updates fit. */
static INLAY_OWN_FRAME bool promise(call_step *s)
{
    inlay_call *c = &s->call;
    const inlay_fact *const *exact;
    inlay_fact *out = inlay_call_memory(c, c->n_out, sizeof *out);
    bool known = operands_are_exact(c->node);

    if (!out)
        return false;
    s->promise = out;
    for (int i = 0; i < c->n_out; i++) {
        out[i] = c->node->out[i].fact;
        known = known && inlay_fact_is_exact(&out[i]);
    }
    if (known || call_adopts(c->node->op))
        return true;
    exact = exact_facts(c);
    if (!exact)
        return inlay_fail_memory(c->diags);
    return inlay_infer_facts(c->node, exact, c->scratch, out, c->diags);
}

bool call_rule_accepts(inlay_call *c)
{
    const inlay_fact *const *exact = exact_facts(c);
    inlay_fact *out = inlay_arena_array(c->scratch, (size_t)c->n_out + 1, sizeof *out);

    if (!exact || !out)
        return inlay_fail_memory(c->diags);
    return inlay_infer_facts(c->node, exact, c->scratch, out, c->diags);
}

void call_begin(call_step *s, const inlay_node *n, graph_steps *const *bodies,
                struct inlay_run *run, const inlay_tensor *const *in, inlay_tensor **out,
                inlay_diags *d)
{
    *s = (call_step){.call = {.node = n,
                              .in = in,
                              .n_in = n->n_in,
                              .out = out,
                              .n_out = n->n_out,
                              .diags = d,
                              .scratch = run->scratch,
                              .run = run}};
    memset(out, 0, (size_t)n->n_out * sizeof *out);
    run->bodies = bodies;
}

bool call_operands(call_step *s)
{
    const inlay_call *c = &s->call;

    return (!has_unknown_type(c->node) || operands_accept(c->node, c->in, c->diags)) &&
           make_dense(s) && promise(s);
}

/* Kernels write into existing outputs; only the kernel of an operation whose output size depends on
 * elements makes its output itself. Nothing need be known of a stand-in: its kernel reports that it
 * cannot run. */
INLAY_OWN_FRAME bool call_fresh_output(call_step *s, int i)
{
    inlay_call *c = &s->call;
    const inlay_fact *f = &s->promise[i];
    int64_t dims[INLAY_MAX_RANK];
    char text[512];
    bool exact = f->type != INLAY_DYNAMIC && inlay_fact_dims(f, dims);

    if (call_adopts(c->node->op))
        return true;
    if (exact)
        return inlay_call_output(c, i, f->type, f->rank, dims) != NULL;
    return (c->node->op->flags & (INLAY_COUNTS | INLAY_STAND_IN)) ||
           inlay_call_fail(c,
                           "output %d cannot be made: of type %s and shape %s too little is known",
                           i, inlay_type_info_of(f->type)->name,
                           inlay_shape_text(f->rank, f->dims, text, sizeof text));
}

/* An output that the kernel made must be as the shape rule promised. And what the rule promises in
 * this run must agree with what readers of the value were told when the graph was compiled, before
 * the sizes were known. */
static INLAY_OWN_FRAME bool check_outputs(call_step *s)
{
    inlay_call *c = &s->call;
    char why[1200];

    for (int i = 0; i < c->n_out; i++) {
        if (!c->out[i] || !c->out[i]->buffer)
            return inlay_call_fail(c, "the kernel made no output %d", i);
        if (!fact_accepts(&s->promise[i], c->out[i], why, sizeof why))
            return inlay_call_fail(c, "output %d came out with %s by the shape rule", i, why);
        if (!fact_accepts(&c->node->out[i].fact, c->out[i], why, sizeof why))
            return inlay_call_fail(
                c, "output %d came out with %s by what was known of its operands", i, why);
    }
    return true;
}

/* Kernels copy string elements as pointers, so the output keeps the buffers alive that they point
 * into; and items, of which each is kept. */
static bool keep_strings(call_step *s)
{
    inlay_call *c = &s->call;

    for (int i = 0; i < c->n_out; i++) {
        inlay_tensor *t = c->out[i];

        if (t->type == INLAY_ITEM && !call_adopts(c->node->op) && !inlay_tensor_keep_items(t))
            return inlay_fail_memory(c->diags);
        for (int k = 0; t->type == INLAY_STRING && k < c->n_in; k++) {
            if (c->in[k] && c->in[k]->type == INLAY_STRING && c->in[k]->buffer != t->buffer &&
                !inlay_buffer_keep(t->buffer, c->in[k]->buffer))
                return inlay_fail_memory(c->diags);
        }
    }
    return true;
}

bool call_kernel(call_step *s, inlay_eval_fn *kernel)
{
    return kernel(&s->call) && check_outputs(s) && keep_strings(s);
}

void call_end(call_step *s, bool ok)
{
    inlay_call *c = &s->call;
    struct inlay_run *run = c->run;

    if (s->copies)
        call_release(s->copies, (size_t)c->n_in);
    if (!ok)
        call_release(c->out, (size_t)c->n_out);
    run_empty_scratch(run);
}
