/* .npy. The files that must be read, and the bytes that must be written, were made by numpy 1.24
 * (numpy.lib.format.write_array). */
#include "ir/shared.h"
#include "parser/parser.h"
#include "unit.h"

#include <unistd.h>

enum { HEADER = 128 };

/* Makes a file of version 1 with DICTIONARY, padded to 128 bytes, and N bytes of elements behind
 * it. */
static size_t make_npy(unsigned char *out, const char *dictionary, const void *elements, size_t n)
{
    memset(out, ' ', HEADER);
    memcpy(out, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(out + 10, dictionary, strlen(dictionary));
    out[HEADER - 1] = '\n';
    if (n > 0)
        memcpy(out + HEADER, elements, n);
    return HEADER + n;
}

#define DICTIONARY(descr, fortran, shape)                                                          \
    "{'descr': '" descr "', 'fortran_order': " fortran ", 'shape': " shape ", }"

static inlay_tensor *read_npy(const char *dictionary, const void *elements, size_t n)
{
    unsigned char file[HEADER + 256];
    size_t size = make_npy(file, dictionary, elements, n);
    inlay_diags *d = inlay_diags_new();
    inlay_tensor *t = inlay_read_npy_bytes("x.npy", file, size, d);

    if (t == NULL)
        fail_msg("%s: %s", dictionary, inlay_diags_at(d, 0)->text);
    inlay_diags_free(d);
    return t;
}

static void assert_numbers(inlay_tensor *t, inlay_type type, int rank, const int64_t *dims,
                           const double *expected)
{
    assert_int_equal(t->type, type);
    assert_int_equal(t->rank, rank);
    for (int i = 0; i < rank; i++)
        assert_int_equal(t->dims[i], dims[i]);
    assert_true(inlay_tensor_is_dense(t));
    for (int64_t i = 0; i < inlay_tensor_count(t); i++)
        assert_true(inlay_tensor_get_f64(t, i) == expected[i]);
    inlay_tensor_release(t);
}

static void every_type_in_both_byte_orders(void **state)
{
    static const double three[] = {1, -2, 3}, positive[] = {1, 2, 3}, flags[] = {1, 0, 1};
    static const struct {
        const char *descr, *bytes;
        size_t n;
        inlay_type type;
        const double *expected;
    } rows[] = {
        {"|b1", "\1\0\1", 3, INLAY_BOOLEAN, flags},
        {"?", "\1\0\7", 3, INLAY_BOOLEAN, flags},
        {"|i1", "\1\376\3", 3, INLAY_I8, three},
        {"|u1", "\1\2\3", 3, INLAY_U8, positive},
        {"<i2", "\1\0\376\377\3\0", 6, INLAY_I16, three},
        {">i2", "\0\1\377\376\0\3", 6, INLAY_I16, three},
        {"<u2", "\1\0\2\0\3\0", 6, INLAY_U16, positive},
        {"<i4", "\1\0\0\0\376\377\377\377\3\0\0\0", 12, INLAY_I32, three},
        {">u4", "\0\0\0\1\0\0\0\2\0\0\0\3", 12, INLAY_U32, positive},
        {">i8", "\0\0\0\0\0\0\0\1\377\377\377\377\377\377\377\376\0\0\0\0\0\0\0\3", 24, INLAY_I64,
         three},
        {"<u8", "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", 24, INLAY_U64, positive},
        {"<f2", "\0\x3c\0\xc0\0\x42", 6, INLAY_F16, three},
        {">f2", "\x3c\0\xc0\0\x42\0", 6, INLAY_F16, three},
        {"<f4", "\0\0\x80\x3f\0\0\0\xc0\0\0\x40\x40", 12, INLAY_F32, three},
        {">f4", "\x3f\x80\0\0\xc0\0\0\0\x40\x40\0\0", 12, INLAY_F32, three},
        {"<f8", "\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\x08\x40", 24, INLAY_F64, three},
        {"<c8", "\0\0\x80\x3f\0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\x40\x40\0\0\0\0", 24, INLAY_C64, three},
        {">c8", "\x3f\x80\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0\x40\x40\0\0\0\0\0\0", 24, INLAY_C64, three},
        {"<V2", "\x80\x3f\0\xc0\x40\x40", 6, INLAY_BF16, three},
        {"bfloat16", "\x80\x3f\0\xc0\x40\x40", 6, INLAY_BF16, three},
        {"float8_e4m3fn", "\x38\xc0\x44", 3, INLAY_F8E4M3, three},
        {"float8_e5m2", "\x3c\xc0\x42", 3, INLAY_F8E5M2, three},
        {"<f1", "\x3c\xc0\x42", 3, INLAY_F8E5M2, three},
    };
    char dictionary[128];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        snprintf(dictionary, sizeof(dictionary),
                 "{'descr': '%s', 'fortran_order': False, 'shape': (3,), }", rows[i].descr);
        assert_numbers(read_npy(dictionary, rows[i].bytes, rows[i].n), rows[i].type, 1,
                       (int64_t[]){3}, rows[i].expected);
    }
}

