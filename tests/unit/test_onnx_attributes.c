/* Each integer attribute of each operator of ONNX at the ends of its range, in ONNX's own node
 * tests: the model works, or it is refused by one error. Nobody lists the attributes: an import is
 * asked for each word that stands in the sources of the imports, and what it says of a value of
 * another kind tells whether the operator has an attribute of that name, and of which kind.
 * The same of inputs that have other shapes than the tests give them. CASES=list prints each case
 * before it is tried. */
#define _XOPEN_SOURCE 700 /* glob, alarm */
#include "folder.h"
#include "interp/interp.h"
#include "models.h"
#include "parser/onnx/forms.h"
#include "parser/onnx/import.h"
#include "parser/onnx/records.h"
#include "parser/onnx/wire.h"

#include <ctype.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_WORDS = 2000, MOST_OPERATORS = 600, MOST_KINDS = 4000, MOST_NUMBERS = 8, SECONDS = 60 };
enum { ATTR_INT = 2, ATTR_STRING = 3, ATTR_INTS = 7 };
enum { LIMIT = 1 << 26 };

static const int64_t ends[] = {0, -1, INT64_C(1) << 31, INT64_MAX, INT64_MIN};
enum { N_ENDS = sizeof ends / sizeof *ends };

/* An attribute that an operator has. */
struct known {
    const char *name;
    int type;
};

/* Returns the attributes of an operator, which have a name of NULL at their end. */
struct operator
{
    const onnx_operator *op;
    struct known *attrs;
};

static struct tried {
    inlay_arena *arena;
    const char *words[MOST_WORDS];
    int n_words;
    struct operator operators[MOST_OPERATORS];
    int n_operators;
    const char *kinds[MOST_KINDS]; /* of nodes that were tried */
    int n_kinds, n_cases, n_runs, n_wrong;
    char now[600];
} tried;

/* A node test: its model, whose last node is changed, and its inputs. */
struct node_test {
    char name[400]; /* or the folder */
    inlay_arena *arena;
    Onnx__ModelProto *m;
    Onnx__NodeProto *node;
    inlay_tensor *in[64];
    int n_in;
    bool is_own; /* it may be one that is refused whatever its attributes are */
};

/* Words */

static void add_word(const char *word, size_t length)
{
    for (int i = 0; i < tried.n_words; i++) {
        if (strlen(tried.words[i]) == length && memcmp(tried.words[i], word, length) == 0)
            return;
    }
    assert_true(tried.n_words < MOST_WORDS);
    tried.words[tried.n_words++] = inlay_arena_strndup(tried.arena, word, length);
}

/* Adds what stands in quotation marks in TEXT and could be the name of an attribute. */
static void add_words(const char *text)
{
    for (const char *p = text; (p = strchr(p, '"')); p++) {
        size_t n = 0;

        while (isalnum((unsigned char)p[1 + n]) || p[1 + n] == '_')
            n++;
        if (n > 0 && p[1 + n] == '"' && (n == 1 || islower((unsigned char)p[1])))
            add_word(p + 1, n);
    }
}

