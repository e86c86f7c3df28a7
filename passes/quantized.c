/* Products of numbers of 8 bits.
 *
 * keep-compressed, for products of integers: where both factors are of 8 bits, MatMulQuantized or
 * ConvolutionQuantized reads them as they are, and makes what follows the product, too.
 *
 *     u8 -> Convert i32 -> Subtract(zero point) ---+
 *     i8 -> Convert i32 -> Subtract(zero point) --- product -> Add(bias) -> Convert f32
 *        -> Multiply(scale) -> Add(shift)
 *        -> Multiply(factor) -> Divide(divisor) -> Round -> Add(zero point) -> Clamp -> Convert u8
 *
 * Each of these nodes but the product may be missing; in the last line Round, Clamp and Convert may
 * not. A factor may be a constant of i32 whose elements are 256 neighbouring integers at most.
 *
 * integer-products, before it: a product of floats, each of which is a code less its zero point,
 * times a scale, becomes one of integers, which is scaled:
 *
 *     (a - u) s * (b - v) t  =>  Convert f32(i32(a - u) * i32(b - v)) * (s t)
 *
 * move-codes, before both: floats that codes stand for, moved and quantized again by the same scale
 * and zero point, are the codes, moved. So is a MaxPool of them, because the greater code is that of
 * the greater float. Where scales differ, as of what is joined, codes become others first. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/pass.h"

#include <math.h>
#include <string.h>

/* The operands of the new node. */
enum { A, B, A_ZERO, B_ZERO, BIAS, SCALE, SHIFT, FACTOR, DIVISOR, ZERO, OPERANDS };

enum { CODES = 256 /* numbers of 8 bits */ };

struct found {
    inlay_node *product;
    inlay_value *in[OPERANDS]; /* of the factors as they are: codes, or a constant of i32 */
    int64_t least[2], most[2]; /* the elements of a factor that is such a constant */
    inlay_value *at;           /* what has been found to be made of the product so far */
    inlay_type type;
    double min, max;
    int behind; /* axes behind that of the channels */
};

static const inlay_tensor *content(const inlay_value *v)
{
    return inlay_node_is(v->node, INLAY_OP_CONST) ? v->fact.content : NULL;
}

static bool is_byte(inlay_type type)
{
    return type == INLAY_I8 || type == INLAY_U8;
}

static bool has_one(const inlay_value *v)
{
    int64_t dims[INLAY_MAX_RANK], n = 1;

    if (!inlay_fact_dims(&v->fact, dims))
        return false;
    for (int i = 0; i < v->fact.rank; i++)
        n *= dims[i];
    return n == 1;
}

static bool is_numpy(const inlay_node *n)
{
    return strcmp(inlay_node_string(n, "auto_broadcast"), "numpy") == 0;
}

static bool is_grouped(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_GROUP_CONVOLUTION);
}

static bool is_convolution(const inlay_node *n)
{
    return inlay_node_is(n, INLAY_OP_CONVOLUTION) || is_grouped(n);
}

static bool is_product(const inlay_node *n, inlay_type type)
{
    return (inlay_node_is(n, INLAY_OP_MAT_MUL) || is_convolution(n)) &&
           n->out[0].fact.type == type && n->out[0].fact.rank >= 1;
}

/* Element I of T, a dense tensor of i32, at any address. */
static int64_t element(const inlay_tensor *t, int64_t i)
{
    int32_t x;

    memcpy(&x, (const char *)t->data + (t->offset + i) * (int64_t)sizeof x, sizeof x);
    return x;
}

/* Sets *LEAST and *MOST to the least and the greatest element of T. False: there are none, or more
 * integers between them than 8 bits have. */
static bool is_narrow(const inlay_tensor *t, int64_t *least, int64_t *most)
{
    int64_t n = inlay_tensor_count(t);

    if (n == 0 || t->type != INLAY_I32 || !inlay_tensor_is_dense(t))
        return false;
    *least = *most = element(t, 0);
    for (int64_t i = 1; i < n; i++) {
        int64_t x = element(t, i);

        *least = x < *least ? x : *least;
        *most = x > *most ? x : *most;
    }
    return *most - *least < CODES;
}

/* Returns the value from which V, of the same shape, is a difference to one number, ZERO; else V.
 */
