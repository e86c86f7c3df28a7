/* The sizes of values, by the shape rule of their node once the sizes of its operands are known. A
 * step may ask ahead for the size of a value that a later step computes:
 *
 *     step 3    %a = Exp(%x)            where does it go? into its part of c
 *     step 4    %b = Tanh(%y)           how large will b be? as y
 *     step 5    %c = Concat(%a, %b)     how large will c be? as a and b together
 *
 * Nothing is looked up behind a step whose check fails: the run ends there, so c needs no memory.
 */
#include "interp/exec/build/shapes.h"
#include "interp/exec/build/meta.h"

/* Returns the slot of V; SIZE_MAX for NULL and for a value that this run leaves out. */
static size_t slot_of(const exec_builder *b, const inlay_value *v)
{
    return v && !b->x->left_out[steps_slot(b->s, v)] ? steps_slot(b->s, v) : SIZE_MAX;
}

bool build_skips(const exec_builder *b, const inlay_node *n)
{
    return !steps_runs(n) || (n->n_out > 0 && slot_of(b, &n->out[0]) == SIZE_MAX);
}

static bool operands_are_exact(const exec_builder *b, const inlay_node *n, const inlay_fact **facts)
{
    for (int i = 0; i < n->n_in; i++) {
        size_t slot = slot_of(b, n->in[i].value);

        if (slot != SIZE_MAX &&
            (n->in[i].value->fact.type == INLAY_DYNAMIC || !inlay_fact_is_exact(facts[slot])))
            return false;
    }
    return true;
}

static bool dims_within(const inlay_fact *f, const inlay_fact *wide)
{
    if (wide->type != INLAY_DYNAMIC && wide->type != f->type)
        return false;
    if (wide->rank >= 0 && wide->rank != f->rank)
        return false;
    for (int i = 0; i < wide->rank; i++) {
        if (f->dims[i].lo < wide->dims[i].lo || f->dims[i].lo > wide->dims[i].hi)
            return false;
    }
    return true;
}

/* Returns an array for the facts of N's operands, which it fills from FACTS, and makes one in OUT
 * for those of N's outputs. NULL: out of memory. */
static const inlay_fact **list_facts(exec_builder *b, const inlay_node *n, const inlay_fact **facts,
                                     inlay_fact **out)
{
    const inlay_fact **in = inlay_arena_array(b->scratch, (size_t)n->n_in + 1, sizeof *in);

    *out = inlay_arena_array(b->scratch, (size_t)n->n_out + 1, sizeof **out);
    for (int i = 0; in && i < n->n_in; i++) {
        size_t slot = slot_of(b, n->in[i].value);

        in[i] = slot == SIZE_MAX ? NULL : facts[slot];
    }
    return *out ? in : NULL;
}

bool build_infer_bodies(exec_builder *b, const inlay_node *n, const inlay_fact **facts)
{
    const inlay_fact **in;
    inlay_fact *out;
    bool known = true;

    for (int i = 0; i < n->n_out; i++)
        known = known && inlay_fact_is_exact(&n->out[i].fact);
    if (known || n->n_bodies == 0 || !operands_are_exact(b, n, facts))
        return true;
    in = list_facts(b, n, facts, &out);
    if (!in)
        return false;
    if (!inlay_infer_bodies(n, in, b->scratch, out, NULL))
        return true;
    for (int i = 0; i < n->n_out; i++) {
        if (inlay_fact_is_exact(&out[i]) && dims_within(&out[i], &n->out[i].fact))
            facts[steps_slot(b->s, &n->out[i])] = &out[i];
    }
    return true;
}

bool build_graph_knows(const inlay_node *n)
{
    bool known = true;

    for (int i = 0; known && i < n->n_in; i++)
        known = !n->in[i].value || inlay_fact_is_exact(&n->in[i].value->fact);
    for (int i = 0; known && i < n->n_out; i++)
        known = inlay_fact_is_exact(&n->out[i].fact);
    return known;
}

/* Returns whether the rule of N has nothing to add to what the graph says: neither sizes nor
 * elements of an operand are known that the graph does not know. */
