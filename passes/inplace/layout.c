/* The strides of values according to the notes. See layout.h. */
#include "passes/inplace/layout.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const inplace_layouts *l, const inlay_value *v)
{
    return l->first_slot[v->node->id] + (size_t)v->index;
}

/* Sizes and strides of a value, all of them known. */
typedef struct form {
    int rank;
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
} form;

/* False: sizes or strides are unknown. */
static bool form_of(const inlay_value *v, const inplace_layout *at, form *f)
{
    f->rank = v->fact.rank;
    if ((at->kind != INPLACE_DENSE && at->kind != INPLACE_STRIDED) ||
        !inlay_fact_sizes(&v->fact, f->dims))
        return false;
    if (at->kind == INPLACE_DENSE)
        inlay_strides_dense(f->rank, f->dims, f->strides);
    else if (f->rank > 0)
        memcpy(f->strides, at->strides, (size_t)f->rank * sizeof *f->strides);
    return true;
}

/* Sets *OUT to the layout F. False: out of memory. */
static bool layout_of_form(inplace_layouts *l, const form *f, inplace_layout *out)
{
    int64_t *strides;

    *out = (inplace_layout){.kind = INPLACE_DENSE};
    if (inlay_strides_are_dense(f->rank, f->dims, f->strides))
        return true;
    strides = inlay_arena_array(l->arena, (size_t)f->rank, sizeof *strides);
    if (!strides)
        return inlay_fail_memory(l->diags);
    memcpy(strides, f->strides, (size_t)f->rank * sizeof *strides);
    *out = (inplace_layout){INPLACE_STRIDED, strides};
    return true;
}

/* The layout of what N, which has a window, selects from DATA. */
static bool layout_of_window(inplace_layouts *l, const inlay_node *n, const inlay_value *data,
                             const inplace_layout *at, inplace_layout *out)
{
    inlay_window w[INLAY_MAX_RANK];
    form f;

    *out = (inplace_layout){.kind = INPLACE_OPEN};
    if (!form_of(data, at, &f) || !inlay_node_windows(n, NULL, w))
        return true;
    for (int i = 0; i < f.rank; i++) {
        f.dims[i] = w[i].count;
        f.strides[i] *= w[i].count > 1 ? w[i].step : 1;
    }
    return layout_of_form(l, &f, out);
}

/* The layout of the row that N selects from DATA. */
static bool layout_of_row(inplace_layouts *l, const inlay_node *n, const inlay_value *data,
                          const inplace_layout *at, inplace_layout *out)
{
    int axis;

    *out = (inplace_layout){.kind = INPLACE_PICKED};
    return (at->kind == INPLACE_DENSE && inlay_node_picks_row(n) &&
            inlay_node_axis(n, data->fact.rank, &axis) && axis == 0) ||
           layout_of_window(l, n, data, at, out);
}

/* A part has the strides of the whole: an output of a Split, or an operand in the result of a
 * Concat. */
static bool layout_of_part(inplace_layouts *l, const inlay_value *v, const inlay_value *data,
                           const inplace_layout *at, inplace_layout *out)
{
    form f;
    int lead;

    *out = (inplace_layout){.kind = INPLACE_OPEN};
    if (!form_of(data, at, &f) || v->fact.rank > f.rank || !inlay_fact_sizes(&v->fact, f.dims))
        return true;
    lead = f.rank - v->fact.rank; /* V has the last axes of DATA */
    f.rank = v->fact.rank;
    memmove(f.strides, f.strides + lead, (size_t)f.rank * sizeof *f.strides);
    return layout_of_form(l, &f, out);
}

/* V has the axes of DATA transposed, reversed or cut. */
static bool layout_of_turn(inplace_layouts *l, const inlay_value *v, const inlay_value *data,
                           const inplace_layout *at, inplace_layout *out)
{
    form f, turned = {.rank = v->fact.rank};

    *out = (inplace_layout){.kind = INPLACE_OPEN};
    if (!form_of(data, at, &f) || !inlay_fact_sizes(&v->fact, turned.dims) ||
        !inlay_value_strides(v, f.rank, f.strides, turned.strides))
        return true;
    return layout_of_form(l, &turned, out);
}

