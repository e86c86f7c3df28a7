/* TopK, NonMaxSuppression and the Detectron operations: values by hand from the documents. */
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_topk(void **state)
{
    const char *in = "f32[6] 5 3 1 2 5 5", *rows = "i32[2,3] 3 1 2 4 6 5";

    (void)state;
    /* top-k-11.rst: the stable answer */
    check_op("TopK", "axis=0;mode=min;sort=index;stable=true", OPERANDS(in, "i64 4"),
             OPERANDS("f32[4] 5 3 1 2", "i32[4] 0 1 2 3"));
    check_op("TopK", "axis=0;mode=max;sort=value;stable=true", OPERANDS(in, "i64 4"),
             OPERANDS("f32[4] 5 5 5 3", "i32[4] 0 4 5 1"));
    check_op("TopK", "axis=0;mode=min;sort=value;index_element_type=i64", OPERANDS(in, "i32 3"),
             OPERANDS("f32[3] 1 2 3", "i64[3] 2 3 1"));
    check_op("TopK opset3", "axis=-1;mode=max;sort=value", OPERANDS(rows, "i8 2"),
             OPERANDS("i32[2,2] 3 2 6 5", "i32[2,2] 0 2 1 2"));
    check_op("TopK opset1", "axis=0;mode=max;sort=none", OPERANDS(rows, "i64 1"),
             OPERANDS("i32[1,3] 4 6 5", "i32[1,3] 1 1 1"));
    check_op("TopK", "axis=0;mode=max;sort=value", OPERANDS("f32[4] nan 1 -inf 2", "i64 4"),
             OPERANDS("f32[4] 2 1 -inf nan", "i32[4] 3 1 2 0"));
    check_op("TopK", "axis=0;mode=max;sort=value",
             OPERANDS("u64[3] 1 18446744073709551615 5", "i64 2"),
             OPERANDS("u64[2] 18446744073709551615 5", "i32[2] 1 2"));
}

/* K is read when the operation runs. */
static void test_topk_count(void **state)
{
    const char *attrs = "axis=0;mode=max;sort=value";

    (void)state;
    check_op("TopK", attrs, OPERANDS("f32[3] 1 3 2", "i64 ? 2"),
             OPERANDS("f32[2] 3 2", "i32[2] 1 2"));
    check_op_fails("TopK", attrs, OPERANDS("f32[3] 1 3 2", "i64 ? 4"),
                   "k is 4, axis 0 has 3 elements");
    check_op_fails("TopK", attrs, OPERANDS("f32[1] 1", "i64 ? 4"), "k is 4, axis 0 has 1 elements");
}

static void test_topk_shapes(void **state)
{
    const char *attrs = "axis=3;mode=max;sort=value";

    (void)state;
    check_infer("TopK", attrs, OPERANDS("f32[1,3,224,224]", "i64 10"),
                OPERANDS("f32[1,3,224,10]", "i32[1,3,224,10]"));
    check_infer("TopK", attrs, OPERANDS("f32[1,3,?,224]", "i64[]"),
                OPERANDS("f32[1,3,?,1..224]", "i32[1,3,?,1..224]"));
    check_infer("TopK", attrs, OPERANDS("f32[...]", "i64 10"), OPERANDS("f32...", "i32..."));
    check_infer_fails("TopK", attrs, OPERANDS("f32[1,3]", "i64 1"),
                      "axis is 3, it must be in [-2, 1]");
    check_infer_fails("TopK", "axis=1;mode=max;sort=value", OPERANDS("f32[1,3]", "i64 4"),
                      "k is 4, axis 1 has 3 elements");
    check_infer_fails("TopK", "axis=1;mode=max;sort=value", OPERANDS("f32[1,3]", "i64 0"),
                      "k is 0, it must be at least 1");
    check_infer_fails("TopK", "axis=1;mode=max;sort=value", OPERANDS("f32[1,3]", "i64[2] 1 1"),
                      "input 1 \"k\" has shape [2], it must be one number");
    check_infer_fails("TopK", "axis=1;mode=max;sort=value;index_element_type=u8",
                      OPERANDS("f32[1,3]", "i64 1"),
                      "index_element_type is u8, it must be i32 or i64");
}