static void fortran_order_becomes_row_major(void **state)
{
    /* np.asfortranarray(np.arange(6, dtype='>i2').reshape(2, 3)), version 2.0 */
    static const char file[] = "\x93NUMPY\x02\x00t\x00\x00\x00{'descr': '>i2', 'fortran_order': "
                               "True, 'shape': (2, 3), }                                         "
                               "                \n\x00\x00\x00\x03\x00\x01\x00\x04\x00\x02\x00"
                               "\x05";
    inlay_tensor *t = inlay_read_npy_bytes("f.npy", file, sizeof(file) - 1, NULL);

    assert_non_null(t);
    assert_numbers(t, INLAY_I16, 2, (int64_t[]){2, 3}, (double[]){0, 1, 2, 3, 4, 5});
    t = read_npy(DICTIONARY("<i2", "True", "(0, 3)"), NULL, 0);
    assert_numbers(t, INLAY_I16, 2, (int64_t[]){0, 3}, NULL);
}

static void headers_python_would_read(void **state)
{
    assert_numbers(read_npy("{\"shape\":(1,2,),'fortran_order' : False,'descr':'|u1'}", "\1\2", 2),
                   INLAY_U8, 2, (int64_t[]){1, 2}, (double[]){1, 2});
    assert_numbers(read_npy(DICTIONARY("|u1", "False", "()"), "\7", 1), INLAY_U8, 0, NULL,
                   (double[]){7});
    assert_numbers(read_npy(DICTIONARY("|u1", "False", "(2L, 1L)"), "\1\2", 2), INLAY_U8, 2,
                   (int64_t[]){2, 1}, (double[]){1, 2});
}

static void text_becomes_utf8(void **state)
{
    static const char utf32[] = "a\0\0\0\0\0\0\0h\0\0\0\xe9\0\0\0\0\0\0\0\0\0\0\0";
    static const char *const expected[] = {"a", "h\xc3\xa9", ""};
    inlay_tensor *t = read_npy(DICTIONARY("<U2", "False", "(3,)"), utf32, 24);

    for (int i = 0; i < 3; i++) {
        inlay_string s = inlay_tensor_get_string(t, i);
        assert_int_equal(s.length, strlen(expected[i]));
        assert_memory_equal(i == 2 ? "" : s.bytes, expected[i], s.length);
    }
    inlay_tensor_release(t);
    t = read_npy(DICTIONARY("|S3", "False", "(2,)"), "ab\0\0cd", 6);
    assert_int_equal(inlay_tensor_get_string(t, 0).length, 2);
    assert_int_equal(inlay_tensor_get_string(t, 1).length, 3); /* a zero inside stays */
    assert_memory_equal(inlay_tensor_get_string(t, 1).bytes, "\0cd", 3);
    inlay_tensor_release(t);
}

