/* The kernels of interp/library against those of the reference, which they must equal bit for bit:
 * random sizes, strides and attributes, numbers among which are NaN, infinities and -0, operands
 * that are constants (and packed) or not, and any number of threads. */
#include "node_case.h"
#include "unit.h"

/* MatMul */

static void matmul_case(rng *r, struct node_case *k)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32,
                                       INLAY_F64, INLAY_F16, INLAY_BF16};
    bool line = rng_one_in(r, 6); /* a few rows by some panels */
    int64_t rows = line ? rng_in(r, 1, 4) : any_size(r),
            cols = line ? rng_in(r, 60, 300) : any_size(r);
    int64_t depth = any_size(r), batch = rng_in(r, 1, 3);
    inlay_type type = types[rng_in(r, 0, 5)];
    bool ta = rng_one_in(r, 3), tb = rng_one_in(r, 3), special = rng_one_in(r, 3);
    int rank[2] = {(int)rng_in(r, 2, 4), (int)rng_in(r, 2, 4)};

    snprintf(k->op, sizeof k->op, "MatMul");
    snprintf(k->attrs, sizeof k->attrs, "transpose_a=%s;transpose_b=%s", ta ? "true" : "false",
             tb ? "true" : "false");
    for (int i = 0; i < 2; i++) {
        int64_t dims[4] = {1, 1, 1, 1}, height = i ? depth : rows, width = i ? cols : depth;
        bool turned = i ? tb : ta;

        for (int a = 0; a < rank[i] - 2; a++)
            dims[a] = rng_one_in(r, 2) ? batch : 1;
        dims[rank[i] - 2] = turned ? width : height;
        dims[rank[i] - 1] = turned ? height : width;
        k->constant[i] = rng_one_in(r, 3) || (line && i);
        k->in[i] = any_tensor(r, type, rank[i], dims, special, k->constant[i] || rng_one_in(r, 2));
    }
}

static void matmul(void **state)
{
    try_cases(seeds_to_try(250, 40), matmul_case, NULL);
}

/* Exchanges T's numbers for integers up to a limit, among which are its ends. */
static inlay_tensor *whole_numbers(rng *r, inlay_tensor *t)
{
    static const int64_t limits[] = {3, 255, INT16_MAX, INT16_MAX + 1, INT32_MAX};
    int64_t limit = limits[rng_in(r, 0, 4)];

    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        int64_t x = rng_in(r, -limit - 1, limit);

        inlay_tensor_set_i64(t, i, rng_one_in(r, 4) ? (x < 0 ? -limit - 1 : limit) : x);
    }
    return t;
}

/* Makes of a case K of the operation a case of integers of up to 32 bits; all of it may be of open
 * sizes. */
static void make_whole(rng *r, struct node_case *k)
{
    static const inlay_type types[] = {INLAY_I32, INLAY_I32, INLAY_U32, INLAY_I16,
                                       INLAY_U16, INLAY_I8,  INLAY_U8};
    inlay_type type = types[rng_in(r, 0, 6)];

    k->open = rng_one_in(r, 3);
    for (int i = 0; i < 2; i++) {
        inlay_tensor *t = k->in[i];

        k->in[i] = whole_numbers(
            r, any_tensor(r, type, t->rank, t->dims, false, k->constant[i] || rng_one_in(r, 2)));
        inlay_tensor_release(t);
    }
}

static void matmul_whole(void **state)
{
    try_cases(seeds_to_try(250, 40), matmul_case, make_whole);
}

/* Einsum */

enum { LETTERS = 6 };

/* Writes the subscript of an operand to TEXT, and its sizes, of which some are 1, to DIMS. Some
 * letters stand twice; SEEN are those of all operands. Returns its rank. */
static int any_subscript(rng *r, char *text, const char *letters, const int64_t *sizes, bool *seen,
                         int64_t *dims)
{
    bool here[LETTERS] = {false}, one[LETTERS];
    int n = (int)rng_in(r, 0, 4), dots = (int)rng_in(r, -3, 2), rank = 0;

    for (int i = 0; i < LETTERS; i++)
        one[i] = rng_one_in(r, 12);
    for (int i = 0; i <= n; i++) {
        int k = (int)rng_in(r, 0, LETTERS - 1);

        if (i == n / 2 && dots >= 0) {
            text += sprintf(text, "...");
            for (int d = 0; d < dots; d++) /* the last axis of all ellipses is the same */
                dims[rank++] = rng_one_in(r, 4) ? 1 : 2 + dots - d;
        }
        if (i == n || (here[k] && !rng_one_in(r, 4)))
            continue;
        here[k] = seen[k] = true;
        *text++ = letters[k];
        dims[rank++] = one[k] ? 1 : sizes[k];
    }
    *text = 0;
    return rank;
}