/* Box 1 overlaps box 0 by a third (2 of 6), box 2 touches neither, box 3 equals box 0. */
static const char boxes[] = "f32[1,4,4] 0 0 2 2 1 0 3 2 5 5 6 6 2 2 0 0";

static void test_suppression(void **state)
{
    const char *scores = "f32[1,1,4] 0.9 0.8 0.3 0.7";

    (void)state;
    check_op("NonMaxSuppression", NULL, OPERANDS(boxes, scores, "i64 10", "f32 0.25", "f32 0"),
             OPERANDS("i64[2,3] 0 0 0 0 0 2", "f32[2,3] 0 0 0.9 0 0 0.3", "i64[1] 2"));
    check_op("NonMaxSuppression", "output_type=i32",
             OPERANDS(boxes, scores, "i64 10", "f32[1] 0.5", "f32 0.5"),
             OPERANDS("i32[2,3] 0 0 0 0 0 1", "f32[2,3] 0 0 0.9 0 0 0.8", "i32[1] 2"));
    /* a score that is the threshold is not above it */
    for (int v = 5; v <= 9; v += 4) {
        const char *op = v == 5 ? "NonMaxSuppression opset5" : "NonMaxSuppression";

        check_op(op, NULL,
                 OPERANDS(boxes, "f32[1,1,4] 0.5 0.75 0.25 0.5", "i64 10", "f32 1", "f32 0.5"),
                 OPERANDS("i64[1,3] 0 0 1", "f32[1,3] 0 0 0.75", "i64[1] 1"));
        check_op(op, NULL, OPERANDS(boxes, "f32[1,1,4] 0 0.5 0 -1", "i64 10", "f32 1"),
                 OPERANDS("i64[1,3] 0 0 1", "f32[1,3] 0 0 0.5", "i64[1] 1"));
        /* an overlap that is the threshold, 2 of 4 and 4 of 4, is not above it */
        check_op(op, NULL,
                 OPERANDS("f32[1,2,4] 0 0 2 2 0 0 1 2", "f32[1,1,2] 0.75 0.5", "i64 10", "f32 0.5"),
                 OPERANDS("i64[2,3] 0 0 0 0 0 1", "f32[2,3] 0 0 0.75 0 0 0.5", "i64[1] 2"));
        check_op(op, NULL,
                 OPERANDS("f32[1,2,4] 0 0 2 2 0 0 2 2", "f32[1,1,2] 0.75 0.5", "i64 10", "f32 1"),
                 OPERANDS("i64[2,3] 0 0 0 0 0 1", "f32[2,3] 0 0 0.75 0 0 0.5", "i64[1] 2"));
    }
    check_op("NonMaxSuppression opset5", NULL, OPERANDS(boxes, scores, "i64 1", "f32 0.25"),
             OPERANDS("i64[1,3] 0 0 0", "f32[1,3] 0 0 0.9", "i64[1] 1"));
    check_op("NonMaxSuppression", NULL, OPERANDS(boxes, scores, "i64 ? 1", "f32 ? 0.25"),
             OPERANDS("i64[1,3] 0 0 0", "f32[1,3] 0 0 0.9", "i64[1] 1"));
    check_op("NonMaxSuppression", NULL, OPERANDS(boxes, scores),
             OPERANDS("i64[0,3]", "f32[0,3]", "i64[1] 0"));
    /* center: x, y, width, height; a box of 2 x 4 and one of 2 x 4 moved by 1 along x: 4 of 12 */
    check_op("NonMaxSuppression", "box_encoding=center",
             OPERANDS("f32[1,2,4] 0 0 2 4 1 0 2 4", "f32[1,1,2] 0.5 0.6", "i64 2", "f32 0.3"),
             OPERANDS("i64[1,3] 0 0 1", "f32[1,3] 0 0 0.6", "i64[1] 1"));
    check_op("NonMaxSuppression", "box_encoding=center",
             OPERANDS("f32[1,2,4] 0 0 2 4 1 0 2 4", "f32[1,1,2] 0.5 0.6", "i64 2", "f32 0.4"),
             OPERANDS("i64[2,3] 0 0 1 0 0 0", "f32[2,3] 0 0 0.6 0 0 0.5", "i64[1] 2"));
}

