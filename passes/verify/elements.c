/* The elements of random inputs. */
#include "ir/shared.h"
#include "passes/verify/verify.h"

#include <math.h>
#include <string.h>

/* A tensor that is being filled. */
struct filler {
    inlay_tensor *t;
    const inlay_type_info *info;
    const verify_want *want;
    const verify_trial *trial;
    const verify_literals *literals;
    uint64_t input; /* number of the input */
    uint64_t state;
    uint64_t taken; /* numbers used so far, one bit each */
    int64_t left;   /* of an axis that parts must add up to; of the bits that are 1 */
};

enum { N_SPECIALS = 31 };

/* The index in the list of special values at which this input begins: over all trials each input
 * gets all of them. From an odd index on, all inputs have the same value; from an even one, each
 * input goes on to another even one, the second input to the value that the lists call its
 * neighbour. */
static uint64_t special_start(const struct filler *f)
{
    enum { EVEN = (N_SPECIALS + 1) / 2 };
    uint64_t at = f->trial->nth % N_SPECIALS, k = f->input % EVEN;

    return at % 2 ? at : 2 * ((at / 2 * (2 * k + 1) + k) % EVEN);
}

static size_t special_at(const struct filler *f, int64_t i)
{
    return (size_t)((special_start(f) + (uint64_t)i) % N_SPECIALS);
}

/* The first elements are special, and a few of the others, so that ordinary values remain. */
static bool is_special_place(struct filler *f, int64_t i)
{
    return i < N_SPECIALS || inlay_random(&f->state) % 4 == 0;
}

/* Properties of a float type. */
struct format {
    double max, normal, step; /* the largest and the least normal number; the step from 1 to the
                                 next */
};

static struct format format_of(inlay_type type)
{
    switch (type) {
    case INLAY_F64:
        return (struct format){0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-52};
    case INLAY_F32:
        return (struct format){0x1.fffffep127, 0x1p-126, 0x1p-23};
    case INLAY_BF16:
        return (struct format){0x1.fep127, 0x1p-126, 0x1p-7};
    default:
        return (struct format){65504, 0x1p-14, 0x1p-10};
    }
}

/* FACTOR times something, or the last of the odd numbers that the type counts, or what is next
 * below a half, which a sum with a half rounds. Neighbours: 0 and -0, -0 and infinity, the two
 * infinities, 0 and infinity. 65504 is the largest f16, 65520 is rounded to infinity there; 2^-24
 * is the least denormal f16, 2^-25 is rounded to zero; Exp overflows at 100 and is denormal at
 * -100; the others are limits of integer types. */
static const struct special_float {
    enum { ONES, MAXIMA, NORMALS, DENORMALS, LARGEST_DENORMALS, LAST_ODD, BELOW_HALF } of;
    double factor;
} special_floats[] = {
    {ONES, 0},        {ONES, NAN},     {ONES, -0.0},      {ONES, INFINITY},
    {ONES, 0},        {ONES, -0.0},    {ONES, 65504},     {MAXIMA, 1},
    {ONES, INFINITY}, {MAXIMA, -1},    {ONES, NAN},       {DENORMALS, -3},
    {ONES, -1},       {NORMALS, 1},    {ONES, INFINITY},  {LARGEST_DENORMALS, 1},
    {MAXIMA, 1},      {ONES, 65520},   {ONES, 1},         {ONES, 0x1p-24},
    {ONES, 2.5},      {ONES, 0x1p-25}, {ONES, -100},      {ONES, 0x1p31},
    {DENORMALS, 1},   {LAST_ODD, 1},   {ONES, -INFINITY}, {BELOW_HALF, 1},
    {ONES, 16777217}, {ONES, 100},     {ONES, 0x1p63},
};

static double special_float(const struct filler *f, int64_t i)
{
    struct special_float s = special_floats[special_at(f, i)];
    struct format format = format_of(f->info->cls == INLAY_CLASS_FLOAT ? f->t->type : INLAY_F32);
    double denormal = format.normal * format.step;

    return s.factor * (s.of == MAXIMA              ? format.max
                       : s.of == NORMALS           ? format.normal
                       : s.of == DENORMALS         ? denormal
                       : s.of == LARGEST_DENORMALS ? format.normal - denormal
                       : s.of == LAST_ODD          ? 1 / format.step + 1
                       : s.of == BELOW_HALF        ? 0.5 - format.step / 4
                                                   : 1);
}

