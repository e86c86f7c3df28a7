/* Constants: elements in the document, flat or nested as the shape says, or bytes of a file.
 *
 * A float without a JSON number is a string: "nan", "inf", "-inf", or its bits ("0x7fc00001" is one
 * of the NaNs; a boolean byte may be written so too). An integer of 2^53 or more is a string of
 * digits. A complex number is two numbers, so the data has one more dimension, of size 2. A text
 * that is not UTF-8, or has a zero byte, is {"hex": "00ff"}. */
#include "ir/shared.h"
#include "parser/json/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fill {
    json_reader *r;
    inlay_tensor *t;
    inlay_type type; /* of what is stored; for a complex number, the type of its parts */
    int rank;
    int64_t dims[INLAY_MAX_RANK + 1];
    int64_t count, next; /* the number of elements, and the index of the next one */
} fill;

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Stores an element that is given by its bits, such as "0x7fc00001"; *DONE: it was. */
static bool store_bits(fill *f, const json_at *at, bool *done)
{
    const char *text = at->item->valuestring;

    *done = cJSON_IsString(at->item) && strncmp(text, "0x", 2) == 0;
    return !*done || inlay_element_parse(f->type, text, f->t->data, f->next) ||
           json_fail(f->r->doc, at, "\"%.80s\" are not the bits of an element of type %s", text,
                     inlay_type_info_of(f->type)->name);
}

static bool fail_range(fill *f, const json_at *at)
{
    const char *type = inlay_type_info_of(f->type)->name;

    if (cJSON_IsString(at->item))
        return json_fail(f->r->doc, at, "%.80s does not fit %s", at->item->valuestring, type);
    return json_fail(f->r->doc, at, "%.17g does not fit %s", at->item->valuedouble, type);
}

static bool store_float(fill *f, const json_at *at)
{
    bool done;
    double x, stored;

    if (!store_bits(f, at, &done))
        return false;
    if (done)
        return true;
    if (!json_float(f->r->doc, at, &x))
        return false;
    inlay_store_f64(f->type, f->t->data, f->next, x);
    stored = inlay_load_f64(f->type, f->t->data, f->next);
    /* Types without an infinity saturate, which is not rounding either. */
    if (isfinite(x) && (!isfinite(stored) || (fabs(x) > 1 && fabs(stored) <= fabs(x) / 2)))
        return fail_range(f, at);
    return true;
}

static bool store_int(fill *f, const json_at *at)
{
    const inlay_type_info *info = inlay_type_info_of(f->type);
    int64_t x;
    bool huge;

    if (!json_integer(f->r->doc, at, &x, &huge))
        return false;
    if ((huge && f->type != INLAY_U64) || (!huge && x < 0 && info->cls == INLAY_CLASS_UNSIGNED))
        return fail_range(f, at);
    inlay_store_i64(f->type, f->t->data, f->next, x);
    return inlay_load_i64(f->type, f->t->data, f->next) == x || fail_range(f, at);
}

static bool store_bool(fill *f, const json_at *at)
{
    double x = at->item->valuedouble;
    bool done;

    if (!store_bits(f, at, &done))
        return false;
    if (done)
        return true;
    if (!cJSON_IsBool(at->item) && !(cJSON_IsNumber(at->item) && (x == 0 || x == 1)))
        return json_wrong(f->r->doc, at, "true or false");
    inlay_store_i64(f->type, f->t->data, f->next,
                    cJSON_IsBool(at->item) ? cJSON_IsTrue(at->item) : x == 1);
    return true;
}

