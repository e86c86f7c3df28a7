/* The operations that a module can compute, and their translation. */
#include "interp/library/chain.h"
#include "inlay_ops.h"
#include "interp/kernels/field.h"
#include "interp/library/place.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PACKED = 64 }; /* packed forms pad channels and filters to a multiple of at most this */

/* The module lies beside the library (or the program that contains it) where both are built, in
 * `inlay` beside an installed library, and in `lib/inlay` beside `bin`. */
const module_table *chain_open(char *why, size_t room)
{
    static const char *const places[] = {"libinlay-onednn.so", "inlay/libinlay-onednn.so",
                                         "../lib/inlay/libinlay-onednn.so"};
    void *module = NULL;
    module_entry_fn *entry = NULL;
    const module_table *table;

    snprintf(why, room, "libinlay-onednn.so is not beside the library");
    for (size_t i = 0; !module && i < sizeof places / sizeof places[0]; i++)
        module = module_open(places[i], why, room);
    if (module)
        *(void **)&entry = dlsym(module, "inlay_module");
    table = entry ? entry() : NULL;
    return table && table->version == MODULE_VERSION ? table : NULL;
}

/* Spatial axes */

static bool take_field(const inlay_call *c, const int64_t *kernel, module_node *out)
{
    int n = c->in[0]->rank - 2;
    field w;

    if (n < 1 || n > MODULE_AXES)
        return false;
    field_of_node(c, n, c->in[0]->dims + 2, c->out[0]->dims + 2, kernel, &w);
    out->axes = n;
    for (int i = 0; i < n; i++) {
        const field_axis *a = &w.axis[FIELD_AXES - n + i];
        int64_t reach = (a->kernel - 1) * a->dilation + 1;
        int64_t behind = (a->small - 1) * a->stride + reach - a->large - a->pad;

        out->kernel[i] = a->kernel;
        out->stride[i] = a->stride;
        out->dilation[i] = a->dilation;
        out->before[i] = a->pad;
        out->behind[i] = behind > 0 ? behind : 0;
        if (a->pad < 0 || out->behind[i] > (a->pad_end > 0 ? a->pad_end : 0))
            return false;
    }
    return true;
}

/* Returns whether each position of N's window covers some element. */
static bool sees_elements(const module_node *n)
{
    bool sees = true;

    for (int i = 0; i < n->axes; i++) {
        int64_t reach = (n->kernel[i] - 1) * n->dilation[i] + 1;

        sees = sees && n->before[i] < reach && n->behind[i] < reach && n->dilation[i] == 1;
    }
    return sees;
}

static bool take_filters(const inlay_call *c, const bool *constant, bool grouped, module_node *out)
{
    out->kind = MODULE_CONVOLUTION;
    out->groups = grouped ? (int)c->in[1]->dims[0] : 1;
    return constant[1] && c->in[1]->rank == c->in[0]->rank + grouped &&
           take_field(c, c->in[1]->dims + grouped + 2, out);
}

static bool take_convolution(const inlay_call *c, const bool *constant, module_node *out)
{
    return take_filters(c, constant, false, out);
}

static bool take_group_convolution(const inlay_call *c, const bool *constant, module_node *out)
{
    return take_filters(c, constant, true, out);
}

static bool take_product(const inlay_call *c, const bool *constant, module_node *out)
{
    out->kind = MODULE_PRODUCT;
    out->turned = inlay_node_bool(c->node, "transpose_b");
    return constant[1] && c->in[1]->rank == 2 && c->in[0]->rank >= 2 &&
           c->out[0]->rank == c->in[0]->rank && !inlay_node_bool(c->node, "transpose_a");
}

static bool take_pool(const inlay_call *c, module_kind kind, module_node *out)
{
    int n;
    const int64_t *kernel = inlay_node_ints(c->node, "kernel", &n);

    out->kind = kind;
    return take_field(c, kernel, out) && sees_elements(out);
}

static bool take_max_pool(const inlay_call *c, const bool *constant, module_node *out)
{
    (void)constant;
    return take_pool(c, MODULE_MAX_POOL, out);
}

static bool take_mean_pool(const inlay_call *c, const bool *constant, module_node *out)
{
    (void)constant;
    out->pad_counts = !inlay_node_bool(c->node, "exclude-pad");
    return take_pool(c, MODULE_MEAN_POOL, out);
}

/* Elementwise operations */

/* Returns the axis of TO along which the vector T is broadcast; -1: it is no vector. */
static int axis_of(const inlay_tensor *t, const inlay_tensor *to)
{
    int axis = -1, n = 0;

    for (int i = 0; i < t->rank; i++) {
        if (t->dims[i] != 1) {
            axis = to->rank - t->rank + i;
            n++;
        }
    }
    return n == 1 && t->rank <= to->rank && t->dims[axis - (to->rank - t->rank)] == to->dims[axis]
               ? axis
               : -1;
}

static bool take_sum(const inlay_call *c, const bool *constant, module_node *out)
{
    int vector = constant[1] ? 1 : constant[0] ? 0 : -1;

    out->kind = MODULE_SUM;
    if (vector < 0)
        return inlay_tensor_same_dims(c->in[0], c->out[0]) &&
               inlay_tensor_same_dims(c->in[1], c->out[0]);
    out->in[0] = 1 - vector;
    out->in[1] = vector;
    out->axis = axis_of(c->in[vector], c->out[0]);
    return !constant[1 - vector] && inlay_tensor_same_dims(c->in[1 - vector], c->out[0]) &&
           out->axis >= 0;
}

static bool take_bounds(module_node *out, double low, double high)
{
    out->kind = MODULE_CLAMP;
    out->low = (float)low;
    out->high = (float)high;
    return out->low <= out->high;
}

