/* What is done to sums of one filter, for one type of vectors: near_loop.h and flat_loop.h include
 * it. */
#define PICK(condition, a, b)                                                                      \
    ((NAME(vector))(((condition) & (NAME(lanes))(a)) | (~(condition) & (NAME(lanes))(b))))

/* Returns X after E; NULL: nothing is done. */
INLINE NAME(vector) NAME(end)(const tile_end *e, NAME(vector) x)
{
    if (!e)
        return x;
    if (e->half)
        x = (NAME(vector))NAME(rounded)(x, e->half);
    if (e->add)
        x = FORM_ADD(x, FUSED_ALL(NAME(vector), *e->add));
    if (e->add && e->half)
        x = (NAME(vector))NAME(rounded)(x, e->half);
    if (e->relu)
        x = FORM_RELU(x, FUSED_ALL(NAME(vector), 0));
    if (e->clamps && e->low > e->high)
        x = FORM_CLAMP(x, FUSED_ALL(NAME(vector), e->low), FUSED_ALL(NAME(vector), e->high));
    else if (e->clamps)
        x = (NAME(vector))NAME(between)(x, FUSED_ALL(NAME(vector), e->low),
                                        FUSED_ALL(NAME(vector), e->high));
    return x;
}
#undef PICK