/* Scores are sorted across classes, or class by class. */
static void test_suppression_order(void **state)
{
    const char *two = "f32[1,2,2] 0.3 0.1 0.2 0.4", *far = "f32[1,2,4] 0 0 1 1 5 5 6 6";

    (void)state;
    check_op("NonMaxSuppression", NULL, OPERANDS(far, two, "i64 2", "f32 0.5"),
             OPERANDS("i64[4,3] 0 1 1 0 0 0 0 1 0 0 0 1",
                      "f32[4,3] 0 1 0.4 0 0 0.3 0 1 0.2 0 0 0.1", "i64[1] 4"));
    check_op("NonMaxSuppression", "sort_result_descending=false",
             OPERANDS(far, two, "i64 2", "f32 0.5"),
             OPERANDS("i64[4,3] 0 0 0 0 0 1 0 1 1 0 1 0",
                      "f32[4,3] 0 0 0.3 0 0 0.1 0 1 0.4 0 1 0.2", "i64[1] 4"));
}

/* Soft: 0.8 * exp(-0.5 * (1/3)^2 / 0.5); version 5 drops what overlaps by more than the threshold.
 */
static void test_soft_suppression(void **state)
{
    const char *two = "f64[1,2,4] 0 0 2 2 1 0 3 2", *scores = "f64[1,1,2] 0.9 0.8";

    (void)state;
    check_op(
        "NonMaxSuppression", NULL, OPERANDS(two, scores, "i64 2", "f64 0.25", "f64 0", "f64 0.5"),
        OPERANDS("i64[2,3] 0 0 0 0 0 1", "f64[2,3] 0 0 0.9 0 0 0.7158714534514958", "i64[1] 2"));
    check_op("NonMaxSuppression opset5", NULL,
             OPERANDS(two, scores, "i64 2", "f64 0.25", "f64 0", "f64 0.5"),
             OPERANDS("i64[1,3] 0 0 0", "f64[1,3] 0 0 0.9", "i64[1] 1"));
}

static void test_suppression_shapes(void **state)
{
    (void)state;
    check_infer("NonMaxSuppression", NULL, OPERANDS("f32[3,100,4]", "f32[3,5,100]", "i64 10"),
                OPERANDS("i64[..150,3]", "f32[..150,3]", "i64[1]"));
    check_infer("NonMaxSuppression", NULL, OPERANDS("f16[...]", "f16[3,5,?]", "i64[]", "f16[]"),
                OPERANDS("i64[?,3]", "f16[?,3]", "i64[1]"));
    check_infer_fails("NonMaxSuppression", NULL, OPERANDS("f32[3,100,5]", "f32[3,5,100]"),
                      "input 0 \"boxes\" has shape [3,100,5], a box has 4 numbers");
    check_infer_fails("NonMaxSuppression", NULL, OPERANDS("f32[3,100,4]", "f32[3,5,99]"),
                      "input 1 \"scores\" has shape [3,5,99]: axis 2 is 99, it must be 100");
    check_infer_fails("NonMaxSuppression", NULL, OPERANDS("f32[100,4]", "f32[3,5,99]"),
                      "input 0 \"boxes\" has shape [100,4], it must have rank 3");
    check_infer_fails(
        "NonMaxSuppression", NULL, OPERANDS("f32[3,100,4]", "f32[3,5,100]", "i64[2]"),
        "input 2 \"max_output_boxes_per_class\" has shape [2], it must be one number");
    check_infer_fails("NonMaxSuppression", "output_type=f32",
                      OPERANDS("f32[3,100,4]", "f32[3,5,100]"),
                      "output_type is f32, it must be i32 or i64");
}

#define DETECTION                                                                                  \
    "score_threshold=0.1;nms_threshold=0.5;num_classes=2;max_delta_log_wh=1;deltas_weights=1,1,1," \
    "1"

/* Boxes of pixels 0..9 and 20..29; the second one is moved right by its width (dx = 1), beyond the
 * image, 36 pixels wide; the third repeats the first one with a lower score. */