/* In types of fewer bits these wrap, and are limits there, too; in u64, INT64_MIN and negative
 * numbers are above the signed ones. Neighbours: the least number and -1, the largest and 1. Each
 * fourth one is of those that a float type counts no more, and is taken with its neighbour. */
static const int64_t special_ints[] = {INT64_MIN, 0,
                                       -1,        2049,
                                       -128,      INT64_MAX,
                                       1,         257,
                                       INT64_MAX, INT32_MAX,
                                       1,         16777217,
                                       127,       INT64_MIN + 1,
                                       -1,        INT64_C(9007199254740993),
                                       INT32_MIN, INT64_MAX - 1,
                                       -1,        -INT64_C(9007199254740993),
                                       -32768,    65535,
                                       1,         INT64_C(4294967295),
                                       INT32_MAX, 100,
                                       1,         -16777217,
                                       32767,     1000000007,
                                       -1};

/* Where all inputs have the same number, some of them are one nearer to 0 at each fourth one. */
static int64_t special_int(const struct filler *f, int64_t i)
{
    int64_t x = special_ints[special_at(f, i)];
    bool nearer =
        special_start(f) % 2 && special_at(f, i) % 4 == 3 && f->input % 2 == (uint64_t)(i % 4 == 0);

    return !nearer ? x : x > 0 ? x - 1 : x + 1;
}

/* Literal number I of the graph, or a neighbour. *HOW is 0 for the literal itself, 1 for a larger
 * number, 2 for a smaller one, 3 for its negative. NULL: there are none. */
static const struct verify_literal *literal_at(const struct filler *f, int64_t i, int *how)
{
    uint64_t n = f->literals ? (uint64_t)f->literals->n : 0;
    uint64_t at = f->trial->nth + f->input + (uint64_t)i;

    if (n == 0)
        return NULL;
    *how = (int)(at / n % 4);
    return &f->literals->of[at % n];
}

static double literal_float(const struct filler *f, int64_t i)
{
    int how = 0;
    const struct verify_literal *l = literal_at(f, i, &how);
    double step;

    if (!l)
        return special_float(f, i);
    step = fabs(l->f) * format_of(f->t->type).step;
    return how == 0 ? l->f : how == 1 ? l->f + step : how == 2 ? l->f - step : -l->f;
}

static int64_t literal_int(const struct filler *f, int64_t i)
{
    int how = 0;
    const struct verify_literal *l = literal_at(f, i, &how);
    uint64_t x;

    if (!l)
        return special_int(f, i);
    x = (uint64_t)l->i;
    x = how == 0 ? x : how == 1 ? x + 1 : how == 2 ? x - 1 : 0 - x;
    return (int64_t)x;
}

/* In [-1, 1). */
static double random_float(struct filler *f)
{
    return (double)(inlay_random(&f->state) >> 11) * 0x1p-52 - 1;
}

/* A precision of the graphs, above LEAST and below MOST; 0: there is none. */
static int precision_between(struct filler *f, int least, int most)
{
    int found[64], n = 0;

    for (int p = least + 1; f->literals && p < most; p++) {
        if (f->literals->precisions >> p & 1)
            found[n++] = p;
    }
    return n > 0 ? found[inlay_random(&f->state) % (uint64_t)n] : 0;
}

/* A number of one bit more than a type of PRECISION has, which is halfway between two of its. */
static uint64_t halfway(struct filler *f, int precision)
{
    uint64_t highest = UINT64_C(1) << (precision - 1);

    return (highest + inlay_random(&f->state) % highest) * 2 + 1;
}

/* Next to halfway between two numbers of a narrower type, where what is rounded twice differs; or
 * OTHERWISE. */
