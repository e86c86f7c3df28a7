/* An input that is a picture: pixels from 0 to 255, with another size, mean and layout where they
 * are asked for. */
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool cli_is_picture(const char *path)
{
    static const char *const endings[] = {".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff",
                                          ".jp2", ".bmp", ".pnm",  ".ppm",  ".pgm", ".pbm"};
    size_t n = strlen(path);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t m = strlen(endings[i]);

        if (n > m && strcasecmp(path + n - m, endings[i]) == 0)
            return true;
    }
    return false;
}

/* How a picture becomes a tensor. */
struct plan {
    const inlay_node *param;
    int rank; /* 2: height and width; 3: and channels; 4: and one in front */
    bool channels_last;
    int channels;
    int64_t width, height; /* of the result; 0: of the picture */
    double mean[4], std[4];
};

static int64_t size_at(const inlay_fact *f, int k)
{
    return f->rank > k && k >= 0 && inlay_dim_is_static(f->dims[k]) ? f->dims[k].lo : -1;
}

static bool are_channels(int64_t n)
{
    return n == 1 || n == 3 || n == 4;
}

/* Channels come last where only that axis of the input has as many as a picture. */
static bool read_layout(struct plan *p, const char *layout, inlay_diags *d)
{
    const inlay_fact *f = &p->param->out[0].fact;

    p->rank = f->rank < 0 ? 4 : f->rank;
    if (p->rank < 2 || p->rank > 4)
        return inlay_fail_node(d, p->param, "a picture has 2 to 4 axes, the input has %d", p->rank);
    p->channels_last =
        !are_channels(size_at(f, p->rank - 3)) && are_channels(size_at(f, p->rank - 1));
    if (layout && strcmp(layout, "NCHW") != 0 && strcmp(layout, "NHWC") != 0)
        return inlay_fail(d, NULL, "option --layout is \"%s\", it must be NCHW or NHWC", layout);
    if (layout)
        p->channels_last = strcmp(layout, "NHWC") == 0;
    return true;
}

static bool read_channels(struct plan *p, inlay_diags *d)
{
    int64_t n = size_at(&p->param->out[0].fact, p->channels_last ? p->rank - 1 : p->rank - 3);

    if (p->rank == 2)
        n = 1;
    if (n >= 0 && !are_channels(n))
        return inlay_fail_node(d, p->param,
                               "a picture has 1, 3 or 4 channels, the input has %lld there "
                               "(--layout says where they are)",
                               (long long)n);
    p->channels = n < 0 ? 3 : (int)n;
    return true;
}

/* Reads one number, or one for each channel with commas between, to TO; NULL leaves it as it is. */
static bool read_numbers(const struct plan *p, const char *option, const char *text, double *to,
                         inlay_diags *d)
{
    int n = 0;

    for (const char *s = text; s && n < 4; n++) {
        char *end;

        to[n] = strtod(s, &end);
        if (end == s || (*end && *end != ',') || !isfinite(to[n]))
            return inlay_fail(d, NULL, "option %s is \"%s\", it must be numbers with commas",
                              option, text);
        s = *end ? end + 1 : NULL;
    }
    if (text && n != 1 && n != p->channels)
        return inlay_fail(d, NULL, "option %s is \"%s\", it must be one number or %d", option, text,
                          p->channels);
    for (int k = 1; text && n == 1 && k < 4; k++)
        to[k] = to[0];
    return true;
}

static bool read_size(struct plan *p, const char *text, inlay_diags *d)
{
    char *end = NULL;

    if (!text)
        return true;
    p->width = strtoll(text, &end, 10);
    if (*end == 'x')
        p->height = strtoll(end + 1, &end, 10);
    if (*end || p->width < 1 || p->height < 1 || p->width > 65536 || p->height > 65536)
        return inlay_fail(
            d, NULL, "option --resize is \"%s\", it must be WIDTHxHEIGHT such as 224x224", text);
    return true;
}

static bool read_plan(struct plan *p, const cli_picture *o, inlay_diags *d)
{
    for (int k = 0; k < 4; k++)
        p->std[k] = 1;
    if (!read_layout(p, o->layout, d) || !read_channels(p, d) ||
        !read_numbers(p, "--mean", o->mean, p->mean, d) ||
        !read_numbers(p, "--std", o->std, p->std, d) || !read_size(p, o->resize, d))
        return false;
    for (int k = 0; k < 4; k++) {
        if (p->std[k] == 0)
            return inlay_fail(d, NULL, "option --std is \"%s\", nothing is divided by 0", o->std);
    }
    return true;
}

/* Where the middle of pixel I of N lies among FROM pixels: between pixel *AT and the next one, at
 * the part that is returned. */
