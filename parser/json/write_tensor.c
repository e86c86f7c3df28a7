/* Writes constants: small ones as lists of elements, large ones as ranges of the weights file
 * beside the document. Either way they read back to the same bits. */
#include "ir/shared.h"
#include "parser/json/write.h"
#include "parser/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void write_string_element(json_writer *w, inlay_string s)
{
    bool text =
        s.length == 0 || (memchr(s.bytes, '\0', s.length) == NULL && utf8_valid(s.bytes, s.length));
    inlay_strbuf copy = {0};

    if (text) {
        inlay_strbuf_add(&copy, s.length > 0 ? s.bytes : "", s.length);
        json_write_string(w, copy.failed ? "" : copy.bytes);
        w->text.failed |= copy.failed;
        inlay_strbuf_free(&copy);
        return;
    }
    inlay_strbuf_puts(&w->text, "{\"hex\": \"");
    for (size_t i = 0; i < s.length; i++)
        inlay_strbuf_printf(&w->text, "%02x", (unsigned char)s.bytes[i]);
    inlay_strbuf_puts(&w->text, "\"}");
}

static void write_element(json_writer *w, const inlay_tensor *t, int64_t index)
{
    char buf[48];
    inlay_type part = t->type == INLAY_C64 ? INLAY_F32 : INLAY_F64;

    if (t->type == INLAY_STRING) {
        inlay_string s;
        memcpy(&s, (const char *)t->data + index * (int64_t)sizeof(s), sizeof(s));
        write_string_element(w, s);
    } else if (inlay_type_info_of(t->type)->cls == INLAY_CLASS_COMPLEX) {
        json_write_element_text(w, part,
                                inlay_element_text(part, t->data, 2 * index, buf, sizeof(buf)));
        inlay_strbuf_puts(&w->text, ", ");
        json_write_element_text(w, part,
                                inlay_element_text(part, t->data, 2 * index + 1, buf, sizeof(buf)));
    } else {
        json_write_element_text(w, t->type,
                                inlay_element_text(t->type, t->data, index, buf, sizeof(buf)));
    }
}

/* Writes the elements as a flat list. */
static void write_data(json_writer *w, const inlay_tensor *t)
{
    int64_t n = inlay_tensor_count(t);

    inlay_strbuf_puts(&w->text, "[");
    for (int64_t i = 0; i < n && !w->failed && !w->text.failed; i++) {
        inlay_strbuf_puts(&w->text, i > 0 ? ", " : "");
        write_element(w, t, inlay_tensor_index(t, i));
    }
    inlay_strbuf_puts(&w->text, "]");
}

static void put_weights(json_writer *w, const void *bytes, size_t n)
{
    if (n > 0 && !w->weights->write(w->weights->ctx, bytes, n))
        w->failed = true;
    checksum_add(&w->sum, bytes, n);
}

static void write_weights(json_writer *w, const inlay_tensor *t, bool *first)
{
    static const char zeros[JSON_WEIGHT_ALIGNMENT] = {0};
    inlay_tensor *dense = inlay_tensor_is_dense(t) ? inlay_tensor_retain(t) : inlay_tensor_copy(t);

    if (dense == NULL) {
        inlay_fail_memory(w->d);
        w->failed = true;
        return;
    }
    put_weights(w, zeros, (size_t)(-w->sum.size % JSON_WEIGHT_ALIGNMENT));
    json_write_member(w, "file", w->weights_name, first);
    json_write_key(w, "offset", first);
    json_write_int(w, (int64_t)w->sum.size);
    put_weights(w, dense->data, inlay_tensor_bytes(t));
    inlay_tensor_release(dense);
}

void json_write_tensor(json_writer *w, const inlay_node *n, const inlay_tensor *t)
{
    bool first = false;

    if (t == NULL) {
        json_write_fail(w, n, "attribute \"value\" is missing");
        return;
    }
    json_write_member(w, "type", inlay_type_info_of(t->type)->name, &first);
    json_write_key(w, "shape", &first);
    inlay_strbuf_puts(&w->text, "[");
    for (int i = 0; i < t->rank; i++)
        inlay_strbuf_printf(&w->text, "%s%" PRId64, i > 0 ? ", " : "", t->dims[i]);
    inlay_strbuf_puts(&w->text, "]");
    if (w->weights != NULL && t->type != INLAY_STRING &&
        inlay_tensor_bytes(t) > JSON_INLINE_BYTES) {
        write_weights(w, t, &first);
        return;
    }
    json_write_key(w, "data", &first);
    write_data(w, t);
}
