/* What imports of the domain ai.onnx.ml share. Private to parser/onnx/import. */
#ifndef INLAY_PARSER_ONNX_IMPORT_ML_H
#define INLAY_PARSER_ONNX_IMPORT_ML_H

#include "parser/onnx/import.h"

/* X as floats: integers become f32. A NULL operand gives NULL. */
inlay_value *ml_floats(onnx_node *n, inlay_value *x);
/* Attribute NAME, a list of floats, as a constant of TYPE; NULL: absent, or *OK is false. */
inlay_value *ml_list(onnx_node *n, const char *name, inlay_type type, bool *ok);
/* Does LIST, attribute NAME (NULL: absent), have one number or one for each column of X? */
bool ml_fits_columns(onnx_node *n, const char *name, const inlay_value *list, const inlay_value *x);
/* The labels of classes, attribute STRINGS or INTS; NULL and an error if both are absent. */
inlay_value *ml_classes(onnx_node *n, const char *strings, const char *ints);
/* TEXT as a scalar. */
inlay_value *ml_text(onnx_node *n, const char *text);
/* Applies attribute post_transform to SCORES [N, C]. */
inlay_value *ml_transformed(onnx_node *n, inlay_value *scores);
/* The same with HOW in place of the attribute. */
inlay_value *ml_transformed_as(onnx_node *n, inlay_value *scores, const char *how);
/* Outputs: 0, the label in CLASSES of the largest of SCORES [N, C] in each row; 1, SCORES. */
bool ml_give_labels(onnx_node *n, inlay_value *scores, inlay_value *classes);

#endif