/* Appends a result of some of the letters SEEN, in any order. */
static void any_result(rng *r, char *text, const char *letters, const bool *seen, bool dots)
{
    int from = (int)rng_in(r, 0, LETTERS - 1), step = rng_one_in(r, 2) ? 1 : LETTERS - 1;

    text += strlen(text);
    text += sprintf(text, "->");
    for (int i = 0; i < LETTERS; i++) {
        int k = (from + i * step) % LETTERS;

        if (dots && i == LETTERS / 2 && !rng_one_in(r, 5))
            text += sprintf(text, "...");
        if (seen[k] && !rng_one_in(r, 3))
            *text++ = letters[k];
    }
    *text = 0;
}

static void einsum_case(rng *r, struct node_case *k)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64,
                                       INLAY_F16, INLAY_I32, INLAY_I64, INLAY_U8};
    static const char *const letters[] = {"bhijdk", "kdAjZi"};
    const char *names = letters[rng_in(r, 0, 1)];
    int operands = rng_one_in(r, 5) ? (int)rng_in(r, 1, 3) : 2;
    inlay_type type = types[rng_in(r, 0, 7)];
    bool seen[LETTERS] = {false}, special = rng_one_in(r, 3);
    int64_t sizes[LETTERS], dims[12], large = rng_in(r, 0, 2 * LETTERS);
    char text[200] = "";

    for (int i = 0; i < LETTERS; i++)
        sizes[i] = i == large || i == large - 3 ? rng_in(r, 20, 70) : rng_in(r, 1, 6);
    if (rng_one_in(r, 20))
        sizes[0] = 0;
    for (int i = 0; i < operands; i++) {
        int rank = any_subscript(r, text + strlen(text), names, sizes, seen, dims);

        if (i < operands - 1)
            strcat(text, ",");
        k->constant[i] = rng_one_in(r, 4);
        k->in[i] = any_tensor(r, type, rank, dims, special && type < INLAY_F8E4M3,
                              k->constant[i] || rng_one_in(r, 2));
    }
    if (!rng_one_in(r, 6))
        any_result(r, text, names, seen, strchr(text, '.') != NULL);
    k->open = rng_one_in(r, 4);
    snprintf(k->op, sizeof k->op, "Einsum");
    snprintf(k->attrs, sizeof k->attrs, "equation=%s", text);
}

static void einsum(void **state)
{
    try_cases(seeds_to_try(600, 100), einsum_case, NULL);
}

/* Convolutions */

static void write_list(rng *r, char *text, size_t size, const char *name, int n, int64_t lo,
                       int64_t hi, int64_t *out)
{
    size_t used = strlen(text);

    used += (size_t)snprintf(text + used, size - used, "%s=", name);
    for (int i = 0; i < n; i++) {
        out[i] = rng_in(r, lo, hi);
        used +=
            (size_t)snprintf(text + used, size - used, "%s%lld", i ? "," : "", (long long)out[i]);
    }
    snprintf(text + used, size - used, ";");
}

static void convolution_case(rng *r, struct node_case *k)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    int axes = (int)(rng_one_in(r, 5) ? rng_in(r, 1, 3) : 2), grouped = rng_one_in(r, 2);
    int64_t groups = grouped ? rng_in(r, 1, rng_one_in(r, 3) ? 12 : 4) : 1, in = rng_in(r, 1, 6),
            out = rng_in(r, 1, 20);
    int64_t stride[3], pad[3], pad_end[3], dilation[3], data[5], filters[6];
    bool narrow = rng_one_in(r, 3), special = rng_one_in(r, 4), square = rng_one_in(r, 3);
    int64_t side = 1 + 2 * rng_in(r, 1, 3);
    inlay_type type = types[rng_in(r, 0, 4)];

    if (rng_one_in(r, 3))
        in = out = 1;
    if (rng_one_in(r, 20))
        in = 0;
    snprintf(k->op, sizeof k->op, grouped ? "GroupConvolution" : "Convolution");
    write_list(r, k->attrs, sizeof k->attrs, "strides", axes, 1, rng_one_in(r, 2) ? 1 : 3, stride);
    write_list(r, k->attrs, sizeof k->attrs, "pads_begin", axes, 0, rng_in(r, 0, 2), pad);
    write_list(r, k->attrs, sizeof k->attrs, "pads_end", axes, 0, rng_in(r, 0, 2), pad_end);
    write_list(r, k->attrs, sizeof k->attrs, "dilations", axes, 1, rng_one_in(r, 3) ? 3 : 1,
               dilation);
    data[0] = rng_in(r, 1, 2);
    data[1] = groups * in;
    filters[0] = groups;
    filters[grouped] = out;
    filters[grouped + 1] = in;
    for (int i = 0; i < axes; i++) {
        int64_t kernel = square   ? side
                         : narrow ? 1
                                  : rng_in(r, 1, 4),
                least = (kernel - 1) * dilation[i] + 1;

        filters[grouped + 2 + i] = kernel;
        data[2 + i] = rng_in(r, least, least + (axes == 1 ? 150 : axes == 2 ? 25 : 7));
    }
    k->constant[1] = rng_one_in(r, 2);
    k->in[0] = any_tensor(r, type, axes + 2, data, special, rng_one_in(r, 2));
    k->in[1] = any_tensor(r, type, axes + 2 + grouped, filters, special && rng_one_in(r, 2),
                          k->constant[1] || rng_one_in(r, 2));
}

