/* Are two tensors equal, within a tolerance? If not: the first and the largest difference. */
#include "ir/shared.h"
#include "passes/passes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *shape_text(const inlay_tensor *t, char *buf, size_t size)
{
    inlay_dim dims[INLAY_MAX_RANK];

    for (int i = 0; i < t->rank; i++)
        dims[i] = inlay_dim_of(t->dims[i]);
    return inlay_shape_text(t->rank, dims, buf, size);
}

/* A number that grows by one from each double to the next larger one; +0 and -0 share it. */
static int64_t ordinal(double x)
{
    int64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

/* The same in steps of the type: f32 and narrower types by dropping the bits that they do not have.
 */
static uint64_t ulps_apart(inlay_type type, double a, double b)
{
    int dropped = type == INLAY_F64    ? 0
                  : type == INLAY_F32  ? 52 - 23
                  : type == INLAY_BF16 ? 52 - 7
                                       : 52 - 10;
    int64_t x = ordinal(a), y = ordinal(b);
    uint64_t apart = x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;

    return apart >> dropped;
}

struct element {
    bool equal;
    double error; /* absolute; NAN when one side is not a number */
};

static struct element compare_floats(inlay_type type, double a, double b,
                                     const inlay_compare_options *o)
{
    struct element e = {.error = fabs(a - b)};

    if (isnan(a) || isnan(b)) {
        e.equal = isnan(a) && isnan(b);
        e.error = e.equal ? 0 : NAN;
        return e;
    }
    if (o->rtol == 0 && o->atol == 0 && o->ulp == 0) {
        e.equal = a == b && signbit(a) == signbit(b);
        return e;
    }
    e.equal = a == b || (!isinf(a) && !isinf(b) && e.error <= o->atol + o->rtol * fabs(a)) ||
              (o->ulp > 0 && ulps_apart(type, a, b) <= o->ulp);
    return e;
}

static struct element compare_at(const inlay_tensor *a, const inlay_tensor *b, int64_t i,
                                 const inlay_compare_options *o)
{
    if (inlay_type_is_float(a->type))
        return compare_floats(a->type, inlay_tensor_get_f64(a, i), inlay_tensor_get_f64(b, i), o);
    if (a->type == INLAY_STRING) {
        inlay_string x = inlay_tensor_get_string(a, i), y = inlay_tensor_get_string(b, i);
        bool same =
            x.length == y.length && (x.length == 0 || memcmp(x.bytes, y.bytes, x.length) == 0);

        return (struct element){same, same ? 0 : NAN};
    }
    {
        int64_t x = inlay_tensor_get_i64(a, i), y = inlay_tensor_get_i64(b, i);

        if (a->type == INLAY_BOOLEAN)
            x = x != 0, y = y != 0;
        return (struct element){x == y, fabs((double)x - (double)y)};
    }
}

static void element_text(const inlay_tensor *t, int64_t i, char *buf, size_t size)
{
    if (t->type == INLAY_STRING) {
        inlay_string s = inlay_tensor_get_string(t, i);

        snprintf(buf, size, "\"%.*s\"", (int)(s.length > 40 ? 40 : s.length),
                 s.length ? s.bytes : "");
    } else if (inlay_type_is_float(t->type)) {
        snprintf(buf, size, "%.*g", t->type == INLAY_F64 ? 17 : 9, inlay_tensor_get_f64(t, i));
    } else if (t->type == INLAY_U64) {
        snprintf(buf, size, "%" PRIu64, (uint64_t)inlay_tensor_get_i64(t, i));
    } else {
        snprintf(buf, size, "%" PRId64, inlay_tensor_get_i64(t, i));
    }
}

static void index_text(const inlay_tensor *t, int64_t i, char *buf, size_t size)
{
    int64_t at[INLAY_MAX_RANK];
    size_t used = 0;

    for (int k = t->rank - 1; k >= 0; k--) {
        at[k] = i % t->dims[k];
        i /= t->dims[k];
    }
    buf[0] = '\0';
    for (int k = 0; k < t->rank && used + 24 < size; k++)
        used += (size_t)snprintf(buf + used, size - used, "%s%" PRId64, k ? "," : "", at[k]);
}

static bool tensors_alike(const inlay_tensor *a, const inlay_tensor *b, char *why, size_t size)
{
    char x[512], y[512];
    bool same = a->rank == b->rank;

    if (a->type != b->type) {
        snprintf(why, size, "the type is %s, it must be %s", inlay_type_info_of(b->type)->name,
                 inlay_type_info_of(a->type)->name);
        return false;
    }
    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    if (!same)
        snprintf(why, size, "the shape is %s, it must be %s", shape_text(b, y, sizeof y),
                 shape_text(a, x, sizeof x));
    return same;
}

/* Equal bytes are equal elements in every sense; most comparisons end here. */
static bool same_bytes(const inlay_tensor *a, const inlay_tensor *b)
{
    return !inlay_type_refers(a->type) && inlay_tensor_is_dense(a) && inlay_tensor_is_dense(b) &&
           memcmp(a->data, b->data, inlay_tensor_bytes(a)) == 0;
}

/* Compares tensors of items, each item with its own. The recursion is as deep as items are. */
static bool compare_items(const inlay_tensor *a, const inlay_tensor *b,
                          const inlay_compare_options *o, char *why, size_t size)
{
    int64_t n = inlay_tensor_count(a);
    char inner[256];

    for (int64_t i = 0; i < n; i++) {
        const inlay_tensor *x = inlay_tensor_get_item(a, i), *y = inlay_tensor_get_item(b, i);

        if (!x && !y)
            continue;
        if (!x || !y) {
            snprintf(why, size, "item %" PRId64 " is %s, it must be %s", i, y ? "there" : "none",
                     x ? "there" : "none");
            return false;
        }
        if (!inlay_compare_tensors(x, y, o, inner, sizeof inner)) {
            snprintf(why, size, "item %" PRId64 ": %s", i, inner);
            return false;
        }
    }
    snprintf(why, size, "item by item");
    return true;
}

bool inlay_compare_tensors(const inlay_tensor *a, const inlay_tensor *b,
                           const inlay_compare_options *o, char *why, size_t size)
{
    static const inlay_compare_options exact;
    char where[512], x[64], y[64];
    void *host;
    int64_t n = inlay_tensor_count(a), first = -1, differ = 0;
    double worst = 0;

    if (!a || !b) {
        snprintf(why, size, "a tensor is missing");
        return false;
    }
    o = o ? o : &exact;
    if (!tensors_alike(a, b, why, size))
        return false;
    if (a->type == INLAY_ITEM)
        return compare_items(a, b, o, why, size);
    if (n == 0 || same_bytes(a, b)) {
        snprintf(why, size, "bit for bit");
        return true;
    }
    for (int64_t i = 0; i < n; i++) {
        struct element e = compare_at(a, b, i, o);

        if (!e.equal) {
            first = first < 0 ? i : first;
            differ++;
        }
        if (isnan(e.error) || e.error > worst)
            worst = e.error;
    }
    host = inlay_locale_enter();
    if (first < 0) {
        snprintf(why, size, worst > 0 ? "the largest error is %.3g" : "element by element", worst);
        inlay_locale_leave(host);
        return true;
    }
    index_text(a, first, where, sizeof where);
    element_text(a, first, x, sizeof x);
    element_text(b, first, y, sizeof y);
    snprintf(why, size,
             "element [%s] is %s, it must be %s; %" PRId64 " of %" PRId64
             " element%s differ%s, the worst error is %.3g",
             where, y, x, differ, n, inlay_plural(n, "", "s"), inlay_plural(n, "s", ""), worst);
    inlay_locale_leave(host);
    return false;
}
