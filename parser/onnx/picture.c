/* Pictures that stand in tensors, for ImageDecoder. See import.h. */
#include "ir/shared.h"
#include "parser/image.h"
#include "parser/onnx/import.h"

inlay_tensor *onnx_picture(onnx_node *n, const inlay_tensor *bytes, int channels)
{
    inlay_diags *said = inlay_diags_new();
    const image_source s = {n->name, (const uint8_t *)bytes->data + bytes->offset,
                            inlay_tensor_bytes(bytes), n->s->r->a.options.budget, said};
    bool reads = true;
    const char *format = image_format_of(&s, &reads);
    inlay_tensor *t = NULL;

    if (!said) {
        inlay_fail_memory(n->d);
    } else if (format && !reads) {
        onnx_node_fail(
            n,
            "the data is a picture of the format %s, which this build does not read; it reads %s",
            format, inlay_image_formats());
    } else {
        t = image_decode(&s, channels);
        if (!t && inlay_diags_status(said) == INLAY_NO_RESOURCE)
            inlay_fail_resource(n->d, &(inlay_pos){n->name, 0}, "%s",
                                inlay_diags_error(said)->text);
        else if (!t)
            t = assemble_tensor(&n->s->r->a, INLAY_U8, 3, (int64_t[]){0, 0, channels});
    }
    inlay_diags_free(said);
    return t;
}
