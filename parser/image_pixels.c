/* What the readers of all pictures need: a tensor within the limits, and errors. */
#include "ir/shared.h"
#include "parser/image.h"

inlay_tensor *image_fail(const image_source *s, const char *why)
{
    inlay_fail(s->d, &(inlay_pos){s->name, 0}, "%s", why);
    return NULL;
}

#if !defined INLAY_READS_png || !defined INLAY_READS_jpeg || !defined INLAY_READS_webp ||          \
    !defined INLAY_READS_tiff || !defined INLAY_READS_openjp2
inlay_tensor *image_missing(const image_source *s, const char *format)
{
    inlay_fail(s->d, &(inlay_pos){s->name, 0},
               "this build reads no %s; Python makes an array [1,3,height,width] of it: "
               "python3 -c \"import numpy as n, sys; from PIL import Image; n.save(sys.argv[2], "
               "n.asarray(Image.open(sys.argv[1]).convert('RGB')).transpose(2, 0, 1)[None])\" "
               "'%s' image.npy",
               format, s->name);
    return NULL;
}
#endif

inlay_tensor *image_new(const image_source *s, uint64_t width, uint64_t height)
{
    const int64_t dims[] = {(int64_t)height, (int64_t)width, 4};
    uint64_t left = inlay_budget_left(s->budget);
    inlay_tensor *t;

    if (width == 0 || height == 0)
        return image_fail(s, "it has no pixels");
    if (width > IMAGE_PIXELS || height > IMAGE_PIXELS / width || width * height * 4 > left) {
        inlay_fail_resource(s->d, &(inlay_pos){s->name, 0},
                            "the picture has %llu x %llu pixels, at most %llu are read",
                            (unsigned long long)width, (unsigned long long)height,
                            left / 4 < IMAGE_PIXELS ? (unsigned long long)(left / 4)
                                                    : (unsigned long long)IMAGE_PIXELS);
        return NULL;
    }
    t = inlay_tensor_in(s->budget, INLAY_U8, 3, dims);
    if (!t)
        inlay_fail_memory(s->d);
    return t;
}