static bool take_relu(const inlay_call *c, const bool *constant, module_node *out)
{
    (void)c;
    (void)constant;
    return take_bounds(out, 0, INFINITY);
}

static bool take_clamp(const inlay_call *c, const bool *constant, module_node *out)
{
    (void)constant;
    return take_bounds(out, inlay_node_float(c->node, "min"), inlay_node_float(c->node, "max"));
}

/* Takes an operation of which one operand is a constant number; *BOUND receives it. */
static bool take_number(const inlay_call *c, const bool *constant, module_node *out, float *bound)
{
    int number = constant[1] ? 1 : 0;
    const inlay_tensor *t = c->in[number];

    if (constant[0] == constant[1] || inlay_tensor_count(t) != 1 ||
        !inlay_tensor_same_dims(c->in[1 - number], c->out[0]))
        return false;
    memcpy(bound, (const char *)t->data + t->offset * (int64_t)sizeof *bound, sizeof *bound);
    out->in[0] = 1 - number;
    out->in[1] = -1;
    return true;
}

static bool take_maximum(const inlay_call *c, const bool *constant, module_node *out)
{
    float low;

    return take_number(c, constant, out, &low) && take_bounds(out, low, INFINITY);
}

static bool take_minimum(const inlay_call *c, const bool *constant, module_node *out)
{
    float high;

    return take_number(c, constant, out, &high) && take_bounds(out, -INFINITY, high);
}

/* All */

typedef bool take_fn(const inlay_call *c, const bool *constant, module_node *out);

/* BEGINS: a chain may begin with such an operation. */
static const struct row {
    inlay_op_kind op;
    bool begins;
    take_fn *take;
} rows[] = {{INLAY_OP_CONVOLUTION, true, take_convolution},
            {INLAY_OP_GROUP_CONVOLUTION, true, take_group_convolution},
            {INLAY_OP_MAT_MUL, true, take_product},
            {INLAY_OP_MAX_POOL, false, take_max_pool},
            {INLAY_OP_AVG_POOL, false, take_mean_pool},
            {INLAY_OP_ADD, false, take_sum},
            {INLAY_OP_RELU, false, take_relu},
            {INLAY_OP_CLAMP, false, take_clamp},
            {INLAY_OP_MAXIMUM, false, take_maximum},
            {INLAY_OP_MINIMUM, false, take_minimum}};

static const struct row *row_of(const inlay_node *n)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (inlay_node_is(n, rows[i].op))
            return &rows[i];
    }
    return NULL;
}

/* Returns whether N is a product that has one row according to the model. Its time is that of
 * reading the matrix, which our own kernel does faster: in 0.65 to 0.8 of oneDNN's time on a Zen 3.
 * If one row is only one of several shapes that the model may have, the matrix would have to be
 * packed twice. */
static bool is_row(const inlay_node *n)
{
    const inlay_fact *y = &n->out[0].fact;
    int64_t dims[INLAY_MAX_RANK];
    bool one = inlay_node_is(n, INLAY_OP_MAT_MUL) && inlay_fact_dims(y, dims);

    for (int i = 0; one && i < y->rank - 1; i++)
        one = dims[i] == 1;
    return one;
}

bool chain_begins(const inlay_node *n)
{
    const struct row *row = row_of(n);

    return row && row->begins && !is_row(n);
}

static bool fits(const inlay_tensor *t)
{
    return t->type == INLAY_F32 && t->rank <= MODULE_RANK && inlay_tensor_is_dense(t) &&
           inlay_tensor_count(t) > 0;
}

bool chain_takes(const inlay_call *c, const bool *constant, module_node *out)
{
    const struct row *row = row_of(c->node);
    bool ok = row && c->n_in <= 2 && fits(c->out[0]) && !is_row(c->node);

    for (int i = 0; ok && i < c->n_in; i++)
        ok = c->in[i] && fits(c->in[i]);
    *out = (module_node){.in = {0, c->n_in - 1 > 0 ? 1 : -1}, .axis = -1, .groups = 1};
    if (!ok || !row->take(c, constant, out))
        return false;
    return !constant[out->in[0]];
}

double chain_products(const inlay_call *c, const module_node *n)
{
    double out = (double)inlay_tensor_count(c->out[0]);

    if (n->kind == MODULE_PRODUCT)
        return out * (double)c->in[0]->dims[c->in[0]->rank - 1];
    if (n->kind != MODULE_CONVOLUTION)
        return 0;
    return out * (double)inlay_tensor_count(c->in[1]) / (double)c->out[0]->dims[1];
}

/* Constants */

bool chain_packs(const inlay_node *n, const inlay_tensor *t)
{
    return chain_begins(n) && fits(t);
}

/* A dim that no packed form pads counts as it is; filters of depthwise convolutions have their
 * groups padded. */
size_t chain_packed_bytes(const inlay_node *n, const inlay_tensor *t)
{
    bool grouped = inlay_node_is(n, INLAY_OP_GROUP_CONVOLUTION);
    bool deep = grouped && t->rank > 2 && t->dims[1] == 1 && t->dims[2] == 1;
    double bytes = sizeof(float);

    if (!chain_packs(n, t))
        return 0;
    for (int i = 0; i < t->rank; i++) {
        bool padded = grouped ? (deep ? i == 0 : i == 1 || i == 2) : i < 2;
        int64_t d = t->dims[i];

        bytes *= (double)(padded ? (d + PACKED - 1) / PACKED * PACKED : d);
    }
    return bytes < (double)(SIZE_MAX / 2) ? (size_t)bytes : SIZE_MAX / 2;
}