static inlay_value *before_zero(inlay_value *v, inlay_value **zero)
{
    const inlay_node *n = v->node;
    inlay_value *from;

    if (!inlay_node_is(n, INLAY_OP_SUBTRACT) || !is_numpy(n))
        return v;
    from = inlay_node_input(n, 0);
    if (!has_one(inlay_node_input(n, 1)) || !inlay_fact_same_shape(&from->fact, &v->fact))
        return v;
    *zero = inlay_node_input(n, 1);
    return from;
}

/* Sets *CODES to what V is a Convert of, if that is of 8 bits. */
static bool before_bytes(const inlay_value *v, inlay_value **codes)
{
    if (!inlay_node_is(v->node, INLAY_OP_CONVERT))
        return false;
    *codes = inlay_node_input(v->node, 0);
    return is_byte((*codes)->fact.type);
}

/* Finds the codes and the zero point from which operand I of the product is computed. */
static bool take_factor(struct found *f, int i)
{
    inlay_value *v = inlay_node_input(f->product, i);

    if (content(v)) {
        f->in[i] = v;
        return is_narrow(content(v), &f->least[i], &f->most[i]);
    }
    return before_bytes(before_zero(v, &f->in[A_ZERO + i]), &f->in[i]);
}

/* The only reader of what has been found, if it is of KIND. */
static inlay_node *reader(const struct found *f, inlay_op_kind kind)
{
    const inlay_use *u = f->at->uses;

    return u && !u->next && inlay_node_is(u->node, kind) ? u->node : NULL;
}

/* Has V one number, or one for each channel? */
static bool is_list(const struct found *f, const inlay_value *v)
{
    const inlay_fact *out = &f->at->fact;
    int axis = v->fact.rank - 1 - f->behind;

    if (v->fact.rank < 0 || v->fact.rank > out->rank)
        return false;
    for (int i = 0; i < v->fact.rank; i++) {
        inlay_dim d = v->fact.dims[i];

        if (!inlay_dim_proven_equal(d, inlay_dim_of(1)) &&
            (i != axis || !inlay_dim_proven_equal(d, out->dims[out->rank - 1 - f->behind])))
            return false;
    }
    return true;
}

/* Takes N, which has two operands, if it is not NULL and operand I is a list. */
static void take(struct found *f, inlay_node *n, int i, int as)
{
    inlay_value *other = n ? inlay_node_input(n, i) : NULL;

    if (!n || !is_numpy(n) || other == f->at || !is_list(f, other) ||
        !inlay_fact_same_shape(&f->at->fact, &n->out[0].fact))
        return;
    f->in[as] = other;
    f->at = &n->out[0];
}

/* The operand of N, which may be NULL, that is not what has been found. */
static int other(const struct found *f, const inlay_node *n)
{
    return n && inlay_node_input(n, 0) == f->at ? 1 : 0;
}

static void take_sum(struct found *f, int as)
{
    inlay_node *n = reader(f, INLAY_OP_ADD);

    take(f, n, other(f, n), as);
}

static void take_product(struct found *f, int as)
{
    inlay_node *n = reader(f, INLAY_OP_MULTIPLY);

    take(f, n, other(f, n), as);
}

static void take_quotient(struct found *f)
{
    take(f, reader(f, INLAY_OP_DIVIDE), 1, DIVISOR);
}

static bool take_convert(struct found *f)
{
    inlay_node *n = reader(f, INLAY_OP_CONVERT);

    if (n)
        f->at = &n->out[0];
    return n != NULL;
}

static bool take_round(struct found *f)
{
    inlay_node *n = reader(f, INLAY_OP_ROUND);

    if (!n || strcmp(inlay_node_string(n, "mode"), "half_to_even") != 0)
        return false;
    f->at = &n->out[0];
    return true;
}

static bool take_relu(struct found *f)
{
    inlay_node *n = reader(f, INLAY_OP_RELU);

    if (n)
        f->at = &n->out[0];
    return n != NULL;
}

/* The numbers that V has, maybe as other integers and in another shape; NULL: not known. */
static const inlay_tensor *numbers_of(const inlay_value *v)
{
    while (v->node->op->flags & (INLAY_RESHAPES | INLAY_CONVERTS))
        v = inlay_node_input(v->node, 0);
    return inlay_type_is_int(v->fact.type) || inlay_type_is_float(v->fact.type) ? content(v) : NULL;
}

/* Is V a list of numbers above 0? A negative scale would make -0 of a sum that is 0. */
static bool is_positive(const inlay_value *v)
{
    const inlay_tensor *t = numbers_of(v);

    for (int64_t i = 0; t && i < inlay_tensor_count(t); i++) {
        if (!(inlay_tensor_get_f64(t, i) > 0))
            return false;
    }
    return t != NULL;
}