static void find_words(void)
{
    const char *root = getenv("ROOT");
    char pattern[400];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/parser/onnx/import/*.c", root ? root : ".");
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = model_load(found.gl_pathv[i], NULL);

        add_words(text);
        free(text);
    }
    globfree(&found);
}

/* Models */

static void say_case(int number)
{
    static const char late[] = " takes too long\n";

    (void)number;
    if (write(2, tried.now, strlen(tried.now)) < 0 || write(2, late, sizeof late - 1) < 0)
        _exit(2);
    _exit(1);
}

static inlay_graph *read_test(const struct node_test *t, inlay_diags *d)
{
    const inlay_read_options o = {.max_memory = LIMIT};
    size_t n = protobuf_c_message_get_packed_size(&t->m->base);
    inlay_buffer *b = inlay_buffer_new(n);
    char name[500];
    inlay_graph *g;

    assert_non_null(b);
    protobuf_c_message_pack(&t->m->base, inlay_buffer_data(b));
    snprintf(name, sizeof name, "%s/model.onnx", t->name);
    g = inlay_read_onnx(name, inlay_buffer_data(b), n, b, &o, d);
    inlay_buffer_release(b);
    return g;
}

/* False and an error: G cannot be run on the inputs of T. */
static bool runs(const struct node_test *t, const inlay_graph *g, inlay_diags *d)
{
    const inlay_exec_options o = {.max_memory = LIMIT, .max_iterations = 1000, .threads = 1};
    inlay_tensor *out[64] = {NULL};
    inlay_program *p = inlay_compile(g, &o, d);
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    bool ok = s && inlay_session_run(s, (const inlay_tensor *const *)t->in, NULL, out, d);

    for (int i = 0; i < g->n_results; i++)
        inlay_tensor_release(out[i]);
    inlay_session_free(s);
    inlay_program_free(p);
    tried.n_runs++;
    return ok;
}

static size_t errors_of(const inlay_diags *d)
{
    size_t errors = 0;

    for (size_t i = 0; i < inlay_diags_count(d); i++)
        errors += inlay_diags_at(d, i)->severity == INLAY_ERROR;
    return errors;
}

/* Reads and runs T: it works, or there is one error of a status that is the caller's fault. */
static void try_test(const struct node_test *t)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;
    bool ok;

    alarm(SECONDS);
    tried.n_cases++;
    if (getenv("CASES"))
        fprintf(stderr, "%s\n", tried.now);
    g = read_test(t, d);
    ok = g && (g->n_params != t->n_in || runs(t, g, d));
    if (errors_of(d) != !ok || (!ok && inlay_diags_status(d) != INLAY_INVALID &&
                                inlay_diags_status(d) != INLAY_NO_RESOURCE))
        print_error("%s: %s\n", tried.now, ok ? "warnings" : model_messages(d)), tried.n_wrong++;
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* Attributes */

static Onnx__AttributeProto *attribute_of(const Onnx__NodeProto *n, const char *name)
{
    for (size_t i = 0; i < n->n_attribute; i++) {
        if (strcmp(n->attribute[i]->name, name) == 0)
            return n->attribute[i];
    }
    return NULL;
}

/* Replaces attribute NAME of the node, or adds one, by X, and tries that. */
static void try_value(struct node_test *t, const char *name, Onnx__AttributeProto x,
                      void (*with)(const struct node_test *t))
{
    Onnx__NodeProto *n = t->node;
    Onnx__AttributeProto *was = attribute_of(n, name), **list = n->attribute;
    Onnx__AttributeProto *longer[100];
    size_t count = n->n_attribute;

    assert_true(count < 99);
    x.base.descriptor = &onnx__attribute_proto__descriptor;
    x.name = (char *)name;
    x.has_type = 1;
    if (count > 0)
        memcpy(longer, list, count * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        if (longer[i] == was)
            longer[i] = &x;
    }
    if (!was)
        longer[n->n_attribute++] = &x;
    n->attribute = longer;
    with(t);
    n->attribute = list;
    n->n_attribute = count;
}

static Onnx__AttributeProto blank(int type)
{
    Onnx__AttributeProto x = ONNX__ATTRIBUTE_PROTO__INIT;

    x.type = (Onnx__AttributeProto__AttributeType)type;
    return x;
}

static void try_number(struct node_test *t, const char *name, int64_t i)
{
    Onnx__AttributeProto x = blank(ATTR_INT);

    x.has_i = 1;
    x.i = i;
    snprintf(tried.now, sizeof tried.now, "%s: %s = %lld", t->name, name, (long long)i);
    try_value(t, name, x, try_test);
}

static void try_list(struct node_test *t, const char *name, int64_t *list, size_t count)
{
    Onnx__AttributeProto x = blank(ATTR_INTS);
    int used = snprintf(tried.now, sizeof tried.now, "%s: %s =", t->name, name);

    x.n_ints = count;
    x.ints = list;
    for (size_t i = 0; i < count && used < 500; i++)
        used += snprintf(tried.now + used, sizeof tried.now - (size_t)used, " %lld",
                         (long long)list[i]);
    try_value(t, name, x, try_test);
}

/* Each element of a list that is there; else lists of several lengths. */
static void try_lists(struct node_test *t, const char *name)
{
    const Onnx__AttributeProto *was = attribute_of(t->node, name);
    int64_t list[MOST_NUMBERS];
    size_t count = was ? was->n_ints : 0;

    for (size_t i = 0; i < count && count <= MOST_NUMBERS; i++) {
        for (int k = 0; k < N_ENDS; k++) {
            memcpy(list, was->ints, count * sizeof *list);
            list[i] = ends[k];
            try_list(t, name, list, count);
        }
    }
    for (size_t n = was ? MOST_NUMBERS : 1; n < MOST_NUMBERS; n++) {
        for (int k = 0; k < N_ENDS; k++) {
            for (size_t i = 0; i < n; i++)
                list[i] = ends[k];
            try_list(t, name, list, n);
        }
    }
}

/* Says what reading finds wrong with an attribute that is probed, which is one error at most; ""
 * where it finds nothing. */
static char probed[1000];

static void probe(const struct node_test *t)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read_test(t, d);

    if (errors_of(d) != !g)
        print_error("%s of another kind: %s\n", tried.now, model_messages(d)), tried.n_wrong++;
    snprintf(probed, sizeof probed, "%s", model_messages(d));
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static bool says(const char *name, const char *what)
{
    char text[300];

    snprintf(text, sizeof text, "attribute \"%s\" %s", name, what);
    return strstr(probed, text) != NULL;
}

/* Returns the type of attribute NAME of the node; 0: it has none, or one of another kind. */
static int type_of(struct node_test *t, const char *name)
{
    Onnx__AttributeProto x = blank(ATTR_INT);

    x.has_i = 1;
    snprintf(tried.now, sizeof tried.now, "%s: %s", t->name, name);
    try_value(t, name, x, probe);
    if (says(name, "is not known"))
        return 0;
    if (says(name, "must be a list of integers"))
        return ATTR_INTS;
    if (says(name, "must be a string"))
        return ATTR_STRING;
    return says(name, "must be a ") ? 0 : ATTR_INT;
}

/* A word that no operator knows is refused by all that do not take any. */
static void check_word(const struct node_test *t)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read_test(t, d);

    if (g)
        print_error("%s\n", tried.now), tried.n_wrong++;
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static struct known *ask(struct node_test *t)
{
    struct known *all = inlay_arena_array(tried.arena, (size_t)tried.n_words + 1, sizeof *all);
    int n = 0;

    for (int i = 0; i < tried.n_words; i++) {
        int type = type_of(t, tried.words[i]);

        if (type)
            all[n++] = (struct known){tried.words[i], type};
    }
    return all;
}

static struct operator* operator_of(const onnx_operator *op)
{
    for (int i = 0; i < tried.n_operators; i++) {
        if (tried.operators[i].op == op)
            return &tried.operators[i];
    }
    assert_true(tried.n_operators < MOST_OPERATORS);
    tried.operators[tried.n_operators].op = op;
    return &tried.operators[tried.n_operators++];
}

static const struct known *attributes_of(struct node_test *t, const onnx_operator *op)
{
    struct operator* o = operator_of(op);

    if (!o->attrs)
        o->attrs = ask(t);
    return o->attrs;
}

/* The word that stands there, with a value for attribute OTHER behind it, is no word either. */
static void try_list_in_word(struct node_test *t, const char *name, const char *other)
{
    const Onnx__AttributeProto *was = attribute_of(t->node, name);
    Onnx__AttributeProto x = blank(ATTR_STRING);
    char word[100];

    if (!was)
        return;
    x.has_s = 1;
    x.s.len = (size_t)snprintf(word, sizeof word, "%.*s; %.40s=1", (int)was->s.len,
                               (const char *)was->s.data, other);
    x.s.data = (uint8_t *)word;
    snprintf(tried.now, sizeof tried.now, "%s: %s = \"%s\"", t->name, name, word);
    try_value(t, name, x, try_test);
    try_value(t, name, x, check_word);
}

static void try_word(struct node_test *t, const onnx_operator *op, const struct known *attr)
{
    const char *name = attr->name;
    static const char *const texts[] = {"default_string", "delimiter", "pattern"};
    static uint8_t word[] = "neither";
    Onnx__AttributeProto x = blank(ATTR_STRING);

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(texts[i], name) == 0)
            return;
    }
    for (const struct known *a = attributes_of(t, op); a->name && attr->type == ATTR_STRING; a++)
        try_list_in_word(t, name, a->name);
    x.has_s = 1;
    x.s = (ProtobufCBinaryData){sizeof word - 1, word};
    snprintf(tried.now, sizeof tried.now, "%s: %s = \"%s\"", t->name, name, word);
    try_value(t, name, x, try_test);
    if (attr->type == ATTR_STRING)
        try_value(t, name, x, check_word);
}

