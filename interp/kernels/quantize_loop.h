/* Quantization for one element type T: quantize.c includes it once for each type. */

/* LIMIT: input_low, input_high, output_low, output_high of one element. */
static T NAME(fake_quantized)(T x, const T *limit, T steps)
{
    T low = limit[0] < limit[1] ? limit[0] : limit[1];
    T high = limit[0] < limit[1] ? limit[1] : limit[0];

    if (x <= low)
        return limit[2];
    if (x > high)
        return limit[3];
    return F(rint)((x - limit[0]) / (limit[1] - limit[0]) * steps) / steps * (limit[3] - limit[2]) +
           limit[2];
}

static void NAME(fake_quantize)(const fake *q, const T *const *in, T *y)
{
    for (index_iter it = index_begin(q->rank, q->dims); index_valid(&it); index_next(&it)) {
        T limit[4];

        for (int i = 0; i < 4; i++)
            limit[i] = in[1 + i][index_dot(q->rank, it.at, q->strides[i])];
        y[it.linear] = NAME(fake_quantized)(in[0][it.linear], limit, (T)q->steps);
    }
}
