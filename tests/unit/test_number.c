/* Element types and number conversions. Expected values: IEEE 754, the OCP specifications of 8-bit
 * floats and microscaling formats, and arithmetic by hand. */
#include "ir/ir.h"
#include "ir/shared.h"
#include "unit.h"

#include <float.h>
#include <math.h>

typedef struct format {
    inlay_type type;
    int mantissa, emin;
    unsigned sign, max; /* the sign bit and the code of the largest finite number */
} format;

static const format formats[] = {
    {INLAY_F16, 10, -14, 0x8000, 0x7bff},   {INLAY_BF16, 7, -126, 0x8000, 0x7f7f},
    {INLAY_F8E4M3, 3, -6, 0x80, 0x7e},      {INLAY_F8E5M2, 2, -14, 0x80, 0x7b},
    {INLAY_F4E2M1, 1, 0, 0x8, 0x7},         {INLAY_F8E4M3FNUZ, 3, -7, 0x80, 0x7f},
    {INLAY_F8E5M2FNUZ, 2, -15, 0x80, 0x7f},
};

/* These types have no -0: its code is their only NaN. */
static bool is_fnuz(inlay_type type)
{
    return type == INLAY_F8E4M3FNUZ || type == INLAY_F8E5M2FNUZ;
}

static unsigned code_of(inlay_type type, double x)
{
    uint16_t code = 0;
    inlay_store_f64(type, &code, 0, x);
    return code;
}

static double value_of(inlay_type type, unsigned code)
{
    uint16_t bits = (uint16_t)code;
    return inlay_load_f64(type, &bits, 0);
}

/* Returns the number of CODE by the definition of a binary interchange format. */
static double by_definition(const format *f, unsigned code)
{
    unsigned field = code >> f->mantissa, fraction = code & ((1u << f->mantissa) - 1);
    double significand = fraction + (field != 0 ? 1 << f->mantissa : 0);
    return ldexp(significand, (field != 0 ? (int)field - 1 : 0) + f->emin - f->mantissa);
}

static void every_finite_code_has_its_value_and_comes_back(void **state)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        const format *f = &formats[i];
        for (unsigned code = 0; code <= f->max; code++) {
            bool has_negative = code > 0 || !is_fnuz(f->type);
            double x = by_definition(f, code);
            assert_true(value_of(f->type, code) == x);
            assert_true(!has_negative || value_of(f->type, code | f->sign) == -x);
            assert_true((float)x == inlay_load_f32(f->type, &(uint16_t){(uint16_t)code}, 0));
            assert_int_equal(code_of(f->type, x), code);
            assert_int_equal(code_of(f->type, -x), has_negative ? code | f->sign : 0);
        }
    }
}

static void between_two_codes_the_nearest_and_ties_to_even(void **state)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        const format *f = &formats[i];
        for (unsigned code = 0; code < f->max; code++) {
            double middle = (by_definition(f, code) + by_definition(f, code + 1)) / 2;
            assert_int_equal(code_of(f->type, middle), code + (code & 1));
            assert_int_equal(code_of(f->type, nextafter(middle, INFINITY)), code + 1);
            assert_int_equal(code_of(f->type, nextafter(middle, 0)), code);
            if (code > 0 || !is_fnuz(f->type))
                assert_int_equal(code_of(f->type, -nextafter(middle, 0)), code | f->sign);
        }
    }
}

static void halves_keep_every_nan(void **state)
{
    for (unsigned code = 0; code < 0x10000; code++) {
        if ((code & 0x7fff) > 0x7c00) {
            assert_true(isnan(value_of(INLAY_F16, code)));
            assert_int_equal(code_of(INLAY_F16, value_of(INLAY_F16, code)), code | 0x200);
        }
        if ((code & 0x7fff) > 0x7f80) {
            assert_true(isnan(value_of(INLAY_BF16, code)));
            assert_int_equal(code_of(INLAY_BF16, value_of(INLAY_BF16, code)), code | 0x40);
        }
    }
}

