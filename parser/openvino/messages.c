/* Messages of the reader: errors that name the layer, and warnings about files that are valid but
 * probably not as intended.
 *
 * OpenVINO silently ignores attributes in <data> that an operation does not have
 * (parser/openvino/README.md 3.2), but a misspelt one leaves its default in effect. There is one
 * warning for each kind of such an attribute, however many layers have it.
 *
 * The same attribute of rt_info may be given twice: Inlay keeps both unchanged, but OpenVINO
 * refuses such a file (parser/openvino/README.md 7). */
#include "parser/openvino/read.h"

#include <stdio.h>
#include <string.h>

bool ov_fail_line(const ov_reader *r, unsigned line, const char *fmt, ...)
{
    inlay_pos pos = {r->a.file, line};
    char text[700];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return inlay_fail(r->a.d, &pos, "%s", text);
}

bool ov_fail_layer(const ov_reader *r, const ov_layer *layer, unsigned line, const char *fmt, ...)
{
    char text[700];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return ov_fail_line(r, line ? line : layer->line, "layer %lld \"%.200s\" (%.80s): %s",
                        (long long)layer->id, layer->name, layer->type, text);
}

/* Whether NAME is a hint for devices, which any layer may have (parser/openvino/README.md 3.1), or
 * a flag that old releases wrote at Parameters. Neither affects results. */
static bool is_hint(const char *name)
{
    return strcmp(name, "PrimitivesPriority") == 0 || strcmp(name, "alt_width") == 0 ||
           strcmp(name, "cacheable") == 0;
}

void ov_ignore_attribute(ov_reader *r, const inlay_node *n, const char *name)
{
    ov_ignored *x = r->ignored;

    if (is_hint(name))
        return;
    while (x < r->ignored + r->n_ignored && (x->op != n->op || strcmp(x->name, name) != 0))
        x++;
    if (x == r->ignored + OV_IGNORED) {
        r->more_ignored++;
        return;
    }
    if (x == r->ignored + r->n_ignored) {
        *x = (ov_ignored){n->op, name, n, 0};
        r->n_ignored++;
    }
    x->n++;
}

void ov_warn_ignored(const ov_reader *r)
{
    char op[160];

    for (size_t i = 0; i < r->n_ignored; i++) {
        const ov_ignored *x = &r->ignored[i];

        inlay_op_text(x->op, op, sizeof op);
        if (x->n == 1)
            inlay_warn_node(r->a.d, x->first,
                            "attribute \"%.100s\" is ignored: %s has none of this name", x->name,
                            op);
        else
            inlay_warn_node(
                r->a.d, x->first,
                "attribute \"%.100s\" is ignored, here and in %zu more layers: %s has none "
                "of this name",
                x->name, x->n - 1, op);
    }
    if (r->more_ignored > 0)
        inlay_warn(r->a.d, &(inlay_pos){r->a.file, 0},
                   "%zu more attributes are ignored: their operations have none of these names",
                   r->more_ignored);
}

static const char *attribute_name(const inlay_meta *m)
{
    for (int i = 0; strcmp(m->tag, "attribute") == 0 && i < m->n_attrs; i++) {
        if (strcmp(m->attrs[2 * i], "name") == 0)
            return m->attrs[2 * i + 1];
    }
    return NULL;
}

/* The position of M in the list of attributes that OpenVINO reads, or -1 if it ignores M. */
static int known_attribute(const inlay_meta *m)
{
    static const char *const known[] = {
        "fused_names",         "primitives_priority",      "layout",
        "decompression",       "old_api_map_order",        "old_api_map_element_type",
        "strides_propagation", "nms_selected_indices",     "preprocessing",
        "memory_type",         "disable_fp16_compression", "precise"};
    const char *name = attribute_name(m);

    for (size_t i = 0; name && i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i], name) == 0)
            return (int)i;
    }
    return -1;
}

void ov_warn_repeated(const ov_reader *r, const inlay_node *n, const inlay_meta *list)
{
    unsigned seen = 0, said = 0;

    for (; list; list = list->next) {
        int i = known_attribute(list);
        unsigned bit = i < 0 ? 0 : 1u << i;

        if (seen & bit & ~said) {
            inlay_warn_node(r->a.d, n,
                            "rt_info has attribute \"%s\" more than once, which OpenVINO refuses",
                            attribute_name(list));
            said |= bit;
        }
        seen |= bit;
    }
}
