/* What imports of the domain ai.onnx.ml share. Private to parser/onnx/import. */
#ifndef INLAY_PARSER_ONNX_IMPORT_ML_H
#define INLAY_PARSER_ONNX_IMPORT_ML_H

#include "parser/onnx/import.h"

/* X as floats: integers become f32. A NULL operand gives NULL. */
inlay_value *ml_floats(onnx_node *n, inlay_value *x);
/* X as TYPE. */
inlay_value *ml_convert(onnx_node *n, inlay_value *x, inlay_type type);
/* Attribute NAME, a list of floats, as a constant of TYPE; NULL: absent, or *OK is false. */
inlay_value *ml_list(onnx_node *n, const char *name, inlay_type type, bool *ok);
/* LIST, which is attribute NAME (NULL: absent), has one number or one for each column of X. */
bool ml_fits_columns(onnx_node *n, const char *name, const inlay_value *list, const inlay_value *x);
/* The labels of classes: attribute STRINGS or INTS; NULL and an error where there is neither. */
inlay_value *ml_classes(onnx_node *n, const char *strings, const char *ints);
/* SCORES [N, C] after what attribute post_transform asks for. */
inlay_value *ml_transformed(onnx_node *n, inlay_value *scores);
/* The same, as the word HOW says. */
inlay_value *ml_transformed_as(onnx_node *n, inlay_value *scores, const char *how);
/* Output 0 is the label in CLASSES of the largest of SCORES [N, C] in each row, output 1 those. */
bool ml_give_labels(onnx_node *n, inlay_value *scores, inlay_value *classes);

#endif
