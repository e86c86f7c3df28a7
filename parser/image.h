/* Pictures in memory: PNG by libpng, JPEG by libjpeg, WebP by libwebp, TIFF by libtiff and JPEG
 * 2000 by OpenJPEG, each where it was there when this was built (INLAY_READS_png and so on), BMP
 * and PNM always. Private to parser/. */
#ifndef INLAY_PARSER_IMAGE_H
#define INLAY_PARSER_IMAGE_H

#include "ir/ir.h"

/* A picture that is read. */
typedef struct image_source {
    const char *name; /* for messages */
    const uint8_t *bytes;
    size_t n;
    inlay_budget *budget; /* where the pixels count; NULL: no limit but IMAGE_PIXELS */
    inlay_diags *d;
} image_source;

/* Pixels of a picture, at most: a header of a few bytes may promise any number. */
enum { IMAGE_PIXELS = 1 << 28 };

/* Returns the picture as u8[height, width, CHANNELS]: 1 (grey), 3 (RGB) or 4 (RGBA); NULL and an
 * error when it cannot be read. */
inlay_tensor *image_decode(const image_source *s, int channels);

/* The name of the format of the bytes; NULL: it is none that Inlay knows. Sets *READS to whether
 * this build reads it. */
const char *image_format_of(const image_source *s, bool *reads);
/* Read one format as u8[height, width, 4], RGBA. */
inlay_tensor *image_png(const image_source *s);
inlay_tensor *image_jpeg(const image_source *s);
inlay_tensor *image_webp(const image_source *s);
inlay_tensor *image_tiff(const image_source *s);
inlay_tensor *image_jp2(const image_source *s);
inlay_tensor *image_bmp(const image_source *s);
inlay_tensor *image_pnm(const image_source *s);
/* Makes a tensor of that kind, within the limits of S. */
inlay_tensor *image_new(const image_source *s, uint64_t width, uint64_t height);
/* Records an error of S, and returns NULL. */
inlay_tensor *image_fail(const image_source *s, const char *why);
/* The same: this build cannot read FORMAT, and what can. */
inlay_tensor *image_missing(const image_source *s, const char *format);

#endif
