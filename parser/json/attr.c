/* Attributes of nodes: each member of "attributes" is read by the kind that the op table gives it.
 */
#include "ir/shared.h"
#include "parser/json/read.h"

#include <string.h>

/* Appends the element AT of a list of KIND, as the C type that assemble_list wants. */
static bool read_element(json_reader *r, const json_at *at, inlay_attr_kind kind,
                         inlay_strbuf *items)
{
    const char *text = at->item->valuestring;
    inlay_type type;
    int64_t i;
    double f;

    switch (kind) {
    case INLAY_ATTR_INTS:
        if (!json_int(r->doc, at, &i))
            return false;
        inlay_strbuf_add(items, (const char *)&i, sizeof(i));
        break;
    case INLAY_ATTR_FLOATS:
        if (!json_float(r->doc, at, &f))
            return false;
        inlay_strbuf_add(items, (const char *)&f, sizeof(f));
        break;
    case INLAY_ATTR_TYPES:
        if (!json_read_type(r->doc, at, &type))
            return false;
        inlay_strbuf_add(items, (const char *)&type, sizeof(type));
        break;
    default:
        if (!cJSON_IsString(at->item))
            return json_wrong(r->doc, at, "a string");
        inlay_strbuf_add(items, (const char *)&text, sizeof(text));
    }
    return !items->failed || inlay_fail_memory(r->a.d);
}

static bool read_list(json_reader *r, const json_at *at, inlay_node *n, int attr)
{
    inlay_strbuf items = {0};
    bool ok = true;
    int i = 0;

    if (!cJSON_IsArray(at->item))
        return json_wrong(r->doc, at, "a list");
    for (const cJSON *item = at->item->child; ok && item != NULL; item = item->next, i++) {
        json_at here = json_element(at, item, i);
        ok = read_element(r, &here, n->op->attrs[attr].kind, &items);
    }
    ok = ok && assemble_list(n, attr, items.bytes, i, r->a.d);
    inlay_strbuf_free(&items);
    return ok;
}

static bool read_bool(json_reader *r, const json_at *at, inlay_node *n)
{
    if (!cJSON_IsBool(at->item))
        return json_wrong(r->doc, at, "true or false");
    return inlay_node_set_bool(n, at->key, cJSON_IsTrue(at->item), r->a.d);
}

static bool read_int(json_reader *r, const json_at *at, inlay_node *n)
{
    int64_t i;
    return json_int(r->doc, at, &i) && inlay_node_set_int(n, at->key, i, r->a.d);
}

static bool read_float(json_reader *r, const json_at *at, inlay_node *n)
{
    double f;
    return json_float(r->doc, at, &f) && inlay_node_set_float(n, at->key, f, r->a.d);
}

/* Keeps the difference between 1 and 1.0, which attributes of this kind have, as in the Python that
 * they come from. */
static bool read_number(json_reader *r, const json_at *at, inlay_node *n)
{
    const cJSON *item = at->item;
    int64_t i;
    double f;

    if (cJSON_IsBool(item)) {
        i = cJSON_IsTrue(item);
        return inlay_node_set_number(n, at->key, true, i, (double)i, r->a.d);
    }
    if (json_is_integral(r->doc, item) ||
        (cJSON_IsString(item) && strspn(item->valuestring, "-0123456789") != 0 &&
         strcmp(item->valuestring, "-inf") != 0))
        return json_int(r->doc, at, &i) &&
               inlay_node_set_number(n, at->key, true, i, (double)i, r->a.d);
    return json_float(r->doc, at, &f) && inlay_node_set_number(n, at->key, false, 0, f, r->a.d);
}

static bool read_string(json_reader *r, const json_at *at, inlay_node *n)
{
    if (!cJSON_IsString(at->item))
        return json_wrong(r->doc, at, "a string");
    return inlay_node_set_string(n, at->key, at->item->valuestring, r->a.d);
}

static bool read_type(json_reader *r, const json_at *at, inlay_node *n)
{
    inlay_type type;
    return json_read_type(r->doc, at, &type) && inlay_node_set_type(n, at->key, type, r->a.d);
}

static bool read_shape(json_reader *r, const json_at *at, inlay_node *n)
{
    inlay_shape shape;
    return json_read_shape(r->doc, at, &shape) && inlay_node_set_shape(n, at->key, &shape, r->a.d);
}

static bool read_attr(json_reader *r, const json_at *at, inlay_node *n, int attr)
{
    switch (n->op->attrs[attr].kind) {
    case INLAY_ATTR_BOOL:
        return read_bool(r, at, n);
    case INLAY_ATTR_INT:
        return read_int(r, at, n);
    case INLAY_ATTR_FLOAT:
        return read_float(r, at, n);
    case INLAY_ATTR_NUMBER:
        return read_number(r, at, n);
    case INLAY_ATTR_STRING:
    case INLAY_ATTR_ENUM:
    case INLAY_ATTR_VARIABLE:
        return read_string(r, at, n);
    case INLAY_ATTR_TYPE:
        return read_type(r, at, n);
    case INLAY_ATTR_SHAPE:
        return read_shape(r, at, n);
    case INLAY_ATTR_INTS:
    case INLAY_ATTR_FLOATS:
    case INLAY_ATTR_STRINGS:
    case INLAY_ATTR_TYPES:
        return read_list(r, at, n, attr);
    case INLAY_ATTR_TENSOR:
        break;
    }
    return json_fail(r->doc, at, "a tensor can only stand in \"constants\"");
}

static bool fail_unknown(json_reader *r, const json_at *at, const inlay_node *n, const char *name)
{
    inlay_guess guess = {.word = name, .length = strlen(name)};
    char meant[80], op[160];

    for (int i = 0; i < n->op->n_attrs; i++)
        inlay_guess_try(&guess, n->op->attrs[i].name);
    return json_fail(r->doc, at, "%s has no attribute \"%.80s\"%s",
                     inlay_op_text(n->op, op, sizeof(op)), name,
                     inlay_guess_text(&guess, meant, sizeof(meant)));
}

/* A stand-in keeps its attributes as text. */
static bool read_extra(json_reader *r, const json_at *at, inlay_node *n)
{
    if (!cJSON_IsString(at->item))
        return json_wrong(r->doc, at, "a string, as all attributes of an unknown operation");
    return assemble_extra(n, at->key, at->item->valuestring, r->a.d);
}

bool json_read_attrs(json_reader *r, const json_at *at, inlay_node *n)
{
    if (!cJSON_IsObject(at->item))
        return json_wrong(r->doc, at, "an object");
    if (cJSON_GetArraySize(at->item) > ASSEMBLE_MAX_ATTRIBUTES)
        return json_fail(r->doc, at, "a node has at most %d attributes, this one has %d",
                         ASSEMBLE_MAX_ATTRIBUTES, cJSON_GetArraySize(at->item));
    for (const cJSON *item = at->item->child; item != NULL; item = item->next) {
        json_at here = json_member(at, item, item->string), above = *at;
        int i = inlay_op_attr(n->op, item->string);
        above.item = item; /* for its line */
        if (n->op->flags & INLAY_STAND_IN) {
            if (!read_extra(r, &here, n))
                return false;
        } else if (i < 0) {
            return fail_unknown(r, &above, n, item->string);
        } else if (!read_attr(r, &here, n, i)) {
            return false;
        }
    }
    return true;
}