static double place(int64_t i, int64_t n, int64_t from, int64_t *at)
{
    double x = ((double)i + 0.5) * (double)from / (double)n - 0.5;

    x = x < 0 ? 0 : x > (double)(from - 1) ? (double)(from - 1) : x;
    *at = (int64_t)x;
    *at = *at > from - 2 && from > 1 ? from - 2 : *at;
    return x - (double)*at;
}

/* Returns channel C at (Y, X) of the result, by linear interpolation in both directions. */
static double pixel(const inlay_tensor *image, const struct plan *p, int64_t y, int64_t x, int c)
{
    const uint8_t *bytes = image->data;
    int64_t at_y, at_x, height = image->dims[0], width = image->dims[1], n = image->dims[2];
    double down = place(y, p->height, height, &at_y), right = place(x, p->width, width, &at_x);
    int64_t below = height > 1 ? width * n : 0, beside = width > 1 ? n : 0;
    const uint8_t *v = bytes + (at_y * width + at_x) * n + c;
    double above = v[0] + right * (v[beside] - v[0]);
    double under = v[below] + right * (v[below + beside] - v[below]);

    return above + down * (under - above);
}

static bool set_pixel(inlay_tensor *t, int64_t i, double x)
{
    if (inlay_type_is_float(t->type)) {
        inlay_tensor_set_f64(t, i, x);
        return true;
    }
    inlay_tensor_set_i64(t, i, (int64_t)rint(x));
    return inlay_tensor_get_f64(t, i) == rint(x);
}

static bool fill(const struct plan *p, const inlay_tensor *image, inlay_tensor *t, inlay_diags *d)
{
    for (int64_t y = 0; y < p->height; y++) {
        for (int64_t x = 0; x < p->width; x++) {
            for (int c = 0; c < p->channels; c++) {
                int64_t i = p->channels_last ? (y * p->width + x) * p->channels + c
                                             : (c * p->height + y) * p->width + x;
                double v = (pixel(image, p, y, x, c) - p->mean[c]) / p->std[c];

                if (!set_pixel(t, i, v))
                    return inlay_fail_node(d, p->param, "the pixel %g does not fit %s", v,
                                           inlay_type_info_of(t->type)->name);
            }
        }
    }
    return true;
}

/* Is the size that the input has for itself that of the picture? */
static bool check_size(const struct plan *p, inlay_diags *d)
{
    const inlay_fact *f = &p->param->out[0].fact;
    int w = p->channels_last ? p->rank - 2 : p->rank - 1;
    int64_t width = size_at(f, w), height = size_at(f, w - 1);

    if ((width >= 0 && width != p->width) || (height >= 0 && height != p->height))
        return inlay_fail_node(
            d, p->param,
            "the picture is %lld x %lld, the input takes %lld x %lld: give "
            "--resize %lldx%lld",
            (long long)p->width, (long long)p->height, (long long)(width < 0 ? p->width : width),
            (long long)(height < 0 ? p->height : height), (long long)(width < 0 ? p->width : width),
            (long long)(height < 0 ? p->height : height));
    return true;
}

static inlay_tensor *new_tensor(const struct plan *p, inlay_diags *d)
{
    inlay_type type = p->param->out[0].fact.type;
    int64_t dims[4] = {1, p->channels, p->height, p->width};
    inlay_tensor *t;

    if (p->channels_last) {
        dims[1] = p->height;
        dims[2] = p->width;
        dims[3] = p->channels;
    }
    type = type == INLAY_DYNAMIC ? INLAY_F32 : type;
    if (!inlay_type_is_float(type) && !inlay_type_is_int(type)) {
        inlay_fail_node(d, p->param, "a picture is no tensor of type %s",
                        inlay_type_info_of(type)->name);
        return NULL;
    }
    t = inlay_tensor_new(type, p->rank,
                         p->rank == 2 ? dims + (p->channels_last ? 1 : 2) : dims + 4 - p->rank);
    if (!t)
        inlay_fail_memory(d);
    return t;
}

inlay_tensor *cli_picture_tensor(const inlay_node *param, const char *path, const cli_picture *o,
                                 inlay_budget *budget, inlay_diags *d)
{
    struct plan p = {.param = param};
    inlay_tensor *t = NULL, *image = read_plan(&p, o, d)
                                         ? inlay_read_image(path, p.channels, budget, d)
                                         : NULL;

    if (image && p.width == 0) {
        p.height = image->dims[0];
        p.width = image->dims[1];
    }
    if (image && check_size(&p, d))
        t = new_tensor(&p, d);
    if (t && !fill(&p, image, t, d)) {
        inlay_tensor_release(t);
        t = NULL;
    }
    inlay_tensor_release(image);
    return t;
}
