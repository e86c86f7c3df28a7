/* Sequences, optionals and maps, which are tensors of items here (ir/ops/sequence.def). */
#include "parser/onnx/export.h"
#include "parser/onnx/import/loop.h"
#include "parser/onnx/import/make.h"
#include "parser/onnx/write.h"

/* Makes TYPE of the first N_IN operands, with the type of what items of V hold. */
static inlay_value *make_content(onnx_node *n, const char *type, inlay_value *const *in, int n_in,
                                 const inlay_value *v)
{
    return onnx_make(n, type, n_in, in, ATTRS(TYPE("element_type", onnx_content_type(v))));
}

static bool import_construct(onnx_node *n)
{
    return onnx_give(n, 0,
                     onnx_make(n, "SequenceConstruct@onnx11", n->n_in, n->in,
                               ATTRS(TYPE("element_type", n->in[0]->fact.type))));
}

static bool import_empty(onnx_node *n)
{
    inlay_type type = INLAY_F32;

    return onnx_attr_type(n, "dtype", 1, &type) &&
           onnx_give(n, 0,
                     onnx_make(n, "SequenceConstruct@onnx11", 0, NULL,
                               ATTRS(TYPE("element_type", type))));
}

/* An item that is known needs no sequence. */
static bool import_at(onnx_node *n)
{
    int64_t i;
    const inlay_fact *at = &n->in[1]->fact;
    inlay_value *item = NULL;

    if (at->known && at->n_known == 1 && inlay_dim_is_static(at->known[0])) {
        i = at->known[0].lo;
        item = inlay_item_at(n->in[0], i);
    }
    return onnx_give(n, 0, item ? item : make_content(n, "SequenceAt@onnx11", n->in, 2, n->in[0]));
}

static bool import_insert(onnx_node *n)
{
    return onnx_give(n, 0, onnx_make(n, "SequenceInsert@onnx11", n->n_in, n->in, NULL));
}

static bool import_erase(onnx_node *n)
{
    return onnx_give(n, 0, onnx_make(n, "SequenceErase@onnx11", n->n_in, n->in, NULL));
}

static bool import_length(onnx_node *n)
{
    if (n->in[0]->fact.type != INLAY_ITEM)
        return onnx_node_fail(n, "input[0] must be a sequence");
    return onnx_give(n, 0, onnx_size(n, n->in[0], 0));
}

static bool import_split(onnx_node *n)
{
    bool ok = true;
    int64_t axis = onnx_attr_int(n, "axis", 0, &ok), keep = onnx_attr_int(n, "keepdims", 1, &ok);

    return ok && onnx_give(n, 0,
                           onnx_make(n, "SplitToSequence@onnx11", n->n_in, n->in,
                                     ATTRS(INT("axis", axis), FLAG("keepdims", keep != 0))));
}

static bool import_concat(onnx_node *n)
{
    bool ok = onnx_needs_attr(n, "axis");
    int64_t axis = onnx_attr_int(n, "axis", 0, &ok), added = onnx_attr_int(n, "new_axis", 0, &ok);

    return ok && onnx_give(n, 0,
                           onnx_make(n, "ConcatFromSequence@onnx11", 1, n->in,
                                     ATTRS(INT("axis", axis), FLAG("new_axis", added != 0),
                                           TYPE("element_type", onnx_content_type(n->in[0])))));
}

static bool import_optional(onnx_node *n)
{
    const Onnx__AttributeProto *a = onnx_attr(n, "type");
    Onnx__TypeProto__Optional optional = ONNX__TYPE_PROTO__OPTIONAL__INIT;
    Onnx__TypeProto type = ONNX__TYPE_PROTO__INIT;
    inlay_value *x = onnx_in(n, 0);

    if (!x && !(a && a->tp))
        return onnx_node_fail(n, "needs an input, or attribute \"type\"");
    optional.elem_type = a ? a->tp : NULL;
    type.optional_type = &optional;
    return onnx_give(
        n, 0,
        onnx_make(n, "Optional@onnx15", x ? 1 : 0, n->in,
                  ATTRS(TYPE("element_type", x ? x->fact.type : onnx_item_type(&type)))));
}

/* What is no optional always has an element: itself. */
static bool import_has(onnx_node *n)
{
    inlay_value *x = onnx_in(n, 0);

    if (x && x->fact.type == INLAY_ITEM)
        return onnx_give(n, 0, onnx_unary(n, "OptionalHasElement@onnx15", x));
    return onnx_give(n, 0, onnx_number(n, INLAY_BOOLEAN, x != NULL));
}