static double halfway_float(struct filler *f, double otherwise)
{
    double step = format_of(f->t->type).step, x;
    int precision = precision_between(f, 0, 1 - ilogb(step));
    uint64_t r = precision ? inlay_random(&f->state) : 1;

    if (r % 2)
        return otherwise;
    x = ldexp((double)halfway(f, precision), (int)(r >> 8 & 7) - precision);
    x += ((double)((r >> 16) % 3) - 1) * step * x;
    return r >> 32 & 1 ? x : -x;
}

/* The same of integers: what they are rounded to first drops their last bit. */
static int64_t halfway_int(struct filler *f, int64_t otherwise)
{
    int bits = f->info->bits - (f->info->cls == INLAY_CLASS_SIGNED);
    int precision = precision_between(f, 0, bits), other = precision_between(f, precision, bits);
    uint64_t r = precision ? inlay_random(&f->state) : 1, x;
    int shift = (other ? other - precision : 0) + (int)(r >> 8 & 3);

    if (r % 2)
        return otherwise;
    shift = shift < bits - precision - 1 ? shift : bits - precision - 1;
    x = (halfway(f, precision) << shift) + (r >> 16) % 3 - 1;
    return (int64_t)(r >> 32 & 1 ? x : 0 - x);
}

/* Half of them are near 1, where functions like Exp have their limits. */
static double wide_float(struct filler *f)
{
    enum { NEAR = 10 };
    struct format format = format_of(f->t->type);
    int least = ilogb(format.normal * format.step), most = ilogb(format.max);
    double x = random_float(f);

    if (inlay_random(&f->state) % 2) {
        least = -NEAR;
        most = NEAR;
    }
    return ldexp(x, least + (int)(inlay_random(&f->state) % (uint64_t)(most - least + 1)) + 1);
}

/* Some of the highest bits are 0, or all of them 1. */
static int64_t wide_int(struct filler *f)
{
    uint64_t r = inlay_random(&f->state), bits = (uint64_t)f->info->bits;
    uint64_t width = 1 + inlay_random(&f->state) % bits;
    uint64_t x = inlay_random(&f->state) >> (64 - width);

    if (r % 2 && f->info->cls == INLAY_CLASS_SIGNED)
        x = ~x;
    return (int64_t)x;
}

static double float_at(struct filler *f, int64_t i)
{
    verify_values values = f->want->tame ? VERIFY_SMALL : f->trial->values;

    if (values == VERIFY_SMALL)
        return (double)(inlay_random(&f->state) % 9) - 4;
    if (values == VERIFY_WIDE)
        return halfway_float(f, wide_float(f));
    if (values == VERIFY_RANDOM || !is_special_place(f, i))
        return halfway_float(f, random_float(f));
    return values == VERIFY_SPECIAL ? special_float(f, i) : literal_float(f, i);
}

/* In [LO, HI]. */
static int64_t int_in(struct filler *f, int64_t lo, int64_t hi)
{
    return lo + (int64_t)(inlay_random(&f->state) % ((uint64_t)(hi - lo) + 1));
}

static bool is_bit(const struct filler *f)
{
    return f->info->cls == INLAY_CLASS_BOOLEAN || f->info->bits == 1;
}

/* The one element of the tensor that is special in this trial. */
static bool is_chosen(const struct filler *f, int64_t i)
{
    return i == (int64_t)(f->trial->nth % (uint64_t)inlay_tensor_count(f->t));
}

/* How many of N bits are 1 in turn AT: half of them, or a number of the graphs. */
static int64_t ones_of(const struct filler *f, int64_t n, uint64_t at)
{
    int64_t fit[VERIFY_MAX_LITERALS + 1] = {n / 2};
    uint64_t many = 1;

    for (int i = 0; f->literals && i < f->literals->n; i++) {
        if (f->literals->of[i].i > 1 && f->literals->of[i].i < n - 1)
            fit[many++] = f->literals->of[i].i;
    }
    return fit[at % many];
}

/* Graphs may count bits, those of each row by itself, and compare with a literal. */
static int64_t counted_bit(struct filler *f, int64_t i)
{
    int rank = f->t->rank;
    bool by_row = rank > 1 && f->trial->nth % 2;
    int64_t n = by_row ? f->t->dims[rank - 1] : inlay_tensor_count(f->t), one;
    uint64_t at = (rank > 1 ? f->trial->nth / 2 : f->trial->nth) + f->input;

    if (i % n == 0)
        f->left = ones_of(f, n, at);
    one = int_in(f, 1, n - i % n) <= f->left;
    f->left -= one;
    return one;
}

