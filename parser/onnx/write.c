/* Writes an ONNX model. See write.h. */
#include "parser/onnx/write.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

/* What a file is written with: the version of the format that has an operator set, by the set's
 * number. */
static const struct {
    int opset, ir;
} formats[] = {{17, 8}, {19, 9}, {21, 10}, {23, 11}, {24, 12}, {25, 13}};

static void put_set(onnx_writer *w, const char *domain, int64_t version)
{
    Onnx__OperatorSetIdProto *set = onnx_put_message(w, w->model, "opset_import");
    char **name = set ? onnx_put_field(w, set, "domain") : NULL;

    if (!name)
        return;
    *name = inlay_arena_strdup(w->a, domain);
    set->has_version = true;
    set->version = version;
    if (!*name)
        onnx_out_of_memory(w);
}

static void put_head(onnx_writer *w, const inlay_graph *g)
{
    int ir = w->has_metadata ? 10 : 8;

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        ir = w->version >= formats[i].opset && formats[i].ir > ir ? formats[i].ir : ir;
    w->model->has_ir_version = true;
    w->model->ir_version = ir;
    put_set(w, "", w->version);
    if (w->uses_ml)
        put_set(w, "ai.onnx.ml", ONNX_ML_OPSET);
    onnx_put_model_info(w, g->meta);
}

static bool say_refused(onnx_writer *w)
{
    if (w->refused.failed)
        return onnx_out_of_memory(w);
    return inlay_fail(w->d, NULL, "ONNX cannot say %d node%s: %s", w->n_refused,
                      inlay_plural(w->n_refused, "", "s"), w->refused.bytes);
}

/* Makes the records. *AGAIN: a newer operator set is needed, which W->NEEDED says. */
static bool make_records(onnx_writer *w, const inlay_graph *g, bool *again)
{
    w->model = onnx_message_new(&onnx__model_proto__descriptor, 0, w->a);
    w->model = w->model && onnx_put_message(w, w->model, "graph") ? w->model : NULL;
    if (!w->model)
        return onnx_out_of_memory(w);
    if (!onnx_put_model_graph(w, g) || w->failed)
        return false;
    *again = w->needed > w->version;
    if (*again)
        return true;
    if (w->n_refused > 0)
        return say_refused(w);
    put_head(w, g);
    return !w->failed;
}

/* A buffer of protobuf-c that passes bytes on. */
struct passing {
    ProtobufCBuffer base;
    const inlay_sink *to;
    bool failed;
};

static void pass(ProtobufCBuffer *b, size_t n, const uint8_t *bytes)
{
    struct passing *p = (struct passing *)b;

    p->failed = p->failed || (n > 0 && !p->to->write(p->to->ctx, (const char *)bytes, n));
}

static bool write_records(const onnx_writer *w, const inlay_sink *to)
{
    struct passing p = {{pass}, to, false};

    if (protobuf_c_message_get_packed_size(&w->model->base) > INT32_MAX)
        return inlay_fail(w->d, NULL,
                          "the file would have more than 2 GiB, which no ONNX model may have; "
                          "--external FILE writes "
                          "large weights to a file of their own");
    protobuf_c_message_pack_to_buffer(&w->model->base, &p.base);
    return !p.failed;
}

static void free_writer(onnx_writer *w)
{
    for (size_t i = 0; i < w->n_copies; i++)
        inlay_tensor_release(w->copies[i]);
    inlay_give(w->known);
    inlay_strbuf_free(&w->refused);
    inlay_arena_free(w->a);
}

/* Makes the records as often as an export needs a newer operator set. Weights are written while
 * they are made, so this does it once more where there is a file for them. */
static bool make_model(onnx_writer *w, const inlay_graph *g, const inlay_sink *weights)
{
    bool again = true;

    if (!w->a || !w->known)
        return inlay_fail_memory(w->d);
    while (again) {
        w->version = w->needed > w->version ? w->needed : w->version;
        w->refused.n = 0;
        w->n_refused = 0;
        w->uses_ml = w->has_metadata = false;
        if (!make_records(w, g, &again))
            return false;
    }
    w->weights = weights;
    return !weights || make_records(w, g, &again);
}

bool inlay_write_onnx(const inlay_graph *g, const char *weights_name, const inlay_write_options *o,
                      const inlay_sink *model, const inlay_sink *weights, inlay_diags *d)
{
    int asked = o ? o->opset : 0;
    onnx_writer w = {.d = d, .asked = asked != 0, .weights_name = weights_name};
    bool ok;

    if (!inlay_graph_is_whole(g, d) || !inlay_sink_is_sound(model, d) ||
        (weights && !inlay_sink_is_sound(weights, d)) ||
        (weights && inlay_is_missing(weights_name, "name of the weights", d)))
        return false;
    if (asked != 0 && (asked < ONNX_LEAST_OPSET || asked > ONNX_MAX_OPSET))
        return inlay_fail(d, NULL, "operator set %d cannot be written, only %d to %d", asked,
                          ONNX_LEAST_OPSET, ONNX_MAX_OPSET);
    w.version = asked ? asked : ONNX_LEAST_OPSET;
    w.a = inlay_arena_of(inlay_graph_budget(g));
    w.known = inlay_take(inlay_graph_budget(g), inlay_op_count(g->ops), sizeof *w.known);
    ok = make_model(&w, g, weights) && write_records(&w, model);
    free_writer(&w);
    return inlay_budget_tell(inlay_graph_budget(g), ok, d);
}
