/* Shape rules of quantization. */
#include "ir/infer/infer.h"

/* The limits are broadcast to data, which keeps its shape. */
bool infer_fake_quantize(inlay_infer *cx)
{
    const char *mode = inlay_node_string(cx->node, "auto_broadcast");
    int64_t levels = inlay_node_int(cx->node, "levels");
    inlay_shape data, limit, both;

    if (levels < 2)
        return inlay_infer_fail(cx, "levels is %lld, it must be at least 2", (long long)levels);
    inlay_infer_shape(cx, 0, &data);
    for (int i = 1; i < 5; i++) {
        if (!inlay_infer_broadcast(cx, 0, i, mode, &both))
            return false;
        inlay_infer_shape(cx, i, &limit);
        if (data.rank >= 0 && limit.rank >= 0 && !broadcasts_to(&limit, &data))
            return inlay_infer_fail(cx, "%s %s does not fit data %s, which keeps its shape",
                                    in_name(cx, i), in_text(cx, i), in_text(cx, 0));
    }
    return inlay_infer_set_out_like(cx, 0, 0);
}
