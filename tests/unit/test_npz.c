/* .npz archives. The two that are read were made by numpy 1.24:
 *   stored    numpy.savez(f, x=numpy.array([1, 2], dtype='<i4'))
 *   deflated  numpy.savez_compressed(f, x=numpy.zeros((3, 4), dtype='<f4'),
 *                                    y=numpy.array([1, 2], dtype='u1'))
 * Their local headers have zip64 fields. */
#include "parser/parser.h"
#include "unit.h"

#include <unistd.h>

/* clang-format off */
static const unsigned char stored[] = {
    0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x21, 0x00, 0x0b, 0xf9,
    0xaa, 0x2d, 0x88, 0x00, 0x00, 0x00, 0x88, 0x00, 0x00, 0x00, 0x05, 0x00, 0x14, 0x00, 0x78, 0x2e,
    0x6e, 0x70, 0x79, 0x01, 0x00, 0x10, 0x00, 0x88, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x88,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 0x01, 0x00, 0x76,
    0x00, 0x7b, 0x27, 0x64, 0x65, 0x73, 0x63, 0x72, 0x27, 0x3a, 0x20, 0x27, 0x3c, 0x69, 0x34, 0x27,
    0x2c, 0x20, 0x27, 0x66, 0x6f, 0x72, 0x74, 0x72, 0x61, 0x6e, 0x5f, 0x6f, 0x72, 0x64, 0x65, 0x72,
    0x27, 0x3a, 0x20, 0x46, 0x61, 0x6c, 0x73, 0x65, 0x2c, 0x20, 0x27, 0x73, 0x68, 0x61, 0x70, 0x65,
    0x27, 0x3a, 0x20, 0x28, 0x32, 0x2c, 0x29, 0x2c, 0x20, 0x7d, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20,
    0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20,
    0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20,
    0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20,
    0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x0a, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x50,
    0x4b, 0x01, 0x02, 0x14, 0x03, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x21, 0x00, 0x0b,
    0xf9, 0xaa, 0x2d, 0x88, 0x00, 0x00, 0x00, 0x88, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x78, 0x2e, 0x6e,
    0x70, 0x79, 0x50, 0x4b, 0x05, 0x06, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x33, 0x00,
    0x00, 0x00, 0xbf, 0x00, 0x00, 0x00, 0x00, 0x00,
};

