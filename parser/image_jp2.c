/* JPEG 2000, by OpenJPEG: one grey channel, or red, green and blue, and maybe an opacity. */
#include "parser/image.h"

#ifdef INLAY_READS_openjp2

#include <string.h>

#include <openjpeg.h>

struct jp2 {
    const image_source *s;
    size_t at;
};

static OPJ_SIZE_T read_bytes(void *to, OPJ_SIZE_T size, void *data)
{
    struct jp2 *j = data;
    size_t left = j->s->n - j->at, n = size < left ? size : left;

    if (n == 0)
        return (OPJ_SIZE_T)-1;
    memcpy(to, j->s->bytes + j->at, n);
    j->at += n;
    return n;
}

static OPJ_OFF_T skip(OPJ_OFF_T n, void *data)
{
    struct jp2 *j = data;

    if (n < 0 || (uint64_t)n > j->s->n - j->at)
        return -1;
    j->at += (size_t)n;
    return n;
}

static OPJ_BOOL seek(OPJ_OFF_T to, void *data)
{
    struct jp2 *j = data;

    if (to < 0 || (uint64_t)to > j->s->n)
        return OPJ_FALSE;
    j->at = (size_t)to;
    return OPJ_TRUE;
}

/* Element I of a channel in 8 bits. */
static uint8_t element(const opj_image_comp_t *c, size_t i)
{
    int64_t x = (int64_t)c->data[i] + (c->sgnd ? INT64_C(1) << (c->prec - 1) : 0);

    x = c->prec > 8 ? x >> (c->prec - 8) : x << (8 - c->prec);
    return (uint8_t)(x < 0 ? 0 : x > 255 ? 255 : x);
}

static bool has_channels(const opj_image_t *image)
{
    bool ok = image->numcomps >= 1 && image->numcomps <= 4 &&
              image->color_space != OPJ_CLRSPC_SYCC && image->color_space != OPJ_CLRSPC_EYCC &&
              image->color_space != OPJ_CLRSPC_CMYK;

    for (OPJ_UINT32 i = 0; ok && i < image->numcomps; i++)
        ok = image->comps[i].data && image->comps[i].w == image->comps[0].w &&
             image->comps[i].h == image->comps[0].h && image->comps[i].prec >= 1 &&
             image->comps[i].prec <= 16;
    return ok;
}

static inlay_tensor *pixels_of(const image_source *s, const opj_image_t *image)
{
    const opj_image_comp_t *c = image->comps;
    bool grey = image->numcomps < 3, clear = image->numcomps % 2 == 0;
    inlay_tensor *t;
    uint8_t *to;

    if (!has_channels(image))
        return image_fail(s, "the JPEG 2000 file has channels that are not read");
    t = image_new(s, c->w, c->h);
    to = t ? t->data : NULL;
    for (size_t i = 0; t && i < (size_t)c->w * c->h; i++, to += 4) {
        for (int k = 0; k < 3; k++)
            to[k] = element(&c[grey ? 0 : k], i);
        to[3] = clear ? element(&c[image->numcomps - 1], i) : 255;
    }
    return t;
}

/* The size is checked before the pixels are decoded, which may take as long as it is large. */
static inlay_tensor *decode(const image_source *s, opj_codec_t *codec, opj_stream_t *stream)
{
    opj_dparameters_t how;
    opj_image_t *image = NULL;
    inlay_tensor *t = NULL;

    opj_set_default_decoder_parameters(&how);
    if (!opj_setup_decoder(codec, &how) || !opj_read_header(stream, codec, &image)) {
        image_fail(s, "the header of the JPEG 2000 file is broken");
    } else if ((t = image_new(s, image->x1 - image->x0, image->y1 - image->y0))) {
        inlay_tensor_release(t);
        t = NULL;
        if (opj_decode(codec, stream, image) && opj_end_decompress(codec, stream))
            t = pixels_of(s, image);
        else
            image_fail(s, "the JPEG 2000 file is broken or cut off");
    }
    if (image)
        opj_image_destroy(image);
    return t;
}

inlay_tensor *image_jp2(const image_source *s)
{
    struct jp2 j = {.s = s};
    opj_codec_t *codec = opj_create_decompress(s->bytes[0] == 0 ? OPJ_CODEC_JP2 : OPJ_CODEC_J2K);
    opj_stream_t *stream = opj_stream_default_create(OPJ_TRUE);
    inlay_tensor *t = NULL;

    if (codec && stream) {
        opj_stream_set_user_data(stream, &j, NULL);
        opj_stream_set_user_data_length(stream, s->n);
        opj_stream_set_read_function(stream, read_bytes);
        opj_stream_set_skip_function(stream, skip);
        opj_stream_set_seek_function(stream, seek);
        t = decode(s, codec, stream);
    } else {
        inlay_fail_memory(s->d);
    }
    if (stream)
        opj_stream_destroy(stream);
    if (codec)
        opj_destroy_codec(codec);
    return t;
}

#else

inlay_tensor *image_jp2(const image_source *s)
{
    return image_missing(s, "JPEG 2000");
}

#endif
