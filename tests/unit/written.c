/* The values of written.h. */
#include "written.h"
#include "ir/shared.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_IDS = 128, MAX_TEXT = 256 };

/* "f32[2,3] rest" as type, what stands between the brackets, and the rest. */
static bool split(const char *text, inlay_type *type, char dims[MAX_TEXT], const char **rest,
                  inlay_diags *d)
{
    size_t length = strcspn(text, "[ "), size = 0;
    char name[32];

    snprintf(name, sizeof name, "%.*s", (int)length, text);
    *rest = text + length;
    if (**rest == '[') {
        size = strcspn(*rest, "]");
        if (!(*rest)[size] || size >= MAX_TEXT)
            return inlay_fail(d, NULL, "\"%s\" is no tensor", text);
        snprintf(dims, MAX_TEXT, "%.*s", (int)size - 1, *rest + 1);
        *rest += size + 1;
    } else {
        dims[0] = '\0';
    }
    return inlay_type_by_name(name, type) || inlay_fail(d, NULL, "\"%s\" is no type", name);
}

static bool set_element(inlay_tensor *t, int64_t i, const char *word, inlay_diags *d)
{
    bool truth = strcmp(word, "true") == 0 || strcmp(word, "false") == 0;
    char *end = "";

    if (t->type == INLAY_STRING)
        return inlay_tensor_set_string(t, i, word, strcmp(word, "''") == 0 ? 0 : strlen(word)) ||
               inlay_fail_memory(d);
    if (truth)
        inlay_tensor_set_i64(t, i, *word == 't');
    else if (inlay_type_is_float(t->type))
        inlay_tensor_set_f64(t, i, strtod(word, &end));
    else if (word[0] == '-')
        inlay_tensor_set_i64(t, i, strtoll(word, &end, 0));
    else
        inlay_tensor_set_i64(t, i, (int64_t)strtoull(word, &end, 0));
    return !*end || inlay_fail(d, NULL, "\"%s\" is no element of type %s", word,
                               inlay_type_info_of(t->type)->name);
}

static bool set_elements(inlay_tensor *t, const char *rest, inlay_diags *d)
{
    int64_t n = 0, count = inlay_tensor_count(t);
    char word[64];
    int used;

    while (sscanf(rest, "%63s%n", word, &used) == 1) {
        rest += used;
        if (strcmp(word, "iota") == 0) {
            for (; n < count; n++)
                inlay_tensor_set_i64(t, n, n);
            continue;
        }
        if (n >= count)
            return inlay_fail(d, NULL, "more than %lld elements", (long long)count);
        if (!set_element(t, n++, word, d))
            return false;
    }
    return n == count ||
           inlay_fail(d, NULL, "%lld elements, there must be %lld", (long long)n, (long long)count);
}

inlay_tensor *written_tensor(const char *text, inlay_diags *d)
{
    char dims_text[MAX_TEXT];
    const char *rest;
    inlay_type type;
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *t;
    int rank = 0;

    if (!split(text, &type, dims_text, &rest, d))
        return NULL;
    for (char *p = dims_text; *p && rank < INLAY_MAX_RANK; p += *p == ',')
        dims[rank++] = strtoll(p, &p, 10);
    t = inlay_tensor_new(type, rank, dims);
    if (!t)
        inlay_fail(d, NULL, "\"%s\" is no tensor", text);
    if (t && !set_elements(t, rest, d)) {
        inlay_tensor_release(t);
        return NULL;
    }
    return t;
}

/* One dim of a shape, which may end in a letter: that letter is its identity. */
static bool dim_with_letter(const char *text, size_t length, inlay_dim *dim, inlay_diags *d)
{
    const char *why;
    int id = 0;

    if (length > 1 && islower((unsigned char)text[length - 1]))
        id = text[--length];
    if (!inlay_dim_parse(text, length, dim, &why))
        return inlay_fail(d, NULL, "\"%.*s\": %s", (int)length, text, why);
    dim->id = (uint32_t)id;
    return true;
}

static bool read_shape(const char *dims, inlay_shape *s, inlay_diags *d)
{
    size_t length;

    s->rank = strcmp(dims, "...") == 0 ? -1 : 0;
    for (const char *p = dims; s->rank >= 0 && *p; p += length + (p[length] == ',')) {
        length = strcspn(p, ",");
        if (s->rank == INLAY_MAX_RANK || !dim_with_letter(p, length, &s->dim[s->rank++], d))
            return false;
    }
    return true;
}