/* In four of six trials with special elements, all elements of an input are the same bit, or all
 * but one. */
static int64_t bit(struct filler *f, int64_t i)
{
    uint64_t turn = (f->trial->nth + f->input) % 6;

    if (f->trial->values == VERIFY_SPECIAL && turn < 4)
        return (int64_t)(turn % 2) ^ (turn > 1 && is_chosen(f, i));
    return f->trial->values == VERIFY_LITERAL ? counted_bit(f, i) : int_in(f, 0, 1);
}

static int64_t ordinary_int(struct filler *f, int64_t i)
{
    if (is_bit(f))
        return bit(f, i);
    return f->info->cls == INLAY_CLASS_UNSIGNED ? int_in(f, 0, 15) : int_in(f, -8, 7);
}

static bool has_large_counts(const struct filler *f)
{
    return f->trial->counts == VERIFY_MANY || f->trial->counts == VERIFY_LITERAL_COUNT;
}

static int64_t large_count(const struct filler *f)
{
    static const int64_t many[] = {8, 9, 16, 33};
    uint64_t at = f->trial->round + f->input;

    if (f->trial->counts == VERIFY_MANY)
        return many[at % 4];
    return verify_literal_count(f->literals, at, many[at % 4]);
}

static int64_t int_at(struct filler *f, int64_t i)
{
    verify_values values = f->want->tame || is_bit(f) ? VERIFY_RANDOM : f->trial->values;

    if (f->want->tame && has_large_counts(f) && is_chosen(f, i))
        return large_count(f);
    if (values == VERIFY_WIDE)
        return halfway_int(f, wide_int(f));
    if (values == VERIFY_SMALL || values == VERIFY_RANDOM || !is_special_place(f, i))
        return ordinary_int(f, i);
    return values == VERIFY_SPECIAL ? special_int(f, i) : literal_int(f, i);
}

/* In [LO, HI]; each number is used once before any is repeated. */
static int64_t distinct_in(struct filler *f, int64_t lo, int64_t hi)
{
    int64_t left = 0, nth;

    if (hi - lo >= 64)
        return int_in(f, lo, hi);
    for (int turn = 0; turn < 2 && left == 0; turn++) {
        f->taken = turn == 0 ? f->taken : 0;
        for (int64_t x = lo; x <= hi; x++)
            left += !(f->taken >> (x - lo) & 1);
    }
    nth = int_in(f, 0, left - 1);
    for (int64_t x = lo;; x++) {
        if (!(f->taken >> (x - lo) & 1) && nth-- == 0) {
            f->taken |= UINT64_C(1) << (x - lo);
            return x;
        }
    }
}

static int64_t any_index(struct filler *f, int64_t lo, int64_t hi)
{
    return f->want->distinct ? distinct_in(f, lo, hi) : int_in(f, lo, hi);
}

/* In every other round all borders in a tensor are the same number, so that one place is written
 * twice. */
static int64_t index_at(struct filler *f, int64_t i)
{
    int64_t hi = f->want->hi;
    const int64_t borders[] = {0, hi, -1, -hi - 1};
    const int64_t outside[] = {hi + 1, -hi - 2, INT64_MIN, INT64_MAX};
    uint64_t at = f->trial->round + f->input + (f->trial->round % 2 ? 0 : (uint64_t)i);

    if (f->trial->indices == VERIFY_NEGATIVE)
        return -1 - any_index(f, 0, hi);
    if (f->trial->indices == VERIFY_BORDER)
        return borders[at % 4];
    if (f->trial->indices == VERIFY_OUTSIDE && is_chosen(f, i))
        return outside[f->trial->round % 4];
    return any_index(f, f->want->lo, hi);
}

static int64_t step_at(struct filler *f)
{
    static const int64_t outside[] = {0, INT64_MAX, INT64_MIN, -3};
    int64_t step = int_in(f, f->want->lo, f->want->hi);

    if (f->trial->indices == VERIFY_OUTSIDE)
        return outside[f->trial->round % 4];
    return f->trial->indices == VERIFY_NEGATIVE ? -step : step;
}