/* Codes of numbers that are not below 0 are not below the zero point. False: it is not one number,
 * or what the numbers are multiplied with may be negative. */
static bool clamp_at_zero(struct found *f)
{
    const inlay_tensor *zero = f->in[ZERO] ? content(f->in[ZERO]) : NULL;
    double least = zero ? inlay_tensor_get_f64(zero, 0) : 0;

    if ((f->in[ZERO] && (!zero || !has_one(f->in[ZERO]))) ||
        (f->in[FACTOR] && !is_positive(f->in[FACTOR])) ||
        (f->in[DIVISOR] && !is_positive(f->in[DIVISOR])))
        return false;
    f->min = least > f->min ? least : f->min;
    return f->min <= f->max;
}

static bool take_clamp(struct found *f)
{
    inlay_node *n = reader(f, INLAY_OP_CLAMP);

    if (!n)
        return false;
    f->at = &n->out[0];
    f->min = inlay_node_float(n, "min");
    f->max = inlay_node_float(n, "max");
    return f->min <= f->max;
}

/* Takes the steps that quantise. */
static bool take_codes(struct found *f)
{
    bool positive = take_relu(f);

    take_product(f, FACTOR);
    take_quotient(f);
    if (!take_round(f))
        return false;
    take_sum(f, ZERO);
    if (!take_clamp(f) || !take_convert(f) || (positive && !clamp_at_zero(f)))
        return false;
    f->type = f->at->fact.type;
    return (f->type == INLAY_I8 && f->min >= INT8_MIN && f->max <= INT8_MAX) ||
           (f->type == INLAY_U8 && f->min >= 0 && f->max <= UINT8_MAX);
}

/* Takes what follows the product, as far as it is known. */
static void take_end(struct found *f)
{
    struct found more;

    f->type = INLAY_I32;
    take_sum(f, BIAS);
    more = *f;
    if (!take_convert(&more) || more.at->fact.type != INLAY_F32)
        return;
    more.type = INLAY_F32;
    take_product(&more, SCALE);
    take_sum(&more, SHIFT);
    *f = more;
    if (take_codes(&more))
        *f = more;
}

static bool finds(inlay_node *n, struct found *f)
{
    if (!is_product(n, INLAY_I32))
        return false;
    *f = (struct found){.product = n, .at = &n->out[0]};
    f->behind = is_convolution(n) ? n->out[0].fact.rank - 2 : 0;
    if (!take_factor(f, A) || !take_factor(f, B))
        return false;
    if (is_convolution(n) || inlay_node_input(n, 1)->fact.rank > 1)
        take_end(f);
    else
        f->type = INLAY_I32;
    return true;
}

/* Makes a constant of 8 bits of factor I, if it is one of i32, and its zero point. */
static bool narrow(struct found *f, int i, inlay_diags *d)
{
    const inlay_tensor *wide = content(f->in[i]);
    int64_t least = f->least[i], most = f->most[i], n, zero;
    inlay_type type = least >= 0 && most <= UINT8_MAX ? INLAY_U8 : INLAY_I8;
    inlay_tensor *t;

    if (is_byte(f->in[i]->fact.type))
        return true;
    n = inlay_tensor_count(wide);
    t = inlay_tensor_in(inlay_node_budget(f->in[i]->node), type, wide->rank, wide->dims);
    if (!t)
        return inlay_fail_memory(d);
    zero = type == INLAY_U8 || (least >= INT8_MIN && most <= INT8_MAX) ? 0 : INT8_MIN - least;
    for (int64_t k = 0; k < n; k++)
        ((uint8_t *)t->data)[k] = (uint8_t)(element(wide, k) + zero);
    f->in[i] = inlay_build_const(f->product->graph, f->in[i]->node->name, t, d);
    inlay_tensor_release(t);
    if (f->in[i] && zero != 0)
        f->in[A_ZERO + i] = inlay_build_ints(f->product->graph, NULL, INLAY_I32, 0, NULL, &zero, d);
    return f->in[i] && (zero == 0 || f->in[A_ZERO + i]);
}

static bool copy_ints(inlay_node *n, const inlay_node *from, const char *name, inlay_diags *d)
{
    int count;
    const int64_t *x = inlay_node_ints(from, name, &count);

    return inlay_node_set_ints(n, name, x, count, d);
}