inlay_value *written_operand(inlay_graph *g, const char *text, inlay_diags *d)
{
    char dims[MAX_TEXT];
    const char *rest;
    inlay_type type;
    inlay_shape s;
    inlay_tensor *t;
    inlay_value *v;

    if (!split(text, &type, dims, &rest, d))
        return NULL;
    if (rest[strspn(rest, " ")]) {
        t = written_tensor(text, d);
        v = t ? inlay_build_const(g, NULL, t, d) : NULL;
        inlay_tensor_release(t);
        return v;
    }
    if (!read_shape(dims, &s, d))
        return NULL;
    if (g->next_dim_id < MAX_IDS) /* letters are the identities below it */
        g->next_dim_id = MAX_IDS;
    return inlay_build_parameter(g, NULL, type, &s, d);
}

static void add_element(inlay_strbuf *b, const inlay_tensor *t, int64_t i)
{
    if (t->type == INLAY_STRING) {
        inlay_string s = inlay_tensor_get_string(t, i);

        inlay_strbuf_add(b, s.bytes, s.length);
    } else if (inlay_type_is_float(t->type)) {
        double x = inlay_tensor_get_f64(t, i);

        inlay_strbuf_printf(b, "%.17g", isnan(x) ? fabs(x) : x);
    } else if (inlay_type_info_of(t->type)->cls == INLAY_CLASS_UNSIGNED) {
        inlay_strbuf_printf(b, "%llu", (unsigned long long)inlay_tensor_get_i64(t, i));
    } else {
        inlay_strbuf_printf(b, "%lld", (long long)inlay_tensor_get_i64(t, i));
    }
}

void written_add_tensor(inlay_strbuf *b, const inlay_tensor *t)
{
    inlay_strbuf_printf(b, "%s[", inlay_type_info_of(t->type)->name);
    for (int i = 0; i < t->rank; i++)
        inlay_strbuf_printf(b, "%s%lld", i ? "," : "", (long long)t->dims[i]);
    inlay_strbuf_puts(b, "]");
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        inlay_strbuf_puts(b, " ");
        add_element(b, t, i);
    }
}

static void add_dim(inlay_strbuf *b, inlay_dim d)
{
    char text[64];

    inlay_strbuf_puts(b, inlay_dim_text(d, text, sizeof text));
    if (d.id != 0 && d.id < MAX_IDS && !inlay_dim_is_static(d))
        inlay_strbuf_printf(b, "%c", (char)d.id);
}

void written_add_fact(inlay_strbuf *b, const inlay_fact *f)
{
    inlay_strbuf_printf(b, "%s[%s", inlay_type_info_of(f->type)->name, f->rank < 0 ? "..." : "");
    for (int i = 0; i < f->rank; i++) {
        inlay_strbuf_puts(b, i ? "," : "");
        add_dim(b, f->dims[i]);
    }
    inlay_strbuf_puts(b, f->known ? "]={" : "]");
    for (int i = 0; f->known && i < f->n_known; i++) {
        inlay_strbuf_puts(b, i ? "," : "");
        add_dim(b, f->known[i]);
    }
    inlay_strbuf_puts(b, f->known ? "}" : "");
}

inlay_tensor *written_strided(const inlay_tensor *t)
{
    int64_t dims[INLAY_MAX_RANK + 1] = {3}, strides[INLAY_MAX_RANK];
    int rank = t->rank > 0 ? t->rank : 1, last = rank - 1;
    inlay_tensor *large, *view;

    for (int i = 0; i < t->rank; i++)
        dims[i] = i == last ? 2 * t->dims[i] + 1 : t->dims[i];
    if (inlay_tensor_count(t) == 0)
        return inlay_tensor_copy(t);
    large = inlay_tensor_new(t->type, rank, dims);
    if (!large)
        return NULL;
    for (int i = 0; i < t->rank; i++)
        strides[i] = i == last ? 2 : large->strides[i];
    view = inlay_tensor_window(large, t->rank, t->dims, strides, 1);
    inlay_tensor_release(large);
    if (view && inlay_tensor_assign(view, t))
        return view;
    inlay_tensor_release(view);
    return NULL;
}
