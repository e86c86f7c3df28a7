/* Operators of the domain ai.onnx.ml on columns of tables: encoders, scalers. */
#include "parser/onnx/import/ml.h"
#include "parser/onnx/export.h"
#include "parser/onnx/import/make.h"

#include <stdio.h>
#include <string.h>

inlay_value *ml_floats(onnx_node *n, inlay_value *x)
{
    return x && !inlay_type_is_float(x->fact.type) ? onnx_convert(n, x, INLAY_F32) : x;
}

inlay_value *ml_list(onnx_node *n, const char *name, inlay_type type, bool *ok)
{
    int count;
    const float *x = onnx_attr_floats(n, name, &count, ok);
    inlay_tensor *t = x ? assemble_tensor(&n->s->r->a, type, 1, (int64_t[]){count}) : NULL;
    inlay_value *v;

    for (int i = 0; t && i < count; i++)
        inlay_tensor_set_f64(t, i, (double)x[i]);
    v = onnx_constant(n, t);
    *ok = *ok && (v || !x);
    inlay_tensor_release(t);
    return v;
}

bool ml_fits_columns(onnx_node *n, const char *name, const inlay_value *list, const inlay_value *x)
{
    inlay_dim count = list ? list->fact.dims[0] : inlay_dim_of(1), columns;

    if (!x || x->fact.rank < 1 || inlay_dim_compatible(count, inlay_dim_of(1)))
        return true;
    columns = x->fact.dims[x->fact.rank - 1];
    return inlay_dim_compatible(count, columns) ||
           onnx_node_fail(n, "attribute \"%s\" has %lld element%s, it must have 1 or %lld", name,
                          (long long)count.lo, inlay_plural(count.lo, "", "s"),
                          (long long)columns.lo);
}

/* Maps */

/* Returns one of the attributes PREFIX_tensor, PREFIX_strings, PREFIX_int64s, PREFIX_floats, as a
 * list. */
static inlay_value *list_of(onnx_node *n, const char *prefix)
{
    char name[4][40];
    static const char *const ends[] = {"tensor", "strings", "int64s", "floats"};
    bool ok = true;
    int count;
    const int64_t *ints;
    inlay_tensor *t;
    inlay_value *v;

    for (int i = 0; i < 4; i++)
        snprintf(name[i], sizeof name[i], "%s_%s", prefix, ends[i]);
    t = onnx_attr_tensor(n, name[0], &ok);
    if (ok && !t)
        t = onnx_attr_text(n, name[1], &ok);
    v = onnx_constant(n, t);
    inlay_tensor_release(t);
    ints = onnx_attr_ints(n, name[2], &count, &ok);
    if (ok && !v && ints)
        v = onnx_list(n, ints, count);
    if (ok && !v)
        v = ml_list(n, name[3], INLAY_F32, &ok);
    if (ok && !v)
        onnx_node_fail(n, "none of the attributes \"%s_...\" is there", prefix);
    return ok ? v : NULL;
}

inlay_value *ml_text(onnx_node *n, const char *text)
{
    inlay_tensor *t = assemble_tensor(&n->s->r->a, INLAY_STRING, 0, NULL);
    inlay_value *v = NULL;

    if (t && !inlay_tensor_set_string(t, 0, text, strlen(text)))
        inlay_fail_memory(n->d);
    else
        v = onnx_constant(n, t);
    inlay_tensor_release(t);
    return v;
}

/* Returns the value for an element that is not a key: attribute default_tensor, or the default of
 * the type of the values. */
static inlay_value *default_of(onnx_node *n, inlay_type type)
{
    bool ok = true;
    const char *text = onnx_attr_string(n, "default_string", "_Unused", &ok);
    int64_t integer = onnx_attr_int(n, "default_int64", -1, &ok);
    double number = onnx_attr_float(n, "default_float", -0.0, &ok);
    inlay_tensor *t = onnx_attr_tensor(n, "default_tensor", &ok);
    inlay_value *v;

    if (!ok || t) {
        v = onnx_constant(n, t);
        inlay_tensor_release(t);
        return v;
    }
    if (type == INLAY_STRING)
        return ml_text(n, text);
    if (type == INLAY_I64)
        return onnx_integer(n, integer);
    return onnx_number(n, type, inlay_type_is_float(type) ? number : (double)integer);
}