/* Gives N the attributes of a product. */
static bool copy_attributes(inlay_node *n, const inlay_node *p, inlay_diags *d)
{
    if (!is_convolution(p))
        return inlay_node_set_bool(n, "transpose_a", inlay_node_bool(p, "transpose_a"), d) &&
               inlay_node_set_bool(n, "transpose_b", inlay_node_bool(p, "transpose_b"), d);
    return copy_ints(n, p, "strides", d) && copy_ints(n, p, "pads_begin", d) &&
           copy_ints(n, p, "pads_end", d) && copy_ints(n, p, "dilations", d) &&
           inlay_node_set_string(n, "auto_pad", inlay_node_string(p, "auto_pad"), d);
}

static bool set_attributes(inlay_node *n, const struct found *f, inlay_diags *d)
{
    return copy_attributes(n, f->product, d) && inlay_node_set_type(n, "output_type", f->type, d) &&
           inlay_node_set_float(n, "min", f->min, d) && inlay_node_set_float(n, "max", f->max, d) &&
           (!is_convolution(f->product) ||
            inlay_node_set_bool(n, "grouped", is_grouped(f->product), d));
}

static bool replace(struct found *f, inlay_diags *d)
{
    inlay_node *n;
    int count = OPERANDS;

    if (!narrow(f, A, d) || !narrow(f, B, d))
        return false;
    while (!f->in[count - 1])
        count--;
    n = inlay_build_begin(f->product->graph, f->at->node->name,
                          is_convolution(f->product) ? "ConvolutionQuantized" : "MatMulQuantized",
                          f->in, count, d);
    n = n ? inlay_build_end(n, set_attributes(n, f, d), d) : NULL;
    return n && inlay_replace_by_new(f->at, &n->out[0], d);
}

bool pass_keep_quantized(inlay_graph *g, pass_run *r)
{
    struct found f;

    for (inlay_node *n = g->first, *next; n; n = next) {
        next = n->next;
        if (!finds(n, &f) || !inlay_pass_begin(r, n))
            continue;
        if (!replace(&f, r->diags) || !inlay_pass_end(r, true))
            return false;
    }
    return true;
}

/* integer-products */

/* More terms of a sum might overflow 32 bits: 255 * 255 each. */
enum { MOST_TERMS = 33025 };

/* A float that is a code less its zero point (NULL: 0) times a scale. */
struct scaled {
    inlay_value *codes, *zero, *scale;
    inlay_value *whole; /* that float; a Reshape of it, the filters of groups, may be the factor */
};

/* Is V a list of integers? */
static bool is_whole(const inlay_value *v)
{
    const inlay_tensor *t = numbers_of(v);

    for (int64_t i = 0; t && i < inlay_tensor_count(t); i++) {
        double x = inlay_tensor_get_f64(t, i);

        if (x != rint(x) || fabs(x) > INT16_MAX)
            return false;
    }
    return t != NULL;
}

static bool is_nothing(const inlay_value *v)
{
    const inlay_tensor *t = numbers_of(v);

    for (int64_t i = 0; t && i < inlay_tensor_count(t); i++) {
        if (inlay_tensor_get_f64(t, i) != 0)
            return false;
    }
    return t != NULL;
}

/* Reads V as a difference of codes and a zero point. */
static bool read_codes(inlay_value *v, struct scaled *s)
{
    const inlay_node *n = v->node;
    inlay_value *from = v;

    s->zero = NULL;
    if (inlay_node_is(n, INLAY_OP_SUBTRACT) && is_numpy(n)) {
        from = inlay_node_input(n, 0);
        s->zero = inlay_node_input(n, 1);
        if (!is_whole(s->zero) || !inlay_fact_same_shape(&from->fact, &v->fact))
            return false;
        if (is_nothing(s->zero))
            s->zero = NULL;
    }
    return before_bytes(from, &s->codes);
}

static bool read_scaled(inlay_value *v, struct scaled *s)
{
    const inlay_node *n = v->node;

    if (!inlay_node_is(n, INLAY_OP_MULTIPLY) || !is_numpy(n) || v->fact.type != INLAY_F32)
        return false;
    for (int i = 0; i < 2; i++) {
        inlay_value *from = inlay_node_input(n, i);

        *s = (struct scaled){.scale = inlay_node_input(n, 1 - i), .whole = v};
        if (inlay_fact_same_shape(&from->fact, &v->fact) && is_positive(s->scale) &&
            read_codes(from, s))
            return true;
    }
    return false;
}