static void too_large_numbers_overflow(void **state)
{
    static const struct {
        inlay_type type;
        double last, first; /* the last that rounds down to the maximum, the first that does not */
        unsigned max, beyond;
    } rows[] = {
        {INLAY_F16, 65519.999, 65520, 0x7bff, 0x7c00},
        {INLAY_BF16, 0x1.feffffp127, 0x1.ffp127, 0x7f7f, 0x7f80},
        {INLAY_F8E4M3, 464, 464.001, 0x7e, 0x7f}, /* the tie goes to 448: its significand is even */
        {INLAY_F8E5M2, 61439, 61440, 0x7b, 0x7c},
        {INLAY_F4E2M1, 7, 1e9, 0x7, 0x7}, /* no infinity: saturates */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(code_of(rows[i].type, rows[i].last), rows[i].max);
        assert_int_equal(code_of(rows[i].type, rows[i].first), rows[i].beyond);
        assert_int_equal(code_of(rows[i].type, DBL_MAX), rows[i].beyond);
        assert_int_equal(code_of(rows[i].type, INFINITY), rows[i].beyond);
    }
    assert_true(isinf(value_of(INLAY_F16, 0xfc00)) && value_of(INLAY_F16, 0xfc00) < 0);
    assert_true(isinf(value_of(INLAY_F8E5M2, 0x7c)));
    assert_true(isnan(value_of(INLAY_F8E4M3, 0x7f)) && isnan(value_of(INLAY_F8E4M3, 0xff)));
    assert_true(isnan(value_of(INLAY_F8E5M2, 0x7d)) && isnan(value_of(INLAY_F8E5M2, 0xff)));
    assert_int_equal(code_of(INLAY_F8E4M3, NAN) & 0x7f, 0x7f);
    assert_int_equal(code_of(INLAY_F8E5M2, NAN) & 0x7f, 0x7e);
    assert_int_equal(code_of(INLAY_F16, DBL_TRUE_MIN), 0);
    assert_int_equal(code_of(INLAY_F16, -0.0), 0x8000);
}

/* These are the tables of E4M3FNUZ and E5M2FNUZ in ONNX's "Float stored in 8 bits". */
static void fnuz_tables_of_the_specification(void **state)
{
    static const struct {
        inlay_type type;
        double least, most, first_beyond;
    } rows[] = {
        {INLAY_F8E4M3FNUZ, 0x1p-10, 240, 248},
        {INLAY_F8E5M2FNUZ, 0x1p-17, 57344, 61440},
    };

    for (size_t i = 0; i < 2; i++) {
        assert_true(value_of(rows[i].type, 0x01) == rows[i].least);
        assert_true(value_of(rows[i].type, 0x7f) == rows[i].most);
        assert_true(value_of(rows[i].type, 0xff) == -rows[i].most);
        assert_true(isnan(value_of(rows[i].type, 0x80)));
        assert_int_equal(code_of(rows[i].type, NAN), 0x80);
        assert_int_equal(code_of(rows[i].type, -INFINITY), 0x80);
        assert_int_equal(code_of(rows[i].type, -rows[i].first_beyond), 0x80);
        assert_int_equal(code_of(rows[i].type, nextafter(-rows[i].first_beyond, 0)), 0xff);
        assert_int_equal(code_of(rows[i].type, -0.0), 0);
        assert_int_equal(code_of(rows[i].type, -rows[i].least / 4), 0);
    }
}