static void convolution(void **state)
{
    try_cases(seeds_to_try(400, 60), convolution_case, NULL);
}

static void convolution_whole(void **state)
{
    try_cases(seeds_to_try(400, 60), convolution_case, make_whole);
}

/* Products of 8-bit integers */

/* Adds operand I to K: of TYPE, one number or one for each of CHANNELS, which have BEHIND axes
 * behind them. */
static void add_list(rng *r, struct node_case *k, int i, inlay_type type, int64_t channels,
                     int behind)
{
    bool one = rng_one_in(r, 2);
    int64_t dims[4] = {one ? 1 : channels, 1, 1, 1};

    k->constant[i] = rng_one_in(r, 2);
    k->in[i] =
        any_tensor(r, type, one ? (int)rng_in(r, 0, 1) : 1 + behind, dims, rng_one_in(r, 9), true);
    for (int64_t j = 0; type == INLAY_I32 && j < inlay_tensor_count(k->in[i]); j++)
        inlay_tensor_set_i64(k->in[i], j, rng_in(r, -300, 300));
}

/* Makes of a case K of the operation one of bytes, with zero points and what follows the sums. */
static void make_quantized(rng *r, struct node_case *k)
{
    static const char *const ends[] = {"i32;", "f32;", "u8;min=0;max=255", "i8;min=-100;max=127"};
    static const int lasts[] = {4, 6, 9, 9};
    bool product = strcmp(k->op, "MatMul") == 0, grouped = strcmp(k->op, "GroupConvolution") == 0;
    bool turned = strstr(k->attrs, "transpose_b=true") != NULL;
    int end = (int)rng_in(r, 0, 3), behind = product ? 0 : k->in[0]->rank - 2;
    const int64_t *b = k->in[1]->dims;
    int64_t channels = product   ? b[k->in[1]->rank - (turned ? 2 : 1)]
                       : grouped ? b[0] * b[1]
                                 : b[0];

    k->open = rng_one_in(r, 3);
    sprintf(k->attrs + strlen(k->attrs), "%s%soutput_type=%s", product ? ";" : "",
            grouped ? "grouped=true;" : "", ends[end]);
    snprintf(k->op, sizeof k->op, product ? "MatMulQuantized" : "ConvolutionQuantized");
    for (int i = 0; i < 2; i++) {
        inlay_tensor *t = k->in[i];
        inlay_type type = rng_one_in(r, 2) ? INLAY_U8 : INLAY_I8;

        k->in[i] = any_tensor(r, type, t->rank, t->dims, false, k->constant[i] || rng_one_in(r, 2));
        for (int64_t j = 0; j < inlay_tensor_count(t); j++)
            inlay_tensor_set_i64(k->in[i], j,
                                 rng_in(r, 0, UINT8_MAX) + (type == INLAY_I8 ? INT8_MIN : 0));
        inlay_tensor_release(t);
    }
    for (int64_t i = 2, last = rng_in(r, 1, lasts[end]); i <= last; i++)
        add_list(r, k, (int)i, i <= 4 ? INLAY_I32 : INLAY_F32, i < 4 ? 1 : channels,
                 i < 4 ? 0 : behind);
}

static void matmul_quantized(void **state)
{
    try_cases(seeds_to_try(300, 40), matmul_case, make_quantized);
}

static void convolution_quantized(void **state)
{
    try_cases(seeds_to_try(500, 60), convolution_case, make_quantized);
}