/* Returns the filters from which those of groups are made by a Reshape that splits their first
 * axis, as importers of ONNX write it; else the second factor of N. */
static inlay_value *second_factor(const inlay_node *n)
{
    inlay_value *v = inlay_node_input(n, 1), *from;
    int64_t split[INLAY_MAX_RANK], whole[INLAY_MAX_RANK];

    if (!is_grouped(n) || !(v->node->op->flags & INLAY_RESHAPES))
        return v;
    from = inlay_node_input(v->node, 0);
    if (!inlay_fact_dims(&v->fact, split) || !inlay_fact_dims(&from->fact, whole) ||
        from->fact.rank != v->fact.rank - 1 || split[0] * split[1] != whole[0] ||
        memcmp(split + 2, whole + 1, (size_t)(from->fact.rank - 1) * sizeof *whole) != 0)
        return v;
    return from;
}

/* The axes FROM <= i < TO of B, the second factor of N, are the channels of the result. */
static void channel_axes(const inlay_node *n, const inlay_value *b, int *from, int *to)
{
    int rank = b->fact.rank;

    *from = is_convolution(n) ? 0 : inlay_node_bool(n, "transpose_b") ? rank - 2 : rank - 1;
    *to = is_grouped(n) && b == inlay_node_input(n, 1) ? 2 : *from + 1;
}

/* Returns how many numbers the scale of S, the second factor of N, has: 1, or one for each of the
 * channels; 0: others. */
static int64_t scales(const inlay_node *n, const struct scaled *s)
{
    int64_t all[INLAY_MAX_RANK], own[INLAY_MAX_RANK], count = 1;
    const inlay_fact *b = &s->whole->fact, *v = &s->scale->fact;
    int from, to, lead = b->rank - v->rank;

    if (has_one(s->scale))
        return 1;
    channel_axes(n, s->whole, &from, &to);
    if (b->rank < 2 || lead < 0 || !inlay_fact_dims(b, all) || !inlay_fact_dims(v, own))
        return 0;
    for (int i = 0; i < b->rank; i++) {
        int64_t dim = i < lead ? 1 : own[i - lead];
        bool channel = i >= from && i < to;

        if (dim != (channel ? all[i] : 1))
            return 0;
        count *= dim;
    }
    return count;
}

/* Is the number of terms of each sum of N known, and are there few enough? */
static bool has_few_terms(const inlay_node *n)
{
    int64_t dims[INLAY_MAX_RANK], terms = 1;
    const inlay_value *b = inlay_node_input(n, 1);
    int rank = b->fact.rank, from, to;

    if (rank < 1 || !inlay_fact_dims(&b->fact, dims))
        return false;
    channel_axes(n, b, &from, &to);
    for (int i = is_convolution(n) || rank < 2 ? 0 : rank - 2; i < rank; i++) {
        if ((i < from || i >= to || rank < 2) && dims[i] > 0)
            terms = dims[i] <= MOST_TERMS ? terms * dims[i] : MOST_TERMS + 1;
        if (terms > MOST_TERMS)
            return false;
    }
    return true;
}

static inlay_value *make(inlay_graph *g, const char *operation, inlay_value *x, inlay_value *y,
                         const char *attributes, inlay_diags *d)
{
    inlay_value *in[] = {x, y};
    inlay_node *n = x ? inlay_build(g, NULL, operation, in, y ? 2 : 1, attributes, d) : NULL;

    return n ? &n->out[0] : NULL;
}

/* The integers of S, in the shape of factor V. */
static inlay_value *integers(inlay_graph *g, const struct scaled *s, const inlay_value *v,
                             inlay_diags *d)
{
    int64_t dims[INLAY_MAX_RANK];
    inlay_value *x = make(g, "Convert", s->codes, NULL, "destination_type=i32", d);
    inlay_value *zero =
        s->zero ? make(g, "Convert", s->zero, NULL, "destination_type=i32", d) : NULL;

    if (s->zero)
        x = x && zero ? make(g, "Subtract", x, zero, NULL, d) : NULL;
    if (v == s->whole || !x || !inlay_fact_dims(&v->fact, dims))
        return x;
    zero = inlay_build_i64_list(g, NULL, dims, v->fact.rank, d);
    return zero ? make(g, "Reshape", x, zero, "special_zero=false", d) : NULL;
}