static bool graph_says_all(const exec_builder *b, const inlay_node *n, const inlay_fact **facts)
{
    bool all = build_graph_knows(n);

    for (int i = 0; all && i < n->n_in; i++) {
        size_t slot = slot_of(b, n->in[i].value);

        all = slot == SIZE_MAX || !facts[slot]->known || facts[slot] == &n->in[i].value->fact;
    }
    return all;
}

bool build_infer(exec_builder *b, const inlay_node *n, const inlay_fact **facts, bool *known,
                 bool *refused)
{
    const inlay_fact **in;
    inlay_fact *out;

    *known = operands_are_exact(b, n, facts) && !(n->op->flags & INLAY_STAND_IN);
    if (!*known || graph_says_all(b, n, facts))
        return true;
    in = list_facts(b, n, facts, &out);
    if (!in)
        return false;
    *refused = !inlay_infer_facts(n, in, b->scratch, out, NULL);
    for (int i = 0; !*refused && *known && i < n->n_out; i++) {
        *known = inlay_fact_is_exact(&out[i]);
        *refused = *known && !dims_within(&out[i], &n->out[i].fact);
        facts[steps_slot(b->s, &n->out[i])] = &out[i];
    }
    *known = *known && !*refused;
    return true;
}

/* Begins with what the graph knows of N's outputs, or with what was found since. */
static void begin_with(exec_builder *b, const inlay_node *n)
{
    for (int i = 0; i < n->n_out; i++) {
        size_t slot = steps_slot(b->s, &n->out[i]);

        b->ahead[slot] = b->fact[slot] ? b->fact[slot] : &n->out[i].fact;
    }
}

/* Finds the size of the state that the ReadValue N returns. */
static bool look_at_state(exec_builder *b, const inlay_node *n, bool *refused)
{
    const inlay_variable *v = inlay_variable_of(n, INLAY_OP_READ_VALUE);
    const exec_outside *o = b->outside;
    const inlay_fact **fact = &b->ahead[steps_slot(b->s, &n->out[0])];

    if (!v || o->any)
        return true;
    if (v->index < o->n_states && o->state[v->index])
        *fact = build_fact(b, o->state[v->index]);
    else if (n->n_in > 0)
        *fact = b->ahead[steps_slot(b->s, n->in[0].value)];
    *refused = *fact && inlay_fact_is_exact(*fact) && !dims_within(*fact, &n->out[0].fact);
    return *fact != NULL;
}

/* Finds the sizes of the outputs of N, whose step is still to come. */
static bool look_ahead(exec_builder *b, const inlay_node *n, bool *refused)
{
    bool known;

    if (inlay_node_is(n, INLAY_OP_CONST))
        return true;
    if (inlay_node_is(n, INLAY_OP_READ_VALUE))
        return look_at_state(b, n, refused);
    return call_adopts(n->op) ? build_infer_bodies(b, n, b->ahead)
                              : build_infer(b, n, b->ahead, &known, refused);
}

/* Nothing is known of the outputs of a step that fails, or that is never reached because of that.
 */
static void forget_outputs(exec_builder *b, const inlay_node *n)
{
    static const inlay_fact unknown = {.type = INLAY_DYNAMIC, .rank = -1};

    for (int i = 0; i < n->n_out; i++)
        b->ahead[steps_slot(b->s, &n->out[i])] = &unknown;
}

bool build_look_ahead(exec_builder *b)
{
    bool ok = true, refused = false;

    if (b->ahead)
        return true;
    b->ahead = inlay_arena_array(b->scratch, b->s->n_slots + 1, sizeof *b->ahead);
    if (!b->ahead)
        return false;
    for (int i = 0; i < b->s->graph->n_params; i++)
        begin_with(b, b->s->graph->params[i]);
    for (size_t i = 0; i < b->s->n; i++)
        begin_with(b, b->s->list[i].node);
    for (size_t i = b->x->segment.end + 1; ok && i < b->s->n; i++) {
        const inlay_node *n = b->s->list[i].node;

        if (!refused && !build_skips(b, n))
            ok = look_ahead(b, n, &refused);
        if (refused)
            forget_outputs(b, n);
    }
    return ok;
}

const inlay_fact *build_fact_ahead(const void *of, const inlay_value *v)
{
    const exec_builder *b = of;

    return b->ahead[steps_slot(b->s, v)];
}