/* Removes axes of size 1, and merges neighbouring axes without a gap between them. */
static void join_axes(form *f)
{
    int n = 0;

    for (int i = 0; i < f->rank; i++) {
        if (f->dims[i] == 1)
            continue;
        if (n > 0 && f->strides[n - 1] == f->strides[i] * f->dims[i]) {
            f->dims[n - 1] *= f->dims[i];
            f->strides[n - 1] = f->strides[i];
            continue;
        }
        f->dims[n] = f->dims[i];
        f->strides[n++] = f->strides[i];
    }
    f->rank = n;
}

/* Finds strides that view FROM, whose axes are merged, with the sizes of TO: each axis of FROM is
 * split into axes of TO, from the last one on. False: an axis of TO would extend across a gap. */
static bool reshape(const form *from, form *to)
{
    int k = from->rank;
    int64_t left = 1, stride = 1;

    for (int i = to->rank; i-- > 0;) {
        if (left == 1 && to->dims[i] != 1 && k > 0) {
            left = from->dims[--k];
            stride = from->strides[k];
        }
        if (left % to->dims[i] != 0)
            return false;
        to->strides[i] = stride;
        stride *= to->dims[i];
        left /= to->dims[i];
    }
    return true;
}

/* The elements of DATA in their order, in another shape. */
static bool layout_of_reshape(inplace_layouts *l, const inlay_value *v, const inlay_value *data,
                              const inplace_layout *at, inplace_layout *out)
{
    /* only axes of one element are added or removed: any strides will do */
    bool ones = inlay_op_operand(v->node->op, INLAY_ROLE_AXES) >= 0;
    form from, to = {.rank = v->fact.rank};

    *out = (inplace_layout){.kind = inplace_layout_is_dense(at) ? at->kind : INPLACE_OPEN};
    if (inplace_layout_is_dense(at))
        return true;
    if (!form_of(data, at, &from) || !inlay_fact_sizes(&v->fact, to.dims)) {
        out->kind = ones ? INPLACE_OPEN : INPLACE_NOT_FOUND;
        return true;
    }
    join_axes(&from);
    out->kind = INPLACE_NOT_FOUND;
    return !reshape(&from, &to) || layout_of_form(l, &to, out);
}

/* The layout of V as a view of DATA, whose layout is AT. */
static bool layout_of_view(inplace_layouts *l, const inlay_value *v, const inlay_value *data,
                           const inplace_layout *at, inplace_layout *out)
{
    if (v->node->op->flags & INLAY_RESHAPES)
        return layout_of_reshape(l, v, data, at, out);
    if (inlay_node_reads_window(v->node) && (v->node->op->flags & (INLAY_CUTS | INLAY_ROWS)))
        return layout_of_row(l, v->node, data, at, out);
    if (v->node->op->flags & INLAY_CUTS)
        return layout_of_part(l, v, data, at, out);
    return layout_of_turn(l, v, data, at, out);
}

/* The layout of V, which is computed where SHOWN lies, perhaps with other axes; AT may be unknown.
 */
static bool layout_of_reshaped(inplace_layouts *l, const inlay_value *v, const inlay_value *shown,
                               const inplace_layout *at, inplace_layout *out)
{
    bool ok = layout_of_reshape(l, v, shown, at, out);

    if (out->kind == INPLACE_NOT_FOUND)
        out->kind = INPLACE_OPEN;
    return ok;
}

/* The layout of V in its part of R, perhaps with other axes. */
static bool layout_of_held(inplace_layouts *l, const inlay_value *v, const inlay_value *r,
                           const inplace_layout *at, inplace_layout *out)
{
    const inlay_value *shown = inlay_node_shown(r->node, v);
    inplace_layout part;

    *out = (inplace_layout){.kind = INPLACE_OPEN};
    if (!shown || !layout_of_part(l, shown, r, at, &part))
        return !shown;
    if (shown == v) {
        *out = part;
        return true;
    }
    return layout_of_reshaped(l, v, shown, &part, out);
}