/* Shapes */

/* Reads and runs T, whose input I is said to have the shape S. */
static void try_shape(const struct node_test *t, size_t i, const Onnx__TensorShapeProto *s,
                      const char *what)
{
    Onnx__TypeProto__Tensor *type = t->m->graph->input[i]->type->tensor_type;
    Onnx__TensorShapeProto *was = type->shape;

    snprintf(tried.now, sizeof tried.now, "%s: input %zu with %s", t->name, i, what);
    type->shape = (Onnx__TensorShapeProto *)s;
    try_test(t);
    type->shape = was;
}

/* Tries the shape WAS with axis K of another size, and an open one. */
static void try_sizes(const struct node_test *t, size_t i, const Onnx__TensorShapeProto *was,
                      size_t k)
{
    Onnx__TensorShapeProto__Dimension d = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__INIT, *dims[8];
    Onnx__TensorShapeProto s = *was;
    char what[80];

    memcpy(dims, was->dim, was->n_dim * sizeof *dims);
    s.dim = dims;
    dims[k] = &d;
    snprintf(what, sizeof what, "an open axis %zu", k);
    try_shape(t, i, &s, what);
    d.has_dim_value = 1;
    for (d.dim_value = 0; d.dim_value < 8; d.dim_value = 3 * d.dim_value + 1) { /* 0, 1, 4 */
        snprintf(what, sizeof what, "%d in axis %zu", (int)d.dim_value, k);
        try_shape(t, i, &s, what);
    }
}

/* Tries the node with an axis more and less of each of its inputs, with other sizes and without a
 * shape. */
static void try_shapes(const struct node_test *t)
{
    const Onnx__GraphProto *g = t->m->graph;

    for (size_t i = 0; i < g->n_input; i++) {
        const Onnx__TensorShapeProto *was = g->input[i]->type && g->input[i]->type->tensor_type
                                                ? g->input[i]->type->tensor_type->shape
                                                : NULL;
        Onnx__TensorShapeProto__Dimension one = ONNX__TENSOR_SHAPE_PROTO__DIMENSION__INIT, *dims[8];
        Onnx__TensorShapeProto s;

        if (!was || was->n_dim > 7)
            continue;
        s = *was;
        s.dim = dims;
        for (size_t k = 0; k < was->n_dim; k++)
            dims[k] = was->dim[k];
        dims[s.n_dim++] = &one;
        one.has_dim_value = 1;
        one.dim_value = 1;
        try_shape(t, i, &s, "an axis more");
        s.n_dim = was->n_dim - 1;
        if (was->n_dim > 0)
            try_shape(t, i, &s, "an axis less");
        try_shape(t, i, NULL, "no shape");
        for (size_t k = 0; k < was->n_dim; k++)
            try_sizes(t, i, was, k);
    }
}

/* Tests */

/* Of nodes of one kind, one is tried: those of an operator whose attributes of the same names have
 * the same words, with as many operands. */
static bool is_new(const struct node_test *t, const onnx_operator *op)
{
    const Onnx__NodeProto *n = t->node;
    char kind[1000];
    int used = snprintf(kind, sizeof kind, "%s %d %zu", op->name, op->since, n->n_input);

    for (size_t i = 0; i < n->n_attribute && used < 900; i++) {
        const Onnx__AttributeProto *a = n->attribute[i];

        used += snprintf(kind + used, sizeof kind - (size_t)used, " %.40s=%.*s", a->name,
                         a->s.len < 20 ? (int)a->s.len : 20, (const char *)a->s.data);
    }
    for (int i = 0; i < tried.n_kinds; i++) {
        if (strcmp(tried.kinds[i], kind) == 0)
            return false;
    }
    assert_true(tried.n_kinds < MOST_KINDS);
    tried.kinds[tried.n_kinds++] = inlay_arena_strdup(tried.arena, kind);
    return true;
}

static void read_inputs(struct node_test *t)
{
    inlay_diags *d = inlay_diags_new();
    char path[500];

    while (t->n_in < 64) {
        snprintf(path, sizeof path, "%s/test_data_set_0/input_%d.pb", t->name, t->n_in);
        if (access(path, R_OK) != 0 || !(t->in[t->n_in] = inlay_read_tensor(path, 0, d)))
            break;
        t->n_in++;
    }
    inlay_diags_free(d);
}

static const char *domain_of(const Onnx__NodeProto *n)
{
    return n->domain ? n->domain : "";
}

static Onnx__OperatorSetIdProto *set_of(const struct node_test *t)
{
    for (size_t i = 0; i < t->m->n_opset_import; i++) {
        Onnx__OperatorSetIdProto *set = t->m->opset_import[i];

        if (strcmp(set->domain ? set->domain : "", domain_of(t->node)) == 0)
            return set;
    }
    return NULL;
}

static void try_attributes(struct node_test *t)
{
    const onnx_operator *op =
        onnx_operator_find(domain_of(t->node), t->node->op_type, set_of(t)->version);
    const struct known *a;

    probe(t);
    if (op && probed[0]) {
        if (t->is_own)
            operator_of(op);
        if (getenv("CASES"))
            fprintf(stderr, "%s: refused as it is: %s\n", t->name, probed);
        return;
    }
    if (!op || !is_new(t, op))
        return;
    for (a = attributes_of(t, op); a->name; a++) {
        for (int k = 0; k < N_ENDS && a->type == ATTR_INT; k++)
            try_number(t, a->name, ends[k]);
        if (a->type == ATTR_INTS)
            try_lists(t, a->name);
        try_word(t, op, a);
    }
    try_shapes(t);
}

