/* The OpenVINO reader's entry, and what its parts share. */
#include "ir/shared.h"
#include "parser/openvino/openvino.h"

#include <stdio.h>
#include <stdlib.h>
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

static bool read_model(ov_reader *r, const char *bytes, size_t n)
{
    inlay_graph *g = r->a.graph;
    assemble_scope *scope;
    ov_net *net;

    g->place_word = "layer";
    net = ov_parse(r, bytes, n);
    if (!net)
        return false;
    g->ir_version = net->version;
    g->name = assemble_string(&r->a, net->name);
    scope = assemble_scope_new(&r->a, NULL, g);
    return g->name && scope && ov_build_graph(r, net, scope) && ov_check_variables(r) &&
           inlay_settle_variables(g, r->a.d) && assemble_notes(&r->a);
}

static bool fail_at_layer(void *reader, const void *at, const char *what)
{
    return ov_fail_layer(reader, at, 0, "%s", what);
}

inlay_graph *inlay_read_xml(const char *bytes, size_t n, const char *name, inlay_buffer *weights,
                            const inlay_read_options *o, inlay_diags *d)
{
    if (inlay_is_missing(bytes, "text", d))
        return NULL;

    static const assemble_words words = {fail_at_layer, ov_note_unresolved};
    ov_reader r = {.a.words = &words, .weights = weights};
    inlay_graph *g;
    bool ok;

    r.a.reader = &r;
    ok = assemble_begin(&r.a, name, o, d) && read_model(&r, bytes, n);
    ov_warn_ignored(&r); /* also when it failed: a misspelt name may be why */
    g = assemble_end(&r.a, ok);
    ov_free_words(&r);
    return g;
}