/* In unusual trials one length is -1, the rest, or no valid length. */
static int64_t part_at(struct filler *f, int64_t i)
{
    int64_t left = i == 0 ? f->want->hi : f->left;
    bool last = i == inlay_tensor_count(f->t) - 1;
    int64_t part = last ? left : int_in(f, 0, left);

    f->left = left - part;
    if (f->trial->indices == VERIFY_OUTSIDE && is_chosen(f, i))
        return -2;
    return f->trial->indices == VERIFY_NEGATIVE && is_chosen(f, i) ? -1 : part;
}

static int64_t rising_at(struct filler *f, int64_t i)
{
    f->left = int_in(f, i == 0 ? f->want->lo : f->left, f->want->hi);
    return f->trial->indices == VERIFY_OUTSIDE && is_chosen(f, i) ? -1 : f->left;
}

static int64_t count_at(struct filler *f)
{
    if (has_large_counts(f))
        return large_count(f);
    if (f->trial->counts == VERIFY_NONE && f->want->bound == VERIFY_COUNT)
        return 0;
    return int_in(f, f->want->lo, f->want->hi);
}

/* False if this trial may choose freely. */
static bool bound_at(struct filler *f, int64_t i, int64_t *x)
{
    verify_values values = f->trial->values;

    switch (f->want->bound) {
    case VERIFY_INDEX:
        *x = index_at(f, i);
        return true;
    case VERIFY_STEP:
        *x = step_at(f);
        return true;
    case VERIFY_PARTS:
        *x = part_at(f, i);
        return true;
    case VERIFY_RISING:
        *x = rising_at(f, i);
        return true;
    case VERIFY_COUNT:
    case VERIFY_SPAN:
        *x = count_at(f);
        return true;
    case VERIFY_DIVISOR:
        *x = int_in(f, f->want->lo, f->want->hi);
        return values == VERIFY_SMALL || values == VERIFY_RANDOM;
    case VERIFY_UNBOUND:
        break;
    }
    return false;
}

static void fill_numbers(struct filler *f, bool floats)
{
    int64_t n = inlay_tensor_count(f->t), x;

    for (int64_t i = 0; i < n; i++) {
        if (bound_at(f, i, &x))
            inlay_store_i64(f->t->type, f->t->data, i, x);
        else if (floats)
            inlay_store_f64(f->t->type, f->t->data, i, float_at(f, i));
        else
            inlay_store_i64(f->t->type, f->t->data, i, int_at(f, i));
    }
}

/* One letter; special ones are empty, or longer by some bytes. */
static bool fill_strings(struct filler *f, inlay_diags *d)
{
    bool special = f->trial->values == VERIFY_SPECIAL || f->trial->values == VERIFY_WIDE;

    for (int64_t i = 0; i < inlay_tensor_count(f->t); i++) {
        char text[4] = {(char)('a' + inlay_random(&f->state) % 26), '\0', '\xff', ' '};
        size_t n = special ? (size_t)(inlay_random(&f->state) % (sizeof text + 1)) : 1;

        if (!inlay_tensor_set_string(f->t, i, text, n))
            return inlay_fail_memory(d);
    }
    return true;
}

/* Tensors to fill are new, so they are dense. */
bool verify_fill(inlay_tensor *t, int input, const verify_want *want, const verify_trial *trial,
                 const verify_literals *literals, uint64_t seed, inlay_diags *d)
{
    const inlay_type_info *info = inlay_type_info_of(t->type);
    struct filler f = {t, info, want, trial, literals, (uint64_t)input, seed, 0, 0};

    _Static_assert(sizeof special_floats / sizeof special_floats[0] == N_SPECIALS, "floats");
    _Static_assert(sizeof special_ints / sizeof special_ints[0] == N_SPECIALS, "integers");
    if (info->cls == INLAY_CLASS_STRING)
        return fill_strings(&f, d);
    fill_numbers(&f, info->cls == INLAY_CLASS_FLOAT || info->cls == INLAY_CLASS_COMPLEX);
    return true;
}
