/* The pairs of element types that have a conversion function for rows. */
#ifndef INLAY_TENSOR_CASTS_H
#define INLAY_TENSOR_CASTS_H

/* CAST(from, FROM, to, TO): the types as in names of functions, and as in inlay_type. The kernels
 * define these functions (interp/kernels/cast.c); others ask whether a pair has one. */
#define INLAY_CASTS(CAST)                                                                          \
    CAST(f32, F32, f64, F64)                                                                       \
    CAST(f64, F64, f32, F32)                                                                       \
    CAST(f32, F32, i32, I32)                                                                       \
    CAST(f64, F64, i32, I32)                                                                       \
    CAST(f32, F32, i8, I8)                                                                         \
    CAST(f32, F32, u8, U8)                                                                         \
    CAST(i64, I64, f32, F32)                                                                       \
    CAST(i64, I64, f64, F64)                                                                       \
    CAST(i32, I32, f32, F32)                                                                       \
    CAST(i32, I32, f64, F64)                                                                       \
    CAST(i8, I8, f32, F32)                                                                         \
    CAST(u8, U8, f32, F32)                                                                         \
    CAST(boolean, BOOLEAN, f32, F32)                                                               \
    CAST(i32, I32, i64, I64)                                                                       \
    CAST(f16, F16, f32, F32)                                                                       \
    CAST(f32, F32, f16, F16)                                                                       \
    CAST(bf16, BF16, f32, F32)                                                                     \
    CAST(f32, F32, bf16, BF16)

#endif