static bool encode(onnx_node *n, inlay_value *keys, inlay_value *values)
{
    inlay_value *otherwise = keys && values ? default_of(n, values->fact.type) : NULL;

    return otherwise &&
           onnx_give(n, 0,
                     onnx_make(n, "LabelEncoder@onnxml1", 4,
                               (inlay_value *[]){n->in[0], keys, values, otherwise}, NULL));
}

static bool import_label_encoder(onnx_node *n)
{
    inlay_value *keys = list_of(n, "keys");

    return keys && encode(n, keys, list_of(n, "values"));
}

/* Strings become integers and integers strings, by two lists. */
static bool encode_both_ways(onnx_node *n, inlay_value *strings, inlay_value *integers)
{
    bool text = n->in[0]->fact.type == INLAY_STRING;

    return encode(n, text ? strings : integers, text ? integers : strings);
}

static inlay_value *strings_of(onnx_node *n, const char *name)
{
    bool ok = true;
    inlay_tensor *t = onnx_attr_text(n, name, &ok);
    inlay_value *v = onnx_constant(n, t);

    inlay_tensor_release(t);
    if (ok && !t)
        onnx_node_fail(n, "attribute \"%s\" is missing", name);
    return v;
}

/* In version 1, the integer of a string is its index in the list. */
static bool import_label_encoder_1(onnx_node *n)
{
    inlay_value *strings = strings_of(n, "classes_strings"), *places;
    inlay_value *ends[3] = {onnx_integer(n, 0), NULL, onnx_integer(n, 1)};

    if (!strings || !ends[0] || !ends[2] || !(ends[1] = onnx_integer(n, strings->fact.dims[0].lo)))
        return false;
    places = onnx_make(n, "Range", 3, ends, ATTRS(TYPE("output_type", INLAY_I64)));
    return places && encode_both_ways(n, strings, places);
}

static bool import_category_mapper(onnx_node *n)
{
    bool ok = true;
    int count;
    const int64_t *list = onnx_attr_ints(n, "cats_int64s", &count, &ok);
    inlay_value *strings = ok ? strings_of(n, "cats_strings") : NULL;

    return strings && encode_both_ways(n, strings, onnx_list(n, list, count));
}

/* ONES times the 1 of each element's category, whose place FOUND says: the run fails where there is
 * none, because that place is behind the last category. */
static inlay_value *all_found(onnx_node *n, inlay_value *ones, inlay_value *found, int64_t count)
{
    inlay_value *places = onnx_count(n, onnx_integer(n, 0), onnx_integer(n, count)), *one;
    inlay_value *last = onnx_list(n, (int64_t[]){-1}, 1);

    places = make_select(n, found, places, onnx_integer(n, count));
    places = make_reduce(n, "ReduceMin", places, last, true);
    one =
        onnx_make(n, "GatherElements", 2, (inlay_value *[]){ones, places}, ATTRS(INT("axis", -1)));
    return onnx_binary(n, "Multiply", ones, one);
}

/* Adds a last axis of categories: 1 for that of the element, else 0. Numbers are compared as i64.
 */
static bool import_one_hot_encoder(onnx_node *n)
{
    bool ok = true, zeros = onnx_attr_int(n, "zeros", 1, &ok) != 0;
    bool text = n->in[0]->fact.type == INLAY_STRING;
    int count;
    const int64_t *list = onnx_attr_ints(n, "cats_int64s", &count, &ok);
    inlay_value *x = text ? n->in[0] : onnx_convert(n, n->in[0], INLAY_I64), *cats, *y;

    if (!ok)
        return false;
    onnx_attr_ignore(n, "cats_strings"); /* strings_of asks for it where it is needed */
    cats = text ? strings_of(n, "cats_strings") : onnx_list(n, list, count);
    x = onnx_binary(n, "Unsqueeze", x, onnx_list(n, (int64_t[]){-1}, 1));
    x = cats ? onnx_binary(n, "Equal", x, cats) : NULL;
    y = onnx_convert(n, x, INLAY_F32);
    return onnx_give(n, 0, zeros ? y : all_found(n, y, x, cats ? cats->fact.dims[0].lo : 0));
}

