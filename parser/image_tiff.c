/* TIFF, by libtiff, whose messages come to a handler of the file from version 4.5 on. */
#include "parser/image.h"

#ifdef INLAY_READS_tiff

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <tiffio.h>

struct tiff {
    const image_source *s;
    uint64_t at;
    bool failed;
    char why[200];
};

static tmsize_t read_bytes(thandle_t h, void *to, tmsize_t size)
{
    struct tiff *t = h;
    uint64_t left = t->at < t->s->n ? t->s->n - t->at : 0;
    uint64_t n = size < 0 ? 0 : (uint64_t)size < left ? (uint64_t)size : left;

    if (n > 0)
        memcpy(to, t->s->bytes + t->at, n);
    t->at += n;
    return (tmsize_t)n;
}

static tmsize_t write_bytes(thandle_t h, void *from, tmsize_t size)
{
    (void)h;
    (void)from;
    (void)size;
    return 0;
}

static toff_t seek(thandle_t h, toff_t to, int whence)
{
    struct tiff *t = h;

    t->at = to + (whence == SEEK_CUR ? t->at : whence == SEEK_END ? t->s->n : 0);
    return t->at;
}

static int close_file(thandle_t h)
{
    (void)h;
    return 0;
}

static toff_t size_of(thandle_t h)
{
    const struct tiff *t = h;

    return t->s->n;
}

static int hear(TIFF *file, void *data, const char *module, const char *format, va_list list)
{
    struct tiff *t = data;

    (void)file;
    (void)module;
    if (!t->failed)
        vsnprintf(t->why, sizeof t->why, format, list);
    t->failed = true;
    return 1;
}

static int pass_over(TIFF *file, void *data, const char *module, const char *format, va_list list)
{
    (void)file;
    (void)data;
    (void)module;
    (void)format;
    (void)list;
    return 1;
}

static TIFF *open_file(struct tiff *t)
{
    TIFFOpenOptions *o = TIFFOpenOptionsAlloc();
    TIFF *file;

    if (!o)
        return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(o, hear, t);
    TIFFOpenOptionsSetWarningHandlerExtR(o, pass_over, t);
    TIFFOpenOptionsSetMaxSingleMemAlloc(o, (tmsize_t)IMAGE_PIXELS * 4);
    file = TIFFClientOpenExt(t->s->name, "rm", t, read_bytes, write_bytes, seek, close_file,
                             size_of, NULL, NULL, o);
    TIFFOpenOptionsFree(o);
    return file;
}

/* The pixels, which libtiff gives as the bytes of numbers. */
static inlay_tensor *read_pixels(struct tiff *t, TIFF *file)
{
    uint32_t width = 0, height = 0;
    inlay_tensor *pixels;
    uint32_t *numbers;
    uint8_t *to;

    TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(file, TIFFTAG_IMAGELENGTH, &height);
    pixels = image_new(t->s, width, height);
    if (!pixels)
        return NULL;
    numbers = pixels->data;
    if (!TIFFReadRGBAImageOriented(file, width, height, numbers, ORIENTATION_TOPLEFT, 1) ||
        t->failed) {
        image_fail(t->s, *t->why ? t->why : "the TIFF file is broken");
        inlay_tensor_release(pixels);
        return NULL;
    }
    to = pixels->data;
    for (uint64_t i = 0; i < (uint64_t)width * height; i++) {
        const uint32_t x = numbers[i];

        to[4 * i] = (uint8_t)TIFFGetR(x);
        to[4 * i + 1] = (uint8_t)TIFFGetG(x);
        to[4 * i + 2] = (uint8_t)TIFFGetB(x);
        to[4 * i + 3] = (uint8_t)TIFFGetA(x);
    }
    return pixels;
}

inlay_tensor *image_tiff(const image_source *s)
{
    struct tiff t = {.s = s};
    TIFF *file = open_file(&t);
    inlay_tensor *pixels;

    if (!file)
        return image_fail(s, *t.why ? t.why : "the TIFF file is broken");
    pixels = read_pixels(&t, file);
    TIFFClose(file);
    return pixels;
}

#else

inlay_tensor *image_tiff(const image_source *s)
{
    return image_missing(s, "TIFF");
}

#endif
