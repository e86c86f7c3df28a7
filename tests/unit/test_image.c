/* Pictures: what is read of them, and files that are cut off, changed or lie about their size. */
#include "ir/shared.h"
#include "parser/image.h"
#include "parser/parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static bool reads(const char *format)
{
    return strstr(inlay_image_formats(), format) != NULL;
}

static inlay_tensor *decode(const void *bytes, size_t n, int channels, uint64_t max, inlay_diags *d)
{
    const image_source s = {"x", bytes, n, max, d};

    return image_decode(&s, channels);
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

static void test_png(void **state)
{
    static const uint8_t rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30};
    static const uint8_t rgba[] = {255, 0, 0, 255, 0, 255, 0, 255};
    static const uint8_t grey[] = {76, 150, 29, 18};

    (void)state;
    if (!reads("PNG"))
        skip();
    check_pixels(png, sizeof png, 3, rgb, sizeof rgb);
    check_pixels(png, sizeof png, 4, rgba, sizeof rgba);
    check_pixels(png, sizeof png, 1, grey, sizeof grey);
}

static void test_jpeg(void **state)
{
    static const uint8_t grey[] = {128, 128, 128, 128, 128, 128};

    (void)state;
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
    (void)state;
    damage(png, sizeof png);
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

    (void)state;
    refuses("GIF89a", 6, 0, "neither PNG nor JPEG");
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_png), cmocka_unit_test(test_jpeg),
                                       cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
