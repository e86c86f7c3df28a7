/* Values of ONNX that are no tensors: sequences, optionals and maps, in files beside a model. They
 * become tensors of items (ir/ops/sequence.def). */
#include "parser/onnx/onnx.h"

static inlay_tensor *no_memory(onnx_reader *r)
{
    inlay_fail_memory(r->a.d);
    return NULL;
}

/* Sets item I of ITEMS, which may be NULL, to T, which is released. Returns ITEMS, or NULL after an
 * error. */
static inlay_tensor *with_item(onnx_reader *r, inlay_tensor *items, int64_t i, inlay_tensor *t)
{
    bool ok = items && t && inlay_tensor_set_item(items, i, t);

    if (items && t && !ok)
        onnx_fail(r, NULL, "the value is nested more than %d deep, or there is no memory",
                  INLAY_MAX_ITEM_DEPTH);
    inlay_tensor_release(t);
    if (!ok)
        inlay_tensor_release(items);
    return ok ? items : NULL;
}

static inlay_tensor *new_items(onnx_reader *r, int rank, size_t n)
{
    return assemble_tensor(&r->a, INLAY_ITEM, rank, (int64_t[]){(int64_t)n});
}

static inlay_tensor *keys_of(onnx_reader *r, const Onnx__MapProto *m)
{
    bool text = m->n_string_keys > 0;
    int64_t n = (int64_t)(text ? m->n_string_keys : m->n_keys);
    inlay_tensor *t = assemble_tensor(&r->a, text ? INLAY_STRING : INLAY_I64, 1, &n);

    for (int64_t i = 0; t && i < n; i++) {
        if (!text) {
            inlay_tensor_set_i64(t, i, m->keys[i]);
        } else if (!inlay_tensor_set_string(t, i, (const char *)m->string_keys[i].data,
                                            m->string_keys[i].len)) {
            inlay_tensor_release(t);
            return no_memory(r);
        }
    }
    return t;
}

/* The values of a map, each a tensor of one element, as one list. */
static inlay_tensor *values_of(onnx_reader *r, const Onnx__SequenceProto *s)
{
    int64_t n = s ? (int64_t)s->n_tensor_values : 0;
    inlay_tensor *list = NULL;
    bool ok = true;

    for (int64_t i = 0; ok && i < n; i++) {
        onnx_place at = {.field = "values.tensor_values", .index = i};
        inlay_tensor *t = onnx_tensor(r, &at, s->tensor_values[i]), *to;

        ok = t != NULL;
        if (ok && !list)
            ok = (list = assemble_tensor(&r->a, t->type, 1, &n)) != NULL;
        if (ok && (t->type != list->type || inlay_tensor_count(t) != 1))
            ok = onnx_fail(r, &at, "must have one element of the type of the others");
        to = ok ? inlay_tensor_window(list, t->rank, t->dims, t->strides, i) : NULL;
        if (ok && (!to || !inlay_tensor_assign(to, t)))
            ok = inlay_fail_memory(r->a.d);
        inlay_tensor_release(to);
        inlay_tensor_release(t);
    }
    if (!ok) {
        inlay_tensor_release(list);
        return NULL;
    }
    return list ? list : assemble_tensor(&r->a, INLAY_F32, 1, &n);
}

static inlay_tensor *map_of(onnx_reader *r, const Onnx__MapProto *m)
{
    inlay_tensor *items = with_item(r, new_items(r, 1, 2), 0, keys_of(r, m));

    return items ? with_item(r, items, 1, values_of(r, m->values)) : NULL;
}

static inlay_tensor *optional_of(onnx_reader *r, const Onnx__OptionalProto *o);

/* A sequence has values of one kind. Recursive, as deep as the reader of records lets messages be.
 */
static inlay_tensor *sequence_of(onnx_reader *r, const Onnx__SequenceProto *s)
{
    size_t n = s->n_tensor_values + s->n_sequence_values + s->n_map_values + s->n_optional_values;
    inlay_tensor *items = new_items(r, 1, n);
    int64_t at = 0;

    for (size_t i = 0; items && i < s->n_tensor_values; i++) {
        onnx_place place = {.field = "tensor_values", .index = (int64_t)i};

        items = with_item(r, items, at++, onnx_tensor(r, &place, s->tensor_values[i]));
    }
    for (size_t i = 0; items && i < s->n_sequence_values; i++)
        items = with_item(r, items, at++, sequence_of(r, s->sequence_values[i]));
    for (size_t i = 0; items && i < s->n_map_values; i++)
        items = with_item(r, items, at++, map_of(r, s->map_values[i]));
    for (size_t i = 0; items && i < s->n_optional_values; i++)
        items = with_item(r, items, at++, optional_of(r, s->optional_values[i]));
    return items;
}

static inlay_tensor *optional_of(onnx_reader *r, const Onnx__OptionalProto *o)
{
    inlay_tensor *item = new_items(r, 0, 0);
    onnx_place at = {.field = "tensor_value", .index = -1};

    if (item && o->tensor_value)
        return with_item(r, item, 0, onnx_tensor(r, &at, o->tensor_value));
    if (item && o->sequence_value)
        return with_item(r, item, 0, sequence_of(r, o->sequence_value));
    if (item && o->map_value)
        return with_item(r, item, 0, map_of(r, o->map_value));
    if (item && o->optional_value)
        return with_item(r, item, 0, optional_of(r, o->optional_value));
    return item;
}

inlay_tensor *onnx_items(onnx_reader *r, const Onnx__SequenceProto *s, const Onnx__MapProto *m,
                         const Onnx__OptionalProto *o)
{
    return s ? sequence_of(r, s) : m ? map_of(r, m) : optional_of(r, o);
}