/* The scale of S, N's second factor, as it is broadcast to the result. */
static inlay_value *for_result(inlay_node *n, const struct scaled *s, inlay_diags *d)
{
    int64_t dims[INLAY_MAX_RANK];
    int rank = is_convolution(n) ? n->out[0].fact.rank - 1 : 1;
    int64_t count = scales(n, s);
    inlay_value *shape;

    for (int i = 0; i < rank; i++)
        dims[i] = i == 0 ? count : 1;
    shape = inlay_build_i64_list(n->graph, NULL, dims, count == 1 ? 0 : rank, d);
    return shape ? make(n->graph, "Reshape", s->scale, shape, "special_zero=false", d) : NULL;
}

static bool multiply_integers(inlay_node *n, const struct scaled *a, const struct scaled *b,
                              inlay_diags *d)
{
    inlay_graph *g = n->graph;
    inlay_value *in[] = {integers(g, a, inlay_node_input(n, 0), d),
                         integers(g, b, inlay_node_input(n, 1), d)},
                *scale = for_result(n, b, d);
    inlay_value *one = inlay_build_i64_list(g, NULL, NULL, 0, d), *y;
    inlay_node *p;

    one = one ? make(g, "Reshape", a->scale, one, "special_zero=false", d) : NULL;
    if (!in[0] || !in[1] || !scale || !one)
        return false;
    scale = make(g, "Multiply", one, scale, NULL, d);
    p = scale ? inlay_build_begin(g, n->name, n->op->name, in, 2, d) : NULL;
    p = p ? inlay_build_end(p, copy_attributes(p, n, d), d) : NULL;
    y = p ? make(g, "Convert", &p->out[0], NULL, "destination_type=f32", d) : NULL;
    y = y ? make(g, "Multiply", y, scale, NULL, d) : NULL;
    return y && inlay_replace_by_new(&n->out[0], y, d);
}

bool pass_integer_products(inlay_graph *g, pass_run *r)
{
    struct scaled a, b;

    for (inlay_node *n = g->first, *next; n; n = next) {
        next = n->next;
        if (!is_product(n, INLAY_F32) || !read_scaled(inlay_node_input(n, 0), &a) ||
            !has_one(a.scale) || !read_scaled(second_factor(n), &b) || scales(n, &b) == 0 ||
            !has_few_terms(n) || !inlay_pass_begin(r, n))
            continue;
        if (!multiply_integers(n, &a, &b, r->diags) || !inlay_pass_end(r, true))
            return false;
    }
    return true;
}

/* move-codes */

enum { MOST_MOVES = 8 }; /* from codes to codes: a bound of the recursion */

/* The only element of V, a constant, or a list of one in another shape; NULL: it is not known. */
static const inlay_tensor *only_number(const inlay_value *v)
{
    while (v->node->op->flags & INLAY_RESHAPES)
        v = inlay_node_input(v->node, 0);
    return has_one(v) ? content(v) : NULL;
}

/* Sets *ZERO to the zero point V, which may be converted from an integer; NULL is 0. */
static bool read_zero(const inlay_value *v, double *zero)
{
    const inlay_tensor *t;

    *zero = 0;
    if (!v)
        return true;
    if (inlay_node_is(v->node, INLAY_OP_CONVERT) &&
        is_byte(inlay_node_input(v->node, 0)->fact.type))
        v = inlay_node_input(v->node, 0);
    t = only_number(v);
    *zero = t ? inlay_tensor_get_f64(t, 0) : 0;
    return t && *zero == rint(*zero) && fabs(*zero) <= INT16_MAX;
}

/* Codes as they are quantized: FROM / SCALE, rounded, plus ZERO, of TYPE, by the steps from that
 * to LAST. */
struct quantizer {
    double scale, zero;
    inlay_type type;
    int rank; /* of the scale and the zero point, which have one element */
    const inlay_node *last;
    const inlay_value *from;
};

/* No product of a scale and the difference of a code and a zero point is too large or too small to
 * be as exact as floats are. So its quotient by the scale is nearer to that integer than to any
 * other one. */
static bool read_scale(const inlay_value *v, double *scale)
{
    const inlay_tensor *t = v->fact.type == INLAY_F32 ? only_number(v) : NULL;

    *scale = t ? inlay_tensor_get_f64(t, 0) : 0;
    return *scale >= 0x1p-60 && *scale <= 0x1p60;
}

static int rank_of(const inlay_value *v)
{
    return v ? v->fact.rank : 0;
}

/* Returns the first operand of V's node, if that is of KIND; else NULL. So do the others. */
static inlay_value *before(const inlay_value *v, inlay_op_kind kind)
{
    return v && inlay_node_is(v->node, kind) ? inlay_node_input(v->node, 0) : NULL;
}

