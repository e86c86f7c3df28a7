/* Fills records that are written. See write.h. */
#include "parser/onnx/write.h"
#include "parser/utf8.h"

#include <string.h>

bool onnx_out_of_memory(onnx_writer *w)
{
    w->failed = true;
    return inlay_fail_memory(w->d);
}

const char *onnx_utf8(onnx_writer *w, const char *text)
{
    if (!w->failed && !utf8_valid(text, strlen(text))) {
        w->failed = true;
        inlay_fail(w->d, NULL, "\"%.80s\" is not UTF-8, which ONNX needs", text);
    }
    return text;
}

void *onnx_put_field(onnx_writer *w, void *message, const char *field)
{
    const ProtobufCMessage *m = message;
    void *at = m ? onnx_field_add(
                       message,
                       protobuf_c_message_descriptor_get_field_by_name(m->descriptor, field), w->a)
                 : NULL;

    if (!at)
        onnx_out_of_memory(w);
    return at;
}

void *onnx_put_message(onnx_writer *w, void *message, const char *field)
{
    const ProtobufCMessage *m = message;
    const ProtobufCFieldDescriptor *f =
        m ? protobuf_c_message_descriptor_get_field_by_name(m->descriptor, field) : NULL;
    void *made = f ? onnx_message_new(f->descriptor, 0, w->a) : NULL;
    void **at = made ? onnx_field_add(message, f, w->a) : NULL;

    if (!at)
        return onnx_out_of_memory(w), NULL;
    *at = made;
    return made;
}

void onnx_put_text(onnx_writer *w, void *message, const char *field, const char *text)
{
    const char **at = text && *text ? onnx_put_field(w, message, field) : NULL;

    if (at)
        *at = onnx_utf8(w, text);
}