/* Tries the node in the version of its set that the file imports, and in the older ones in which
 * it is an operator, too. */
static void try_versions(struct node_test *t)
{
    Onnx__OperatorSetIdProto *set = set_of(t);
    const onnx_operator *last = NULL;

    for (int64_t v = set ? set->version : 0; v > 0; v--) {
        const onnx_operator *op = onnx_operator_find(domain_of(t->node), t->node->op_type, v);

        set->version = v;
        if (op && op != last)
            try_attributes(t);
        last = op;
    }
}

static void try_model(struct node_test *t)
{
    t->node = t->m->graph->node[t->m->graph->n_node - 1];
    try_versions(t);
    for (int i = 0; i < t->n_in; i++)
        inlay_tensor_release(t->in[i]);
}

static void try_folder(const char *folder)
{
    struct node_test t = {.arena = inlay_arena_new()};
    inlay_diags *d = inlay_diags_new();
    char path[500], *bytes;
    size_t n;

    snprintf(t.name, sizeof t.name, "%s", folder);
    snprintf(path, sizeof path, "%s/model.onnx", folder);
    bytes = model_load(path, &n);
    t.m = onnx_wire_read(&onnx__model_proto__descriptor, bytes, n, path, t.arena, d);
    if (t.m && t.m->graph->n_node == 1) {
        read_inputs(&t);
        try_model(&t);
    }
    free(bytes);
    inlay_diags_free(d);
    inlay_arena_free(t.arena);
}

