/* The operators of a model, by which the table of a suite counts. Those of an ONNX model are known
 * although it cannot be read: only the few fields on the way to them are looked at (onnx.proto). */
#include "cli/suite.h"

#include <stdlib.h>
#include <string.h>

enum message { MODEL, FUNCTION, GRAPH, NODE, ATTRIBUTE, TYPE, DOMAIN };

static const struct field {
    enum message in;
    unsigned number;
    enum message holds;
} fields[] = {
    {MODEL, 7, GRAPH}, {MODEL, 25, FUNCTION}, {FUNCTION, 7, NODE},
    {GRAPH, 1, NODE},  {NODE, 4, TYPE},       {NODE, 5, ATTRIBUTE},
    {NODE, 7, DOMAIN}, {ATTRIBUTE, 6, GRAPH}, {ATTRIBUTE, 11, GRAPH},
};

struct bytes {
    const unsigned char *at, *end;
};

static uint64_t varint(struct bytes *b)
{
    uint64_t x = 0;

    for (int shift = 0; b->at < b->end && shift < 64; shift += 7) {
        x |= (uint64_t)(*b->at & 0x7f) << shift;
        if (!(*b->at++ & 0x80))
            break;
    }
    return x;
}

/* Takes the next field; PART is what is in it. False at the end, or where no field is. */
static bool next_field(struct bytes *b, unsigned *number, struct bytes *part)
{
    uint64_t tag = b->at < b->end ? varint(b) : 0, n;

    *number = (unsigned)(tag >> 3);
    *part = (struct bytes){b->at, b->at};
    if (tag == 0)
        return false;
    if ((tag & 7) == 0) {
        varint(b);
        return true;
    }
    n = (tag & 7) == 2 ? varint(b) : (tag & 7) == 1 ? 8 : 4;
    if (n > (uint64_t)(b->end - b->at))
        return false;
    *part = (struct bytes){b->at, b->at + n};
    b->at += n;
    return true;
}

bool suite_has_line(const char *lines, const char *line, size_t n)
{
    for (const char *p = lines; p && *p; p += strcspn(p, "\n") + 1) {
        if (strcspn(p, "\n") == n && strncmp(p, line, n) == 0)
            return true;
    }
    return false;
}

static void add(inlay_strbuf *out, const struct bytes *domain, const struct bytes *type)
{
    static const char usual[] = "ai.onnx";
    inlay_strbuf line = {0};
    size_t n = (size_t)(domain->end - domain->at);

    if (n > 0 && (n != sizeof usual - 1 || memcmp(domain->at, usual, n) != 0))
        inlay_strbuf_printf(&line, "%.*s.", (int)n, (const char *)domain->at);
    inlay_strbuf_printf(&line, "%.*s", (int)(type->end - type->at), (const char *)type->at);
    if (!line.failed && !suite_has_line(out->bytes, line.bytes, line.n))
        inlay_strbuf_printf(out, "%s\n", line.bytes);
    inlay_strbuf_free(&line);
}

static void walk(struct bytes b, enum message in, int depth, inlay_strbuf *out)
{
    struct bytes part, type = {0}, domain = {0};
    unsigned number;

    while (next_field(&b, &number, &part)) {
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            if (fields[i].in != in || fields[i].number != number)
                continue;
            if (fields[i].holds == TYPE)
                type = part;
            else if (fields[i].holds == DOMAIN)
                domain = part;
            else if (depth < INLAY_MAX_META_DEPTH)
                walk(part, fields[i].holds, depth + 1, out);
        }
    }
    if (in == NODE)
        add(out, &domain, &type);
}

void suite_operators(const char *model, inlay_strbuf *out)
{
    size_t length = strlen(model);
    FILE *f = length > 5 && strcmp(model + length - 5, ".onnx") == 0 ? fopen(model, "rb") : NULL;
    inlay_strbuf b = {0};

    if (!f)
        return;
    if (cli_child_said(f, &b))
        walk((struct bytes){(const unsigned char *)b.bytes, (const unsigned char *)b.bytes + b.n},
             MODEL, 0, out);
    inlay_strbuf_free(&b);
    fclose(f);
}

void suite_graph_operators(const inlay_graph *g, inlay_strbuf *out)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        const char *name = n->op->name;
        bool is_port = n->op->n_in == 0 || n->n_out == 0; /* Parameter, Const, Result */

        if (!is_port && !suite_has_line(out->bytes, name, strlen(name)))
            inlay_strbuf_printf(out, "%s\n", name);
        for (int i = 0; i < n->n_bodies; i++)
            suite_graph_operators(n->bodies[i].graph, out);
    }
}