/* Transposed convolutions, whose result may have an output_shape of its own. */
static void transposed_case(rng *r, struct node_case *k)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F64, INLAY_F16};
    int axes = (int)(rng_one_in(r, 3) ? rng_in(r, 1, 3) : 2), grouped = rng_one_in(r, 2);
    int64_t groups = grouped ? rng_in(r, 1, 4) : 1, in = rng_in(r, rng_one_in(r, 20) ? 0 : 1, 6);
    int64_t out = rng_in(r, 1, rng_one_in(r, 2) ? 4 : 40), most = rng_one_in(r, 3) ? 5 : 2;
    int64_t stride[3], pad[3], pad_end[3], more[3], dilation[3], data[5], filters[6];
    bool special = rng_one_in(r, 4), shaped = rng_one_in(r, 4);
    inlay_type type = types[rng_in(r, 0, 4)];

    snprintf(k->op, sizeof k->op, "%sConvolutionBackpropData", grouped ? "Group" : "");
    write_list(r, k->attrs, sizeof k->attrs, "strides", axes, 1, most, stride);
    write_list(r, k->attrs, sizeof k->attrs, "dilations", axes, 1, rng_one_in(r, 3) ? 4 : 1,
               dilation);
    write_list(r, k->attrs, sizeof k->attrs, "pads_begin", axes, 0, rng_in(r, 0, 2), pad);
    write_list(r, k->attrs, sizeof k->attrs, "pads_end", axes, 0, rng_in(r, 0, 2), pad_end);
    write_list(r, k->attrs, sizeof k->attrs, "output_padding", axes, 0, rng_in(r, 0, 3), more);
    data[0] = rng_in(r, 1, 2);
    data[1] = groups * in;
    filters[0] = groups;
    filters[grouped] = in;
    filters[grouped + 1] = out;
    for (int i = 0; i < axes; i++) {
        filters[grouped + 2 + i] = rng_in(r, 1, 5);
        data[2 + i] = rng_in(r, 1 + pad[i] + pad_end[i], axes == 1 ? 90 : axes == 2 ? 18 : 6);
    }
    k->constant[1] = rng_one_in(r, 2);
    k->in[0] = any_tensor(r, type, axes + 2, data, special, rng_one_in(r, 2));
    k->in[1] = any_tensor(r, type, axes + 2 + grouped, filters, special && rng_one_in(r, 2),
                          k->constant[1] || rng_one_in(r, 2));
    if (!shaped) {
        k->open = rng_one_in(r, 3);
        return;
    }
    k->constant[2] = true;
    k->in[2] = inlay_tensor_new(INLAY_I64, 1, (int64_t[]){axes});
    for (int i = 0; i < axes; i++) {
        int64_t reach =
            (data[2 + i] - 1) * stride[i] + (filters[grouped + 2 + i] - 1) * dilation[i] + 1;

        inlay_tensor_set_i64(k->in[2], i, rng_in(r, reach > 4 ? reach - 4 : 1, reach + 3));
    }
    if (rng_one_in(r, 2))
        strcat(k->attrs, rng_one_in(r, 2) ? "auto_pad=same_upper;" : "auto_pad=same_lower;");
}

static void transposed(void **state)
{
    try_cases(seeds_to_try(400, 60), transposed_case, NULL);
}

/* Pools */

/* Writes the attributes of a pool with AXES spatial axes, and the sizes of its data to DATA. */
static void pool_attrs(rng *r, struct node_case *k, int axes, bool dilated, int64_t *data)
{
    static const char *const autos[] = {"same_upper", "same_lower", "valid"};
    static const int64_t spare[] = {600, 25, 7};
    int64_t most = axes == 1 ? 40 : axes == 2 ? 14 : 5, kernel[3], list[3], dilation[3] = {1, 1, 1};
    bool wide = rng_one_in(r, 5), global = rng_one_in(r, 8), square = rng_one_in(r, 3);
    int64_t side = rng_in(r, 2, 7), step = rng_in(r, 1, 2);

    write_list(r, k->attrs, sizeof k->attrs, "kernel", axes, square ? side : 1,
               square ? side
               : wide ? most
                      : 4,
               kernel);
    write_list(r, k->attrs, sizeof k->attrs, "strides", axes, square ? step : 1,
               square             ? step
               : rng_one_in(r, 4) ? 7
                                  : 4,
               list);
    if (dilated && !square)
        write_list(r, k->attrs, sizeof k->attrs, "dilations", axes, 1, 3, dilation);
    write_list(r, k->attrs, sizeof k->attrs, "pads_begin", axes, 0, global ? 0 : 2, list);
    write_list(r, k->attrs, sizeof k->attrs, "pads_end", axes, 0, global ? 0 : 2, list);
    if (rng_one_in(r, 2))
        strcat(k->attrs, "rounding_type=ceil;");
    else if (rng_one_in(r, 3))
        sprintf(k->attrs + strlen(k->attrs), "auto_pad=%s;", autos[rng_in(r, 0, 2)]);
    data[0] = rng_in(r, 1, 2);
    data[1] = rng_in(r, 1, global ? 40 : 3);
    for (int i = 0; i < axes; i++) {
        int64_t least = (kernel[i] - 1) * dilation[i] + 1;

        data[2 + i] = least + (global ? 0 : rng_in(r, 0, spare[axes - 1]));
    }
    if (rng_one_in(r, 3)) /* rows of several vectors */
        data[1 + axes] += 70;
    if (rng_one_in(r, 12)) /* a plane that is cut */
        data[1 + axes] += axes == 1 ? 9000 : axes == 2 ? 1200 : 150;
}

