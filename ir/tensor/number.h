/* Conversions between element types and C numbers, and one element as text. For the folders of this
 * project, not installed.
 *
 * All loads and stores work at any alignment; INDEX counts elements, also of packed types (u1: high
 * bit first; types of 2 and 4 bits: lowest bits first, as OpenVINO packs 4 bits and ONNX both).
 * Arguments are not checked. */
#ifndef INLAY_IR_TENSOR_NUMBER_H
#define INLAY_IR_TENSOR_NUMBER_H

#include "ir/tensor.h"

double inlay_load_f64(inlay_type type, const void *base, int64_t index);
/* Integers are exact (u64 above INT64_MAX wraps), floats are truncated toward zero and saturate. */
int64_t inlay_load_i64(inlay_type type, const void *base, int64_t index);
/* Floats round once to nearest even; integers truncate toward zero and saturate; NaN gives 0. */
void inlay_store_f64(inlay_type type, void *base, int64_t index, double x);
/* Integers wrap; floats round once. */
void inlay_store_i64(inlay_type type, void *base, int64_t index, int64_t x);
/* Single-precision forms for the types that compute in f32 (f32, f16, bf16, f8, 4-bit floats). */
float inlay_load_f32(inlay_type type, const void *base, int64_t index);
void inlay_store_f32(inlay_type type, void *base, int64_t index, float x);
/* The same for N elements from INDEX on, STEP apart, which is much faster for narrow floats. */
void inlay_load_f32_row(inlay_type type, const void *base, int64_t index, int64_t step, int64_t n,
                        float *x);
void inlay_store_f32_row(inlay_type type, void *base, int64_t index, int64_t step, int64_t n,
                         const float *x);
/* The bits of N consecutive elements of at most 8 bits, each in a byte of its own. */
void inlay_load_codes(inlay_type type, const void *base, int64_t index, int64_t n, uint8_t *codes);
void inlay_store_codes(inlay_type type, void *base, int64_t index, int64_t n, const uint8_t *codes);
/* Copies one element of TYPE, packed types included. */
void inlay_copy_element(inlay_type type, void *dst, int64_t dst_index, const void *src,
                        int64_t src_index);
/* Copies COUNT consecutive elements; the ranges may overlap if elements are whole bytes. */
void inlay_copy_elements(inlay_type type, void *dst, int64_t dst_index, const void *src,
                         int64_t src_index, int64_t count);

/* element.c: writes one element as text that reads back to the same bits. BUF needs 40 bytes.
 * Decimal numbers, "true", "inf", "nan", or the bits: "0x7fc00001". "?" for a string, or a type
 * that elements cannot have. */
char *inlay_element_text(inlay_type type, const void *base, int64_t index, char *buf, size_t size);
/* A number as plain text: "-3", "0.1", "1000000.0", "1e-07"; the shortest digits that read back to
 * the same number, floats with a point, and an exponent below 1e-4 and from 1e16 on; "NaN", "INF",
 * "-INF"; "0" or "1" for boolean. */
enum { ELEMENT_PLAIN = 48 };
void inlay_element_plain(inlay_type type, const void *base, int64_t index, char *buf, size_t size);
/* Reads the SIZE bytes of TEXT, a decimal number or INF, +INF, -INF, NaN in any letter case: as a
 * double, and as an integer, which is exact if TEXT has neither point nor exponent. False: TEXT is
 * no number. */
bool inlay_number_of_text(const char *text, size_t size, double *x, int64_t *integer);
/* Stores the element that TEXT denotes. False, and no change: TEXT is no element of TYPE. */
bool inlay_element_parse(inlay_type type, const char *text, void *base, int64_t index);

#endif
