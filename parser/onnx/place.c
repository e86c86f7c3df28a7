/* The reader's position and line for errors, and the values that names refer to. */
#include "parser/onnx/onnx.h"
#include "parser/onnx/records.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void put_place(inlay_strbuf *b, const onnx_place *at)
{
    if (!at)
        return;
    put_place(b, at->outer);
    inlay_strbuf_printf(b, "%s%s", at->outer ? "." : "", at->field);
    if (at->index >= 0)
        inlay_strbuf_printf(b, "[%lld]", (long long)at->index);
    if (at->name && *at->name)
        inlay_strbuf_printf(b, " \"%.200s\"", at->name);
    if (at->type)
        inlay_strbuf_printf(b, " (%.100s%s%.100s-%lld)", at->domain, *at->domain ? "." : "",
                            at->type, (long long)at->version);
}

static int64_t version_of(const onnx_imports *imports, const char *domain)
{
    for (size_t i = 0; i < imports->n; i++) {
        const char *d = imports->sets[i]->domain ? imports->sets[i]->domain : "";

        if (strcmp(d, domain) == 0 || (!*domain && strcmp(d, "ai.onnx") == 0))
            return imports->sets[i]->version;
    }
    return 0;
}

onnx_place onnx_node_place(const onnx_scope *s, const Onnx__NodeProto *p, size_t index)
{
    const char *domain = !p->domain || strcmp(p->domain, "ai.onnx") == 0 ? "" : p->domain;

    return (onnx_place){.outer = s->at,
                        .field = "node",
                        .index = (int64_t)index,
                        .name = p->name,
                        .type = p->op_type ? p->op_type : "",
                        .domain = domain,
                        .version = version_of(&s->imports, domain)};
}

unsigned onnx_enter(onnx_reader *r, const void *record)
{
    unsigned before = r->line;

    if (r->has_lines)
        r->line = (unsigned)onnx_message_offset(record);
    return before;
}

/* Records an error, or a warning, at AT. */
static void record(const onnx_reader *r, const onnx_place *at, bool error, const char *fmt,
                   va_list args)
{
    inlay_pos pos = {r->a.file, r->line};
    inlay_strbuf b = {0};
    char text[1000];

    vsnprintf(text, sizeof text, fmt, args);
    put_place(&b, at);
    inlay_strbuf_printf(&b, "%s%s", at ? ": " : "", text);
    if (b.failed)
        inlay_fail_memory(r->a.d);
    else if (error)
        inlay_fail(r->a.d, &pos, "%s", b.bytes);
    else
        inlay_warn(r->a.d, &pos, "%s", b.bytes);
    inlay_strbuf_free(&b);
}

bool onnx_fail(const onnx_reader *r, const onnx_place *at, const char *fmt, ...)
{
    va_list args;

    if (!r->had_error && inlay_diags_error(r->a.d))
        return false;
    va_start(args, fmt);
    record(r, at, true, fmt, args);
    va_end(args);
    return false;
}

void onnx_warn(const onnx_reader *r, const onnx_place *at, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    record(r, at, false, fmt, args);
    va_end(args);
}

inlay_value *onnx_find_value(onnx_scope *s, const char *name)
{
    const assemble_name *found = assemble_lasting_name(s->names, name);

    if (found && found->node)
        return &found->node->out[found->output];
    return s->around ? onnx_find_value(s->around, name) : NULL;
}

bool onnx_define_value(onnx_scope *s, const char *name, inlay_value *v)
{
    assemble_name *found = assemble_lasting_name(s->names, name);

    if (!found)
        return false;
    if (found->node)
        return onnx_fail(s->r, s->at, "two values are called \"%.200s\"", name);
    assemble_define(found, v->node, v->index, 0);
    return true;
}