static void malformed_files_are_refused(void **state)
{
    static const struct {
        const char *dictionary;
        size_t n; /* bytes of elements */
        const char *message;
    } rows[] = {
        {DICTIONARY("<f4", "False", "(3,)"), 11,
         "the header promises 12 bytes of elements, the file has 11"},
        {DICTIONARY("<f4", "False", "(3,)"), 13,
         "the header promises 12 bytes of elements, the file has 13"},
        {DICTIONARY("<f4", "False", "(4294967296, 4294967296)"), 0,
         "the shape has too many elements"},
        {DICTIONARY("<f4", "False", "(99999999999999999999,)"), 0,
         "a dimension does not fit into 64 bits"},
        {DICTIONARY("<f4", "False", "(-1,)"), 0,
         "the .npy header is malformed: a dimension is no whole number"},
        {DICTIONARY("<f4", "False", "(3)"), 12, "the .npy header is malformed: ',' is missing"},
        {DICTIONARY("<f4", "False", "(3 4)"), 12, "the .npy header is malformed: ',' is missing"},
        {DICTIONARY("<f4", "False", "3"), 12, "the .npy header is malformed: '(' is missing"},
        {DICTIONARY("<f4", "0", "(3,)"), 12,
         "the .npy header is malformed: 'fortran_order' is neither True nor False"},
        {DICTIONARY("|O", "False", "(1,)"), 0, "element type '|O': Python objects are refused"},
        {DICTIONARY("<M8[ns]", "False", "(1,)"), 8,
         "element type '<M8[ns]': dates and times are not supported"},
        {DICTIONARY("|V1", "False", "(1,)"), 1,
         "element type '|V1': raw bytes do not say which element type they hold"},
        {DICTIONARY("<f16", "False", "(1,)"), 16,
         "element type '<f16': there is no such element type"},
        {DICTIONARY("<bfloat16", "False", "(1,)"), 2,
         "element type '<bfloat16': there is no such element type"},
        {DICTIONARY("<U0", "False", "(9999999999,)"), 0,
         "element type '<U0': there is no such element type"},
        {DICTIONARY("<U1", "False", "(1,)"), 5,
         "the header promises 4 bytes of elements, the file has 5"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4,
         "structured elements are not supported"},
        {"{'descr': '<f4', 'shape': (1,)}", 4, "the .npy header does not say 'fortran_order'"},
        {"{'descr': '<f4', 'descr': '<f4'}", 4, "the .npy header says 'descr' twice"},
        {"{'descr': '<f4', 'order': 'C'}", 4, "the .npy header has an unknown key 'order'"},
        {"{'descr': '<f4' 'shape': (1,)}", 4, "the .npy header is malformed: ',' is missing"},
        {"{'descr': 4}", 4, "the .npy header is malformed: 'descr' is no string"},
        {"{'descr': '\\x41'}", 4, "the .npy header is malformed: 'descr' is not understood"},
        {"{descr: '<f4'}", 4, "the .npy header is malformed: a key is no string"},
        {"[1]", 4, "the .npy header is malformed: '{' is missing"},
        {DICTIONARY("<f4", "False", "(1,)") " + 1", 4,
         "the .npy header has something after its dictionary"},
        {DICTIONARY("|u1", "False",
                    "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
                    "1,1,1,1)"),
         1, "more than 32 dimensions"},
    };
    unsigned char file[HEADER + 64];
    static const char zeros[64] = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        inlay_diags *d = inlay_diags_new();
        size_t n = make_npy(file, rows[i].dictionary, zeros, rows[i].n);
        if (inlay_read_npy_bytes("x.npy", file, n, d) != NULL)
            fail_msg("%s was read", rows[i].dictionary);
        assert_int_equal(inlay_diags_count(d), 1);
        assert_string_equal(inlay_diags_at(d, 0)->text, rows[i].message);
        assert_string_equal(inlay_diags_at(d, 0)->file, "x.npy");
        assert_int_equal(inlay_diags_status(d), INLAY_INVALID);
        inlay_diags_free(d);
    }
}

static void assert_refused(const void *bytes, size_t n, const char *message)
{
    inlay_diags *d = inlay_diags_new();

    assert_null(inlay_read_npy_bytes("x.npy", bytes, n, d));
    assert_int_equal(inlay_diags_count(d), 1);
    assert_string_equal(inlay_diags_at(d, 0)->text, message);
    inlay_diags_free(d);
}

static void damaged_files_are_refused(void **state)
{
    unsigned char file[HEADER + 8];
    size_t n = make_npy(file, DICTIONARY("<U1", "False", "(1,)"), "\0\xd8\0\0", 4);

    assert_refused(file, n, "element 0 is no valid text");
    assert_refused(file, 9, "not a .npy file: the magic bytes are missing");
    assert_refused(file, 50, "the file ends inside its .npy header");
    assert_refused("PK\3\4 and so on", 14, "not a .npy file: the magic bytes are missing");
    file[6] = 4;
    assert_refused(file, n, ".npy version 4.0 is not supported, 1.0 to 3.0 are");
    file[6] = 2;
    assert_refused(file, 11, "the file ends inside its .npy header");
}