static void two_bit_types(void **state)
{
    uint8_t four[1] = {0};

    for (int i = 0; i < 4; i++)
        inlay_store_i64(INLAY_U2, four, i, i);
    assert_int_equal(four[0], 0xe4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(inlay_load_i64(INLAY_I2, four, i), i < 2 ? i : i - 4);
    inlay_store_f64(INLAY_I2, four, 1, 100);
    assert_int_equal(four[0], 0xe4);
    inlay_store_f64(INLAY_I2, four, 1, -100);
    assert_int_equal(four[0], 0xe8);
}

/* These are the tables of the OCP 8-bit Floating Point Specification, section 5. */
static void f8_tables_of_the_specification(void **state)
{
    assert_true(value_of(INLAY_F8E4M3, 0x7e) == 448);
    assert_true(value_of(INLAY_F8E4M3, 0x08) == 0x1p-6);
    assert_true(value_of(INLAY_F8E4M3, 0x07) == 0.875 * 0x1p-6);
    assert_true(value_of(INLAY_F8E4M3, 0x01) == 0x1p-9);
    assert_true(value_of(INLAY_F8E5M2, 0x7b) == 57344);
    assert_true(value_of(INLAY_F8E5M2, 0x04) == 0x1p-14);
    assert_true(value_of(INLAY_F8E5M2, 0x03) == 0.75 * 0x1p-14);
    assert_true(value_of(INLAY_F8E5M2, 0x01) == 0x1p-16);
}

static void f8e8m0_holds_powers_of_two(void **state)
{
    for (unsigned code = 0; code < 255; code++) {
        assert_true(value_of(INLAY_F8E8M0, code) == ldexp(1, (int)code - 127));
        assert_int_equal(code_of(INLAY_F8E8M0, ldexp(1, (int)code - 127)), code);
    }
    assert_true(isnan(value_of(INLAY_F8E8M0, 255)));
    assert_int_equal(code_of(INLAY_F8E8M0, NAN), 255);
    assert_int_equal(code_of(INLAY_F8E8M0, INFINITY), 254);
    assert_int_equal(code_of(INLAY_F8E8M0, 0), 0);
    assert_int_equal(code_of(INLAY_F8E8M0, -5), 0);
    assert_int_equal(code_of(INLAY_F8E8M0, 1.49), 127);
    assert_int_equal(code_of(INLAY_F8E8M0, 1.5), 128); /* a tie between fields 127 and 128 */
    assert_int_equal(code_of(INLAY_F8E8M0, 3.0), 128); /* between 128 and 129 */
    assert_int_equal(code_of(INLAY_F8E8M0, 3.01), 129);
}

static void four_bit_types(void **state)
{
    uint8_t two[1] = {0};

    inlay_store_f64(INLAY_F4E2M1, two, 0, 1.5);
    inlay_store_f64(INLAY_F4E2M1, two, 1, -6);
    assert_int_equal(two[0], 0xf3);
    inlay_store_f64(INLAY_NF4, two, 0, 0.1);  /* nearest: 0.0796, code 8 */
    inlay_store_f64(INLAY_NF4, two, 1, -2.0); /* code 0 */
    assert_int_equal(two[0], 0x08);
    for (unsigned code = 0; code < 16; code++)
        assert_int_equal(code_of(INLAY_NF4, value_of(INLAY_NF4, code)), code);
    assert_true(value_of(INLAY_NF4, 0) == -1 && value_of(INLAY_NF4, 7) == 0);
    assert_true(value_of(INLAY_NF4, 15) == 1);
    inlay_store_i64(INLAY_I4, two, 0, -3);
    inlay_store_i64(INLAY_I4, two, 1, 7);
    assert_int_equal(two[0], 0x7d);
    assert_int_equal(inlay_load_i64(INLAY_I4, two, 0), -3);
    assert_int_equal(inlay_load_i64(INLAY_U4, two, 0), 13);
    inlay_store_f64(INLAY_I4, two, 0, 100);
    inlay_store_f64(INLAY_I4, two, 1, -100);
    assert_int_equal(two[0], 0x87);
    inlay_store_i64(INLAY_U4, two, 0, 18); /* wraps */
    assert_int_equal(two[0], 0x82);
}

static void u1_has_the_first_element_in_the_high_bit(void **state)
{
    uint8_t bits[2] = {0x80, 0x01};

    assert_int_equal(inlay_load_i64(INLAY_U1, bits, 0), 1);
    assert_int_equal(inlay_load_i64(INLAY_U1, bits, 1), 0);
    assert_int_equal(inlay_load_i64(INLAY_U1, bits, 15), 1);
    inlay_store_i64(INLAY_U1, bits, 9, 1);
    inlay_store_i64(INLAY_U1, bits, 0, 0);
    assert_int_equal(bits[0], 0x00);
    assert_int_equal(bits[1], 0x41);
}

static void rounded_once_from_64_bits(void **state)
{
    /* 1 + 2^-11 + 2^-40: through float it would become the tie 1 + 2^-11, and then 1. */
    double x = 1 + 0x1p-11 + 0x1p-40;
    uint16_t code;
    float f;

    assert_int_equal(code_of(INLAY_F16, x), 0x3c01);
    /* 2^60 + 2^52 + 1 is above the middle of two bf16; as a double it would be the middle. */
    inlay_store_i64(INLAY_BF16, &code, 0, (INT64_C(1) << 60) + (INT64_C(1) << 52) + 1);
    assert_int_equal(code, ((127 + 60) << 7) + 1);
    inlay_store_i64(INLAY_BF16, &code, 0, -((INT64_C(1) << 60) + (INT64_C(1) << 52)));
    assert_int_equal(code, 0x8000 | (127 + 60) << 7);
    inlay_store_i64(INLAY_F32, &f, 0, (INT64_C(1) << 60) + (INT64_C(1) << 36) + 1);
    assert_true(f == 0x1.000002p60f);
    assert_true(inlay_load_f32(INLAY_I64, &(int64_t){(INT64_C(1) << 60) + (INT64_C(1) << 36) + 1},
                               0) == 0x1.000002p60f);
}

static void integers_truncate_saturate_and_wrap(void **state)
{
    static const struct {
        inlay_type type;
        double x;
        int64_t stored;
    } rows[] = {
        {INLAY_I8, 127.9, 127},       {INLAY_I8, 128, 127},
        {INLAY_I8, -128.9, -128},     {INLAY_I8, -1e30, -128},
        {INLAY_I8, -1.9, -1},         {INLAY_U8, -0.9, 0},
        {INLAY_U8, 255.9, 255},       {INLAY_U8, 256, 255},
        {INLAY_I16, 40000, 32767},    {INLAY_U16, 65536, 65535},
        {INLAY_I32, 3e9, 2147483647}, {INLAY_U32, 3e9, 3000000000},
        {INLAY_I64, 1e19, INT64_MAX}, {INLAY_I64, -1e19, INT64_MIN},
        {INLAY_I64, NAN, 0},          {INLAY_U64, 1e20, -1 /* 2^64 - 1, wrapped */},
        {INLAY_U64, NAN, 0},          {INLAY_U1, 7, 1},
        {INLAY_BOOLEAN, 0.5, 1},      {INLAY_BOOLEAN, 0, 0},
        {INLAY_BOOLEAN, NAN, 1},
    };
    unsigned char raw[8];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        inlay_store_f64(rows[i].type, raw, 0, rows[i].x);
        assert_int_equal(inlay_load_i64(rows[i].type, raw, 0), rows[i].stored);
    }
    inlay_store_i64(INLAY_I8, raw, 0, 300);
    assert_int_equal(inlay_load_i64(INLAY_I8, raw, 0), 44);
    inlay_store_i64(INLAY_U64, raw, 0, -1);
    assert_true(inlay_load_f64(INLAY_U64, raw, 0) == 0x1p64);
    inlay_store_i64(INLAY_BOOLEAN, raw, 0, 256);
    assert_int_equal(raw[0], 1);
    raw[0] = 3; /* in a file, any byte that is not zero is true */
    assert_int_equal(inlay_load_i64(INLAY_BOOLEAN, raw, 0), 1);
    inlay_store_f64(INLAY_F64, raw, 0, -1e300);
    assert_true(inlay_load_i64(INLAY_F64, raw, 0) == INT64_MIN);
}

