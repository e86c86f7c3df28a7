/* The Detectron operations: values by hand from the documents. */
#include "support.h"

#define DETECTION                                                                                  \
    "score_threshold=0.1;nms_threshold=0.5;num_classes=2;max_delta_log_wh=1;deltas_weights=1,1,1," \
    "1"

/* Boxes cover pixels 0..9 and 20..29; the second box is moved right by its width (dx = 1), beyond
 * the image, which is 36 pixels wide; the third box repeats the first one with a lower score. */
static void test_detection_output(void **state)
{
    const char *rois = "f32[3,4] 0 0 9 9 20 0 29 9 0 0 9 9",
               *scores = "f32[3,2] 0.9 0.6 0.9 0.7 0.9 0.5", *image = "f32[1,3] 50 36 1";

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

/* The value of the plane is x + 10 y, so that every sample shows where it was taken. */
static const char ramp[] = "f32[1,1,5,5] 0 1 2 3 4 10 11 12 13 14 20 21 22 23 24 30 31 32 33 34 "
                           "40 41 42 43 44";

static void test_roi_features(void **state)
{
    const char *roi = "f32[1,4] 0 0 4 4";

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
        cmocka_unit_test(test_detection_output),
        cmocka_unit_test(test_detection_shapes),
        cmocka_unit_test(test_roi_features),
        cmocka_unit_test(test_roi_feature_shapes),
    };

    return cmocka_run_group_tests_name("Detectron", tests, NULL, NULL);
}
