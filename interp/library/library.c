/* The operations that have a kernel in this folder. */
#include "interp/library/library.h"

static const library_kernel *const kernels[] = {&library_matmul,
                                                &library_convolution,
                                                &library_group_convolution,
                                                &library_max_pool,
                                                &library_avg_pool,
                                                &library_attention,
                                                &library_lstm_sequence,
                                                &library_gru_sequence,
                                                &library_rnn_sequence,
                                                &library_matmul_compressed,
                                                &library_topk,
                                                &library_non_max_suppression,
                                                &library_nms_rotated,
                                                &library_interpolate,
                                                &library_resize,
                                                &library_grid_sample,
                                                &library_onnx_grid_sample,
                                                &library_roi_align,
                                                &library_onnx_roi_align,
                                                &library_roi_align_rotated,
                                                &library_deformable_convolution,
                                                &library_lrn,
                                                &library_col2im,
                                                &library_onnx_col2im,
                                                &library_roi_pooling,
                                                &library_feature_extractor,
                                                &library_rms,
                                                &library_rms_norm};

const library_kernel *library_find(const inlay_op *op)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (kernels[i]->op == op->kind)
            return kernels[i];
    }
    return NULL;
}
