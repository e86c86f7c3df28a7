/* How the values of a graph are called in a document, and which value a name means. */
#include "parser/json/json.h"

#include <stdlib.h>
#include <string.h>

/* "split.1", and "split.1_" should some node be called "split.1". A generated name has its node and
 * output in it and so is no other generated one; a node's own name is looked up. */
void json_value_name(const inlay_value *v, inlay_strbuf *out)
{
    size_t start = out->n;

    inlay_strbuf_puts(out, v->node->name);
    if (v->node->n_out == 1)
        return;
    inlay_strbuf_printf(out, ".%d", v->index);
    while (!out->failed && inlay_graph_node(v->node->graph, out->bytes + start) != NULL)
        inlay_strbuf_puts(out, "_");
}

bool json_define(json_scope *s, const char *name, inlay_value *v, unsigned line)
{
    if (s->n == s->cap) {
        size_t cap = s->cap == 0 ? 64 : 2 * s->cap;
        json_definition *grown = realloc(s->names, cap * sizeof(*grown));
        if (grown == NULL)
            return inlay_fail_memory(s->r->d);
        s->names = grown;
        s->cap = cap;
    }
    s->names[s->n++] = (json_definition){name, v, line};
    return true;
}

static int by_name(const void *a, const void *b)
{
    const json_definition *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

bool json_sort_names(json_scope *s)
{
    if (s->n > 1)
        qsort(s->names, s->n, sizeof(*s->names), by_name);
    for (size_t i = 1; i < s->n; i++) {
        const json_definition *a = &s->names[i - 1], *b = &s->names[i];
        inlay_pos pos = {s->r->doc->file, b->line};
        if (strcmp(a->name, b->name) == 0)
            return inlay_fail(s->r->d, &pos,
                              "the value \"%.200s\" is defined twice, the first time in line %u",
                              a->name, a->line);
    }
    return true;
}

inlay_value *json_find_value(const json_scope *s, const json_at *at)
{
    json_definition wanted = {.name = at->item->valuestring};
    size_t lo = 0, hi = s->n;

    if (!cJSON_IsString(at->item)) {
        json_wrong(s->r->doc, at, "the name of a value");
        return NULL;
    }
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (strcmp(s->names[mid].name, wanted.name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < s->n && strcmp(s->names[lo].name, wanted.name) == 0)
        return s->names[lo].value;
    json_fail(s->r->doc, at, "there is no value \"%.200s\"%s", wanted.name,
              s->g->owner != NULL ? " in this body (a body sees nothing of the graph around it)"
                                  : "");
    return NULL;
}
