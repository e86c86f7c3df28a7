/* The sets of element types that rows name (INLAY_ROW_TYPES in row.h). Private to ir/ops/. */
#ifndef INLAY_OPS_TYPES_H
#define INLAY_OPS_TYPES_H

#include "ir/op.h"

#define SET_f64 (1u << INLAY_F64)
#define SET_f32 (1u << INLAY_F32)
#define SET_f16 (1u << INLAY_F16)
#define SET_bf16 (1u << INLAY_BF16)
#define SET_f8e4m3 (1u << INLAY_F8E4M3)
#define SET_f8e5m2 (1u << INLAY_F8E5M2)
#define SET_f8e4m3fnuz (1u << INLAY_F8E4M3FNUZ)
#define SET_f8e5m2fnuz (1u << INLAY_F8E5M2FNUZ)
#define SET_f8e8m0 (1u << INLAY_F8E8M0)
#define SET_f4e2m1 (1u << INLAY_F4E2M1)
#define SET_nf4 (1u << INLAY_NF4)
#define SET_i64 (1u << INLAY_I64)
#define SET_i32 (1u << INLAY_I32)
#define SET_i16 (1u << INLAY_I16)
#define SET_i8 (1u << INLAY_I8)
#define SET_i4 (1u << INLAY_I4)
#define SET_i2 (1u << INLAY_I2)
#define SET_u64 (1u << INLAY_U64)
#define SET_u32 (1u << INLAY_U32)
#define SET_u16 (1u << INLAY_U16)
#define SET_u8 (1u << INLAY_U8)
#define SET_u4 (1u << INLAY_U4)
#define SET_u2 (1u << INLAY_U2)
#define SET_u1 (1u << INLAY_U1)
#define SET_boolean (1u << INLAY_BOOLEAN)
#define SET_string (1u << INLAY_STRING)
#define SET_item (1u << INLAY_ITEM)
#define SET_complex (1u << INLAY_C64 | 1u << INLAY_C128)
#define SET_signed (SET_i64 | SET_i32 | SET_i16 | SET_i8 | SET_i4 | SET_i2)
#define SET_unsigned (SET_u64 | SET_u32 | SET_u16 | SET_u8 | SET_u4 | SET_u2 | SET_u1)
#define SET_int (SET_signed | SET_unsigned)
#define SET_float                                                                                  \
    (SET_f64 | SET_f32 | SET_f16 | SET_bf16 | SET_f8e4m3 | SET_f8e5m2 | SET_f8e4m3fnuz |           \
     SET_f8e5m2fnuz | SET_f8e8m0 | SET_f4e2m1 | SET_nf4)
#define SET_num (SET_int | SET_float)
#define SET_numb (SET_num | SET_boolean)
#define SET_any (SET_numb | SET_string | SET_complex)

#endif