/* A Clamp that leaves all numbers of TYPE. */
static inlay_value *before_clamp(const inlay_value *v, inlay_type type)
{
    double least = type == INLAY_I8 ? INT8_MIN : 0;
    inlay_value *from = before(v, INLAY_OP_CLAMP);

    return from && inlay_node_float(v->node, "min") <= least &&
                   inlay_node_float(v->node, "max") >= least + UINT8_MAX
               ? from
               : NULL;
}

/* A sum with *ZERO. There need not be one: then it is V itself. */
static inlay_value *before_sum(inlay_value *v, inlay_value **zero)
{
    inlay_value *from = before(v, INLAY_OP_ADD);

    *zero = from && is_numpy(v->node) ? inlay_node_input(v->node, 1) : NULL;
    return *zero ? from : v;
}

static inlay_value *before_rounding(const inlay_value *v)
{
    inlay_value *from = before(v, INLAY_OP_ROUND);

    return from && strcmp(inlay_node_string(v->node, "mode"), "half_to_even") == 0 ? from : NULL;
}

static inlay_value *before_quotient(const inlay_value *v, inlay_value **by)
{
    inlay_value *from = before(v, INLAY_OP_DIVIDE);

    *by = from && is_numpy(v->node) ? inlay_node_input(v->node, 1) : NULL;
    return *by ? from : NULL;
}

/* Returns what V, codes of 8 bits, quantizes, and sets Q to how; else NULL. */
static inlay_value *quantized_from(const inlay_value *v, struct quantizer *q)
{
    inlay_value *zero = NULL, *scale = NULL, *from;

    *q = (struct quantizer){.type = v->fact.type, .last = v->node};
    from = is_byte(q->type) ? before_clamp(inlay_node_input(v->node, 0), q->type) : NULL;
    from = from ? before_rounding(before_sum(from, &zero)) : NULL;
    from = from ? before_quotient(from, &scale) : NULL;
    if (!from || !read_zero(zero, &q->zero) || !read_scale(scale, &q->scale) ||
        !inlay_fact_same_shape(&from->fact, &v->fact))
        return NULL;
    q->rank = rank_of(scale) > rank_of(zero) ? rank_of(scale) : rank_of(zero);
    q->from = from;
    return from;
}

/* Returns the codes that V stands for, if Q gives them of it. */
static inlay_value *dequantized_from(inlay_value *v, const struct quantizer *q)
{
    struct scaled s;
    double zero, scale;

    return read_scaled(v, &s) && s.codes->fact.type == q->type && read_zero(s.zero, &zero) &&
                   read_scale(s.scale, &scale) && zero == q->zero && scale == q->scale
               ? s.codes
               : NULL;
}

/* Has each window of N, a MaxPool, an element of the data? Of none it makes the least number. */
static bool fills_windows(const inlay_node *n)
{
    int sizes, begins, ends, gaps;
    const int64_t *kernel = inlay_node_ints(n, "kernel", &sizes),
                  *begin = inlay_node_ints(n, "pads_begin", &begins),
                  *end = inlay_node_ints(n, "pads_end", &ends);
    const int64_t *gap =
        inlay_node_attr(n, "dilations") ? inlay_node_ints(n, "dilations", &gaps) : NULL;
    bool fills = strcmp(inlay_node_string(n, "rounding_type"), "floor") == 0;

    for (int i = 0; fills && i < sizes; i++)
        fills = (i >= begins || begin[i] < kernel[i]) && (i >= ends || end[i] < kernel[i]) &&
                (!gap || i >= gaps || gap[i] == 1);
    return fills;
}

/* Does V hold the greatest elements of windows, whose places nobody asks for? */
static bool is_greatest(const inlay_node *n, const inlay_value *v)
{
    return inlay_node_is(n, INLAY_OP_MAX_POOL) && v == &n->out[0] &&
           (n->n_out < 2 || !n->out[1].uses) && fills_windows(n);
}

/* Does N, whose result is V, move elements only, or select the greatest? A Pad may make some. An
 * index outside of the data may select the number 0, which is code 0 only if that is Q's zero point.
 */
static bool moves_codes(const inlay_node *n, const inlay_value *v, const struct quantizer *q)
{
    bool makes = inlay_node_is(n, INLAY_OP_PAD) || ((n->op->flags & INLAY_ROWS) && q->zero != 0);

    return is_greatest(n, v) || ((n->op->flags & (INLAY_MOVES | INLAY_VIEW)) && !makes);
}

