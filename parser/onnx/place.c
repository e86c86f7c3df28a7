/* Where the reader is: the place and the line that errors name, and what names mean there. */
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
        inlay_strbuf_printf(b, " (%.100s-%lld)", at->type, (long long)at->version);
}

unsigned onnx_enter(onnx_reader *r, const void *record)
{
    unsigned before = r->line;

    r->line = r->has_lines ? (unsigned)onnx_message_offset(record) : 0;
    return before;
}

bool onnx_fail(const onnx_reader *r, const onnx_place *at, const char *fmt, ...)
{
    inlay_pos pos = {r->a.file, r->line};
    inlay_strbuf b = {0};
    char text[1000];
    va_list args;

    if (!r->had_error && inlay_diags_error(r->a.d))
        return false;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    put_place(&b, at);
    inlay_strbuf_printf(&b, "%s%s", at ? ": " : "", text);
    if (b.failed)
        inlay_fail_memory(r->a.d);
    else
        inlay_fail(r->a.d, &pos, "%s", b.bytes);
    inlay_strbuf_free(&b);
    return false;
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