/* Makes what is in X, an optional or not. */
static inlay_value *content(onnx_node *n, inlay_value *x)
{
    inlay_value *known = x->fact.rank == 0 ? inlay_item_at(x, 0) : NULL;

    if (x->fact.type != INLAY_ITEM || x->fact.rank > 0)
        return x;
    return known ? known : make_content(n, "OptionalGetElement@onnx15", &x, 1, x);
}

static bool import_get(onnx_node *n)
{
    return onnx_give(n, 0, content(n, n->in[0]));
}

/* SequenceMap is a loop over the items of its sequences. */

enum { MAX_MAPPED = 64 };

typedef struct mapping {
    const Onnx__GraphProto *g;
    const char *const *captured;
    int n_in, n_captured, n_items, n_out;
    bool is_item[MAX_MAPPED]; /* is input I a sequence? */
} mapping;

static bool fill_map(const onnx_loop *l, onnx_node *n, inlay_value **params, inlay_value **results)
{
    const mapping *m = l->data;
    int item = 0, whole = m->n_items;

    for (int i = 0; i < m->n_in; i++) {
        inlay_value *v = m->is_item[i] ? content(n, params[item++]) : params[whole++];

        if (!v || !onnx_define_value(n->s, m->g->input[i]->name, v))
            return false;
    }
    for (int i = 0; i < m->n_captured; i++) {
        if (!onnx_define_value(n->s, m->captured[i], params[whole++]))
            return false;
    }
    if (!onnx_import_inside(n->s, m->g))
        return false;
    for (int i = 0; i < m->n_out; i++) {
        const char *name = m->g->output[i]->name;
        inlay_value *v = name ? onnx_find_value(n->s, name) : NULL;

        if (!v)
            return onnx_node_fail(n, "no node of its body makes output %d", i);
        if (!(results[i] = onnx_make(n, "Optional@onnx15", 1, &v,
                                     ATTRS(TYPE("element_type", v->fact.type)))))
            return false;
    }
    return true;
}

static bool read_map(onnx_node *n, mapping *m)
{
    bool ok = true;

    m->g = onnx_attr_graph(n, "body", &ok);
    m->n_in = n->n_in;
    m->n_out = n->n_out;
    if (!ok)
        return false;
    if (!m->g || n->n_in > MAX_MAPPED || n->n_out > MAX_MAPPED ||
        m->g->n_input != (size_t)n->n_in || m->g->n_output != (size_t)n->n_out)
        return onnx_node_fail(
            n, "attribute \"body\" must be a graph with %d input%s and %d output%s", n->n_in,
            inlay_plural(n->n_in, "", "s"), n->n_out, inlay_plural(n->n_out, "", "s"));
    for (int i = 0; i < n->n_in; i++) {
        if (!n->in[i] || !m->g->input[i]->name)
            return onnx_node_fail(n, "input[%d], or that of its body, is missing", i);
        if (onnx_type_of(n, n->in[i]) == INLAY_DYNAMIC)
            return false;
        m->is_item[i] = n->in[i]->fact.type == INLAY_ITEM;
    }
    return m->is_item[0] ? onnx_captured(n, m->g, &m->captured, &m->n_captured)
                         : onnx_node_fail(n, "input[0] must be a sequence");
}

static bool import_map(onnx_node *n)
{
    mapping m = {.g = NULL};
    inlay_value **in, *out[MAX_MAPPED];
    onnx_loop l = {.n = n, .n_joined = n->n_out, .fill = fill_map, .data = &m};
    int count = 0;

    if (!read_map(n, &m))
        return false;
    in = inlay_arena_array(n->s->r->a.scratch, (size_t)(n->n_in + m.n_captured), sizeof *in);
    if (!in)
        return inlay_fail_memory(n->d);
    for (int i = 0; i < n->n_in; i++) {
        if (m.is_item[i])
            in[count++] = n->in[i];
    }
    m.n_items = count;
    for (int i = 0; i < n->n_in; i++) {
        if (!m.is_item[i])
            in[count++] = n->in[i];
    }
    for (int i = 0; i < m.n_captured; i++)
        in[count++] = onnx_find_value(n->s, m.captured[i]);
    l.sliced = in;
    l.n_sliced = m.n_items;
    l.shared = in + m.n_items;
    l.n_shared = count - m.n_items;
    if (!onnx_iterate(&l, out))
        return false;
    for (int i = 0; i < n->n_out; i++)
        onnx_give(n, i, out[i]);
    return true;
}