static const unsigned char deflated[] = {
    0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0xc0, 0xa1,
    0xcc, 0xea, 0x49, 0x00, 0x00, 0x00, 0xb0, 0x00, 0x00, 0x00, 0x05, 0x00, 0x14, 0x00, 0x78, 0x2e,
    0x6e, 0x70, 0x79, 0x01, 0x00, 0x10, 0x00, 0xb0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x49,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x9b, 0xec, 0x17, 0xea, 0x1b, 0x10, 0xc9, 0xc8, 0x50,
    0xc6, 0x50, 0xad, 0x9e, 0x92, 0x5a, 0x9c, 0x5c, 0xa4, 0x6e, 0xa5, 0xa0, 0x6e, 0x93, 0x66, 0xa2,
    0xae, 0xa3, 0xa0, 0x9e, 0x96, 0x5f, 0x54, 0x52, 0x94, 0x98, 0x17, 0x9f, 0x5f, 0x94, 0x92, 0x0a,
    0x12, 0x77, 0x4b, 0xcc, 0x29, 0x4e, 0x05, 0x8a, 0x17, 0x67, 0x24, 0x16, 0xa4, 0x02, 0xf9, 0x1a,
    0xc6, 0x3a, 0x0a, 0x26, 0x9a, 0x3a, 0x0a, 0xb5, 0x0a, 0x64, 0x03, 0x2e, 0x06, 0x12, 0x01, 0x00,
    0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0x62, 0x02,
    0x65, 0x5f, 0x46, 0x00, 0x00, 0x00, 0x82, 0x00, 0x00, 0x00, 0x05, 0x00, 0x14, 0x00, 0x79, 0x2e,
    0x6e, 0x70, 0x79, 0x01, 0x00, 0x10, 0x00, 0x82, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x9b, 0xec, 0x17, 0xea, 0x1b, 0x10, 0xc9, 0xc8, 0x50,
    0xc6, 0x50, 0xad, 0x9e, 0x92, 0x5a, 0x9c, 0x5c, 0xa4, 0x6e, 0xa5, 0xa0, 0x5e, 0x53, 0x6a, 0xa8,
    0xae, 0xa3, 0xa0, 0x9e, 0x96, 0x5f, 0x54, 0x52, 0x94, 0x98, 0x17, 0x9f, 0x5f, 0x94, 0x92, 0x0a,
    0x12, 0x77, 0x4b, 0xcc, 0x29, 0x4e, 0x05, 0x8a, 0x17, 0x67, 0x24, 0x16, 0xa4, 0x02, 0xf9, 0x1a,
    0x46, 0x3a, 0x9a, 0x3a, 0x0a, 0xb5, 0x0a, 0x14, 0x00, 0x2e, 0x46, 0x26, 0x00, 0x50, 0x4b, 0x01,
    0x02, 0x14, 0x03, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0xc0, 0xa1, 0xcc,
    0xea, 0x49, 0x00, 0x00, 0x00, 0xb0, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x78, 0x2e, 0x6e, 0x70, 0x79,
    0x50, 0x4b, 0x01, 0x02, 0x14, 0x03, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00,
    0x62, 0x02, 0x65, 0x5f, 0x46, 0x00, 0x00, 0x00, 0x82, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x80, 0x00, 0x00, 0x00, 0x79, 0x2e,
    0x6e, 0x70, 0x79, 0x50, 0x4b, 0x05, 0x06, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x02, 0x00, 0x66,
    0x00, 0x00, 0x00, 0xfd, 0x00, 0x00, 0x00, 0x00, 0x00,
};
/* clang-format on */

/* Says where things stand in the second archive. */
enum {
    CENTRAL = 253,
    FLAGS = 8,
    METHOD = 10,
    CRC = 16,
    PACKED = 20,
    SIZE = 24,
    LOCAL = 42,
    END = 355
};

static const char *write_archive(const unsigned char *bytes, size_t n)
{
    static char path[256];
    const char *dir = getenv("TMPDIR");
    FILE *f;

    snprintf(path, sizeof(path), "%s/inlay_npz_%ld.npz", dir != NULL ? dir : "/tmp",
             (long)getpid());
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
    return path;
}

static void archives_stored_and_deflated(void **state)
{
    inlay_npz *z = inlay_npz_open(write_archive(stored, sizeof(stored)), 0, NULL);
    inlay_tensor *t;
    inlay_diags *d = inlay_diags_new();

    assert_non_null(z);
    assert_int_equal(inlay_npz_count(z), 1);
    assert_string_equal(inlay_npz_name(z, 0), "x");
    assert_null(inlay_npz_name(z, 1));
    assert_null(inlay_npz_read(z, 1, 0, d));
    assert_non_null(strstr(inlay_diags_at(d, 0)->text, " has no member 1, it has 1"));
    inlay_diags_free(d);
    t = inlay_npz_read(z, 0, 0, NULL);
    assert_non_null(t);
    assert_int_equal(t->type, INLAY_I32);
    assert_int_equal(inlay_tensor_get_i64(t, 0), 1);
    assert_int_equal(inlay_tensor_get_i64(t, 1), 2);
    inlay_tensor_release(t);
    inlay_npz_close(z);

    z = inlay_npz_open(write_archive(deflated, sizeof(deflated)), 0, NULL);
    assert_non_null(z);
    assert_int_equal(inlay_npz_count(z), 2);
    assert_string_equal(inlay_npz_name(z, 1), "y");
    t = inlay_npz_read(z, 0, 0, NULL);
    assert_non_null(t);
    assert_int_equal(t->rank, 2);
    assert_int_equal(inlay_tensor_count(t), 12);
    inlay_tensor_release(t);
    t = inlay_npz_read(z, 1, 0, NULL);
    assert_non_null(t);
    assert_int_equal(inlay_tensor_get_i64(t, 1), 2);
    inlay_tensor_release(t);
    inlay_npz_close(z);
}