/* Every cut of a good file is an error, never a crash. */
static void every_prefix_is_refused(void **state)
{
    unsigned char file[HEADER + 12];
    size_t n = make_npy(file, DICTIONARY("<f4", "False", "(3,)"), "123456789012", 12);

    for (size_t i = 0; i < n; i++) {
        unsigned char *cut = malloc(i + 1);
        memcpy(cut, file, i);
        inlay_diags *d = inlay_diags_new();
        assert_null(inlay_read_npy_bytes("x.npy", cut, i, d));
        assert_int_equal(inlay_diags_count(d), 1);
        inlay_diags_free(d);
        free(cut);
    }
}

static char *temp_path(const char *name)
{
    static char path[256];
    const char *dir = getenv("TMPDIR");

    snprintf(path, sizeof(path), "%s/inlay_npy_%ld_%s", dir != NULL ? dir : "/tmp", (long)getpid(),
             name);
    return path;
}

static void assert_file(const char *path, const void *expected, size_t n)
{
    unsigned char bytes[1024];
    FILE *f = fopen(path, "rb");

    assert_non_null(f);
    assert_int_equal(fread(bytes, 1, sizeof(bytes), f), n);
    fclose(f);
    assert_memory_equal(bytes, expected, n);
}

static void written_as_numpy_writes(void **state)
{
    const char *path = temp_path("out.npy");
    unsigned char expected[HEADER + 64];
    size_t n;
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){2, 3});

    for (int i = 0; i < 6; i++)
        inlay_tensor_set_f64(t, i, i);
    assert_true(inlay_write_npy(t, path, NULL));
    n = make_npy(expected, DICTIONARY("<f4", "False", "(2, 3)"),
                 "\x00\x00\x00\x00\x00\x00\x80?\x00\x00\x00@\x00\x00@@\x00\x00\x80@\x00\x00\xa0@",
                 24);
    assert_file(path, expected, n);

    /* a column of it is written in C order */
    inlay_tensor *w = inlay_tensor_window(t, 1, (int64_t[]){2}, (int64_t[]){3}, 1);
    assert_true(inlay_write_npy(w, path, NULL));
    n = make_npy(expected, DICTIONARY("<f4", "False", "(2,)"), "\x00\x00\x80?\x00\x00\x80@", 8);
    assert_file(path, expected, n);
    inlay_tensor_release(w);
    inlay_tensor_release(t);

    t = inlay_tensor_new(INLAY_I64, 0, NULL);
    inlay_tensor_set_i64(t, 0, 7);
    assert_true(inlay_write_npy(t, path, NULL));
    n = make_npy(expected, DICTIONARY("<i8", "False", "()"), "\7\0\0\0\0\0\0\0", 8);
    assert_file(path, expected, n);
    inlay_tensor_release(t);

    t = inlay_tensor_new(INLAY_BOOLEAN, 1, (int64_t[]){3});
    memcpy(t->data, "\1\0\5", 3);
    assert_true(inlay_write_npy(t, path, NULL));
    n = make_npy(expected, DICTIONARY("|b1", "False", "(3,)"), "\1\0\1", 3);
    assert_file(path, expected, n);
    inlay_tensor_release(t);

    t = inlay_tensor_new(INLAY_STRING, 1, (int64_t[]){3});
    inlay_tensor_set_string(t, 0, "a", 1);
    inlay_tensor_set_string(t, 1, "h\xc3\xa9", 3);
    assert_true(inlay_write_npy(t, path, NULL));
    n = make_npy(expected, DICTIONARY("<U2", "False", "(3,)"),
                 "a\0\0\0\0\0\0\0h\0\0\0\xe9\0\0\0\0\0\0\0\0\0\0\0", 24);
    assert_file(path, expected, n);
    inlay_tensor_set_string(t, 0, "\xff", 1); /* not UTF-8: stored as bytes */
    assert_true(inlay_write_npy(t, path, NULL));
    n = make_npy(expected, DICTIONARY("|S3", "False", "(3,)"), "\xff\0\0h\xc3\xa9\0\0\0", 9);
    assert_file(path, expected, n);
    inlay_tensor_release(t);
    unlink(path);
}

