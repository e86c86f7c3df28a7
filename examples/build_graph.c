/* Builds max(x * (2 * 3) over windows of 2), optimises it, and prints what is left. */
#include <inlay.h>

#include <stdio.h>

/* Each value may be NULL after an error: what is built on it then fails too. */
static bool build(inlay_graph *g, inlay_diags *d)
{
    const int64_t two[] = {2, 2}, none[] = {0, 0};
    inlay_shape shape;
    inlay_value *x, *product[2];
    inlay_node *n;

    if (!inlay_shape_parse("1,1,?,?", &shape, &(const char *){NULL}))
        return false;
    x = inlay_build_parameter(g, "x", INLAY_F32, &shape, d);
    product[0] = inlay_build_f32_scalar(g, "two", 2, d);
    product[1] = inlay_build_f32_scalar(g, "three", 3, d);
    n = inlay_build(g, "six", "Multiply", product, 2, NULL, d);
    product[0] = x;
    product[1] = n ? &n->out[0] : NULL;
    n = inlay_build(g, "scaled", "Multiply", product, 2, NULL, d);

    /* Attributes are set between the two halves of building a node. */
    n = n ? inlay_build_begin(g, "pool", "MaxPool@opset1", &(inlay_value *){&n->out[0]}, 1, d)
          : NULL;
    n = inlay_build_end(n,
                        n && inlay_node_set_ints(n, "kernel", two, 2, d) &&
                            inlay_node_set_ints(n, "strides", two, 2, d) &&
                            inlay_node_set_ints(n, "pads_begin", none, 2, d) &&
                            inlay_node_set_ints(n, "pads_end", none, 2, d),
                        d);
    return n && inlay_build_result(g, "y", &n->out[0], d);
}

static bool to_stdout(void *ctx, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, ctx) == n;
}

int main(void)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_new("pooled", d);
    inlay_evaluator reference = inlay_reference_evaluator(NULL); /* computes 2 * 3 */
    inlay_pass_options passes = {.evaluator = &reference};
    inlay_sink out = {to_stdout, stdout};
    bool ok = g && build(g, d) && inlay_run_passes(g, &passes, d) && inlay_print(g, true, &out, d);

    for (size_t i = 0; i < inlay_diags_count(d); i++)
        fprintf(stderr, "%s\n", inlay_diags_at(d, i)->text);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return ok ? 0 : 1;
}
