/* WebP, by libwebp. */
#include "parser/image.h"

#ifdef INLAY_READS_webp

#include <webp/decode.h>

inlay_tensor *image_webp(const image_source *s)
{
    int width, height;
    inlay_tensor *t;

    if (!WebPGetInfo(s->bytes, s->n, &width, &height))
        return image_fail(s, "the header of the WebP file is broken");
    t = image_new(s, (uint64_t)width, (uint64_t)height);
    if (t && !WebPDecodeRGBAInto(s->bytes, s->n, t->data, inlay_tensor_bytes(t), width * 4)) {
        image_fail(s, "the WebP file is broken or cut off");
        inlay_tensor_release(t);
        t = NULL;
    }
    return t;
}

#else

inlay_tensor *image_webp(const image_source *s)
{
    return image_missing(s, "WebP");
}

#endif