/* Opens BYTES and reads the first member; TEXT receives the one error that there must be. */
static void first_error(const unsigned char *bytes, size_t n, char *text, size_t size)
{
    inlay_diags *d = inlay_diags_new();
    inlay_npz *z = inlay_npz_open(write_archive(bytes, n), 0, d);

    if (z != NULL)
        assert_null(inlay_npz_read(z, 0, 0, d));
    inlay_npz_close(z);
    assert_int_equal(inlay_diags_count(d), 1);
    snprintf(text, size, "%s", inlay_diags_at(d, 0)->text);
    inlay_diags_free(d);
}

static void damaged_archives_are_refused(void **state)
{
    static const struct {
        int at; /* byte of the deflated archive that is changed */
        unsigned char value;
        const char *message;
    } rows[] = {
        {CENTRAL + FLAGS, 1, "the member is encrypted"},
        {CENTRAL + METHOD, 12,
         "the member is compressed in a way that is not supported (stored and deflated are)"},
        {CENTRAL + CRC, 0, "the archive is damaged: the member's checksum does not agree"},
        {CENTRAL + PACKED, 0x48, "the archive is damaged: the member cannot be unpacked"},
        {CENTRAL + SIZE, 0xb1, "the archive is damaged: the member cannot be unpacked"},
        {CENTRAL + SIZE, 0xaf, "the archive is damaged: the member cannot be unpacked"},
        {CENTRAL + SIZE + 3, 0x7f, "the archive is damaged: the member's size cannot be right"},
        {CENTRAL + PACKED + 2, 1, "the archive is damaged: the member reaches beyond the file"},
        {CENTRAL + LOCAL, 1, "the archive is damaged: the member is not where the directory says"},
        {CENTRAL + LOCAL + 2, 1,
         "the archive is damaged: the member is not where the directory says"},
        {CENTRAL, 'Q', "the archive is damaged: a member's directory entry is malformed"},
        {CENTRAL + 29, 1, "the archive is damaged: a member's directory entry is cut short"},
        {CENTRAL + 46, '\0', "the archive is damaged: a member's name has a zero byte"},
        {CENTRAL + 46, 'y', "the archive is damaged: two members have the same name"},
        {END, 'Q', "not a .npz file: it has no ZIP directory"},
        {END + 10, 3, "the archive is damaged: the central directory is too small for its members"},
        {END + 12, 0x67, "the archive is damaged: the central directory is outside the file"},
        {END + 19, 0x80, "the archive is damaged: the central directory is outside the file"},
    };
    unsigned char bytes[sizeof(deflated)];
    char text[256];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        memcpy(bytes, deflated, sizeof(bytes));
        bytes[rows[i].at] = rows[i].value;
        first_error(bytes, sizeof(bytes), text, sizeof(text));
        assert_string_equal(text, rows[i].message);
    }
    first_error((const unsigned char *)"", 0, text, sizeof(text));
    assert_string_equal(text, "not a .npz file: it has no ZIP directory");
}

/* These archives are malformed in more than one byte. */
static void malformed_archives_are_refused(void **state)
{
    enum { MEMBERS = 10001, BIG = MEMBERS * 46 + 22 };
    static const unsigned char zip64[42] = "PK\x06\x07\0\0\0\0\x10\0\0\0\0\0\0\0\1\0\0\0PK\5\6";
    unsigned char entry[51 + 8 + 22] = "PK\1\2", *end = entry + 59;
    unsigned char *big = calloc(1, BIG);
    char text[256];

    first_error(zip64, sizeof(zip64), text, sizeof(text));
    assert_string_equal(text,
                        "the archive is damaged: the zip64 end record is not where it should be");

    entry[28] = 5; /* bytes of the name, then of the extra field, whose one entry says 9 */
    entry[30] = 8;
    memcpy(entry + 46, "x.npy\1\0\x09", 8);
    memcpy(end, "PK\5\6", 4);
    end[10] = 1;
    end[12] = 59;
    first_error(entry, sizeof(entry), text, sizeof(text));
    assert_string_equal(text, "the archive is damaged: a member's extra field is malformed");

    assert_non_null(big);
    end = big + MEMBERS * 46;
    memcpy(end, "PK\5\6", 4);
    end[10] = MEMBERS & 0xff;
    end[11] = MEMBERS >> 8;
    for (int i = 0; i < 4; i++)
        end[12 + i] = (unsigned char)(MEMBERS * 46 >> 8 * i);
    first_error(big, BIG, text, sizeof(text));
    assert_string_equal(text,
                        "the archive is damaged: it has 10001 members, at most 10000 are read");
    free(big);
}

