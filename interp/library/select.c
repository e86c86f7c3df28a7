/* A selection. Elements become keys, unsigned numbers in the order of the elements, where all NaN are
 * one key, below the numbers, and so are both zeros. A line goes through a list with room for some
 * more than k keys; when it is full, the k greatest are kept, and only greater ones are added from
 * then on. What is left is sorted. Where k is 1 lines are compared with each other, or few long
 * ones with themselves in lanes. */
#include "interp/library/select.h"
#include "interp/kernels/clones.h"

#include <string.h>

enum {
    BLOCK = SELECTION_BESIDE, /* keys that are looked at together */
    GROUP = 32,               /* of which none may count */
    FEW = 24,                 /* that are kept sorted */
    RUN = 8,                  /* entries that are sorted by insertion */
    ROUNDS = 64,              /* of a quickselect */
    MORE = 2 * BLOCK          /* a list has room for 2 * k entries, and as many more */
};

/* Keys */

/* The bits X of a float become a key: SIGN is that bit, and above INFINITE are NaN. */
#define FLOAT_KEY(K, x, sign, infinite)                                                            \
    (((x) & ~(sign)) > (infinite) ? 0                                                              \
     : ((x) & ~(sign)) == 0       ? (sign)                                                         \
     : ((x) & (sign)) != 0        ? (K) ~(x) & ((sign) | ((sign)-1))                               \
                                  : (K)((x) | (sign)))

#define DEFINE_KEYS(name, T, K, form)                                                              \
    typedef T element_##name __attribute__((aligned(1), may_alias));                               \
    static INLAY_CLONES void keys_##name(const selection *s, int64_t at, int64_t step, int64_t n,  \
                                         void *keys)                                               \
    {                                                                                              \
        const element_##name *from = (const element_##name *)s->data + at;                         \
        const K flip = s->greatest ? 0 : (K) ~(K)0;                                                \
        K *to = keys;                                                                              \
                                                                                                   \
        for (int64_t i = 0; step == 1 && i < n; i++) {                                             \
            K x = (K)from[i];                                                                      \
                                                                                                   \
            to[i] = (form) ^ flip;                                                                 \
        }                                                                                          \
        for (int64_t i = 0; step != 1 && i < n; i++) {                                             \
            K x = (K)from[i * step];                                                               \
                                                                                                   \
            to[i] = (form) ^ flip;                                                                 \
        }                                                                                          \
    }

#define SIGN_32 (UINT32_C(1) << 31)
#define SIGN_64 (UINT64_C(1) << 63)

DEFINE_KEYS(f32, uint32_t, uint32_t, FLOAT_KEY(uint32_t, x, SIGN_32, UINT32_C(0x7f800000)))
DEFINE_KEYS(f16, uint16_t, uint32_t, FLOAT_KEY(uint32_t, x, UINT32_C(0x8000), UINT32_C(0x7c00)))
DEFINE_KEYS(bf16, uint16_t, uint32_t, FLOAT_KEY(uint32_t, x, UINT32_C(0x8000), UINT32_C(0x7f80)))
DEFINE_KEYS(f64, uint64_t, uint64_t, FLOAT_KEY(uint64_t, x, SIGN_64, UINT64_C(0x7ff) << 52))
DEFINE_KEYS(i64, int64_t, uint64_t, x ^ SIGN_64)
DEFINE_KEYS(u64, uint64_t, uint64_t, x)
DEFINE_KEYS(i32, int32_t, uint32_t, x ^ SIGN_32)
DEFINE_KEYS(u32, uint32_t, uint32_t, x)
DEFINE_KEYS(i16, int16_t, uint32_t, x ^ SIGN_32)
DEFINE_KEYS(u16, uint16_t, uint32_t, x)
DEFINE_KEYS(i8, int8_t, uint32_t, x ^ SIGN_32)
DEFINE_KEYS(u8, uint8_t, uint32_t, x)

static selection_load *keys_of(inlay_type type)
{
    static selection_load *const of[INLAY_N_TYPES] = {
        [INLAY_F32] = keys_f32, [INLAY_F16] = keys_f16, [INLAY_BF16] = keys_bf16,
        [INLAY_F64] = keys_f64, [INLAY_I64] = keys_i64, [INLAY_U64] = keys_u64,
        [INLAY_I32] = keys_i32, [INLAY_U32] = keys_u32, [INLAY_I16] = keys_i16,
        [INLAY_U16] = keys_u16, [INLAY_I8] = keys_i8,   [INLAY_U8] = keys_u8};

    return of[type];
}

#define K uint32_t
#define E uint64_t
#define BITS 32
#define NAME(name) name##_32
#include "interp/library/select_loop.h"
#undef K
#undef E
#undef BITS
#undef NAME

__extension__ typedef unsigned __int128 pair;

#define K uint64_t
#define E pair
#define BITS 64
#define NAME(name) name##_64
#include "interp/library/select_loop.h"
#undef K
#undef E
#undef BITS
#undef NAME

static bool is_wide(const selection *s)
{
    return inlay_type_info_of(s->type)->bits == 64;
}

bool selection_takes(inlay_type type, int64_t length)
{
    return keys_of(type) && length < UINT32_MAX;
}

int64_t selection_begin(selection *s)
{
    int64_t size = is_wide(s) ? sizeof(pair) : sizeof(uint64_t);

    s->load = keys_of(s->type);
    s->room = (2 * s->k + MORE < s->length ? 2 * s->k + MORE : s->length) + BLOCK;
    return 2 * s->room * size;
}

void selection_bound(selection *s, double least)
{
    unsigned char element[sizeof least];
    selection one = *s;
    uint32_t narrow;

    one.data = element;
    inlay_store_f64(s->type, element, 0, least);
    if (is_wide(s)) {
        s->load(&one, 0, 1, 1, &s->bound);
    } else {
        s->load(&one, 0, 1, 1, &narrow);
        s->bound = narrow;
    }
    s->bounded = s->bound > 0;
    s->bound -= s->bounded;
}

int64_t selection_of(const selection *s, int64_t start, void *room)
{
    return is_wide(s) ? select_64(s, start, room) : select_32(s, start, room);
}

void selection_best(const selection *s, int64_t start, int64_t n, int64_t *places)
{
    if (is_wide(s))
        best_beside_64(s, start, n, places);
    else
        best_beside_32(s, start, n, places);
}

bool selection_goes_along(const selection *s)
{
    return s->step <= SELECTION_BESIDE && s->length <= UINT32_MAX / SELECTION_BESIDE;
}

void selection_along(const selection *s, int64_t start, int64_t *places)
{
    if (is_wide(s))
        best_along_64(s, start, places);
    else
        best_along_32(s, start, places);
}