/* Does V stand for codes that others can be made of? */
static bool stands_for_codes(inlay_value *v, const struct quantizer *q)
{
    struct scaled s;
    double scale;

    return v != q->from && v->fact.rank >= q->rank && read_scaled(v, &s) &&
           read_scale(s.scale, &scale);
}

/* Do moves alone, at most MOST of them and each read once, lead from codes to V? */
static bool comes_from_codes(inlay_value *v, const struct quantizer *q, int most)
{
    const inlay_node *n = v->node;

    if (dequantized_from(v, q) || stands_for_codes(v, q))
        return true;
    if (most == 0 || !moves_codes(n, v, q) || !v->uses || v->uses->next)
        return false;
    for (int i = 0; i < n->n_in; i++) {
        inlay_value *x = n->in[i].value;

        if (x && x->fact.type == INLAY_F32 && !comes_from_codes(x, q, most - 1))
            return false;
    }
    return n->n_in > 0 && n->in[0].value && n->in[0].value->fact.type == INLAY_F32;
}

/* Makes N once more, with the operands IN. */
static inlay_node *make_again(const inlay_node *n, inlay_value *const *in, inlay_diags *d)
{
    inlay_node *made = inlay_build_row(n->graph, NULL, n->op, in, n->n_in, d);
    bool ok = made != NULL;

    for (int i = 0; ok && i < n->op->n_attrs; i++)
        ok = !n->attrs[i].set || inlay_node_set_attr(made, n->op->attrs[i].name, &n->attrs[i], d);
    return made ? inlay_build_end(made, ok, d) : NULL;
}

/* Makes the steps of Q to N once more, of V. */
static inlay_node *quantize_again(const inlay_node *n, const struct quantizer *q, inlay_value *v,
                                  inlay_diags *d)
{
    inlay_value *in[] = {inlay_node_input(n, 0), n->n_in > 1 ? inlay_node_input(n, 1) : NULL};
    inlay_node *before = in[0] == q->from ? NULL : quantize_again(in[0]->node, q, v, d);

    if (in[0] != q->from && !before)
        return NULL;
    in[0] = before ? &before->out[0] : v;
    return make_again(n, in, d);
}

/* Returns the codes of V, which comes from codes. */
static inlay_value *codes_of(inlay_value *v, const struct quantizer *q, inlay_diags *d)
{
    inlay_value *codes = dequantized_from(v, q), **in;
    const inlay_node *n = v->node;
    inlay_node *made = NULL;
    bool ok;

    if (codes)
        return codes;
    if (stands_for_codes(v, q)) {
        made = quantize_again(q->last, q, v, d);
        return made ? &made->out[0] : NULL;
    }
    in = inlay_take(inlay_node_budget(n), (size_t)n->n_in, sizeof *in);
    ok = in || inlay_fail_memory(d);
    for (int i = 0; ok && i < n->n_in; i++) {
        in[i] = n->in[i].value;
        if (in[i] && in[i]->fact.type == INLAY_F32)
            in[i] = codes_of(in[i], q, d);
        ok = in[i] || !n->in[i].value;
    }
    made = ok ? make_again(n, in, d) : NULL;
    inlay_give(in);
    return made ? &made->out[v - n->out] : NULL;
}

/* Lets the readers of OLD, codes of FROM, read those from which FROM comes. */
static bool replace_codes(inlay_value *old, inlay_value *from, const struct quantizer *q,
                          bool *done, inlay_diags *d)
{
    inlay_value *codes = codes_of(from, q, d);

    *done = true;
    if (!codes || dequantized_from(from, q) || codes->node->n_out > 1)
        return codes && inlay_replace_by_old(old, codes, done, d);
    return inlay_replace_by_new(old, codes, d);
}

bool pass_move_codes(inlay_graph *g, pass_run *r)
{
    for (inlay_node *n = g->first, *next; n; n = next) {
        struct quantizer q;
        inlay_value *from;
        bool done;

        next = n->next;
        if (!inlay_node_is(n, INLAY_OP_CONVERT))
            continue;
        from = quantized_from(&n->out[0], &q);
        if (!from || !comes_from_codes(from, &q, MOST_MOVES) || !inlay_pass_begin(r, n))
            continue;
        if (!replace_codes(&n->out[0], from, &q, &done, r->diags) || !inlay_pass_end(r, done))
            return false;
    }
    return true;
}