static void an_error_inside_names_the_member(void **state)
{
    unsigned char bytes[sizeof(stored)];
    inlay_diags *d = inlay_diags_new();
    const char *path;
    char name[300];

    memcpy(bytes, stored, sizeof(bytes));
    bytes[60] ^= 1; /* inside the data: the checksum tells */
    path = write_archive(bytes, sizeof(bytes));
    inlay_npz *z = inlay_npz_open(path, 0, d);
    assert_null(inlay_npz_read(z, 0, 0, d));
    snprintf(name, sizeof(name), "%s(x.npy)", path);
    assert_string_equal(inlay_diags_at(d, 0)->file, name);
    inlay_npz_close(z);
    inlay_diags_free(d);
}

/* Bytes are changed and cut everywhere: any outcome is fine but a crash (run under the
 * sanitizers). */
static void no_damage_crashes_the_archive_reader(void **state)
{
    unsigned char bytes[sizeof(deflated)];

    for (size_t i = 0; i < 2 * sizeof(bytes); i++) {
        size_t n = i < sizeof(bytes) ? i : sizeof(bytes);
        memcpy(bytes, deflated, sizeof(bytes));
        if (i >= sizeof(bytes))
            bytes[i - sizeof(bytes)] = 0xff;
        inlay_npz *z = inlay_npz_open(write_archive(bytes, n), 0, NULL);
        for (size_t k = 0; z != NULL && k < inlay_npz_count(z); k++)
            inlay_tensor_release(inlay_npz_read(z, k, 0, NULL));
        inlay_npz_close(z);
    }
}

/* Member y has 130 bytes when it is unpacked, of which 2 are elements. */
static void what_is_unpacked_counts(void **state)
{
    uint64_t beside = 0, limit = 1;
    inlay_tensor *t = NULL;

    for (; !t && limit < 2000; limit++) {
        inlay_budget *b = inlay_budget_new(limit, NULL);
        inlay_diags *d = inlay_diags_new();
        inlay_npz *z = inlay_npz_open(write_archive(deflated, sizeof(deflated)), b, d);

        beside = z ? inlay_budget_used(b) : 0;
        t = z ? inlay_npz_read(z, 1, b, d) : NULL;
        assert_int_equal(inlay_diags_status(d), t ? INLAY_OK : INLAY_NO_RESOURCE);
        if (z && limit == beside + 129)
            assert_non_null(strstr(inlay_diags_at(d, 0)->text,
                                   "unpacking it takes 130 bytes; that is "
                                   "over the memory limit of "));
        inlay_tensor_release(t);
        inlay_npz_close(z);
        inlay_diags_free(d);
        assert_int_equal(inlay_budget_used(b), 0);
        inlay_budget_free(b);
    }
    assert_non_null(t);
    assert_true(limit > beside + 132);
}

static int remove_archive(void **state)
{
    unlink(write_archive(stored, 1));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives_stored_and_deflated),
        cmocka_unit_test(damaged_archives_are_refused),
        cmocka_unit_test(malformed_archives_are_refused),
        cmocka_unit_test(an_error_inside_names_the_member),
        cmocka_unit_test(what_is_unpacked_counts),
        cmocka_unit_test(no_damage_crashes_the_archive_reader),
    };
    return cmocka_run_group_tests(tests, NULL, remove_archive);
}