const onnx_operator onnx_operators_sequence[] = {
    {"ConcatFromSequence", 11, import_concat, NULL, 1},
    {"Optional", 15, import_optional, NULL, -1},
    {"OptionalGetElement", 15, import_get, NULL, 1},
    {"OptionalHasElement", 15, import_has, NULL, -1},
    {"SequenceAt", 11, import_at, NULL, 2},
    {"SequenceConstruct", 11, import_construct, NULL, 1},
    {"SequenceEmpty", 11, import_empty, NULL, -1},
    {"SequenceErase", 11, import_erase, NULL, 1},
    {"SequenceInsert", 11, import_insert, NULL, 2},
    {"SequenceLength", 11, import_length, NULL, 1},
    {"SequenceMap", 17, import_map, NULL, 1},
    {"SplitToSequence", 11, import_split, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};

const char *put_items(onnx_export *x, int i)
{
    const inlay_value *v = inlay_node_input(x->n, i);

    if (!v || v->fact.type != INLAY_ITEM)
        return put_in(x, i);
    if (inlay_node_is(v->node, INLAY_OP_CONST) || onnx_content_type(v) == INLAY_ITEM)
        return put_refuse(x, "items of items, or a constant of items"), NULL;
    return onnx_value_name(x->w, v);
}

/* The operator of the same name, with the same operands. */
static bool export_items(onnx_export *x)
{
    const char *in[MAX_MAPPED + 1] = {NULL};

    if (x->n->n_in > MAX_MAPPED)
        return put_refuse(x, "it has %d operands", x->n->n_in);
    for (int i = 0; i < x->n->n_in; i++) {
        if (!(in[i] = put_items(x, i)))
            return false;
    }
    return put_give(x, 0, put(x, x->how->as, in, NULL));
}

/* A list of nothing is an operator of its own, and the type of an optional that is none is an
 * attribute, which ours does not hold whole. */
static bool export_construct(onnx_export *x)
{
    inlay_type type = inlay_node_type(x->n, "element_type");

    if (x->n->n_in > 0)
        return put_type(x, 0) == INLAY_ITEM ? put_refuse(x, "items of items") : export_items(x);
    if (strcmp(x->how->as, "Optional") == 0 || !inlay_type_info_of(type)->onnx)
        return put_refuse(x, "it holds nothing");
    return put_give(x, 0, put(x, "SequenceEmpty", IN(NULL), ATTRS(TYPE("dtype", type))));
}

static bool export_split(onnx_export *x)
{
    return put_give(x, 0,
                    put(x, "SplitToSequence", IN(put_in(x, 0), put_in(x, 1)),
                        ATTRS(INT("axis", inlay_node_int(x->n, "axis")),
                              INT("keepdims", inlay_node_bool(x->n, "keepdims")))));
}

static bool export_concat(onnx_export *x)
{
    const char *items = put_items(x, 0);

    return items && put_give(x, 0,
                             put(x, "ConcatFromSequence", IN(items),
                                 ATTRS(INT("axis", inlay_node_int(x->n, "axis")),
                                       INT("new_axis", inlay_node_bool(x->n, "new_axis")))));
}

const onnx_exporter onnx_exporters_sequence[] = {
    {"ConcatFromSequence@onnx", export_concat, NULL, 0, PUT_ANY},
    {"Optional@onnx", export_construct, "Optional", 0, PUT_ANY},
    {"OptionalGetElement@onnx", export_items, "OptionalGetElement", 18, PUT_ANY},
    {"OptionalHasElement@onnx", export_items, "OptionalHasElement", 18, PUT_ANY},
    {"SequenceAt@onnx", export_items, "SequenceAt", 0, PUT_ANY},
    {"SequenceConstruct@onnx", export_construct, "SequenceConstruct", 0, PUT_ANY},
    {"SequenceErase@onnx", export_items, "SequenceErase", 0, PUT_ANY},
    {"SequenceInsert@onnx", export_items, "SequenceInsert", 0, PUT_ANY},
    {"SplitToSequence@onnx", export_split, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
