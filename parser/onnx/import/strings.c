/* Operators on text. */
#include "parser/onnx/import/ml.h"
#include "parser/onnx/write.h"

/* Sets the string attribute NAME of MADE to that of N, which may hold any bytes. */
static bool with_text(onnx_node *n, inlay_node *made, const char *name)
{
    bool ok = made != NULL;
    const char *text = ok ? onnx_attr_string(n, name, "", &ok) : "";

    return ok && inlay_node_set_string(made, name, text, n->d);
}

static bool import_concat(onnx_node *n)
{
    return onnx_give(n, 0, onnx_binary(n, "StringConcat@onnx20", n->in[0], n->in[1]));
}

static bool import_split(onnx_node *n)
{
    bool ok = true;
    int64_t most = onnx_attr_int(n, "maxsplit", -1, &ok);
    inlay_node *made =
        ok ? onnx_make_node(n, "StringSplit@onnx20", 1, n->in, ATTRS(INT("maxsplit", most))) : NULL;

    return with_text(n, made, "delimiter") && onnx_give(n, 0, &made->out[0]) &&
           onnx_give(n, 1, &made->out[1]);
}

static bool import_regex(onnx_node *n)
{
    inlay_node *made = onnx_make_node(n, "RegexFullMatch@onnx20", 1, n->in, NULL);

    return with_text(n, made, "pattern") && onnx_give(n, 0, &made->out[0]);
}

static bool import_normalizer(onnx_node *n)
{
    bool ok = true, sensitive = onnx_attr_int(n, "is_case_sensitive", 0, &ok) != 0;
    const char *change = onnx_attr_string(n, "case_change_action", "NONE", &ok);
    inlay_tensor *stop = onnx_attr_text(n, "stopwords", &ok);
    inlay_value *in[2] = {n->in[0], ok ? onnx_constant(n, stop) : NULL};
    bool made = ok && (in[1] || !stop);

    inlay_tensor_release(stop);
    return made && onnx_give(n, 0,
                             onnx_make(n, "StringNormalizer@onnx10", 2, in,
                                       ATTRS(WORD("case_change_action", change),
                                             FLAG("is_case_sensitive", sensitive))));
}

/* Returns the pool of n-grams: a list of integers or of strings. */
static inlay_value *pool_of(onnx_node *n, bool text)
{
    bool ok = true;
    int count;
    const int64_t *numbers = onnx_attr_ints(n, "pool_int64s", &count, &ok);
    inlay_tensor *words = onnx_attr_text(n, "pool_strings", &ok);
    inlay_value *v = NULL;

    if (ok && (text ? words != NULL : numbers != NULL))
        v = text ? onnx_constant(n, words) : onnx_list(n, numbers, count);
    else if (ok)
        onnx_node_fail(n, "attribute \"%s\" is missing", text ? "pool_strings" : "pool_int64s");
    inlay_tensor_release(words);
    return v;
}

static bool import_tf_idf(onnx_node *n)
{
    static const char *const needed[] = {"mode",           "min_gram_length", "max_gram_length",
                                         "max_skip_count", "ngram_counts",    "ngram_indexes"};
    bool ok = true, text = n->in[0]->fact.type == INLAY_STRING;
    int n_counts, n_indexes;
    const int64_t *counts = onnx_attr_ints(n, "ngram_counts", &n_counts, &ok);
    const int64_t *indexes = onnx_attr_ints(n, "ngram_indexes", &n_indexes, &ok);
    int64_t low = onnx_attr_int(n, "min_gram_length", 1, &ok),
            high = onnx_attr_int(n, "max_gram_length", 1, &ok),
            skips = onnx_attr_int(n, "max_skip_count", 0, &ok), size = 0;
    const char *mode = onnx_attr_string(n, "mode", "", &ok);
    inlay_value *in[5];

    for (size_t i = 0; ok && i < sizeof needed / sizeof *needed; i++)
        ok = onnx_needs_attr(n, needed[i]);
    for (int i = 0; ok && i < n_indexes; i++)
        size = indexes[i] >= size && indexes[i] < INT64_MAX ? indexes[i] + 1 : size;
    in[4] = ok ? ml_list(n, "weights", INLAY_F32, &ok) : NULL;
    if (!ok)
        return false;
    in[0] = text ? n->in[0] : onnx_convert(n, n->in[0], INLAY_I64);
    in[1] = pool_of(n, text);
    in[2] = onnx_list(n, counts, n_counts);
    in[3] = onnx_list(n, indexes, n_indexes);
    return in[0] && in[1] && in[2] && in[3] &&
           onnx_give(n, 0,
                     onnx_make(n, "TfIdfVectorizer@onnx9", 5, in,
                               ATTRS(INT("min_gram_length", low), INT("max_gram_length", high),
                                     INT("max_skip_count", skips), WORD("mode", mode),
                                     INT("size", size))));
}