static void any_alignment_and_complex(void **state)
{
    unsigned char raw[40] = {0};

    for (int at = 0; at < 8; at++) {
        inlay_store_f64(INLAY_F64, raw + at, 1, 1.25);
        assert_true(inlay_load_f64(INLAY_F64, raw + at, 1) == 1.25);
        inlay_store_i64(INLAY_I32, raw + at, 1, -7);
        assert_true(inlay_load_i64(INLAY_I32, raw + at, 1) == -7);
    }
    memset(raw, 0xff, sizeof(raw));
    inlay_store_f64(INLAY_C64, raw, 1, 2.5);
    assert_true(inlay_load_f64(INLAY_C64, raw, 1) == 2.5);
    assert_true(inlay_load_f64(INLAY_F32, raw, 3) == 0);
    inlay_store_i64(INLAY_C128, raw, 1, -2);
    assert_true(inlay_load_i64(INLAY_C128, raw, 1) == -2);
}

static void elements_copy_at_any_bit(void **state)
{
    uint8_t from[4] = {0x21, 0x43, 0x65, 0x87}, to[4] = {0};

    inlay_copy_elements(INLAY_U4, to, 1, from, 0, 5); /* 1 2 3 4 5, from the high nibble on */
    assert_memory_equal(to, ((uint8_t[]){0x10, 0x32, 0x54, 0x00}), 4);
    inlay_copy_elements(INLAY_U4, to, 0, from, 2, 5); /* whole bytes and one nibble more */
    assert_memory_equal(to, ((uint8_t[]){0x43, 0x65, 0x57, 0x00}), 4);
    memset(to, 0, sizeof(to));
    inlay_copy_elements(INLAY_U1, to, 3, from, 8, 8); /* 0x43 shifted right by 3 */
    assert_memory_equal(to, ((uint8_t[]){0x08, 0x60, 0x00, 0x00}), 4);
    inlay_copy_elements(INLAY_U16, to, 1, from, 0, 1);
    assert_memory_equal(to, ((uint8_t[]){0x08, 0x60, 0x21, 0x43}), 4);
}

