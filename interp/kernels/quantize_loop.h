/* Quantization for one element type T: quantize.c includes it once for each type. */

/* LIMIT: input_low, input_high, output_low, output_high of one element. */
static inline T NAME(fake_quantized)(T x, const T *limit, T steps)
{
    T low = limit[0] < limit[1] ? limit[0] : limit[1];
    T high = limit[0] < limit[1] ? limit[1] : limit[0];
    T level =
        F(rint)((x - limit[0]) / (limit[1] - limit[0]) * steps) / steps * (limit[3] - limit[2]) +
        limit[2];

    level = x > high ? limit[3] : level;
    return x <= low ? limit[2] : level;
}

/* The same of N elements that have the same limits. */
static INLAY_CLONES void NAME(fake_quantized_row)(T *restrict y, const T *restrict x, int64_t n,
                                                  const T *limits, T steps)
{
    const T limit[4] = {limits[0], limits[1], limits[2], limits[3]};

    for (int64_t i = 0; i < n; i++)
        y[i] = NAME(fake_quantized)(x[i], limit, steps);
}

typedef struct NAME(fake) {
    const fake_runs *runs;
    const T *x, *limits[4];
    T steps; /* between the levels */
    T *y;
} NAME(fake);

static void NAME(fake_quantize)(void *ctx, int64_t from, int64_t to)
{
    const NAME(fake) *f = ctx;

    for (; from < to; from++) {
        fake_part p = part_of_runs(f->runs, from);
        T limit[4];

        for (int k = 0; k < 4; k++)
            limit[k] = f->limits[k][p.others[k]];
        if (f->runs->same)
            NAME(fake_quantized_row)(f->y + p.at, f->x + p.at, p.n, limit, f->steps);
        for (int64_t i = 0; !f->runs->same && i < p.n; i++) {
            for (int k = 0; k < 4; k++)
                limit[k] = f->limits[k][p.others[k] + i * f->runs->step[k]];
            f->y[p.at + i] = NAME(fake_quantized)(f->x[p.at + i], limit, f->steps);
        }
    }
}

static bool NAME(eval_fake_quantize)(inlay_call *c, const fake_runs *runs)
{
    NAME(fake)
    f = {.runs = runs,
         .x = LOAD(c, 0),
         .steps = (T)(inlay_node_int(c->node, "levels") - 1),
         .y = inlay_call_memory(c, inlay_tensor_count(c->in[0]), sizeof(T))};
    bool loaded = f.x && f.y;

    for (int k = 0; k < 4; k++)
        loaded = (f.limits[k] = LOAD(c, 1 + k)) && loaded;
    if (!loaded)
        return false;
    call_split(c, runs->parts, 10.0 * (double)runs->most, NAME(fake_quantize), &f);
    return STORE(c, 0, f.y);
}
