/* Operators on maps, which are two items: the keys and the values (ir/ops/sequence.def). */
#include "parser/onnx/import/make.h"
#include "parser/onnx/import/ml.h"

static bool import_zip_map(onnx_node *n)
{
    inlay_value *keys = ml_classes(n, "classlabels_strings", "classlabels_int64s");

    return onnx_give(n, 0,
                     onnx_make(n, "ZipMap@onnxml1", 2, (inlay_value *[]){n->in[0], keys},
                               ATTRS(TYPE("element_type", INLAY_ITEM))));
}

/* Returns item I of the map, operand 0: a list of TYPE. */
static inlay_value *list_in(onnx_node *n, int64_t i, inlay_type type)
{
    inlay_value *in[] = {n->in[0], onnx_integer(n, i)};
    inlay_value *list = onnx_make(n, "SequenceAt@onnx11", 2, in, ATTRS(TYPE("element_type", type)));

    return make_reshape(n, list, (inlay_value *[]){onnx_list(n, (int64_t[]){-1}, 1)}, 1);
}

/* Sets *TYPE to that of the values of operand 0, which the model must say. */
static bool read_map(onnx_node *n, inlay_type *type)
{
    *type = onnx_content_type(n->in[0]);
    if (n->in[0]->fact.type != INLAY_ITEM || *type == INLAY_DYNAMIC)
        return onnx_node_fail(n, "X must be a map whose values are of a known type");
    return true;
}

/* Looks the KEYS up in the map, operand 0, whose values have TYPE; what is not there is 0. */
static inlay_value *looked_up(onnx_node *n, inlay_value *keys, inlay_type type)
{
    inlay_value *in[4] = {make_unsqueeze(n, keys, (int64_t[]){0}, 1)};

    in[1] = keys ? list_in(n, 0, keys->fact.type) : NULL;
    in[2] = list_in(n, 1, type);
    in[3] = type == INLAY_STRING ? ml_text(n, "") : onnx_number(n, type, 0);
    return onnx_make(n, "LabelEncoder@onnxml1", 4, in, NULL);
}

/* The result has one row, as in ONNX Runtime; the page speaks of one axis. */
static bool import_dict_vectorizer(onnx_node *n)
{
    inlay_type type;

    return read_map(n, &type) &&
           onnx_give(n, 0,
                     looked_up(n, ml_classes(n, "string_vocabulary", "int64_vocabulary"), type));
}

/* Returns the values of TYPE in the order of their keys, as one row. */
static inlay_value *in_order(onnx_node *n, inlay_type type)
{
    inlay_value *keys = list_in(n, 0, INLAY_I64), *values = list_in(n, 1, type);
    inlay_node *sorted =
        onnx_make_node(n, "TopK@opset11", 2, (inlay_value *[]){keys, onnx_size(n, keys, 0)},
                       ATTRS(INT("axis", 0), WORD("mode", "min"), WORD("sort", "value"),
                             TYPE("index_element_type", INLAY_I64)));

    return sorted ? make_unsqueeze(n, onnx_take(n, values, &sorted->out[1], 0), (int64_t[]){0}, 1)
                  : NULL;
}

static bool import_cast_map(onnx_node *n)
{
    bool ok = true;
    const char *to = onnx_attr_word(n, "cast_to", "TO_FLOAT", "TO_FLOAT TO_INT64 TO_STRING", &ok);
    const char *form = onnx_attr_word(n, "map_form", "DENSE", "DENSE SPARSE", &ok);
    int64_t most = onnx_attr_int(n, "max_map", 1, &ok);
    inlay_type type, wanted;
    inlay_value *y;

    if (!ok || !read_map(n, &type))
        return false;
    wanted = to[3] == 'F' ? INLAY_F32 : to[3] == 'I' ? INLAY_I64 : INLAY_STRING;
    y = form[0] == 'D' ? in_order(n, type)
                       : looked_up(n, make_counting(n, onnx_integer(n, most)), type);
    return onnx_give(n, 0, onnx_cast(n, y, wanted));
}

const onnx_operator onnx_operators_ml_maps[] = {
    {"ai.onnx.ml.CastMap", 1, import_cast_map, NULL, 1},
    {"ai.onnx.ml.DictVectorizer", 1, import_dict_vectorizer, NULL, 1},
    {"ai.onnx.ml.ZipMap", 1, import_zip_map, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};