static void types_are_found_by_name(void **state)
{
    inlay_type type;

    for (int i = 0; i < INLAY_N_TYPES; i++) {
        const inlay_type_info *info = inlay_type_info_of((inlay_type)i);
        assert_true(inlay_type_by_name(info->name, &type) && type == (inlay_type)i);
        if (info->xml != NULL) {
            assert_true(inlay_type_by_xml(info->xml, &type) && type == (inlay_type)i);
            assert_true(inlay_type_by_xml(info->name, &type) && type == (inlay_type)i);
        }
    }
    assert_true(inlay_type_by_xml("bin", &type) && type == INLAY_U1);
    assert_true(inlay_type_by_xml("undefined", &type) && type == INLAY_DYNAMIC);
    assert_false(inlay_type_by_xml("fp32", &type));
    assert_false(inlay_type_by_xml("Fp32", &type));
    assert_false(inlay_type_by_name("F32", &type));
    assert_false(inlay_type_by_xml("c64", &type));
    assert_ptr_equal(inlay_type_info_of((inlay_type)99), inlay_type_info_of(INLAY_DYNAMIC));
}

/* Tries all codes, and floats beside them: the nearest ones, halves, and any. */
static void rows_are_as_single_elements(void **state)
{
    enum { N = 1 << 16, STEP = 3 };
    static const inlay_type types[] = {INLAY_F16, INLAY_BF16, INLAY_F8E5M2};
    static uint16_t codes[N * STEP], row[N * STEP];
    static float x[N], one;

    for (size_t k = 0; k < 3; k++) {
        for (int i = 0; i < N; i++)
            codes[i] = (uint16_t)i;
        inlay_load_f32_row(types[k], codes, 0, 1, N, x);
        for (int i = 0; i < N; i++) {
            one = inlay_load_f32(types[k], codes, i);
            if (isnan(one) && types[k] != INLAY_F8E5M2) { /* what it says is kept */
                uint32_t low = types[k] == INLAY_F16 ? (i & 0x3ffu) << 13 : (i & 0x7fu) << 16;
                uint32_t bits = (i & 0x8000u) << 16 | 0x7f800000u | low;

                memcpy(&one, &bits, 4);
            }
            assert_true(memcmp(&one, &x[i], 4) == 0 || (isnan(one) && types[k] == INLAY_F8E5M2));
        }
        for (int i = 0, n = 1; i + n < N; i += n, n = n % 50 + 1) { /* most without a NaN */
            float some[50];

            inlay_load_f32_row(types[k], codes, i, 1, n, some);
            assert_true(memcmp(some, &x[i], (size_t)n * 4) == 0 || types[k] == INLAY_F8E5M2);
        }
        for (uint32_t beside = 0; beside < 40; beside++) {
            for (uint32_t i = 0; i < N; i++) { /* the upper bits of a float are i */
                uint32_t bits = i << 16 | (beside < 32 ? (1u << beside % 16) - (beside & 1)
                                                       : i * 2654435761u * beside >> 16);

                memcpy(&x[i], &bits, 4);
            }
            for (int step = 1; step <= STEP; step += STEP - 1) {
                memset(codes, 0, sizeof codes);
                memset(row, 0, sizeof row);
                inlay_store_f32_row(types[k], row, 1, step, N - 3, x);
                for (int i = 0, n = 1; step == 1 && i + n < N - 3; i += n, n = n % 50 + 1)
                    inlay_store_f32_row(types[k], row, 1 + i, 1, n, x + i);
                for (int i = 0; i < N - 3; i++)
                    inlay_store_f32(types[k], codes, 1 + i * step, x[i]);
                assert_memory_equal(row, codes, sizeof row);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_finite_code_has_its_value_and_comes_back),
        cmocka_unit_test(between_two_codes_the_nearest_and_ties_to_even),
        cmocka_unit_test(halves_keep_every_nan),
        cmocka_unit_test(rows_are_as_single_elements),
        cmocka_unit_test(too_large_numbers_overflow),
        cmocka_unit_test(f8_tables_of_the_specification),
        cmocka_unit_test(fnuz_tables_of_the_specification),
        cmocka_unit_test(two_bit_types),
        cmocka_unit_test(f8e8m0_holds_powers_of_two),
        cmocka_unit_test(four_bit_types),
        cmocka_unit_test(u1_has_the_first_element_in_the_high_bit),
        cmocka_unit_test(rounded_once_from_64_bits),
        cmocka_unit_test(integers_truncate_saturate_and_wrap),
        cmocka_unit_test(any_alignment_and_complex),
        cmocka_unit_test(elements_copy_at_any_bit),
        cmocka_unit_test(types_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
