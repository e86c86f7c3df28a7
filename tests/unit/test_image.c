/* Pictures: what is read of them, and files that are cut off, changed or lie about their size. */
#include "ir/shared.h"
#include "parser/image.h"
#include "parser/parser.h"
#include "unit.h"

/* 2 x 2 pixels: red and green above, blue and (10, 20, 30) below. */
static const uint8_t png[] = {
    0x89, 'P',  'N',  'G',  '\r', '\n', 0x1a, '\n', 0,    0,    0,    13,   'I',  'H',  'D',  'R',
    0,    0,    0,    2,    0,    0,    0,    2,    8,    2,    0,    0,    0,    0xfd, 0xd4, 0x9a,
    0x73, 0,    0,    0,    0x13, 'I',  'D',  'A',  'T',  0x78, 0xda, 0x63, 0xf8, 0xcf, 0xc0, 0xc0,
    0,    0xc2, 0x0c, 0xff, 0xb9, 0x44, 0xe4, 0,    0x1a, 0x58, 0x03, 0x3a, 0xe2, 0x92, 0x6e, 0xd9,
    0,    0,    0,    0,    'I',  'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82};

/* 8 x 8 pixels of one grey, 128: its Huffman tables name the two codes that it has. */
static const uint8_t jpeg[] = {
    0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, 1, 1, 1, 1,    1, 1,    1,    1,   1,  1,    1,
    1,    1,    1,    1,    1, 1,  1, 1, 1, 1, 1,    1, 1,    1,    1,   1,  1,    1,
    1,    1,    1,    1,    1, 1,  1, 1, 1, 1, 1,    1, 1,    1,    1,   1,  1,    1,
    1,    1,    1,    1,    1, 1,  1, 1, 1, 1, 1,    1, 1,    1,    1,   1,  1,    0xff,
    0xc0, 0,    11,   8,    0, 8,  0, 8, 1, 1, 0x11, 0, 0xff, 0xc4, 0,   20, 0,    1,
    0,    0,    0,    0,    0, 0,  0, 0, 0, 0, 0,    0, 0,    0,    0,   0,  0xff, 0xc4,
    0,    20,   0x10, 1,    0, 0,  0, 0, 0, 0, 0,    0, 0,    0,    0,   0,  0,    0,
    0,    0,    0xff, 0xda, 0, 8,  1, 1, 0, 0, 63,   0, 0x3f, 0xff, 0xd9};

/* The same 2 x 2 pixels as those of the PNG, in other formats. */
static const uint8_t webp[] = {
    0x52, 0x49, 0x46, 0x46, 0x32, 0,    0,    0,    0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38,
    0x4c, 0x26, 0,    0,    0,    0x2f, 1,    0x40, 0,    0,    0x1f, 0x20, 0x10, 0x20, 0x78,
    0xf0, 0xbf, 0x6a, 0x43, 0x48, 0x90, 0xd0, 0xfd, 0xbf, 0x57, 0x81, 0,    0xc1, 0x88, 0xff,
    0x4b, 0xf3, 0x1f, 0xf8, 0xe4, 0xa8, 0xe0, 6,    0xc,  0x11, 0xfd, 0xf,  1};
static const uint8_t tiff[] = {
    0x49, 0x49, 0x2a, 0, 8,    0, 0,    0,    0xa, 0, 0, 1,    4, 0,    1, 0,    0,   0,    2,
    0,    0,    0,    1, 1,    4, 0,    1,    0,   0, 0, 2,    0, 0,    0, 2,    1,   3,    0,
    3,    0,    0,    0, 0x86, 0, 0,    0,    3,   1, 3, 0,    1, 0,    0, 0,    1,   0,    0,
    0,    6,    1,    3, 0,    1, 0,    0,    0,   2, 0, 0,    0, 0x11, 1, 4,    0,   1,    0,
    0,    0,    0x8c, 0, 0,    0, 0x15, 1,    3,   0, 1, 0,    0, 0,    3, 0,    0,   0,    0x16,
    1,    4,    0,    1, 0,    0, 0,    2,    0,   0, 0, 0x17, 1, 4,    0, 1,    0,   0,    0,
    0xc,  0,    0,    0, 0x1c, 1, 3,    0,    1,   0, 0, 0,    1, 0,    0, 0,    0,   0,    0,
    0,    8,    0,    8, 0,    8, 0,    0xff, 0,   0, 0, 0xff, 0, 0,    0, 0xff, 0xa, 0x14, 0x1e};
static const uint8_t jp2[] = {
    0,    0,    0,    0xc,  0x6a, 0x50, 0x20, 0x20, 0xd,  0xa,  0x87, 0xa,  0,    0,    0,    0x14,
    0x66, 0x74, 0x79, 0x70, 0x6a, 0x70, 0x32, 0x20, 0,    0,    0,    0,    0x6a, 0x70, 0x32, 0x20,
    0,    0,    0,    0x2d, 0x6a, 0x70, 0x32, 0x68, 0,    0,    0,    0x16, 0x69, 0x68, 0x64, 0x72,
    0,    0,    0,    2,    0,    0,    0,    2,    0,    3,    7,    7,    0,    0,    0,    0,
    0,    0xf,  0x63, 0x6f, 0x6c, 0x72, 1,    0,    0,    0,    0,    0,    0x10, 0,    0,    0,
    0xa0, 0x6a, 0x70, 0x32, 0x63, 0xff, 0x4f, 0xff, 0x51, 0,    0x2f, 0,    0,    0,    0,    0,
    2,    0,    0,    0,    2,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    2,    0,    0,    0,    2,    0,    0,    0,    0,    0,    0,    0,    0,    0,    3,    7,
    1,    1,    7,    1,    1,    7,    1,    1,    0xff, 0x52, 0,    0xc,  0,    0,    0,    1,
    0,    0,    4,    4,    0,    1,    0xff, 0x5c, 0,    4,    0x40, 0x40, 0xff, 0x64, 0,    0x25,
    0,    1,    0x43, 0x72, 0x65, 0x61, 0x74, 0x65, 0x64, 0x20, 0x62, 0x79, 0x20, 0x4f, 0x70, 0x65,
    0x6e, 0x4a, 0x50, 0x45, 0x47, 0x20, 0x76, 0x65, 0x72, 0x73, 0x69, 0x6f, 0x6e, 0x20, 0x32, 0x2e,
    0x35, 0x2e, 0x30, 0xff, 0x90, 0,    0xa,  0,    0,    0,    0,    0,    0x28, 0,    1,    0xff,
    0x93, 0xdf, 0x80, 0x28, 0xb,  0xec, 0x64, 0x65, 0x4c, 0xdf, 0x80, 0x30, 8,    0xf2, 0x7e, 0xe8,
    0xcd, 0xcb, 0xdf, 0x80, 0x30, 6,    0x41, 0x24, 0xf,  0xab, 0x5f, 0xff, 0xd9};
static const uint8_t bmp[] = {0x42, 0x4d, 0x46, 0,   0, 0, 0,    0, 0,    0, 0x36, 0,   0,    0,
                              0x28, 0,    0,    0,   2, 0, 0,    0, 2,    0, 0,    0,   1,    0,
                              0x18, 0,    0,    0,   0, 0, 0x10, 0, 0,    0, 0xc4, 0xe, 0,    0,
                              0xc4, 0xe,  0,    0,   0, 0, 0,    0, 0,    0, 0,    0,   0xff, 0,
                              0,    0x1e, 0x14, 0xa, 0, 0, 0,    0, 0xff, 0, 0xff, 0,   0,    0};
static const char ppm[] = "P6 # a comment\n2 2\n255\n\xff\0\0\0\xff\0\0\0\xff\n\x14\x1e";
static const char words[] = "P3 2 2 255 255 0 0 0 255 0 0 0 255 10 20 30";

static const struct picture {
    const char *format;
    const void *bytes;
    size_t n;
} pictures[] = {
    {"PNG", png, sizeof png},         {"WebP", webp, sizeof webp}, {"TIFF", tiff, sizeof tiff},
    {"JPEG 2000", jp2, sizeof jp2},   {"BMP", bmp, sizeof bmp},    {"PNM", ppm, sizeof ppm - 1},
    {"PNM", words, sizeof words - 1},
};
enum { N_PICTURES = sizeof pictures / sizeof *pictures };

static bool reads(const char *format)
{
    return strstr(inlay_image_formats(), format) != NULL;
}

static inlay_tensor *decode(const void *bytes, size_t n, int channels, uint64_t max, inlay_diags *d)
{
    inlay_budget *b = max > 0 ? inlay_budget_new(max, NULL) : NULL;
    const image_source s = {"x", bytes, n, b, d};
    inlay_tensor *t = image_decode(&s, channels);

    inlay_budget_free(b);
    return t;
}

static void check_pixels(const void *bytes, size_t n, int channels, const uint8_t *first, int count)
{
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *t = decode(bytes, n, channels, 0, d);

    assert_non_null(t);
    assert_int_equal(t->dims[2], channels);
    assert_memory_equal(t->data, first, (size_t)count);
    inlay_tensor_release(t);
    inlay_diags_free(d);
}

static void test_same(void **state)
{
    static const uint8_t rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30};
    static const uint8_t rgba[] = {255, 0, 0, 255, 0, 255, 0, 255};
    static const uint8_t grey[] = {76, 150, 29, 18};

    for (int i = 0; i < N_PICTURES; i++) {
        const struct picture *p = &pictures[i];

        if (!reads(p->format))
            continue;
        check_pixels(p->bytes, p->n, 3, rgb, sizeof rgb);
        check_pixels(p->bytes, p->n, 4, rgba, sizeof rgba);
        check_pixels(p->bytes, p->n, 1, grey, sizeof grey);
    }
}

