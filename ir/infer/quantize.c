/* Shape rules of quantization. */
#include "ir/infer/infer.h"

/* Inputs 1 to END - 1 are broadcast to data, which keeps its shape. */
static bool broadcast_to_data(inlay_infer *cx, const char *mode, int end)
{
    inlay_shape data, other, both;

    inlay_infer_shape(cx, 0, &data);
    for (int i = 1; i < end && in_has(cx, i); i++) {
        if (!inlay_infer_broadcast(cx, 0, i, mode, &both))
            return false;
        inlay_infer_shape(cx, i, &other);
        if (data.rank >= 0 && other.rank >= 0 && !broadcasts_to(&other, &data))
            return inlay_infer_fail(cx, "%s %s does not fit data %s, which keeps its shape",
                                    in_name(cx, i), in_text(cx, i), in_text(cx, 0));
    }
    return inlay_infer_set_out_like(cx, 0, 0);
}

bool infer_fake_quantize(inlay_infer *cx)
{
    const char *mode = inlay_node_string(cx->node, "auto_broadcast");
    int64_t levels = inlay_node_int(cx->node, "levels");

    if (levels < 2)
        return inlay_infer_fail(cx, "levels is %lld, it must be at least 2", (long long)levels);
    return broadcast_to_data(cx, mode, 5);
}

bool infer_fake_convert(inlay_infer *cx)
{
    return broadcast_to_data(cx, "numpy", 3);
}