static bool store_hex(fill *f, const json_at *at)
{
    static json_names names = {"hex", NULL};
    const cJSON *m[1];
    const char *text;
    size_t n;
    char *bytes;
    bool ok = true;

    if (!json_members(f->r->doc, at, names, m) ||
        (text = json_text(f->r->doc, at, m[0], "hex")) == NULL)
        return false;
    n = strlen(text);
    bytes = inlay_take_raw(inlay_graph_budget(f->r->a.graph), n / 2 + 1);
    if (bytes == NULL)
        return inlay_fail_memory(f->r->a.d);
    for (size_t i = 0; ok && i < n; i += 2) {
        int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
        ok = high >= 0 && low >= 0;
        bytes[i / 2] = (char)(ok ? high * 16 + low : 0);
    }
    if (!ok)
        json_fail(f->r->doc, at, "\"hex\" must be pairs of digits 0-9a-f");
    else if (!inlay_tensor_set_string(f->t, f->next, bytes, n / 2))
        ok = inlay_fail_memory(f->r->a.d);
    inlay_give(bytes);
    return ok;
}

static bool store_string(fill *f, const json_at *at)
{
    const char *text = at->item->valuestring;

    if (cJSON_IsObject(at->item))
        return store_hex(f, at);
    if (!cJSON_IsString(at->item))
        return json_wrong(f->r->doc, at, "a string");
    return inlay_tensor_set_string(f->t, f->next, text, strlen(text)) ||
           inlay_fail_memory(f->r->a.d);
}

static bool store_element(fill *f, const json_at *at)
{
    bool ok;

    switch (inlay_type_info_of(f->type)->cls) {
    case INLAY_CLASS_BOOLEAN:
        ok = store_bool(f, at);
        break;
    case INLAY_CLASS_FLOAT:
        ok = store_float(f, at);
        break;
    case INLAY_CLASS_STRING:
        ok = store_string(f, at);
        break;
    default:
        ok = store_int(f, at);
        break;
    }
    f->next++;
    return ok;
}

static bool fill_flat(fill *f, const json_at *at)
{
    int n = cJSON_GetArraySize(at->item), i = 0;

    if (n != f->count)
        return json_fail(f->r->doc, at, "the list has %d element%s, the shape needs %lld", n,
                         inlay_plural(n, "", "s"), (long long)f->count);
    for (const cJSON *item = at->item->child; item != NULL; item = item->next, i++) {
        json_at here = json_element(at, item, i);
        if (!store_element(f, &here))
            return false;
    }
    return true;
}

/* Reads the list AT, which is dimension DIM of the shape. Recursive, as deep as the rank. */
static bool fill_nested(fill *f, const json_at *at, int dim)
{
    int i = 0;

    if (dim == f->rank)
        return store_element(f, at);
    if (!cJSON_IsArray(at->item))
        return json_wrong(f->r->doc, at, "a list");
    if (cJSON_GetArraySize(at->item) != f->dims[dim])
        return json_fail(f->r->doc, at, "the list has %d %s, dimension %d of the shape is %lld",
                         cJSON_GetArraySize(at->item),
                         cJSON_GetArraySize(at->item) == 1 ? "entry" : "entries", dim,
                         (long long)f->dims[dim]);
    for (const cJSON *item = at->item->child; item != NULL; item = item->next, i++) {
        json_at here = json_element(at, item, i);
        if (!fill_nested(f, &here, dim + 1))
            return false;
    }
    return true;
}

static bool read_data(fill *f, const json_at *at)
{
    const cJSON *first = cJSON_IsArray(at->item) ? at->item->child : NULL;

    if (f->rank == 0 && !cJSON_IsArray(at->item))
        return store_element(f, at);
    if (!cJSON_IsArray(at->item))
        return json_wrong(f->r->doc, at, "a list of elements");
    if (cJSON_IsArray(first))
        return fill_nested(f, at, 0);
    return fill_flat(f, at);
}

static bool read_static_shape(json_reader *r, const json_at *at, fill *f)
{
    inlay_shape shape;

    if (!json_read_shape(r->doc, at, &shape))
        return false;
    if (!inlay_shape_is_static(&shape))
        return json_fail(r->doc, at, "a constant has a static shape");
    f->rank = shape.rank;
    for (int i = 0; i < shape.rank; i++)
        f->dims[i] = shape.dim[i].lo;
    return true;
}