/* Forms of formats that need no library: bits, grey, words of 16 bits; pictures of a palette and of
 * masks, with their first row last or first. */
static void test_plain(void **state)
{
    static const char bits[] = "P4\n3 2\n\xa0\x40", digits[] = "P1 3 2 101010",
                      deep[] = "P5 2 1 1000\n\x03\xe8\x01\xf4";
    static const uint8_t black[] = {0, 255, 0, 255, 0, 255}, half[] = {255, 128};
    static const uint8_t palette[] = {'B', 'M', 0, 0, 0, 0, 0,    0, 0, 0, 34,   0, 0, 0,
                                      12,  0,   0, 0, 2, 0, 2,    0, 1, 0, 1,    0, 0, 0,
                                      0,   9,   8, 7, 0, 0, 0x40, 0, 0, 0, 0x80, 0, 0, 0};
    static const uint8_t of_palette[] = {7, 8, 9, 0, 0, 0, 0, 0, 0, 7, 8, 9};
    static const uint8_t masks[] = {'B', 'M', 0,    0, 0, 0, 0,  0, 0,    0,    66,   0,    0, 0,
                                    40,  0,   0,    0, 1, 0, 0,  0, 0xff, 0xff, 0xff, 0xff, 1, 0,
                                    16,  0,   3,    0, 0, 0, 0,  0, 0,    0,    0,    0,    0, 0,
                                    0,   0,   0,    0, 0, 0, 0,  0, 0,    0,    0,    0,    0, 0xf8,
                                    0,   0,   0xe0, 7, 0, 0, 31, 0, 0,    0,    0x1f, 0xf8, 0, 0};
    static const uint8_t of_masks[] = {255, 0, 255};

    check_pixels(bits, sizeof bits - 1, 1, black, sizeof black);
    check_pixels(digits, sizeof digits - 1, 1, black, sizeof black);
    check_pixels(deep, sizeof deep - 1, 1, half, sizeof half);
    check_pixels(palette, sizeof palette, 3, of_palette, sizeof of_palette);
    check_pixels(masks, sizeof masks, 3, of_masks, sizeof of_masks);
}

