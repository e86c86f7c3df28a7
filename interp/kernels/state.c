/* ReadValue and Assign read and write the states of variables. */
#include "interp/call/body.h"

/* Sets the state after a reset without an initial value: zeros of the variable's type and shape. */
static bool give_zeros(inlay_call *c, const inlay_variable *v)
{
    bool fixed = v->rank >= 0 && v->type != INLAY_DYNAMIC;
    int64_t dims[INLAY_MAX_RANK];
    char text[512];

    for (int i = 0; i < v->rank; i++) {
        fixed = fixed && inlay_dim_is_static(v->dims[i]);
        dims[i] = v->dims[i].lo;
    }
    if (!fixed)
        return inlay_call_fail(
            c,
            "variable \"%s\" has no state yet and no initial value, and its type %s "
            "and shape %s do not say what zeros to begin with",
            v->name, inlay_type_info_of(v->type)->name,
            inlay_shape_text(v->rank, v->dims, text, sizeof text));
    return inlay_call_output(c, 0, v->type, v->rank, dims) != NULL;
}

/* ReadValue-6 returns the state as of the beginning of the invocation; after a reset that is the
 * initial value, or zeros. */
bool eval_read_value(inlay_call *c)
{
    const inlay_variable *v = call_variable(c);
    char why[1200];

    if (!v)
        return false;
    if (call_state(c, v))
        return call_adopt(c, 0, call_state(c, v));
    if (!call_has(c, 0))
        return give_zeros(c, v);
    if (!variable_accepts(v, c->in[0], why, sizeof why))
        return inlay_call_fail(c, "the initial value of variable \"%s\" has %s", v->name, why);
    return call_adopt(c, 0, c->in[0]);
}

/* The new state takes effect when the invocation ends successfully; the output is the input. */
bool eval_assign(inlay_call *c)
{
    const inlay_variable *v = call_variable(c);
    char why[1200];

    if (!v)
        return false;
    if (!variable_accepts(v, c->in[0], why, sizeof why))
        return inlay_call_fail(c, "the new value of variable \"%s\" has %s", v->name, why);
    call_assign(c, v, c->in[0]);
    return call_adopt(c, 0, c->in[0]);
}
