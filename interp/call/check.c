/* The checks of check.h. */
#include "interp/call/check.h"
#include "interp/call/share.h"
#include "ir/shared.h"

#include <stdio.h>
#include <string.h>

static void exact_dims(const inlay_tensor *t, inlay_dim *dims)
{
    for (int i = 0; i < t->rank; i++)
        dims[i] = inlay_dim_of(t->dims[i]);
}

char *tensor_shape_text(const inlay_tensor *t, char *buf, size_t size)
{
    inlay_dim dims[INLAY_MAX_RANK];

    exact_dims(t, dims);
    return inlay_shape_text(t->rank, dims, buf, size);
}

static bool shape_accepts(int rank, const inlay_dim *dims, const inlay_tensor *t)
{
    if (rank < 0)
        return true;
    if (rank != t->rank)
        return false;
    for (int i = 0; i < rank; i++) {
        if (t->dims[i] < dims[i].lo || t->dims[i] > dims[i].hi)
            return false;
    }
    return true;
}

bool fact_accepts(const inlay_fact *f, const inlay_tensor *t, char *why, size_t size)
{
    char found[512], wanted[512];

    if (f->type != INLAY_DYNAMIC && f->type != t->type) {
        snprintf(why, size, "type %s, %s is wanted", inlay_type_info_of(t->type)->name,
                 inlay_type_info_of(f->type)->name);
        return false;
    }
    if (shape_accepts(f->rank, f->dims, t))
        return true;
    snprintf(why, size, "shape %s, %s is wanted", tensor_shape_text(t, found, sizeof found),
             inlay_shape_text(f->rank, f->dims, wanted, sizeof wanted));
    return false;
}

bool variable_accepts(const inlay_variable *v, const inlay_tensor *t, char *why, size_t size)
{
    inlay_fact f = {.type = v->type, .rank = v->rank, .dims = v->dims};

    return fact_accepts(&f, t, why, size);
}

bool param_accepts(const inlay_node *n, const inlay_tensor *t, inlay_diags *d)
{
    char why[1200];

    if (!t)
        return inlay_fail_node(d, n, "no tensor is given for this input");
    if (!fact_accepts(&n->out[0].fact, t, why, sizeof why))
        return inlay_fail_node(d, n, "the tensor given has %s", why);
    return true;
}

/* Gives shape rules the elements of small integer tensors, which may be sizes and axes. */
static bool know_elements(inlay_fact *f, const inlay_tensor *t, inlay_arena *arena)
{
    int64_t n = inlay_tensor_count(t);
    inlay_dim *known;

    if (n > INLAY_MAX_KNOWN || !(inlay_type_is_int(t->type) || t->type == INLAY_BOOLEAN))
        return true;
    known = inlay_arena_array(arena, (size_t)n + 1, sizeof *known);
    if (!known)
        return false;
    for (int64_t i = 0; i < n; i++) {
        int64_t x = inlay_tensor_get_i64(t, i);

        if (t->type == INLAY_U64 && x < 0) /* above INT64_MAX, where rules clamp anyway */
            x = INT64_MAX;
        known[i] = inlay_dim_of(x);
    }
    f->known = known;
    f->n_known = (int)n;
    return true;
}

static const inlay_fact *exact_fact(const inlay_tensor *t, bool reads, inlay_arena *arena)
{
    inlay_fact *f = inlay_arena_alloc(arena, sizeof *f);
    inlay_dim *dims = inlay_arena_array(arena, (size_t)t->rank + 1, sizeof *dims);

    if (!f || !dims)
        return NULL;
    exact_dims(t, dims);
    *f = (inlay_fact){.type = t->type, .rank = t->rank, .dims = dims};
    f->content = reads ? t : NULL;
    return !reads || know_elements(f, t, arena) ? f : NULL;
}

/* Returns whether the elements of operand I can be read now. Updates that a scatter has computed
 * while it runs do not exist yet. */
static bool is_there(const inlay_call *c, int i)
{
    return (c->in[i]->data || inlay_tensor_count(c->in[i]) == 0) && call_reads(c, i);
}

const inlay_fact *const *exact_facts(const inlay_call *c)
{
    const inlay_fact **facts = inlay_arena_array(c->scratch, (size_t)c->n_in + 1, sizeof *facts);

    for (int i = 0; facts && i < c->n_in; i++) {
        if (c->in[i] && !(facts[i] = exact_fact(c->in[i], is_there(c, i), c->scratch)))
            return NULL;
    }
    return facts;
}

bool operands_accept(const inlay_node *n, const inlay_tensor *const *in, inlay_diags *d)
{
    for (int i = 0; i < n->n_in; i++) {
        const inlay_operand_info *info = inlay_op_operand_info(n->op, i);

        if (!in[i])
            continue;
        if (!(info->types >> in[i]->type & 1))
            return inlay_fail_node(d, n, "input %d \"%s\" has type %s, it must be %s", i,
                                   info->name, inlay_type_info_of(in[i]->type)->name,
                                   info->constraint);
        for (int k = 0; info->var >= 0 && k < i; k++) {
            if (in[k] && inlay_op_operand_info(n->op, k)->var == info->var &&
                in[k]->type != in[i]->type)
                return inlay_fail_node(
                    d, n, "input %d \"%s\" has type %s, it must be %s like input %d \"%s\"", i,
                    info->name, inlay_type_info_of(in[i]->type)->name,
                    inlay_type_info_of(in[k]->type)->name, k,
                    inlay_op_operand_info(n->op, k)->name);
        }
    }
    return true;
}