/* Columns of numbers */

/* Selects the columns, along the last axis, whose numbers are in Y; a list counts as one row. */
static bool import_array_feature_extractor(onnx_node *n)
{
    inlay_value *x = n->in[0], *columns, *axis = onnx_integer(n, -1);
    inlay_value *all = onnx_list(n, (int64_t[]){-1}, 1);
    int rank = onnx_rank(n, x);

    if (rank < 0 || !axis || !all)
        return false;
    if (rank == 1)
        x = onnx_binary(n, "Unsqueeze", x, onnx_list(n, (int64_t[]){0}, 1));
    columns = onnx_reshape(n, n->in[1], all);
    return x && columns &&
           onnx_give(n, 0, onnx_make(n, "Gather", 3, (inlay_value *[]){x, columns, axis}, NULL));
}

static bool import_binarizer(onnx_node *n)
{
    bool ok = true;
    double threshold = onnx_attr_float(n, "threshold", 0, &ok);
    inlay_value *x = n->in[0], *above;
    inlay_type type = x->fact.type;

    /* The threshold of integers may be a fraction. */
    above = ok ? onnx_binary(n, "Greater", onnx_convert(n, x, INLAY_F64),
                             onnx_number(n, INLAY_F64, threshold))
               : NULL;
    return onnx_give(n, 0, onnx_convert(n, above, type));
}

static bool import_scaler(onnx_node *n)
{
    bool ok = true;
    inlay_value *x = ml_floats(n, n->in[0]);
    inlay_value *offset = x ? ml_list(n, "offset", x->fact.type, &ok) : NULL;
    inlay_value *scale = x ? ml_list(n, "scale", x->fact.type, &ok) : NULL;

    if (!ok || !ml_fits_columns(n, "offset", offset, x) || !ml_fits_columns(n, "scale", scale, x))
        return false;
    if (offset)
        x = onnx_binary(n, "Subtract", x, offset);
    if (scale)
        x = onnx_binary(n, "Multiply", x, scale);
    return onnx_give(n, 0, onnx_convert(n, x, INLAY_F32));
}

/* Divides a row X by its largest number, its sum or its length, unless the divisor is 0. */
static bool import_normalizer(onnx_node *n)
{
    static const char *const folds[][2] = {
        {"MAX", "ReduceMax"}, {"L1", "ReduceL1"}, {"L2", "ReduceL2"}};
    bool ok = true;
    const char *norm = onnx_attr_string(n, "norm", "MAX", &ok);
    inlay_value *x = ml_floats(n, n->in[0]), *by = NULL, *zero, *one;

    for (int i = 0; ok && x && i < 3; i++) {
        if (strcmp(folds[i][0], norm) == 0)
            by =
                onnx_make(n, folds[i][1], 2, (inlay_value *[]){x, onnx_list(n, (int64_t[]){-1}, 1)},
                          ATTRS(FLAG("keep_dims", true)));
    }
    if (!ok || !by)
        return ok && onnx_node_fail(n, "norm is \"%.40s\", it must be MAX, L1 or L2", norm);
    zero = onnx_number(n, x->fact.type, 0);
    one = onnx_number(n, x->fact.type, 1);
    zero = onnx_binary(n, "Equal", by, zero);
    by = onnx_make(n, "Select", 3, (inlay_value *[]){zero, one, by}, NULL);
    return onnx_give(n, 0, onnx_convert(n, onnx_binary(n, "Divide", x, by), INLAY_F32));
}

