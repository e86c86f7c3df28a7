/* What a program will do, without running it: read off the instance for its static shapes. */
#include "interp/exec/exec.h"
#include "interp/library/library.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

static const char *const roots[] = {
    [EXEC_ARENA] = "arena", [EXEC_CONST] = "const", [EXEC_INPUT] = "input",
    [EXEC_STATE] = "state", [EXEC_HEAP] = "output", [EXEC_MADE] = "made"};

/* Returns a word that says how a step is made. */
static const char *made_of(const exec_step *s)
{
    switch (s->kind) {
    case EXEC_NOTHING:
        return s->views ? "view" : "nothing";
    case EXEC_COPY:
        return "copy";
    case EXEC_ZEROS:
        return "zeros";
    case EXEC_BLOCKS:
        return "rows";
    case EXEC_MOVES:
        return "moves";
    case EXEC_KERNEL:
        return "kernel";
    case EXEC_ASSIGN:
        return "assign";
    case EXEC_WALK:
        break;
    }
    return "in the run";
}

static const exec_unit *unit_of(const exec_instance *x, size_t value)
{
    return x->unit[value] == SIZE_MAX ? NULL : &x->units[x->units[x->unit[value]].same];
}

/* Returns where VALUE, number SLOT, lies. */
static inlay_plan_place place_of(const exec_instance *x, const inlay_value *value, size_t slot)
{
    const exec_unit *u = unit_of(x, slot);
    const inlay_tensor *t = x->shadow[slot];
    inlay_plan_place p = {.value = value, .root = "in the run"};
    size_t bytes;

    if (inlay_fact_bytes(&value->fact, &bytes))
        p.bytes = bytes;
    if (!u || !t)
        return p;
    p.root = roots[exec_in_arena(u) ? EXEC_ARENA : u->root];
    p.number = u->root == EXEC_INPUT || u->root == EXEC_STATE ? u->number : -1;
    p.bytes = inlay_tensor_bytes(t);
    p.strided = !inlay_tensor_is_dense(t);
    if (u->root != EXEC_CONST)
        p.offset = (int64_t)((char *)t->data - x->units[x->unit[slot]].fake) +
                   t->offset * (inlay_type_info_of(t->type)->bits / 8) +
                   (exec_in_arena(u) ? (int64_t)u->offset : 0);
    return p;
}

/* Steps */

static bool list_places(inlay_program_plan *out, const exec_instance *x, const exec_step *s,
                        inlay_plan_step *to)
{
    const inlay_node *n = s->step->node;
    inlay_plan_place *in = inlay_arena_array(out->memory, (size_t)n->n_in + 1, sizeof *in);
    inlay_plan_place *outs = inlay_arena_array(out->memory, (size_t)n->n_out + 1, sizeof *outs);

    for (int i = 0; in && i < n->n_in; i++) {
        if (s->in[i] != SIZE_MAX)
            in[i] = place_of(x, n->in[i].value, s->in[i]);
    }
    for (int i = 0; outs && i < n->n_out; i++)
        outs[i] = place_of(x, &n->out[i], s->out[i]);
    to->in = in;
    to->out = outs;
    return in && outs;
}

static bool list_step(inlay_program_plan *out, const exec_instance *x, const exec_step *s)
{
    inlay_plan_step *to = &out->steps[out->n_steps++];

    *to = (inlay_plan_step){.node = s->step->node,
                            .made = made_of(s),
                            .kernel = s->library ? s->library->name : NULL,
                            .in_place = s->in_place,
                            .copied_bytes = exec_step_copies(x, s)};
    out->copied_bytes += to->copied_bytes;
    out->about = out->about || s->kind == EXEC_WALK;
    return list_places(out, x, s, to);
}

static bool list_all(inlay_program_plan *out, const exec_instance *x, inlay_diags *d)
{
    bool ok;

    out->memory = inlay_arena_new();
    out->steps = out->memory ? inlay_arena_array(out->memory, x->n + 1, sizeof *out->steps) : NULL;
    ok = out->steps != NULL;
    out->arena_bytes = x->arena_bytes;
    out->lower_bound_bytes = x->bound_bytes;
    out->input_copies = exec_entry_copies(x);
    out->copied_bytes += out->input_copies;
    for (size_t i = 0; ok && i < x->n; i++) {
        if (!inlay_node_is(x->list[i].step->node, INLAY_OP_CONST) || x->list[i].kind == EXEC_COPY)
            ok = list_step(out, x, &x->list[i]);
    }
    return ok || inlay_fail_memory(d);
}

bool inlay_program_plan_make(const inlay_graph *g, inlay_kernels kernels, inlay_program_plan *out,
                             inlay_diags *d)
{
    graph_steps *s;
    exec_plan *p;
    exec_instance *x;
    bool ok;

    *out = (inlay_program_plan){0};
    if (!inlay_graph_is_whole(g, d))
        return false;
    s = steps_new(g, d);
    p = s ? exec_plan_new(s, d) : NULL;
    if (p)
        exec_plan_kernels(p, kernels, false);
    x = p ? exec_static_instance(p, d) : NULL;
    ok = x && list_all(out, x, d);
    out->aligned_bytes = p ? exec_plan_askew_bytes(p) : 0;
    out->packed_bytes = p ? exec_plan_packable_bytes(p) : 0;
    exec_instance_free(x);
    exec_plan_free(p);
    steps_free(s);
    if (!ok)
        inlay_program_plan_free(out);
    return ok;
}

void inlay_program_plan_free(inlay_program_plan *p)
{
    if (!p)
        return;
    inlay_arena_free(p->memory);
    *p = (inlay_program_plan){0};
}
