/* PNG, by libpng. */
#include "parser/image.h"

#ifdef INLAY_READS_png

#include <png.h>

static inlay_tensor *read_pixels(const image_source *s, png_image *png)
{
    inlay_tensor *t;

    if (!png_image_begin_read_from_memory(png, s->bytes, s->n))
        return image_fail(s, png->message);
    png->format = PNG_FORMAT_RGBA;
    png->flags |= PNG_IMAGE_FLAG_16BIT_sRGB; /* 16 bits become 8 without another gamma */
    t = image_new(s, png->width, png->height);
    if (t && !png_image_finish_read(png, NULL, t->data, 0, NULL)) {
        image_fail(s, png->message);
        inlay_tensor_release(t);
        t = NULL;
    }
    return t;
}

inlay_tensor *image_png(const image_source *s)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    inlay_tensor *t = read_pixels(s, &png);

    png_image_free(&png);
    return t;
}

#else

inlay_tensor *image_png(const image_source *s)
{
    return image_missing(s, "PNG");
}

#endif