/* The layout of V in the window of its target, perhaps with other axes than the updates. */
static bool layout_of_into(inplace_layouts *l, const inlay_value *v, const inlay_value *base,
                           const inplace_layout *at, inplace_layout *out)
{
    const inlay_node *scatter = v->note_target->node;
    inplace_layout window = *at;

    if (!inlay_node_writes_all(scatter) && !layout_of_window(l, scatter, base, at, &window))
        return false;
    *out = window;
    return inlay_node_has_axes(scatter, v) ||
           layout_of_reshaped(l, v, inlay_node_operand(scatter, INLAY_ROLE_UPDATES), &window, out);
}

/* Is V in a part of its target, which holds it? */
static bool is_held(const inlay_value *v)
{
    return v->note == INLAY_INTO && (v->note_target->node->op->flags & INLAY_HOLDS);
}

/* The value that the layout of V depends on; NULL: V owns its buffer. */
static const inlay_value *base_of(const inlay_value *v)
{
    if (v->note == INLAY_FRESH)
        return NULL;
    return v->note == INLAY_INTO && !is_held(v)
               ? inlay_node_operand(v->note_target->node, INLAY_ROLE_DATA)
               : v->note_target;
}

static bool find_layout(inplace_layouts *l, const inlay_value *v)
{
    const inlay_value *base = base_of(v);
    inplace_layout *out = &l->at[slot_of(l, v)];
    const inplace_layout *at = base ? &l->at[slot_of(l, base)] : NULL;

    if (!base)
        *out = (inplace_layout){.kind = INPLACE_DENSE};
    else if (v->note == INLAY_OVERWRITES)
        *out = *at;
    else if (is_held(v))
        return layout_of_held(l, v, base, at, out);
    else if (v->note == INLAY_INTO)
        return layout_of_into(l, v, base, at, out);
    else
        return layout_of_view(l, v, base, at, out);
    return true;
}

const inplace_layout *inplace_layout_of(inplace_layouts *l, const inlay_value *v)
{
    size_t n = 0;

    for (const inlay_value *b = v; b && l->at[slot_of(l, b)].kind == INPLACE_NOT_FOUND;
         b = base_of(b))
        l->chain[n++] = b;
    while (n > 0) {
        inplace_layout *at = &l->at[slot_of(l, l->chain[--n])];

        if (!find_layout(l, l->chain[n]))
            return NULL;
        if (at->kind == INPLACE_NOT_FOUND) /* the run makes a copy of it, whatever its note says */
            at->kind = INPLACE_DENSE;
    }
    return &l->at[slot_of(l, v)];
}

bool inplace_layout_as_view(inplace_layouts *l, const inlay_value *v, inplace_layout *out)
{
    const inlay_value *data = inlay_node_input(v->node, 0);
    const inplace_layout *at = inplace_layout_of(l, data);

    return at && layout_of_view(l, v, data, at, out);
}

bool inplace_layouts_begin(inplace_layouts *l, const inlay_graph *g, inlay_diags *d)
{
    size_t slots = 0;

    *l = (inplace_layouts){.g = g, .diags = d};
    l->first_slot = calloc((size_t)g->next_id + 1, sizeof *l->first_slot);
    for (const inlay_node *n = l->first_slot ? g->first : NULL; n; n = n->next) {
        l->first_slot[n->id] = slots;
        slots += (size_t)n->n_out;
    }
    l->at = calloc(slots + 1, sizeof *l->at);
    l->chain = calloc(slots + 1, sizeof(inlay_value *));
    l->arena = inlay_arena_new();
    return (l->first_slot && l->at && l->chain && l->arena) || inlay_fail_memory(d);
}

void inplace_layouts_end(inplace_layouts *l)
{
    free(l->first_slot);
    free(l->at);
    free(l->chain);
    inlay_arena_free(l->arena);
}
