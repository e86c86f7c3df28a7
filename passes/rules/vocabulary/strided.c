/* A StridedSlice as a Slice and a Reshape that may remove axes of the Slice and add new ones. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/rules/vocabulary/vocabulary.h"

/* A StridedSlice, and what each of its entries does. */
typedef struct strided {
    const inlay_node *node;
    const inlay_fact *data;
    int n, n_axes; /* the number of entries; the number of those that belong to axes of data */
    inlay_strided_entry entries[2 * INLAY_MAX_RANK + 1];
} strided;

/* All lists are sure to be as long as BEGIN. Another length is an error, even if none of its
 * entries has an effect. */
static bool lists_agree(const inlay_node *node, const inlay_fact *begin)
{
    for (int i = 2; i < node->n_in; i++) {
        if (node->in[i].value && !inlay_fact_same_shape(&node->in[i].value->fact, begin))
            return false;
    }
    return true;
}

static bool read_strided(const inlay_value *v, strided *out)
{
    const inlay_fact *begin;
    char why[160];

    *out = (strided){.node = v->node};
    if (!inlay_node_is(v->node, INLAY_OP_STRIDED_SLICE))
        return false;
    out->data = &v->node->in[0].value->fact;
    begin = &inlay_node_operand(v->node, INLAY_ROLE_START)->fact;
    if (out->data->rank < 1 || begin->rank != 1 || !inlay_dim_is_static(begin->dims[0]) ||
        begin->dims[0].lo > 2 * INLAY_MAX_RANK || !lists_agree(v->node, begin))
        return false;
    out->n = (int)begin->dims[0].lo;
    if (!inlay_strided_entries(v->node, out->n, out->data->rank, out->entries, why, sizeof why))
        return false;
    for (int i = 0; i < out->n; i++)
        out->n_axes += out->entries[i].axis >= 0;
    return true;
}

/* *OUT is the stride of entry I. On an axis that is removed, the stride has no effect. */
static bool stride_of(const strided *s, int i, int64_t *out)
{
    const inlay_value *stride = inlay_node_operand(s->node, INLAY_ROLE_STEP);

    *out = 1;
    return !stride || s->entries[i].shrinks || (rule_known_entry(stride, i, out) && *out != 0);
}

/* An end that a mask leaves out depends on the sign of the stride. An index must be in range; and a
 * backward start before the first element is empty in Python, but not in Slice. */
static bool start_of(const strided *s, int i, int64_t *out)
{
    const inlay_strided_entry *e = &s->entries[i];
    int64_t stride, least = s->data->dims[e->axis].lo;

    if (!stride_of(s, i, &stride))
        return false;
    *out = stride < 0 ? INT64_MAX : 0;
    if (!e->from_first && !rule_known_entry(inlay_node_operand(s->node, INLAY_ROLE_START), i, out))
        return false;
    if (e->shrinks)
        return *out >= 0 ? *out < least : *out >= -least;
    return stride > 0 || *out >= -least;
}

static bool stop_of(const strided *s, int i, int64_t *out)
{
    const inlay_strided_entry *e = &s->entries[i];
    int64_t stride;

    if (e->shrinks) {
        if (!start_of(s, i, out))
            return false;
        *out = *out == -1 ? INT64_MAX : *out + 1;
        return true;
    }
    if (!stride_of(s, i, &stride))
        return false;
    *out = stride < 0 ? INT64_MIN : INT64_MAX;
    return e->to_last || rule_known_entry(inlay_node_operand(s->node, INLAY_ROLE_STOP), i, out);
}

static bool axis_of(const strided *s, int i, int64_t *out)
{
    *out = s->entries[i].axis;
    return true;
}

/* Lists the result of OF for each entry that belongs to an axis, or ALL if there is none, because a
 * Slice must have one. */
static rule_answer list(rule_call *c, bool (*of)(const strided *s, int i, int64_t *out),
                        int64_t all)
{
    rule_ints *out;
    strided s;
    int n = 0;

    if (!read_strided(c->arg[0].value, &s) ||
        !(out = rule_new_ints(c->match, INLAY_I64, 1, s.n_axes ? s.n_axes : 1)))
        return RULE_DONT_KNOW;
    out->x[0] = all;
    for (int i = 0; i < s.n; i++) {
        if (s.entries[i].axis >= 0 && !of(&s, i, &out->x[n++]))
            return RULE_DONT_KNOW;
    }
    c->out.ints = out;
    return RULE_YES;
}

rule_answer rule_fn_strided_starts(rule_call *c)
{
    return list(c, start_of, 0);
}

rule_answer rule_fn_strided_stops(rule_call *c)
{
    return list(c, stop_of, INT64_MAX);
}

rule_answer rule_fn_strided_steps(rule_call *c)
{
    return list(c, stride_of, 1);
}

rule_answer rule_fn_strided_axes(rule_call *c)
{
    return list(c, axis_of, 0);
}

rule_answer rule_fn_lost_axes(rule_call *c)
{
    rule_ints *out;
    strided s;

    if (!read_strided(c->arg[0].value, &s) || !(out = rule_new_ints(c->match, INLAY_I64, 1, s.n)))
        return RULE_DONT_KNOW;
    out->n = 0;
    for (int i = 0; i < s.n; i++) {
        if (s.entries[i].axis >= 0 && s.entries[i].shrinks)
            out->x[out->n++] = s.entries[i].axis;
    }
    c->out.ints = out;
    return rule_yes_if(out->n > 0);
}

rule_answer rule_fn_new_axes(rule_call *c)
{
    rule_ints *out;
    strided s;
    int axis = 0; /* of the result */

    if (!read_strided(c->arg[0].value, &s) || !(out = rule_new_ints(c->match, INLAY_I64, 1, s.n)))
        return RULE_DONT_KNOW;
    out->n = 0;
    for (int i = 0; i < s.n; i++) {
        if (s.entries[i].axis == -1)
            out->x[out->n++] = axis++;
        else if (s.entries[i].axis == -2)
            axis += s.data->rank - s.n_axes;
        else
            axis += !s.entries[i].shrinks;
    }
    c->out.ints = out;
    return rule_yes_if(out->n > 0);
}
