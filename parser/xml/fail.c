/* Errors of the reader, with their line. */
#include "parser/xml/xml.h"

#include <stdio.h>

unsigned xml_line(const xml_reader *x)
{
    int line = x->library.xmlSAX2GetLineNumber(x->ctxt);

    return line > 0 ? (unsigned)line : 0;
}

static void fail_text(xml_reader *x, unsigned line, const char *fmt, va_list args)
{
    char text[600];

    x->failed = true;
    vsnprintf(text, sizeof text, fmt, args);
    x->format->fail(x->reader, line, text);
}

bool xml_fail_line(xml_reader *x, unsigned line, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    fail_text(x, line, fmt, args);
    va_end(args);
    return false;
}

bool xml_fail(xml_reader *x, const char *fmt, ...)
{
    va_list args;

    if (x->failed)
        return false;
    va_start(args, fmt);
    fail_text(x, xml_line(x), fmt, args);
    va_end(args);
    return false;
}

bool xml_fail_memory(xml_reader *x)
{
    x->failed = true;
    return inlay_fail_memory(x->d);
}
