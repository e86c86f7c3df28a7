/* Pictures: finds the format, and makes the channels that are asked for. */
#include "parser/image.h"
#include "ir/shared.h"
#include "parser/file.h"
#include "parser/parser.h"

#include <string.h>

const char *inlay_image_formats(void)
{
    return
#if defined INLAY_READS_png && defined INLAY_READS_jpeg
        "PNG, JPEG";
#elif defined INLAY_READS_png
        "PNG";
#elif defined INLAY_READS_jpeg
        "JPEG";
#else
        "";
#endif
}

bool image_is_png(const image_source *s)
{
    return s->n >= 8 && memcmp(s->bytes, "\x89PNG\r\n\x1a\n", 8) == 0;
}

bool image_is_jpeg(const image_source *s)
{
    return s->n >= 3 && memcmp(s->bytes, "\xff\xd8\xff", 3) == 0;
}

/* Grey as ITU-R 601-2 weighs the colours, in 65536 parts and rounded. */
static uint8_t grey_of(const uint8_t *rgb)
{
    return (uint8_t)((rgb[0] * 19595u + rgb[1] * 38470u + rgb[2] * 7471u + 0x8000u) >> 16);
}

/* Returns RGBA (consumed) with CHANNELS of its channels; NULL when out of memory. */
static inlay_tensor *with_channels(inlay_tensor *rgba, int channels, inlay_diags *d)
{
    const int64_t dims[] = {rgba->dims[0], rgba->dims[1], channels};
    inlay_tensor *t =
        channels == 4 ? inlay_tensor_retain(rgba) : inlay_tensor_new(INLAY_U8, 3, dims);
    const uint8_t *from = rgba->data;
    uint8_t *to = t ? t->data : NULL;

    if (!t)
        inlay_fail_memory(d);
    for (int64_t n = t && channels != 4 ? dims[0] * dims[1] : 0; n > 0; n--, from += 4) {
        if (channels == 1)
            *to = grey_of(from);
        else
            memcpy(to, from, (size_t)channels);
        to += channels;
    }
    inlay_tensor_release(rgba);
    return t;
}

inlay_tensor *image_decode(const image_source *s, int channels)
{
    inlay_tensor *t;

    if (!image_is_png(s) && !image_is_jpeg(s))
        return image_fail(s, "this is no picture: neither PNG nor JPEG");
    t = image_is_png(s) ? image_png(s) : image_jpeg(s);
    return t ? with_channels(t, channels, s->d) : NULL;
}

inlay_tensor *inlay_read_image(const char *path, int channels, uint64_t max_memory, inlay_diags *d)
{
    image_source s = {.name = path, .max_memory = max_memory, .d = d};
    inlay_buffer *file;
    inlay_tensor *t;

    if (inlay_is_missing(path, "path", d))
        return NULL;
    if (channels != 1 && channels != 3 && channels != 4) {
        inlay_fail(d, NULL, "a picture has 1, 3 or 4 channels, not %d", channels);
        return NULL;
    }
    file = file_map(path, 0, max_memory, NULL, d);
    if (!file)
        return NULL;
    s.bytes = inlay_buffer_data(file);
    s.n = inlay_buffer_size(file);
    t = image_decode(&s, channels);
    inlay_buffer_release(file);
    return t;
}