/* Makes the tensor a view of SIZE bytes of a file, without copying. */
static inlay_tensor *over_file(fill *f, const json_at *at, const json_content *c, size_t size)
{
    json_at file = json_member(at, c->file, "file"), offset = json_member(at, c->offset, "offset");
    const char *name = json_text(f->r->doc, at, c->file, "file");
    inlay_buffer *b = name != NULL ? json_open_file(f->r, &file, name) : NULL;
    int64_t start = 0;
    inlay_tensor *t;

    if (b == NULL || (c->offset != NULL && !json_int(f->r->doc, &offset, &start)))
        return NULL;
    if (start < 0 || (uint64_t)start > inlay_buffer_size(b) ||
        size > inlay_buffer_size(b) - (size_t)start) {
        json_fail(f->r->doc, at, "%zu byte%s from %lld on reach beyond \"%.200s\", which has %zu",
                  size, inlay_plural(size, "", "s"), (long long)start, name, inlay_buffer_size(b));
        return NULL;
    }
    t = inlay_tensor_over(b, (char *)inlay_buffer_data(b) + start, f->type, f->rank, f->dims);
    if (t == NULL)
        inlay_fail_memory(f->r->a.d);
    return t;
}

static inlay_tensor *from_data(fill *f, const json_at *at)
{
    bool ok;

    f->t = assemble_tensor(&f->r->a, f->type, f->rank, f->dims);
    if (f->t == NULL)
        return NULL;
    if (inlay_type_info_of(f->type)->cls == INLAY_CLASS_COMPLEX) {
        f->type = f->type == INLAY_C64 ? INLAY_F32 : INLAY_F64;
        f->dims[f->rank++] = 2;
        f->count *= 2;
    }
    ok = read_data(f, at);
    if (ok)
        return f->t;
    inlay_tensor_release(f->t);
    return NULL;
}

/* Refuses a shape that the data cannot fill before memory is allocated for it: every element takes
 * a value of the document. */
static bool check_plausible(const fill *f, const json_at *at)
{
    return (uint64_t)f->count <= f->r->doc->n_places ||
           json_fail(f->r->doc, at, "there are fewer elements than the shape needs, which is %lld",
                     (long long)f->count);
}

inlay_tensor *json_read_tensor(json_reader *r, const json_at *at, const json_content *c)
{
    json_at type = json_member(at, c->type, "type"), shape = json_member(at, c->shape, "shape");
    json_at data = json_member(at, c->data, "data"), offset = json_member(at, c->offset, "offset");
    fill f = {.r = r};
    const char *refused;
    size_t size;

    if (!json_required(r->doc, at, c->type, "type") ||
        !json_required(r->doc, at, c->shape, "shape") || !json_read_type(r->doc, &type, &f.type) ||
        !read_static_shape(r, &shape, &f))
        return NULL;
    refused = inlay_constant_refused(f.type);
    if (refused != NULL)
        json_fail(r->doc, &type, "a constant cannot be %s: %s", inlay_type_info_of(f.type)->name,
                  refused);
    else if (!inlay_count_elements(f.rank, f.dims, &f.count) ||
             !inlay_count_bytes(f.type, f.rank, f.dims, &size))
        json_fail(r->doc, &shape, "the shape has more elements than can be counted");
    else if ((c->data != NULL) == (c->file != NULL))
        json_fail(r->doc, at, "a constant has either \"data\" or \"file\"");
    else if (c->file != NULL && f.type == INLAY_STRING)
        json_fail(r->doc, at, "strings stand in \"data\", not in a file");
    else if (c->file != NULL)
        return over_file(&f, at, c, size);
    else if (c->offset != NULL)
        json_fail(r->doc, &offset, "an offset belongs to a \"file\"");
    else if (check_plausible(&f, &data))
        return from_data(&f, &data);
    return NULL;
}