static void test_jpeg(void **state)
{
    static const uint8_t grey[] = {128, 128, 128, 128, 128, 128};

    if (!reads("JPEG"))
        skip();
    check_pixels(jpeg, sizeof jpeg, 3, grey, sizeof grey);
    check_pixels(jpeg, sizeof jpeg, 1, grey, sizeof grey);
}

/* A tensor, or an error: nothing else may happen. */
static void try(const uint8_t *bytes, size_t n)
{
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *t = decode(bytes, n, 3, 1 << 20, d);

    assert_true((t != NULL) != (inlay_diags_error(d) != NULL));
    inlay_tensor_release(t);
    inlay_diags_free(d);
}

/* Each byte is the last one, is changed by one bit, and is as large as can be. */
static void damage(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n);

    assert_non_null(copy);
    for (size_t i = 0; i < n; i++) {
        uint8_t *cut = malloc(i + 1);

        assert_non_null(cut);
        memcpy(cut, bytes, i);
        try(cut, i);
        free(cut);
        memcpy(copy, bytes, n);
        copy[i] ^= (uint8_t)(1u << i % 8);
        try(copy, n);
        copy[i] = 255;
        try(copy, n);
    }
    free(copy);
}

static void test_damaged(void **state)
{
    for (int i = 0; i < N_PICTURES; i++)
        damage(pictures[i].bytes, pictures[i].n);
    damage(jpeg, sizeof jpeg);
}

/* Records an error that says PART. */
static void refuses(const void *bytes, size_t n, uint64_t max, const char *part)
{
    inlay_diags *d = inlay_diags_new();

    assert_null(decode(bytes, n, 3, max, d));
    assert_non_null(inlay_diags_error(d));
    if (!strstr(inlay_diags_error(d)->text, part))
        fail_msg("%s: %s is wanted", inlay_diags_error(d)->text, part);
    inlay_diags_free(d);
}

static void test_refused(void **state)
{
    uint8_t large[sizeof jpeg], cut[sizeof jpeg];
    const uint8_t *size = memchr(jpeg, 0xc0, sizeof jpeg);

    refuses("GIF89a", 6, 0, "this is no picture: none of PNG, JPEG");
    refuses(ppm, sizeof ppm - 2, 0, "the PNM file is broken or cut off");
    refuses(bmp, sizeof bmp - 1, 0, "the BMP file is cut off");
    for (int i = 0; i < N_PICTURES; i++) {
        if (!reads(pictures[i].format))
            refuses(pictures[i].bytes, pictures[i].n, 0, "this build reads no ");
    }
    if (reads("PNG"))
        refuses(png, sizeof png, 15, "2 x 2 pixels, at most 3 are read");
    if (!reads("JPEG"))
        return;
    memcpy(large, jpeg, sizeof large);
    memset(large + (size - jpeg) + 4, 0xfe, 4);
    refuses(large, sizeof large, 0, "65278 x 65278 pixels");
    memcpy(cut, jpeg, sizeof cut);
    refuses(cut, sizeof cut - 3, 0, "Premature end");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_plain),
                                       cmocka_unit_test(test_jpeg), cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