static void test_detection_output(void **state)
{
    const char *rois = "f32[3,4] 0 0 9 9 20 0 29 9 0 0 9 9",
               *scores = "f32[3,2] 0.9 0.6 0.9 0.7 0.9 0.5", *image = "f32[1,3] 50 36 1";

    (void)state;
    check_op(
        "ExperimentalDetectronDetectionOutput",
        DETECTION ";post_nms_count=9;max_detections_per_image=3",
        OPERANDS(rois, "f32[3,8] 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0", scores, image),
        OPERANDS("f32[3,4] 30 0 39 9 0 0 9 9 0 0 0 0", "i32[3] 1 1 0", "f32[3] 0.7 0.6 0"));
    check_op(
        "ExperimentalDetectronDetectionOutput",
        DETECTION ";post_nms_count=1;max_detections_per_image=1",
        OPERANDS(rois, "f32[3,8] 0 0 0 0 0 0 0 0 0 0 0 0 0 0 9 0 0 0 0 0 0 0 0 0", scores, image),
        /* e = exp(min(9, 1)): half of 10 e to both sides of the centre, 25, less the last pixel */
        OPERANDS("f32[1,4] 11.408590857704775 0 37.591409142295225 9", "i32[1] 1", "f32[1] 0.7"));
    /* moved left by two and a half widths, up by half a height: cut at 0 */
    check_op("ExperimentalDetectronDetectionOutput",
             DETECTION ";post_nms_count=1;max_detections_per_image=1",
             OPERANDS(rois, "f32[3,8] 0 0 0 0 0 0 0 0 0 0 0 0 -2.5 -0.5 0 0 0 0 0 0 0 0 0 0",
                      scores, image),
             OPERANDS("f32[1,4] 0 0 4 4", "i32[1] 1", "f32[1] 0.7"));
}

static void test_detection_shapes(void **state)
{
    const char *attrs = DETECTION ";post_nms_count=9;max_detections_per_image=100";

    (void)state;
    check_infer("ExperimentalDetectronDetectionOutput", attrs,
                OPERANDS("f32[?,4]", "f32[?,8]", "f32[?,2]", "f32[1,3]"),
                OPERANDS("f32[100,4]", "i32[100]", "f32[100]"));
    check_infer_fails("ExperimentalDetectronDetectionOutput", attrs,
                      OPERANDS("f32[5,4]", "f32[5,9]", "f32[?,2]", "f32[1,3]"),
                      "input 1 \"deltas\" has shape [5,9]: axis 1 is 9, it must be 8");
    check_infer_fails("ExperimentalDetectronDetectionOutput", attrs,
                      OPERANDS("f32[5,4]", "f32[5,8]", "f32[4,2]", "f32[1,3]"),
                      "input 2 \"scores\" has shape [4,2]: axis 0 is 4, it must be 5");
    check_infer_fails("ExperimentalDetectronDetectionOutput",
                      DETECTION ";post_nms_count=-1;max_detections_per_image=100",
                      OPERANDS("f32[5,4]", "f32[5,8]", "f32[5,2]", "f32[1,3]"),
                      "post_nms_count is -1, it must be in [0, 2147483647]");
    check_infer_fails("ExperimentalDetectronDetectionOutput",
                      "score_threshold=0.1;nms_threshold=0.5;num_classes=2;max_delta_log_wh=1;"
                      "deltas_weights=1,1,1;post_nms_count=9;max_detections_per_image=100",
                      OPERANDS("f32[5,4]", "f32[5,8]", "f32[5,2]", "f32[1,3]"),
                      "deltas_weights has 3 elements, it must have 4");
}

/* A plane whose value is x + 10 y, so that every sample shows where it was taken. */
static const char ramp[] = "f32[1,1,5,5] 0 1 2 3 4 10 11 12 13 14 20 21 22 23 24 30 31 32 33 34 "
                           "40 41 42 43 44";