const onnx_operator onnx_operators_strings[] = {
    {"RegexFullMatch", 20, import_regex, NULL, 1},
    {"StringConcat", 20, import_concat, NULL, 2},
    {"StringNormalizer", 10, import_normalizer, NULL, 1},
    {"StringSplit", 20, import_split, NULL, 1},
    {"TfIdfVectorizer", 9, import_tf_idf, NULL, 1},
    {NULL, 0, NULL, NULL, 0},
};

/* Exports. */

/* The elements of T as an attribute NAME, of integers, strings or floats. Left out: there is no T.
 */
static onnx_given listed(onnx_export *x, const char *name, const inlay_tensor *t)
{
    int count = t ? (int)inlay_tensor_count(t) : 0;
    bool text = t && t->type == INLAY_STRING, real = t && inlay_type_is_float(t->type);
    size_t size = text ? sizeof(char *) : sizeof(int64_t);
    void *list = t ? inlay_arena_array(x->w->a, (size_t)count + 1, size) : NULL;

    for (int i = 0; list && i < count; i++) {
        inlay_string s = text ? inlay_tensor_get_string(t, i) : (inlay_string){0};

        if (text)
            ((const char **)list)[i] =
                inlay_arena_strndup(x->w->a, s.bytes ? s.bytes : "", s.length);
        else if (real)
            ((double *)list)[i] = inlay_tensor_get_f64(t, i);
        else
            ((int64_t *)list)[i] = inlay_tensor_get_i64(t, i);
    }
    return !list  ? WORD(name, NULL)
           : text ? WORDS(name, list, count)
           : real ? REALS(name, list, count)
                  : INTS(name, list, count);
}

static const inlay_tensor *content(const onnx_export *x, int i)
{
    return inlay_node_input(x->n, i) ? put_fact(x, i)->content : NULL;
}

static bool export_normalizer(onnx_export *x)
{
    if (inlay_node_input(x->n, 1) && !content(x, 1))
        return put_refuse(x, "words that are not known");
    return put_give(
        x, 0,
        put(x, "StringNormalizer", IN(put_in(x, 0)),
            ATTRS(WORD("case_change_action", inlay_node_string(x->n, "case_change_action")),
                  INT("is_case_sensitive", inlay_node_bool(x->n, "is_case_sensitive")),
                  listed(x, "stopwords", content(x, 1)))));
}

static bool export_split(onnx_export *x)
{
    const char *out[2];

    return put_many(x, "StringSplit", IN(put_in(x, 0)),
                    ATTRS(WORD("delimiter", inlay_node_string(x->n, "delimiter")),
                          inlay_node_int(x->n, "maxsplit") >= 0
                              ? INT("maxsplit", inlay_node_int(x->n, "maxsplit"))
                              : WORD("maxsplit", NULL)),
                    2, out) &&
           put_give(x, 0, out[0]) && put_give(x, 1, out[1]);
}

static bool export_regex(onnx_export *x)
{
    return put_give(x, 0,
                    put(x, "RegexFullMatch", IN(put_in(x, 0)),
                        ATTRS(WORD("pattern", inlay_node_string(x->n, "pattern")))));
}

/* ONNX has as many columns as the largest number of an n-gram says. */
static bool export_tf_idf(onnx_export *x)
{
    bool text = put_type(x, 0) == INLAY_STRING;
    int64_t columns = 0;

    for (int i = 1; i < x->n->n_in; i++) {
        if (inlay_node_input(x->n, i) && !content(x, i))
            return put_refuse(x, "a pool that is not known");
    }
    for (int64_t i = 0; i < inlay_tensor_count(content(x, 3)); i++) {
        int64_t column = inlay_tensor_get_i64(content(x, 3), i);

        columns = column >= columns ? column + 1 : columns;
    }
    if (columns != inlay_node_int(x->n, "size"))
        return put_refuse(x, "columns of no n-gram");
    return put_give(x, 0,
                    put(x, "TfIdfVectorizer", IN(put_in(x, 0)),
                        ATTRS(INT("min_gram_length", inlay_node_int(x->n, "min_gram_length")),
                              INT("max_gram_length", inlay_node_int(x->n, "max_gram_length")),
                              INT("max_skip_count", inlay_node_int(x->n, "max_skip_count")),
                              WORD("mode", inlay_node_string(x->n, "mode")),
                              listed(x, "ngram_counts", content(x, 2)),
                              listed(x, "ngram_indexes", content(x, 3)),
                              listed(x, text ? "pool_strings" : "pool_int64s", content(x, 1)),
                              listed(x, "weights", content(x, 4)))));
}

const onnx_exporter onnx_exporters_strings[] = {
    {"RegexFullMatch@onnx", export_regex, NULL, 20, PUT_ANY},
    {"StringConcat@onnx", NULL, "StringConcat", 20, PUT_ANY},
    {"StringNormalizer@onnx", export_normalizer, NULL, 0, PUT_ANY},
    {"StringSplit@onnx", export_split, NULL, 20, PUT_ANY},
    {"TfIdfVectorizer@onnx", export_tf_idf, NULL, 0, PUT_ANY},
    {NULL, NULL, NULL, 0, PUT_ANY},
};
