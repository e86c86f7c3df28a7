/* Pictures: finds the format, and makes the channels that are asked for. */
#include "parser/image.h"
#include "ir/shared.h"
#include "parser/file.h"
#include "parser/parser.h"

#include <string.h>

const char *inlay_image_formats(void)
{
    return ""
#ifdef INLAY_READS_png
           "PNG, "
#endif
#ifdef INLAY_READS_jpeg
           "JPEG, "
#endif
#ifdef INLAY_READS_webp
           "WebP, "
#endif
#ifdef INLAY_READS_tiff
           "TIFF, "
#endif
#ifdef INLAY_READS_openjp2
           "JPEG 2000, "
#endif
           "BMP, PNM";
}

/* How a file of a format begins: SIZE bytes at place AT. */
static const struct format {
    const char *name, *start;
    int at, size;
    inlay_tensor *(*read)(const image_source *s);
} formats[] = {
    {"PNG", "\x89PNG\r\n\x1a\n", 0, 8, image_png},
    {"JPEG", "\xff\xd8\xff", 0, 3, image_jpeg},
    {"WebP", "WEBPVP8", 8, 7, image_webp},
    {"TIFF", "II*\0", 0, 4, image_tiff},
    {"TIFF", "MM\0*", 0, 4, image_tiff},
    {"JPEG 2000", "\0\0\0\x0cjP  \r\n\x87\n", 0, 12, image_jp2},
    {"JPEG 2000", "\xff\x4f\xff\x51", 0, 4, image_jp2},
    {"BMP", "BM", 0, 2, image_bmp},
    {"PNM", "P1", 0, 2, image_pnm},
    {"PNM", "P2", 0, 2, image_pnm},
    {"PNM", "P3", 0, 2, image_pnm},
    {"PNM", "P4", 0, 2, image_pnm},
    {"PNM", "P5", 0, 2, image_pnm},
    {"PNM", "P6", 0, 2, image_pnm},
};

static const struct format *format_of(const image_source *s)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const struct format *f = &formats[i];

        if (s->n >= (size_t)(f->at + f->size) &&
            memcmp(s->bytes + f->at, f->start, (size_t)f->size) == 0)
            return f;
    }
    return NULL;
}

const char *image_format_of(const image_source *s, bool *reads)
{
    const struct format *f = format_of(s);
    const char *at = f ? strstr(inlay_image_formats(), f->name) : NULL;

    /* "JPEG" stands in "JPEG 2000", too. */
    while (at && at[strlen(f->name)] != ',' && at[strlen(f->name)] != '\0')
        at = strstr(at + 1, f->name);
    *reads = at != NULL;
    return f ? f->name : NULL;
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
    inlay_tensor *t = channels == 4
                          ? inlay_tensor_retain(rgba)
                          : inlay_tensor_in(inlay_buffer_budget(rgba->buffer), INLAY_U8, 3, dims);
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
    const struct format *f = format_of(s);
    inlay_tensor *t;

    if (!f)
        return image_fail(s,
                          "this is no picture: none of PNG, JPEG, WebP, TIFF, JPEG 2000, BMP and "
                          "PNM");
    t = f->read(s);
    return t ? with_channels(t, channels, s->d) : NULL;
}

inlay_tensor *inlay_read_image(const char *path, int channels, inlay_budget *budget, inlay_diags *d)
{
    image_source s = {.name = path, .budget = budget, .d = d};
    inlay_buffer *file;
    inlay_tensor *t;

    if (inlay_is_missing(path, "path", d))
        return NULL;
    if (channels != 1 && channels != 3 && channels != 4) {
        inlay_fail(d, NULL, "a picture has 1, 3 or 4 channels, not %d", channels);
        return NULL;
    }
    file = file_map(path, 0, (file_memory){.budget = budget}, d);
    if (!file)
        return NULL;
    s.bytes = inlay_buffer_data(file);
    s.n = inlay_buffer_size(file);
    t = image_decode(&s, channels);
    inlay_buffer_release(file);
    return t;
}