static void pool_case(rng *r, struct node_case *k)
{
    static const char *const ops[] = {"MaxPool", "MaxPool@opset8", "MaxPool@opset1",
                                      "AvgPool", "AvgPool",        "AvgPool@opset14"};
    static const inlay_type types[] = {INLAY_F32, INLAY_F32, INLAY_F32, INLAY_F16, INLAY_BF16,
                                       INLAY_U8,  INLAY_I8,  INLAY_U16, INLAY_I16, INLAY_F64};
    int axes = (int)(rng_one_in(r, 3) ? rng_in(r, 1, 3) : 2), op = (int)rng_in(r, 0, 5);
    bool special = rng_one_in(r, 3);
    int64_t data[5];

    snprintf(k->op, sizeof k->op, "%s", ops[op]);
    pool_attrs(r, k, axes, op != 2 && op != 5, data);
    if (op >= 3)
        strcat(k->attrs, rng_one_in(r, 2) ? "exclude-pad=true;" : "exclude-pad=false;");
    else if (op < 2 && rng_one_in(r, 2))
        strcat(k->attrs, "axis=1;");
    k->in[0] = any_tensor(r, types[rng_in(r, 0, op < 2 ? 9 : 4)], axes + 2, data, special,
                          rng_one_in(r, 2));
    k->open = rng_one_in(r, 4);
    k->output = op < 2 && rng_one_in(r, 4);
}

static void pools(void **state)
{
    try_cases(seeds_to_try(500, 80), pool_case, NULL);
}

/* Packed constants */

/* Two nodes want the same packed form of a constant of TYPE, and a third one wants another form of
 * it. Both take as many bytes as the constant. */
static void check_shared(inlay_type type)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("shared", d);
    const int64_t dims[] = {64, 64};
    rng r = {1};
    inlay_tensor *t = any_tensor(&r, type, 2, dims, false, true), *out = NULL;
    inlay_shape shape = {.rank = 2, .dim = {{.lo = 64, .hi = 64}, {.lo = 64, .hi = 64}}};
    inlay_value *in[2] = {inlay_build_parameter(g, "x", type, &shape, d),
                          inlay_build_const(g, "weights", t, d)};
    inlay_exec_stats stats;
    inlay_program *p;
    inlay_session *s;
    inlay_node *n;

    for (int i = 0; i < 3; i++) {
        char name[8];

        snprintf(name, sizeof name, "n%d", i);
        n = inlay_build(g, name, "MatMul", in, 2, i == 2 ? "transpose_b=true" : NULL, d);
        assert_non_null(n);
        in[0] = &n->out[0];
    }
    assert_non_null(inlay_build_result(g, "y", in[0], d));
    p = inlay_compile(g, NULL, d);
    s = inlay_session_new(p, d);
    assert_true(inlay_session_run(s, (const inlay_tensor *const *)&t, NULL, &out, d));
    inlay_session_stats(s, &stats);
    assert_int_equal(stats.packed_bytes, 2 * inlay_tensor_bytes(t));
    inlay_tensor_release(out);
    inlay_tensor_release(t);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void shared_form(void **state)
{
    check_shared(INLAY_F32);
    check_shared(INLAY_F16);
    check_shared(INLAY_BF16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(matmul),
                                       cmocka_unit_test(matmul_whole),
                                       cmocka_unit_test(matmul_quantized),
                                       cmocka_unit_test(einsum),
                                       cmocka_unit_test(convolution_whole),
                                       cmocka_unit_test(convolution_quantized),
                                       cmocka_unit_test(transposed),
                                       cmocka_unit_test(convolution),
                                       cmocka_unit_test(pools),
                                       cmocka_unit_test(shared_form)};

    return cmocka_run_group_tests_name("kernels of the library", tests, NULL, NULL);
}
