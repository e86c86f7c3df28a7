/* The loop of stages.c over vectors of floats. It is included once for each set of instructions,
 * with FORM_... of vectors, READ_ALL and WRITE_ALL. */

/* Returns the floats of operand y of I from number AT of the row on, in WIDE if they are halves;
 * NULL: it is one number. */
static inline STAGES_TARGET __attribute__((always_inline)) const float *
NAME(others)(const row_stage *i, int64_t at, float *wide)
{
    if (!i->y || !call_is_half(i->half))
        return i->y ? (const float *)(const void *)i->y + at : NULL;
    return WIDEN_ROW(i->half, i->y + 2 * at, wide);
}

/* Computes N times STAGES_WIDTH numbers that follow each other, the first of them being number AT
 * of the row: reads READ, computes COUNT operations, and writes WRITTEN. For all that compilers know
 * TO may be S, so what quantizes is copied. */
static inline STAGES_TARGET __attribute__((always_inline)) void
NAME(compute_all)(char *to, const char *from, int64_t at, int64_t n, const struct row *s,
                  inlay_type read, inlay_type written, int count)
{
    const struct quantized quantized = s->quantized, *const q = &quantized;
    const ptrdiff_t in = STAGES_WIDTH * s->from_size, out = STAGES_WIDTH * s->to_size;
    const floats zero = {0};
    floats VECTORS;
    float wide[STAGES_WIDTH];

    for (; n > 0; n--, to += out, from += in, at += STAGES_WIDTH) {
        READ_ALL(s, from, read);
        for (const row_stage *i = s->list; i < s->list + count; i++) {
            const float *y_at = NAME(others)(i, at, wide);
            const floats p = i->p - zero, r = i->q - zero;

            switch (i->op) {
            case ROW_ADD:
                EACH_PAIR(FORM_ADD(x, y));
            case ROW_SUBTRACT:
                EACH_PAIR(FORM_SUBTRACT(x, y));
            case ROW_MULTIPLY:
                EACH_PAIR(FORM_MULTIPLY(x, y));
            case ROW_DIVIDE:
                EACH_PAIR(FORM_DIVIDE(x, y));
            case ROW_MAXIMUM:
                EACH_PAIR(STAGE_MAXIMUM(x, y));
            case ROW_MINIMUM:
                EACH_PAIR(STAGE_MINIMUM(x, y));
            case ROW_RELU:
                EACH_NUMBER(STAGE_RELU(x));
            case ROW_ABS:
                EACH_NUMBER((floats)((bits)x & INT32_MAX));
            case ROW_CLAMP:
                EACH_NUMBER(STAGE_CLAMP(x, y, r));
            case ROW_ROUND:
                EACH_NUMBER(STAGE_ROUND(x));
            case ROW_HSWISH:
                EACH_NUMBER(x * STAGE_CLAMP(x + 3, zero, zero + 6) / 6);
            case ROW_HSIGMOID:
                EACH_NUMBER(STAGE_CLAMP(x + 3, zero, zero + 6) / 6);
            case ROW_HARD_SIGMOID:
                EACH_NUMBER(STAGE_CLAMP(y * x + r, zero, zero + 1));
            case ROW_ADD_MULTIPLY:
                EACH_NUMBER((x + y) * r);
            case ROW_MULTIPLY_ADD:
                EACH_NUMBER(x * y + r);
            case ROW_THROUGH:
                EACH_NUMBER(STAGE_THROUGH(x));
            case ROW_CODES:
                if (s->codes[(int)i->p].divides) {
                    EACH_NUMBER(STAGE_QUOTIENT_CODES(x, &s->codes[(int)i->p]));
                }
                EACH_NUMBER(STAGE_PRODUCT_CODES(x, &s->codes[(int)i->p]));
            case ROW_OTHER:
            case ROW_READS:
            case ROW_WRITES:
            case ROW_SIGMOID:
                break;
            }
            if (s->halves && i + 1 < s->list + count) { /* what is written is rounded anyway */
                ROUND_ALL(i->half);
            }
        }
        WRITE_ALL(s, to, written);
    }
}

/* Floats that are only quantized to bytes have a loop of their own, without questions in it. */
static STAGES_TARGET void NAME(compute)(char *to, const char *from, int64_t at, int64_t n,
                                        const struct row *s)
{
    bool only = s->quantizes && s->n == 0 && s->from == INLAY_F32;

    if (only && s->to == INLAY_U8)
        NAME(compute_all)(to, from, at, n, s, INLAY_F32, INLAY_U8, 0);
    else if (only && s->to == INLAY_I8)
        NAME(compute_all)(to, from, at, n, s, INLAY_F32, INLAY_I8, 0);
    else
        NAME(compute_all)(to, from, at, n, s, s->from, s->to, s->n);
}

#undef LANES
#undef floats
#undef bits
#undef VECTORS
#undef ALL_VECTORS
#undef ALL_TIMES
#undef NAME
#undef STAGES_TARGET
#undef READ_ALL
#undef WRITE_ALL
#undef STAGE_MAXIMUM
#undef STAGE_MINIMUM
#undef STAGE_RELU
#undef STAGE_CLAMP
#undef STAGE_ROUND
#undef STAGE_THROUGH
#undef STAGE_QUOTIENT_CODES
#undef STAGE_PRODUCT_CODES
#undef STAGE_STAYS
#undef ROUND_ALL
#undef WIDEN_ROW