/* Inputs of zeros, in the shapes that the model says. */
static void make_inputs(struct node_test *t)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read_test(t, d);

    for (int i = 0; g && i < g->n_params; i++) {
        const inlay_fact *f = &g->params[i]->out[0].fact;
        int64_t dims[INLAY_MAX_RANK];

        assert_true(inlay_fact_dims(f, dims));
        t->in[t->n_in] = inlay_tensor_new(f->type, f->rank, dims);
        assert_non_null(t->in[t->n_in++]);
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* Nodes of operators that ONNX's node tests leave out. */
static const struct own {
    int opset;
    const char *inputs, *node;
} own[] = {
    {18, "int32[2] x", "y = BitwiseOr (x, x)"},
    {5, "float[2] x", "y = Cast <to = \"INT32\"> (x)"},
    {9, "float[2] x", "y = NonZero (x)"},
    {15, "float[2] x", "y = OptionalGetElement (x)"},
    {15, "float[2] x", "y = Optional (x)"},
    {11, "float[2] x", "y = SequenceConstruct (x, x)"},
    {11, "float[2] x", "y = SequenceEmpty <dtype = 1> ()"},
    {11, "float[2] x, int64 i", "s = SequenceConstruct (x, x) y = SequenceAt (s, i)"},
    {11, "float[2] x, int64 i", "s = SequenceConstruct (x, x) y = SequenceErase (s, i)"},
    {11, "float[2] x", "s = SequenceConstruct (x, x) y = SequenceLength (s)"},
    {11, "float[2] x",
     "s = SplitToSequence <axis = 0, keepdims = 0> (x) y = ConcatFromSequence <axis = 0, new_axis "
     "= 1> (s)"},
    {17, "float[2] x", "y = ai.onnx.ml.Binarizer <threshold = 0.5> (x)"},
    {17, "float[2] x", "y = ai.onnx.ml.CastMap (x)"},
    {17, "int64[2] x",
     "y = ai.onnx.ml.CategoryMapper <cats_int64s = [1, 2], cats_strings = [\"a\", \"b\"]> (x)"},
    {17, "float[2] x", "y = ai.onnx.ml.DictVectorizer (x)"},
    {17, "float[2, 3] x", "y = ai.onnx.ml.FeatureVectorizer <inputdimensions = [3, 3]> (x, x)"},
    {17, "int64[2, 2] x",
     "y = ai.onnx.ml.Imputer <imputed_value_int64s = [1, 2], replaced_value_int64 = 0> (x)"},
    {1, "int64[2] x", "y = ai.onnx.ml.LabelEncoder <classes_strings = [\"a\", \"b\"]> (x)"},
    {17, "float[2, 3] x", "y = ai.onnx.ml.Normalizer <norm = \"L2\"> (x)"},
    {17, "int64[2] x", "y = ai.onnx.ml.OneHotEncoder <cats_int64s = [1, 2], zeros = 1> (x)"},
    {17, "float[2, 2] x", "y = ai.onnx.ml.Scaler <offset = [1.0], scale = [2.0]> (x)"},
    {17, "float[2] x", "y = ai.onnx.ml.ZipMap <classlabels_int64s = [1]> (x)"},
    {17, "float[2, 3] x",
     "y, z = ai.onnx.ml.LinearClassifier <coefficients = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "
     "intercepts = [1.0, 2.0], classlabels_ints = [0, 1]> (x)"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.LinearRegressor <coefficients = [1.0, 2.0, 3.0], targets = 1> (x)"},
    {17, "float[2, 3] x",
     "y, z = ai.onnx.ml.SVMClassifier <coefficients = [1.0, 2.0, 3.0], rho = [1.0], "
     "support_vectors = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], vectors_per_class = [1, 2], "
     "kernel_type = \"RBF\", kernel_params = [1.0, 0.0, 2.0], classlabels_ints = [3, 4], prob_a = "
     "[1.0], prob_b = [0.5], post_transform = \"NONE\"> (x)"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.SVMRegressor <coefficients = [1.0, 2.0], rho = [1.0], n_supports = 2, "
     "support_vectors = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], kernel_type = \"RBF\", kernel_params = "
     "[1.0, 0.0, 2.0]> (x)"},
    {17, "float[2, 3] x",
     "y, z = ai.onnx.ml.TreeEnsembleClassifier <nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, "
     "2], nodes_featureids = [0, 0, 0], nodes_values = [0.5, 0.0, 0.0], nodes_modes = "
     "[\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = "
     "[2, 0, 0], nodes_missing_value_tracks_true = [0, 0, 0], class_treeids = [0, 0], "
     "class_nodeids = [1, 2], class_ids = [0, 1], class_weights = [1.0, 1.0], classlabels_int64s "
     "= [3, 4]> (x)"},
    {17, "float[2, 3] x",
     "y = ai.onnx.ml.TreeEnsembleRegressor <nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], "
     "nodes_featureids = [0, 0, 0], nodes_values = [0.5, 0.0, 0.0], nodes_modes = "
     "[\"BRANCH_LEQ\", \"LEAF\", \"LEAF\"], nodes_truenodeids = [1, 0, 0], nodes_falsenodeids = "
     "[2, 0, 0], target_treeids = [0, 0], target_nodeids = [1, 2], target_ids = [0, 0], "
     "target_weights = [1.0, 2.0], n_targets = 1> (x)"},
    {13, "float[1, 8, 2, 3] x", "y = DepthToSpace <blocksize = 2> (x)"},
    {13, "float[1, 2, 4, 6] x", "y = SpaceToDepth <blocksize = 2> (x)"},
    {17, "float[2, 32] x, float[6] s",
     "b = Constant <value = uint8[3, 2, 8] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "
     "0, "
     "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}> () y "
     "= com.microsoft.MatMulNBits <K = 32, N = 3, bits = 4, block_size = 16> (x, b, s)"},
    {17, "uint8[2, 3] x, float s, uint8 z, int8[4, 3] w, float[4] t, int8[4] v, int32[4] b",
     "y = com.microsoft.QGemm <transA = 0, transB = 1, alpha = 2.0> (x, s, z, w, t, v, b, s, z)"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearAdd (x, s, z, x, s, z, s, z)"},
    {17, "int8[2, 3] x, float s, int8 z", "y = com.microsoft.QLinearMul (x, s, z, x, s, z, s, z)"},
    {17, "uint8[1, 2, 4, 4] x, float s, uint8 z",
     "y = com.microsoft.QLinearAveragePool <kernel_shape = [2, 2], strides = [2, 2], pads = [0, 0, "
     "0, 0], count_include_pad = 1, channels_last = 0> (x, s, z, s, z)"},
    {17, "uint8[1, 2, 4, 4] x, float s, uint8 z",
     "y = com.microsoft.QLinearGlobalAveragePool <channels_last = 0> (x, s, z, s, z)"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearConcat <axis = 1> (s, z, x, s, z, x, s, z)"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearLeakyRelu <alpha = 0.5> (x, s, z, s, z)"},
    {17, "uint8[2, 3] x, float s, uint8 z", "y = com.microsoft.QLinearSigmoid (x, s, z, s, z)"},
    {17, "float[1, 2, 8] x, float[8] b", "y = com.microsoft.BiasAdd (x, b, x)"},
    {17, "float[1, 2, 8] x, float[8] b", "y = com.microsoft.BiasGelu (x, b)"},
    {17, "float[1, 2, 8] x, float[8] b", "y = com.microsoft.BiasSplitGelu (x, b)"},
    {17, "float[1, 2, 8] x, float[8] b", "y = com.microsoft.FastGelu (x, b)"},
    {17, "float[1, 2, 8] x", "y = com.microsoft.Gelu (x)"},
    {17, "float[1, 2, 8] x", "y = com.microsoft.QuickGelu <alpha = 2.0> (x)"},
    {17, "float[2, 3] x, float[3, 4] y, float[4] c",
     "y = com.microsoft.FusedGemm <transA = 0, transB = 0, alpha = 2.0, beta = 3.0, activation = "
     "\"LeakyRelu\", activation_alpha = 0.5> (x, y, c)"},
    {17, "float[2, 2, 3] x, float[2, 3, 4] y",
     "y = com.microsoft.FusedMatMul <transA = 0, transB = 0, transBatchA = 0, transBatchB = 0, "
     "alpha = 2.0> (x, y)"},
    {17, "float[2, 3] x, float[3, 4] y",
     "y = com.microsoft.FusedMatMulActivation <activation = \"HardSigmoid\", activation_alpha = "
     "0.5, activation_beta = 0.5, activation_axis = 1> (x, y)"},
    {17, "float[2, 3] x, float[3, 4] y, float[4] c", "y = com.microsoft.GemmFastGelu (x, y, c)"},
    {17, "float[2, 3] x, float[3, 4] y",
     "y = com.microsoft.TransposeMatMul <transA = 0, transB = 0, alpha = 2.0> (x, y)"},
    {17, "float[2, 3, 3] x", "y = com.microsoft.Inverse (x)"},
    {17, "float[1, 2, 4, 4] x, float[2, 1, 2, 2] w, float[2] b",
     "y = com.microsoft.FusedConv <group = 2, strides = [1, 1], pads = [0, 0, 0, 0], dilations = "
     "[1, 1], kernel_shape = [2, 2], activation = \"Clip\", activation_params = [0.0, 6.0]> (x, w, "
     "b)"},
    {17, "float[1, 4, 4, 2] x, float[2, 1, 2, 2] w, float[2] b",
     "y = com.microsoft.NhwcConv <group = 2, strides = [1, 1], pads = [0, 0, 0, 0], dilations = "
     "[1, 1], kernel_shape = [2, 2]> (x, w, b)"},
    {17, "float[1, 4, 4, 2] x, float[2, 1, 2, 2] w, float[2] b",
     "y = com.microsoft.NhwcFusedConv <group = 2, strides = [1, 1], pads = [0, 0, 0, 0], "
     "kernel_shape = [2, 2], activation = \"Relu\"> (x, w, b)"},
    {17, "float[1, 2, 4] x, float[4, 12] w, float[12] b, int32[1, 2] m",
     "y = com.microsoft.Attention <num_heads = 2, unidirectional = 1, scale = 0.5, "
     "mask_filter_value = -1.0, qkv_hidden_sizes = [4, 4, 4]> (x, w, b, m)"},
    {17, "float[1, 2, 4] x, float[12] b, int32[1, 2] m, float[1, 2, 2, 2] s",
     "y = com.microsoft.MultiHeadAttention <num_heads = 2, unidirectional = 1, scale = 0.5, "
     "mask_filter_value = -1.0> (x, x, x, b, m, s)"},
    {17, "float[1, 2, 4] x, float[1, 2, 4, 2] p, int32[1] l, int32 t, float[4, 1] c",
     "y = com.microsoft.GroupQueryAttention <num_heads = 2, kv_num_heads = 2, do_rotary = 1, "
     "rotary_interleaved = 1, causal = 1, local_window_size = 2, smooth_softmax = 1, softcap = "
     "2.0, scale = 0.5> (x, x, x, p, p, l, t, c, c)"},
    {17, "float[1, 2, 4] x, int64[1, 2] p, float[3, 1] c",
     "y = com.microsoft.RotaryEmbedding <num_heads = 2, rotary_embedding_dim = 2, interleaved = 1> "
     "(x, p, c, c)"},
    {17, "float[1, 2, 4] x, float[4] g",
     "y = com.microsoft.SkipLayerNormalization <epsilon = 0.5> (x, x, g, g, g)"},
    {17, "float[1, 2, 4] x, float[4] g",
     "y = com.microsoft.SkipSimplifiedLayerNormalization <epsilon = 0.5> (x, x, g, g)"},
    {17, "float[1, 2, 4] x, float[4] g",
     "y = com.microsoft.SimplifiedLayerNormalization <axis = 1, epsilon = 0.5, stash_type = 1> (x, "
     "g)"},
    {17, "int32[1, 2] i, float[3, 4] w, float[4] g",
     "y = com.microsoft.EmbedLayerNormalization <epsilon = 0.5, mask_index_type = 1> (i, i, w, w, "
     "w, g, g, i)"},
    {17, "float[1, 2, 2, 4] x, float[4] g",
     "y = com.microsoft.GroupNorm <groups = 2, activation = 1, channels_last = 1> (x, g, g)"},
    {17, "float[1, 2, 2, 4] x, float[4] g, float[1, 4] s",
     "y = com.microsoft.SkipGroupNorm <groups = 2, activation = 1, channels_last = 1> (x, g, g, s, "
     "g)"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.DequantizeLinear <axis = 1> (x, s, z)"},
    {17, "float[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QuantizeLinear <axis = 1> (x, s, z)"},
    {17, "float[2, 3] x, int8[3, 4] w, float[4] s, int8[4] z, float[4] b",
     "y = com.microsoft.DynamicQuantizeMatMul (x, w, s, z, b)"},
    {17, "uint8[2, 3] x, int8[3, 4] w, float s, float[4] t, uint8 z, int8[4] v, float[4] b",
     "y = com.microsoft.MatMulIntegerToFloat (x, w, s, t, z, v, b)"},
    {17, "uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearSoftmax <axis = 1, opset = 13> (x, s, z, s, z)"},
    {17, "bool[2, 3] c, uint8[2, 3] x, float s, uint8 z",
     "y = com.microsoft.QLinearWhere (c, x, s, z, x, s, z, s, z)"},
    {17, "float[2, 2, 16] x, float[2] s",
     "b = Constant <value = uint8[16] {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7}> () y = "
     "com.microsoft.MatMulBnb4 <K = 16, N = 2, block_size = 16, quant_type = 1, transB = 1, "
     "training_mode = 0> (x, b, s)"},
    {17, "uint8[2, 8] x, int64[3] i, float[2, 1] s",
     "y = com.microsoft.GatherBlockQuantized <bits = 4, block_size = 16, gather_axis = 0, "
     "quantize_axis = 1> (x, i, s)"},
    {17, "uint8[1, 2, 4] x, int8[4, 12] w, float[12] b, float s, int32[1, 2] m, uint8 z, int8 v",
     "y = com.microsoft.QAttention <num_heads = 2, unidirectional = 1, scale = 0.5, "
     "mask_filter_value = -1.0, do_rotary = 0, past_present_share_buffer = 0> (x, w, b, s, s, m, "
     "z, v)"},
    {17, "float[3, 4] x, float[4, 12] w, float[12] b, int32[2, 2] o, int32[3] e",
     "y = com.microsoft.PackedAttention <num_heads = 2, scale = 0.5, qkv_hidden_sizes = [4, 4, 4]> "
     "(x, w, b, o, e)"},
    {17, "float[3, 4] x, float[12] b, int32[2, 2] o, int32[3] e",
     "y = com.microsoft.PackedMultiHeadAttention <num_heads = 2, scale = 0.5, mask_filter_value = "
     "-1.0> (x, x, x, b, o, e)"},
    {17, "float[2, 3, 4] x, int32[2] c", "y, o, e, m = com.microsoft.RemovePadding (x, c)"},
    {17, "float[3, 4] x, int32[2, 2] o", "y = com.microsoft.RestorePadding (x, o)"},
    {17, "float[8, 2] x, int64[1] l",
     "y = com.microsoft.RelativePositionBias <max_distance = 9, is_bidirectional = 1> (x, l, l)"},
    {17, "float[1, 2, 4] x, float[4] b, float[1, 2, 2, 2] r, float[2, 4] w, float[1, 2, 1, 1] a",
     "y = com.microsoft.GatedRelativePositionBias <num_heads = 2> (x, b, r, w, b, a)"},
    {17, "float[2, 4] x, float[2, 3] r, float[3, 4, 4] w, float[3, 4] b, float[3, 4, 2] v",
     "y = com.microsoft.MoE <k = 2, activation_type = \"swiglu\", swiglu_fusion = 1, "
     "activation_alpha = 1.5, activation_beta = 1.0, swiglu_limit = 2.0, normalize_routing_weights "
     "= 1, use_sparse_mixer = 0> (x, r, w, b, v)"},
    {17, "float[3, 1, 2] x, int8[1, 2, 8] w, float[1] s, int8[1] z",
     "y = com.microsoft.DynamicQuantizeLSTM <hidden_size = 2, direction = \"forward\", clip = 0.5, "
     "input_forget = 1> (x, w, w, \"\", \"\", \"\", \"\", \"\", s, z, s, z)"},
    {17, "uint8[1, 4, 4, 2] x, float s, uint8 z, uint8[2, 1, 2, 2] w",
     "y = com.microsoft.QLinearConv <group = 2, strides = [1, 1], pads = [0, 0, 0, 0], dilations = "
     "[1, 1], kernel_shape = [2, 2], channels_last = 1> (x, s, z, w, s, z, s, z)"},
    {17, "uint8[2, 3, 4] x, float s, uint8 z",
     "y = com.microsoft.QLinearReduceMean <axes = [1], keepdims = 0> (x, s, z, s, z)"},
    {17, "int8[2, 3] x, int8 z", "y = com.microsoft.MulInteger (x, z, x, z)"},
    {17, "int16[2, 3] x, int16[3, 2] w", "y = com.microsoft.MatMulInteger16 (x, w)"},
    {17, "uint8[2, 3] x", "y = com.microsoft.ReduceSumInteger <axes = [0], keepdims = 1> (x)"},
    {17, "float[1, 2, 3, 3] x, float[2, 1, 2, 2] w, int64[4] p, float[2] b",
     "y = com.microsoft.ConvTransposeWithDynamicPads <group = 2, strides = [2, 2], dilations = [1, "
     "1], kernel_shape = [2, 2], output_padding = [1, 1]> (x, w, p, b)"},
    {17, "uint8[1, 4, 4, 2] x",
     "y = com.microsoft.NhwcMaxPool <kernel_shape = [2, 2], strides = [2, 2], pads = [0, 0, 0, 0], "
     "dilations = [1, 1], ceil_mode = 1> (x)"},
    {17, "float[2, 2, 3, 3] x, float[3, 4] r, int32[3] i, int32[2] c",
     "y = com.microsoft.CropAndResize <mode = \"nearest\", extrapolation_value = 0.5> (x, r, i, "
     "c)"},
    {17, "float[2, 3, 4] x, float[4] b", "y = com.microsoft.BiasDropout <seed = 1> (x, b, x)"},
    {17, "float[2, 3, 4] x, float[4] b",
     "y = com.microsoft.BitmaskBiasDropout <seed = 1> (x, b, x)"},
    {17, "float[2, 3, 4] x", "y = com.microsoft.BitmaskDropout <seed = 1> (x)"},
    {17, "float[2, 3, 4] x, float[4] b",
     "y = com.microsoft.BiasSoftmax <axis = 1, is_inner_broadcast = 1> (x, b)"},
    {17, "float[2, 3] x", "y = com.microsoft.SampleOp (x)"},
    {17, "float[2, 3] x",
     "t = Tanh (x) y = ai.onnx.preview.training.Gradient <xs = [\"x\"], y = \"t\"> (x)"},
    {17, "float[2, 3] x, float[2, 1] g", "y = com.microsoft.GatedAdd (x, x, g)"},
    {17, "float[2, 6] x, float[3] s", "y = com.microsoft.GatedRMSNorm <epsilon = 0.5> (x, s, x)"},
    {17, "float[1, 2, 3] x, float[3] s", "y, z = com.microsoft.LinearAttentionGate (x, s, s, x)"},
    {17, "float[2, 3, 2] x", "y = com.microsoft.ComplexMul (x, x)"},
    {17, "float[2, 3, 2] x", "y = com.microsoft.ComplexMulConj (x, x)"},
    {17, "float[2, 3] x, float[4, 3] z", "y = com.microsoft.CDist <metric = \"euclidean\"> (x, z)"},
    {17, "float[2, 3] x, int64[1, 4] p, float v",
     "y = com.microsoft.Pad <mode = \"constant\"> (x, p, v)"},
    {17, "float[2, 6] x", "y = com.microsoft.UnfoldTensor <dim = 1, size = 2, step = 2> (x)"},
    {17, "float[2, 6] x",
     "y = com.microsoft.Rfft <signal_ndim = 1, onesided = 1, normalized = 0> (x)"},
    {17, "float[2, 4, 2] x",
     "y = com.microsoft.Irfft <signal_ndim = 1, onesided = 1, normalized = 0> (x)"},
    {17, "float[1, 2, 8] x, int64[3, 1, 2] p, float[3, 2] c",
     "y = com.microsoft.MRotaryEmbedding <num_heads = 2, rotary_embedding_dim = 4, interleaved = "
     "1, mrope_section = [1, 1, 0], mrope_layout = 1, is_packed_batching = 0> (x, p, c, c)"},
    {17, "float[1, 2, 4] e, float16[1, 2, 2, 4] q",
     "y, z = com.microsoft.GemmaRotaryEmbedding (e, q, q, q, q)"},
    {17, "float[1, 2, 4] x, float[2, 1, 3] w, float[2] b, float[1, 2, 2] p",
     "y, q = com.microsoft.CausalConvWithState <activation = \"silu\", ndim = 1, dilation = 1, "
     "channels_last = 0, state_window = 0> (x, w, b, p)"},
    {17, "float[1, 2, 4] x, float[1, 2, 2] d, float[1, 2, 1] b, float[1, 2, 2, 2] p",
     "y, q = com.microsoft.LinearAttention <q_num_heads = 2, kv_num_heads = 2, update_rule = "
     "\"gated_delta\", scale = 0.5, chunk_size = 8, state_window = 0> (x, x, x, p, d, b)"},
    {17, "int32[1, 2] i, uint8[3, 4] w, uint8[4] g, float s, uint8 z",
     "y, m = com.microsoft.QEmbedLayerNormalization <epsilon = 0.5> (i, i, w, w, w, g, g, i, s, s, "
     "s, s, s, z, z, z, z, z)"},
    {17, "float[2, 3, 4] x, int64 k", "y = com.microsoft.Trilu <upper = 0> (x, k)"},
    {17, "int64[4] x", "y = com.microsoft.Unique (x)"},
    {17, "float[2, 3] x, int64[2, 1] i", "y = com.microsoft.GatherND (x, i)"},
    {17, "float[2, 3] x, int64[2] i", "y = com.microsoft.TorchEmbedding (x, i)"},
    {17, "int64 x", "y = com.microsoft.Range (x, x)"},
    {17, "float[2, 3] x, int32 a", "y = com.microsoft.ExpandDims (x, a)"},
    {17, "float[1, 1, 3, 3] x, float[1, 2, 2, 2] g",
     "y = com.microsoft.GridSample <mode = \"bilinear\", padding_mode = \"border\", align_corners "
     "= 1> (x, g)"},
    {10, "uint8[2, 3] x, uint8[3, 4] y", "z = MatMulInteger (x, y)"},
    {10, "uint8[1, 2, 4, 4] x, float s, uint8 z, uint8[2, 1, 2, 2] w",
     "y = QLinearConv <group = 2, strides = [1, 1], pads = [0, 0, 0, 0], dilations = [1, 1], "
     "kernel_shape = [2, 2]> (x, s, z, w, s, z, s, z)"},
    {7, "float[2, 3] x", "y = Multinomial <sample_size = 4, dtype = 6> (x)"},
    {1, "float[2] x", "y = RandomNormal <shape = [2, 3], dtype = 1> ()"},
    {1, "float[2] x", "y = RandomNormalLike <dtype = 1> (x)"},
    {1, "float[2] x", "y = RandomUniform <shape = [2, 3], dtype = 1> ()"},
    {1, "float[2] x", "y = RandomUniformLike <dtype = 1> (x)"},
    {10, "float[1, 2, 3, 4] x",
     "s = Constant <value = float[4] {1, 1, 2, 2}> () y = Resize <mode = \"linear\"> (x, s)"},
    {9, "float[1, 2, 3, 4] x",
     "s = Constant <value = float[4] {1, 1, 2, 2}> () y = Upsample <mode = \"linear\"> (x, s)"},
    {7, "float[1, 2, 3, 4] x", "y = Upsample <scales = [1.0, 1.0, 2.0, 2.0]> (x)"},
    {1, "float[1, 2, 3, 4] x", "y = Upsample <height_scale = 2.0, width_scale = 2.0> (x)"},
    {1, "float[4] x", "y, i = TopK <k = 2, axis = 0> (x)"},
    {2, "float[2, 3] x", "y = Pad <mode = \"reflect\", pads = [0, 1, 0, 1]> (x)"},
    {1, "float[2, 3] x", "y = Pad <mode = \"edge\", paddings = [0, 1, 0, 1]> (x)"},
    {1, "float[2, 3] x", "y = Slice <axes = [0, 1], starts = [0, 1], ends = [1, 3]> (x)"},
    {1, "float[4] x", "y = Reshape <shape = [2, 2]> (x)"},
    {1, "float[4] x", "y = Unsqueeze <axes = [0, 2]> (x)"},
    {17, "int64 x", "y = BlackmanWindow <output_datatype = 1, periodic = 1> (x)"},
    {2, "float[1, 2, 3, 4] x", "y = GlobalLpPool <p = 2> (x)"},
    {7, "float[2, 3] x, float[3] s", "y = PRelu (x, s)"},
    {6, "float[2, 3] x", "y = Relu (x)"},
    {9, "float[2, 3] x", "y = Shrink <lambd = 0.5> (x)"},
    {17, "float[2, 3] x, float[3] s",
     "y = SimplifiedLayerNormalization <axis = 1, stash_type = 1> (x, s)"},
    {20, "uint8[4] x", "y = ImageDecoder <pixel_format = \"BGR\"> (x)"},
    {1, "float[1, 1, 4, 4] x, float[1, 5] r", "y = MaxRoiPool <pooled_shape = [2, 2]> (x, r)"},
};

static void try_own(const struct own *o)
{
    static const char model[] =
        "<ir_version: 10, opset_import: [\"\" : %d, \"ai.onnx.ml\" : %d, "
        "\"com.microsoft\" : 1, \"ai.onnx.preview.training\" : 1]>\nown (%s) => (float y)\n{%s}\n";
    struct node_test t = {.arena = inlay_arena_new()};
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf text = {0};

    inlay_strbuf_printf(&text, model, o->opset, o->opset == 1 ? 1 : 3, o->inputs, o->node);
    t.is_own = true;
    snprintf(t.name, sizeof t.name, "%s", o->node);
    t.m = onnx_text_read(text.bytes, text.n, "own", t.arena, d);
    if (!t.m)
        fail_msg("%s", model_messages(d));
    make_inputs(&t);
    try_model(&t);
    inlay_strbuf_free(&text);
    inlay_diags_free(d);
    inlay_arena_free(t.arena);
}

#define FAMILY(name) extern const onnx_operator onnx_operators_##name[];
#include "parser/onnx/import/families.def"
#undef FAMILY

/* Every operator has been tried. */
static void check_all(void)
{
    static const onnx_operator *const families[] = {
#define FAMILY(name) onnx_operators_##name,
#include "parser/onnx/import/families.def"
#undef FAMILY
    };

    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        for (const onnx_operator *op = families[i]; op->name; op++) {
            bool found = false;

            for (int k = 0; k < tried.n_operators; k++)
                found |= tried.operators[k].op == op;
            if (!found)
                print_error("%s-%d has no test\n", op->name, op->since), tried.n_wrong++;
        }
    }
}

static void test_ends(void **state)
{
    char command[600];
    glob_t found;

    (void)state;
    snprintf(command, sizeof command, "tar -xf '%s/conformance/onnx-node.tar.xz'", model_shared());
    assert_int_equal(system(command), 0);
    tried.arena = inlay_arena_new();
    find_words();
    signal(SIGALRM, say_case);
    assert_int_equal(glob("node/*", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *only = getenv("CASE");

        if (!only || strcmp(only, found.gl_pathv[i] + strlen("node/")) == 0)
            try_folder(found.gl_pathv[i]);
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        try_own(&own[i]);
    alarm(0);
    check_all();
    print_message("# %d operators, %d kinds of nodes, %d cases, %d runs\n", tried.n_operators,
                  tried.n_kinds, tried.n_cases, tried.n_runs);
    globfree(&found);
    inlay_arena_free(tried.arena);
    assert_int_equal(system("rm -r node LICENSE NOTICE"), 0);
    assert_int_equal(tried.n_wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends)};

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