static void test_roi_features(void **state)
{
    const char *roi = "f32[1,4] 0 0 4 4";

    (void)state;
    check_op("ExperimentalDetectronROIFeatureExtractor",
             "output_size=2;sampling_ratio=1;pyramid_scales=1", OPERANDS(roi, ramp),
             OPERANDS("f32[1,1,2,2] 11 13 31 33", roi));
    check_op("ExperimentalDetectronROIFeatureExtractor",
             "output_size=2;sampling_ratio=0;pyramid_scales=1", OPERANDS(roi, ramp),
             OPERANDS("f32[1,1,2,2] 11 13 31 33", roi));
    check_op("ExperimentalDetectronROIFeatureExtractor",
             "output_size=2;sampling_ratio=2;pyramid_scales=1;aligned=true", OPERANDS(roi, ramp),
             OPERANDS("f32[1,1,2,2] 5.5 7.5 25.5 27.5", roi));
    /* 2 + log2(112 / 224) = 1: the second layer; a small box: the first one */
    check_op("ExperimentalDetectronROIFeatureExtractor",
             "output_size=1;sampling_ratio=1;pyramid_scales=1,28",
             OPERANDS("f32[2,4] 0 0 112 112 1 1 3 3", ramp,
                      "f32[1,1,5,5] 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7"),
             OPERANDS("f32[2,1,1,1] 7 22", "f32[2,4] 0 0 112 112 1 1 3 3"));
    check_op_fails("ExperimentalDetectronROIFeatureExtractor",
                   "output_size=1;sampling_ratio=0;pyramid_scales=1",
                   OPERANDS("f32[1,4] 0 0 1e9 1", ramp),
                   "region 0 is 1e+09 x 1 elements large, more than can be sampled");
}

static void test_roi_feature_shapes(void **state)
{
    const char *attrs = "output_size=7;sampling_ratio=2;pyramid_scales=4,8";

    (void)state;
    check_infer("ExperimentalDetectronROIFeatureExtractor", attrs,
                OPERANDS("f32[1000,4]", "f32[1,256,200,336]", "f32[1,256,100,168]"),
                OPERANDS("f32[1000,256,7,7]", "f32[1000,4]"));
    check_infer("ExperimentalDetectronROIFeatureExtractor", attrs,
                OPERANDS("f32[?,4]", "f32[...]", "f32[1,256,?,?]"),
                OPERANDS("f32[?,256,7,7]", "f32[?,4]"));
    check_infer_fails("ExperimentalDetectronROIFeatureExtractor", attrs,
                      OPERANDS("f32[9,4]", "f32[1,256,9,9]", "f32[1,255,9,9]"),
                      "input 2 \"layers\" has shape [1,255,9,9]: axis 1 is 255, it must be 256");
    check_infer_fails("ExperimentalDetectronROIFeatureExtractor", attrs,
                      OPERANDS("f32[9,4]", "f32[1,8,9,9]", "f32[1,8,9,9]", "f32[1,8,9,9]"),
                      "pyramid_scales has 2 elements, there are 3 layers");
    check_infer_fails("ExperimentalDetectronROIFeatureExtractor",
                      "output_size=7;sampling_ratio=2;pyramid_scales=0",
                      OPERANDS("f32[9,4]", "f32[1,8,9,9]"),
                      "pyramid_scales[0] is 0, it must be at least 1");
    check_infer_fails("ExperimentalDetectronROIFeatureExtractor",
                      "output_size=0;sampling_ratio=2;pyramid_scales=1",
                      OPERANDS("f32[9,4]", "f32[1,8,9,9]"),
                      "output_size is 0, it must be in [1, 32767]");
    check_infer_fails("ExperimentalDetectronROIFeatureExtractor",
                      "output_size=7;sampling_ratio=-1;pyramid_scales=1",
                      OPERANDS("f32[9,4]", "f32[1,8,9,9]"),
                      "sampling_ratio is -1, it must be in [0, 32767]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_topk),
        cmocka_unit_test(test_topk_count),
        cmocka_unit_test(test_topk_shapes),
        cmocka_unit_test(test_suppression),
        cmocka_unit_test(test_suppression_order),
        cmocka_unit_test(test_soft_suppression),
        cmocka_unit_test(test_suppression_shapes),
        cmocka_unit_test(test_detection_output),
        cmocka_unit_test(test_detection_shapes),
        cmocka_unit_test(test_roi_features),
        cmocka_unit_test(test_roi_feature_shapes),
    };

    return cmocka_run_group_tests_name("detection operations", tests, NULL, NULL);
}