/* Replaces one value in each column by that column's number; both are floats or integers. */
static bool import_imputer(onnx_node *n)
{
    bool ok = true, floats = inlay_type_is_float(n->in[0]->fact.type);
    inlay_type type = n->in[0]->fact.type;
    double number = onnx_attr_float(n, "replaced_value_float", 0, &ok);
    int64_t integer = onnx_attr_int(n, "replaced_value_int64", 0, &ok);
    int count;
    const int64_t *list = onnx_attr_ints(n, "imputed_value_int64s", &count, &ok);
    inlay_value *by = ml_list(n, "imputed_value_floats", floats ? type : INLAY_F32, &ok), *is;

    if (!ok)
        return false;
    if (!floats)
        by = list ? onnx_convert(n, onnx_list(n, list, count), type) : NULL;
    if (!by)
        return onnx_node_fail(n, "has no imputed_value of the type of X");
    if (!ml_fits_columns(n, floats ? "imputed_value_floats" : "imputed_value_int64s", by, n->in[0]))
        return false;
    if (floats && number != number)
        is = onnx_unary(n, "IsNaN", n->in[0]);
    else
        is = onnx_binary(n, "Equal", n->in[0],
                         floats ? onnx_number(n, type, number)
                                : onnx_convert(n, onnx_integer(n, integer), type));
    return is &&
           onnx_give(n, 0, onnx_make(n, "Select", 3, (inlay_value *[]){is, by, n->in[0]}, NULL));
}

/* Concatenates the columns of tables; a list counts as one row. */
static bool import_feature_vectorizer(onnx_node *n)
{
    inlay_value **all = inlay_arena_array(n->s->r->a.scratch, (size_t)n->n_in, sizeof *all);

    if (!all)
        return inlay_fail_memory(n->d);
    onnx_attr_ignore(n, "inputdimensions"); /* the operands say them */
    for (int i = 0; i < n->n_in; i++) {
        all[i] = onnx_convert(n, onnx_in(n, i), INLAY_F32);
        if (all[i] && onnx_rank(n, all[i]) == 1)
            all[i] = onnx_binary(n, "Unsqueeze", all[i], onnx_list(n, (int64_t[]){0}, 1));
        if (!all[i])
            return false;
    }
    return onnx_give(n, 0, onnx_make(n, "Concat", n->n_in, all, ATTRS(INT("axis", 1))));
}

const onnx_operator onnx_operators_ml[] = {
    {"ai.onnx.ml.ArrayFeatureExtractor", 1, import_array_feature_extractor, NULL, 2},
    {"ai.onnx.ml.Binarizer", 1, import_binarizer, NULL, 1},
    {"ai.onnx.ml.CategoryMapper", 1, import_category_mapper, NULL, 1},
    {"ai.onnx.ml.FeatureVectorizer", 1, import_feature_vectorizer, NULL, 1},
    {"ai.onnx.ml.Imputer", 1, import_imputer, NULL, 1},
    {"ai.onnx.ml.LabelEncoder", 2, import_label_encoder, NULL, 1},
    {"ai.onnx.ml.LabelEncoder", 1, import_label_encoder_1, NULL, 1},
    {"ai.onnx.ml.Normalizer", 1, import_normalizer, NULL, 1},
    {"ai.onnx.ml.OneHotEncoder", 1, import_one_hot_encoder, NULL, 1},
    {"ai.onnx.ml.Scaler", 1, import_scaler, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};

/* Keys, values and the default are attributes. */
static bool export_label_encoder(onnx_export *x)
{
    const inlay_type_set may = PUT_BIT(INLAY_STRING) | PUT_BIT(INLAY_I64) | PUT_BIT(INLAY_I32) |
                               PUT_BIT(INLAY_I16) | PUT_BIT(INLAY_F32) | PUT_BIT(INLAY_F64);
    const inlay_tensor *t[3];

    for (int i = 0; i < 2; i++) {
        inlay_type type = i == 0 ? put_type(x, 0) : x->n->out[0].fact.type;

        if (!(may & PUT_BIT(type)))
            return put_refuse(x, "keys or values of %s", inlay_type_info_of(type)->name);
    }
    for (int i = 0; i < 3; i++) {
        if (!(t[i] = put_fact(x, i + 1)->content))
            return put_refuse(x, "the elements of input %d are not known", i + 1);
    }
    return put_give(x, 0,
                    put(x, "ai.onnx.ml.LabelEncoder", IN(put_in(x, 0)),
                        ATTRS(TENSOR("keys_tensor", t[0]), TENSOR("values_tensor", t[1]),
                              TENSOR("default_tensor", t[2]))));
}

const onnx_exporter onnx_exporters_ml[] = {
    {"LabelEncoder@onnxml", export_label_encoder, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
