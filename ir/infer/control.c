/* If-8: infers both branches; if the condition is known, only the branch taken counts. */
#include "ir/base/arena.h"
#include "ir/graph/memory.h"
#include "ir/graph/node.h"
#include "ir/infer/border.h"

#include <stdlib.h>

static bool enter_branch(border *b, inlay_diags *d)
{
    if (!border_reset(b->body, d))
        return false;
    for (int k = 0; k < b->body->n_in; k++) {
        if (b->body->in[k].outer >= 0 && !border_enter(b, &b->body->in[k], true))
            return false;
    }
    return border_infer(b, d);
}

/* Errors in a branch that is not taken are ignored, except that memory ran out. */
static bool infer_branch(inlay_infer *cx, int i, bool taken, border *b)
{
    inlay_diags *refused;
    bool ok;

    *b = (border){.cx = cx, .body = &cx->node->bodies[i], .idle = !taken};
    if (!compiling(cx))
        return true;
    if (taken)
        return enter_branch(b, cx->diags);
    refused = inlay_diags_new();
    ok = refused && (enter_branch(b, refused) || inlay_diags_status(refused) != INLAY_NO_RESOURCE);
    inlay_diags_free(refused);
    return ok || inlay_fail_memory(cx->diags);
}

/* Returns, for each output, the result of B's body that is mapped to it. NULL: out of memory. */
static int *mapped_results(const border *b)
{
    int *map = inlay_take(inlay_node_budget(b->cx->node), (size_t)b->cx->n_out + 1, sizeof *map);

    for (int k = 0; map && k < b->body->n_out; k++) {
        if (b->body->out[k].outer >= 0)
            map[b->body->out[k].outer] = b->body->out[k].inner;
    }
    return map;
}

static bool known_out(border *b, int result, int o)
{
    const inlay_fact *f = &inlay_body_result(b->body, result)->fact;
    inlay_dim known[INLAY_MAX_KNOWN];

    if (!f->known || f->n_known > INLAY_MAX_KNOWN)
        return true;
    for (int i = 0; i < f->n_known; i++)
        known[i] = border_out(b, f->known[i]);
    return inlay_infer_set_known(b->cx, o, known, f->n_known);
}

/* Only the branch that a known condition takes counts. */
static INLAY_OWN_FRAME bool one_branch(border *b, const int *map)
{
    inlay_infer *cx = b->cx;

    for (int o = 0; o < cx->n_out; o++) {
        int result = map[o];
        inlay_shape s;

        border_result(b, result, &s);
        if (!inlay_infer_set_out(cx, o, inlay_body_result(b->body, result)->fact.type, &s) ||
            !known_out(b, result, o))
            return false;
    }
    return true;
}

static INLAY_OWN_FRAME bool both_branches(border b[2], const int *then_map, const int *else_map)
{
    inlay_infer *cx = b[0].cx;

    for (int o = 0; o < cx->n_out; o++) {
        int then_result = then_map[o], else_result = else_map[o];
        inlay_type type = inlay_body_result(b[0].body, then_result)->fact.type;
        inlay_type other = inlay_body_result(b[1].body, else_result)->fact.type;
        inlay_shape s, t;

        if (type != INLAY_DYNAMIC && other != INLAY_DYNAMIC && type != other)
            return inlay_infer_fail(
                cx, "output %d has type %s from then_body and %s from else_body", o,
                inlay_type_info_of(type)->name, inlay_type_info_of(other)->name);
        border_result(&b[0], then_result, &s);
        border_result(&b[1], else_result, &t);
        border_join(&s, &t);
        if (!inlay_infer_set_out(cx, o, type == INLAY_DYNAMIC ? other : type, &s))
            return false;
    }
    return true;
}

static bool set_outputs(border b[2], bool decided, bool cond)
{
    int *map[2] = {mapped_results(&b[0]), mapped_results(&b[1])}, taken = cond ? 0 : 1;
    bool ok;

    if (!map[0] || !map[1])
        ok = inlay_fail_memory(b[0].cx->diags);
    else
        ok = decided ? one_branch(&b[taken], map[taken]) : both_branches(b, map[0], map[1]);
    inlay_give(map[0]);
    inlay_give(map[1]);
    return ok;
}

/* The condition has one element or none. If-8 asks for one, but there are models that were made
 * from TensorFlow, where an empty condition is false. */
static INLAY_OWN_FRAME bool check_condition(inlay_infer *cx, int64_t *cond, bool *decided)
{
    inlay_dim n = inlay_dim_of(1);

    if (!in_check_rank(cx, 0, 0, 1) || !in_length(cx, 0, true, &n))
        return false;
    if (n.lo > 1)
        return inlay_infer_fail(cx, "input 0 \"%s\" has shape %s, it must have one element",
                                in_name(cx, 0), in_text(cx, 0));
    *cond = 0;
    *decided = n.hi == 0 || in_int(cx, 0, cond);
    return true;
}

bool infer_if(inlay_infer *cx)
{
    border b[2];
    int64_t cond = 0;
    bool decided = false;

    if (!inlay_check_bodies(cx->node, cx->diags) || !check_condition(cx, &cond, &decided))
        return false;
    for (int i = 0; i < 2; i++) {
        bool taken = !decided || (i == 0) == (cond != 0);

        if (!infer_branch(cx, i, taken, &b[i]))
            return false;
    }
    return set_outputs(b, decided, cond != 0);
}