static void what_is_written_is_read_again(void **state)
{
    const char *path = temp_path("again.npy");

    for (int type = 1; type < INLAY_N_TYPES; type++) {
        const inlay_type_info *info = inlay_type_info_of((inlay_type)type);
        inlay_tensor *t = inlay_tensor_new((inlay_type)type, 2, (int64_t[]){2, 3}), *again;
        inlay_diags *d = inlay_diags_new();
        if (t == NULL || info->bits < 8 || type == INLAY_ITEM) {
            char message[80];
            snprintf(message, sizeof(message), "a .npy file cannot hold elements of type %s",
                     info->name);
            if (t != NULL) {
                assert_false(inlay_write_npy(t, path, d));
                assert_string_equal(inlay_diags_at(d, 0)->text, message);
                assert_int_equal(access(path, F_OK), -1);
            }
        } else {
            for (int i = 0; i < 6 && type != INLAY_STRING; i++)
                inlay_tensor_set_f64(t, i, i);
            assert_true(inlay_write_npy(t, path, d));
            again = inlay_read_npy(path, d);
            assert_non_null(again);
            assert_true(inlay_tensor_equal(t, again));
            inlay_tensor_release(again);
            unlink(path);
        }
        inlay_tensor_release(t);
        inlay_diags_free(d);
    }
}

static void a_trailing_zero_byte_cannot_be_written(void **state)
{
    const char *path = temp_path("zero.npy");
    inlay_tensor *t = inlay_tensor_new(INLAY_STRING, 1, (int64_t[]){2});
    inlay_diags *d = inlay_diags_new();

    inlay_tensor_set_string(t, 1, "x\0", 2);
    assert_false(inlay_write_npy(t, path, d));
    assert_string_equal(inlay_diags_at(d, 0)->text,
                        "element 1 ends in a zero byte, which .npy cannot hold");
    assert_int_equal(access(path, F_OK), -1);
    inlay_tensor_release(t);
    inlay_diags_free(d);
}

/* Expects that reading a file with this header and so many bytes of elements takes LEAST bytes, and
 * what a buffer and a tensor cost beside. */
static void expect_least(const char *header, size_t elements, uint64_t least)
{
    enum { BESIDE = 1280 };
    const char *path = temp_path("within.npy");
    inlay_tensor *t = NULL;
    uint64_t limit = 0;
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    fwrite("\x93NUMPY\x01\x00", 1, 8, f);
    fputc((int)strlen(header), f);
    fputc(0, f);
    fputs(header, f);
    for (size_t i = 0; i < elements; i++)
        fputc('a', f);
    assert_int_equal(fclose(f), 0);
    while (!t && limit < least + BESIDE) {
        inlay_budget *b = inlay_budget_new(++limit, NULL);
        inlay_diags *d = inlay_diags_new();

        t = inlay_read_tensor(path, b, d);
        assert_int_equal(inlay_diags_status(d), t ? INLAY_OK : INLAY_NO_RESOURCE);
        assert_true(inlay_budget_peak(b) <= limit);
        inlay_diags_free(d);
        inlay_tensor_release(t);
        assert_int_equal(inlay_budget_used(b), 0);
        inlay_budget_free(b);
    }
    assert_non_null(t);
    assert_true(limit >= least);
    unlink(path);
}

/* Reading counts the tensor; in the other order of elements it counts a copy, too; of texts it
 * counts what each text stands in. */
static void what_reading_takes_counts(void **state)
{
    expect_least("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }\n", 8, 8);
    expect_least("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }\n", 8, 16);
    expect_least("{'descr': '|S3', 'fortran_order': False, 'shape': (2,), }\n", 6,
                 6 + 2 * sizeof(inlay_string));
}

static void a_file_that_is_not_there(void **state)
{
    inlay_diags *d = inlay_diags_new();

    assert_null(inlay_read_npy("/nonexistent/x.npy", d));
    assert_string_equal(inlay_diags_at(d, 0)->text, "cannot open: No such file or directory");
    assert_null(inlay_npz_open("/nonexistent/x.npz", 0, d));
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 0, NULL);
    assert_false(inlay_write_npy(t, "/nonexistent/x.npy", d));
    assert_string_equal(inlay_diags_at(d, 2)->text, "cannot write: No such file or directory");
    assert_int_equal(inlay_diags_at(d, 2)->status, INLAY_NO_RESOURCE);
    inlay_tensor_release(t);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_in_both_byte_orders),
        cmocka_unit_test(fortran_order_becomes_row_major),
        cmocka_unit_test(headers_python_would_read),
        cmocka_unit_test(text_becomes_utf8),
        cmocka_unit_test(malformed_files_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(written_as_numpy_writes),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(a_trailing_zero_byte_cannot_be_written),
        cmocka_unit_test(what_reading_takes_counts),
        cmocka_unit_test(a_file_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
