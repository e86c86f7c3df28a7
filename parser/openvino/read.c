/* The OpenVINO reader's entry, and what its parts share. */
#include "ir/base/argument.h"
#include "parser/openvino/openvino.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ov_fail_line(const ov_reader *r, unsigned line, const char *fmt, ...)
{
    inlay_pos pos = {r->file, line};
    char text[700];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return inlay_fail(r->d, &pos, "%s", text);
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

const char *ov_role(int role)
{
    static const char *const roles[] = {"body", "then_body", "else_body"};

    return roles[role];
}

const char *ov_data(const ov_layer *layer, const char *name)
{
    for (int i = 0; i < layer->n_data; i++) {
        if (strcmp(layer->data[i].name, name) == 0)
            return layer->data[i].value;
    }
    return NULL;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool ov_parse_int(const char *text, size_t n, int64_t *out)
{
    bool negative = false;
    uint64_t value = 0;
    size_t i = 0;

    while (n > 0 && is_space(text[n - 1]))
        n--;
    while (i < n && is_space(text[i]))
        i++;
    if (i < n && text[i] == '-') {
        negative = true;
        i++;
    }
    if (i == n)
        return false;
    for (; i < n; i++) {
        unsigned digit = (unsigned char)text[i] - '0';

        if (digit > 9 || value > ((uint64_t)INT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

int ov_port_position(const ov_ports *ports, int64_t id)
{
    int lo = 0, hi = ports->n;

    if (ports->counted)
        return id < ports->first_id || id - ports->first_id >= ports->n
                   ? -1
                   : (int)(id - ports->first_id);
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (ports->by_id[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < ports->n && ports->by_id[lo].id == id ? ports->by_id[lo].position : -1;
}

static bool fill_graph(ov_reader *r, const char *bytes, size_t n)
{
    inlay_graph *g = r->graph;
    ov_net *net;

    g->file = inlay_arena_strdup(g->arena, r->file);
    if (!g->file)
        return inlay_fail_memory(r->d);
    g->place_word = "layer";
    net = ov_parse(r, bytes, n);
    if (!net)
        return false;
    g->ir_version = net->version;
    g->name = inlay_arena_strdup(g->arena, net->name);
    if (!g->name)
        return inlay_fail_memory(r->d);
    return ov_build_graph(r, net, g) && ov_check_variables(r) && inlay_settle_variables(g, r->d) &&
           ov_set_notes(r);
}

static bool fill(ov_reader *r, const char *bytes, size_t n)
{
    bool ok = fill_graph(r, bytes, n);

    ov_warn_ignored(r); /* also when it failed: a misspelt name may be why */
    return ok;
}

inlay_graph *inlay_read_xml(const char *bytes, size_t n, const char *name, inlay_buffer *weights,
                            const inlay_read_options *o, inlay_diags *d)
{
    if (is_missing(bytes, "text", d))
        return NULL;

    ov_reader r = {
        .file = name, .weights = weights, .allow_unknown = o && o->allow_unknown, .d = d};
    bool ok = true;

    r.notes_end = &r.notes;
    r.graph = inlay_graph_new("", d);
    r.arena = inlay_arena_new();
    if (r.graph && o)
        inlay_arena_limit(r.graph->arena, o->max_memory);
    if (r.graph && r.arena)
        inlay_arena_share(r.arena, r.graph->arena);
    if (r.graph && !r.arena)
        inlay_fail_memory(d);
    /* storage notes are claims */
    if (!r.graph || !r.arena || !fill(&r, bytes, n) || !inlay_drop_illegal_notes(r.graph, d)) {
        file_say_over(r.graph ? r.graph->arena : NULL, name, o, d);
        ok = false;
    }
    inlay_arena_free(r.arena);
    ov_free_words(&r);
    if (ok)
        return r.graph;
    inlay_graph_free(r.graph);
    return NULL;
}
