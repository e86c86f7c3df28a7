/* RandomUniform-8, by the generator Philox 4x32-10 (Salmon and others, "Parallel Random Numbers: As
 * Easy as 1, 2, 3"): a function of the seeds and of the place, four numbers at a time. So a run can
 * be repeated. The document makes an exception of two seeds of 0, which may give anything; here
 * they are seeds like others. */
#include "interp/call/kernel.h"

#include <string.h>

typedef struct philox {
    uint64_t key, counter;
    uint64_t n;    /* which four numbers come next */
    uint32_t x[4]; /* those that were made last */
    int used;      /* how many of them were taken */
} philox;

static void make_four(philox *p)
{
    uint32_t c[4] = {(uint32_t)p->n, (uint32_t)(p->n >> 32), (uint32_t)p->counter,
                     (uint32_t)(p->counter >> 32)};
    uint32_t key[2] = {(uint32_t)p->key, (uint32_t)(p->key >> 32)};

    for (int round = 0; round < 10; round++) {
        uint64_t a = UINT64_C(0xD2511F53) * c[0], b = UINT64_C(0xCD9E8D57) * c[2];

        c[0] = (uint32_t)(b >> 32) ^ c[1] ^ key[0];
        c[1] = (uint32_t)b;
        c[2] = (uint32_t)(a >> 32) ^ c[3] ^ key[1];
        c[3] = (uint32_t)a;
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    memcpy(p->x, c, sizeof c);
    p->n++;
    p->used = 0;
}

static uint32_t next(philox *p)
{
    if (p->used == 4)
        make_four(p);
    return p->x[p->used++];
}

/* Returns a number in [0, 1): the lowest bits of X are the fraction of a number in [1, 2). */
static double unit_float(inlay_type type, philox *p)
{
    uint32_t x = next(p);

    switch (type) {
    case INLAY_F16:
        return (double)(x & 0x3ff) * 0x1p-10;
    case INLAY_BF16:
        return (double)(x & 0x7f) * 0x1p-7;
    case INLAY_F32:
        return (double)(x & 0x7fffff) * 0x1p-23;
    default:
        return ((double)(x & 0xfffff) * 0x1p32 + (double)next(p)) * 0x1p-52;
    }
}

/* Fills the result with X (MAX - MIN) + MIN, each step of which is rounded to the type. */
static bool fill_floats(inlay_call *c, philox *p)
{
    inlay_tensor *y = c->out[0];
    double min = inlay_tensor_get_f64(c->in[1], 0), max = inlay_tensor_get_f64(c->in[2], 0), x;
    bool single = y->type != INLAY_F64;

    for (int64_t i = 0; i < inlay_tensor_count(y); i++) {
        x = unit_float(y->type, p);
        if (single)
            x = (double)((float)x * ((float)max - (float)min) + (float)min);
        else
            x = x * (max - min) + min;
        inlay_tensor_set_f64(y, i, x);
    }
    return true;
}

/* Two numbers of the generator make one of 64 bits. Bounds with nothing between them give the lower
 * one. */
static bool fill_integers(inlay_call *c, philox *p)
{
    inlay_tensor *y = c->out[0];
    int64_t min = inlay_tensor_get_i64(c->in[1], 0), max = inlay_tensor_get_i64(c->in[2], 0);
    uint64_t range = max > min ? (uint64_t)max - (uint64_t)min : 1;

    for (int64_t i = 0; i < inlay_tensor_count(y); i++) {
        uint64_t x = next(p);

        if (y->type == INLAY_I64)
            x |= (uint64_t)next(p) << 32;
        inlay_tensor_set_i64(y, i, (int64_t)(x % range + (uint64_t)min));
    }
    return true;
}

bool eval_random_uniform(inlay_call *c)
{
    philox p = {.key = (uint64_t)inlay_node_int(c->node, "global_seed"),
                .counter = (uint64_t)inlay_node_int(c->node, "op_seed"),
                .used = 4};

    if (strcmp(inlay_node_string(c->node, "alignment"), "TENSORFLOW") != 0)
        return inlay_call_fail(c, "alignment is PYTORCH, whose generator is not here");
    return inlay_type_is_int(c->out[0]->type) ? fill_integers(c, &p) : fill_floats(c, &p);
}
