/* Each integer attribute of each operator of ONNX at the ends of its range, in ONNX's own node
 * tests: the model works, or it is refused by one error. Nobody lists the attributes: an import is
 * asked for each word that stands in the sources of the imports, and what it says of a value of
 * another kind tells whether the operator has an attribute of that name, and of which kind.
 * The same of inputs that have other shapes than the tests give them, and of outputs that are left
 * out. CASES=list prints each case
 * before it is onnx_tried. */
#define _XOPEN_SOURCE 700 /* glob, alarm */
#include "folder.h"
#include "interp/interp.h"
#include "ir/print.h"
#include "models.h"
#include "onnx_left_out.h"
#include "onnx_tried.h"
#include "parser/onnx/forms.h"
#include "parser/onnx/import.h"
#include "parser/onnx/records.h"
#include "parser/onnx/wire.h"
#include "unit.h"

#include <glob.h>
#include <signal.h>
#include <unistd.h>

enum { ATTR_INT = 2, ATTR_STRING = 3, ATTR_INTS = 7 };

static const int64_t ends[] = {0, -1, INT64_C(1) << 31, INT64_MAX, INT64_MIN};
enum { N_ENDS = sizeof ends / sizeof *ends };

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
    snprintf(onnx_tried.now, sizeof onnx_tried.now, "%s: %s = %lld", t->name, name, (long long)i);
    try_value(t, name, x, onnx_tried_run);
}

static void try_list(struct node_test *t, const char *name, int64_t *list, size_t count)
{
    Onnx__AttributeProto x = blank(ATTR_INTS);
    int used = snprintf(onnx_tried.now, sizeof onnx_tried.now, "%s: %s =", t->name, name);

    x.n_ints = count;
    x.ints = list;
    for (size_t i = 0; i < count && used < 500; i++)
        used += snprintf(onnx_tried.now + used, sizeof onnx_tried.now - (size_t)used, " %lld",
                         (long long)list[i]);
    try_value(t, name, x, onnx_tried_run);
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
    inlay_graph *g = onnx_tried_read(t, d);

    if (onnx_tried_errors(d) != !g)
        print_error("%s of another kind: %s\n", onnx_tried.now, model_messages(d)),
            onnx_tried.n_wrong++;
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
    snprintf(onnx_tried.now, sizeof onnx_tried.now, "%s: %s", t->name, name);
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
    inlay_graph *g = onnx_tried_read(t, d);

    if (g)
        print_error("%s\n", onnx_tried.now), onnx_tried.n_wrong++;
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static struct known *ask(struct node_test *t)
{
    struct known *all =
        inlay_arena_array(onnx_tried.arena, (size_t)onnx_tried.n_words + 1, sizeof *all);
    int n = 0;

    for (int i = 0; i < onnx_tried.n_words; i++) {
        int type = type_of(t, onnx_tried.words[i]);

        if (type)
            all[n++] = (struct known){onnx_tried.words[i], type};
    }
    return all;
}

static struct operator* operator_of(const onnx_operator *op)
{
    for (int i = 0; i < onnx_tried.n_operators; i++) {
        if (onnx_tried.operators[i].op == op)
            return &onnx_tried.operators[i];
    }
    assert_true(onnx_tried.n_operators < MOST_OPERATORS);
    onnx_tried.operators[onnx_tried.n_operators].op = op;
    return &onnx_tried.operators[onnx_tried.n_operators++];
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
    snprintf(onnx_tried.now, sizeof onnx_tried.now, "%s: %s = \"%s\"", t->name, name, word);
    try_value(t, name, x, onnx_tried_run);
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
    snprintf(onnx_tried.now, sizeof onnx_tried.now, "%s: %s = \"%s\"", t->name, name, word);
    try_value(t, name, x, onnx_tried_run);
    if (attr->type == ATTR_STRING)
        try_value(t, name, x, check_word);
}

/* Outputs */

/* Reads T without its output I, which the node leaves out: what nobody asks for is no reason to
 * refuse the others. */
static void try_without(const struct node_test *t, size_t i)
{
    Onnx__NodeProto *n = t->node;
    Onnx__GraphProto *g = t->m->graph;
    Onnx__ValueInfoProto **was = g->output, *fewer[100];
    size_t n_was = g->n_output;
    char *name = n->output[i];
    inlay_diags *d = inlay_diags_new();
    inlay_graph *read;

    assert_true(n_was <= 100);
    g->output = fewer;
    g->n_output = 0;
    for (size_t k = 0; k < n_was; k++) {
        if (strcmp(was[k]->name, name) != 0)
            fewer[g->n_output++] = was[k];
    }
    n->output[i] = "";
    snprintf(onnx_tried.now, sizeof onnx_tried.now, "%s: without output %zu", t->name, i);
    read = g->n_output > 0 ? onnx_tried_read(t, d) : NULL;
    if (!read && g->n_output > 0)
        print_error("%s: %s\n", onnx_tried.now, model_messages(d)), onnx_tried.n_wrong++;
    inlay_graph_free(read);
    inlay_diags_free(d);
    n->output[i] = name;
    g->output = was;
    g->n_output = n_was;
}

/* Shapes */

/* Reads and runs T, whose input I is said to have the shape S. */
static void try_shape(const struct node_test *t, size_t i, const Onnx__TensorShapeProto *s,
                      const char *what)
{
    Onnx__TypeProto__Tensor *type = t->m->graph->input[i]->type->tensor_type;
    Onnx__TensorShapeProto *was = type->shape;

    snprintf(onnx_tried.now, sizeof onnx_tried.now, "%s: input %zu with %s", t->name, i, what);
    type->shape = (Onnx__TensorShapeProto *)s;
    onnx_tried_run(t);
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

/* Types */

/* An element type and another, and their numbers in onnx.proto. */
static const struct other_type {
    inlay_type is, other;
    int is_number, other_number;
} types[] = {{INLAY_F32, INLAY_F64, 1, 11},
             {INLAY_F32, INLAY_F16, 1, 10},
             {INLAY_F32, INLAY_BF16, 1, 16},
             {INLAY_I64, INLAY_I32, 7, 6},
             {INLAY_I32, INLAY_I64, 6, 7}};

/* Declares values of type IS to be of type TO, and the other way where they are CHANGED. */
static void declare(Onnx__ValueInfoProto **list, size_t n, int is, int to, bool *changed)
{
    for (size_t i = 0; i < n; i++) {
        Onnx__TypeProto__Tensor *type = list[i]->type ? list[i]->type->tensor_type : NULL;

        if (!type || (!changed[i] && type->elem_type != is))
            continue;
        type->elem_type = changed[i] ? is : to;
        changed[i] = !changed[i];
    }
}

static inlay_tensor *converted(const inlay_tensor *t, inlay_type to)
{
    inlay_tensor *c = inlay_tensor_new(to, t->rank, t->dims);

    assert_non_null(c);
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (inlay_type_is_int(to))
            inlay_tensor_set_i64(c, i, inlay_tensor_get_i64(t, i));
        else
            inlay_tensor_set_f64(c, i, inlay_tensor_get_f64(t, i));
    }
    return c;
}

/* Reads and runs T with inputs of another type. */
static void try_type(const struct node_test *t, const struct other_type *o)
{
    const Onnx__GraphProto *g = t->m->graph;
    struct node_test other = *t;
    bool in[100] = {false}, out[100] = {false}, any = false;

    assert_true(g->n_input <= 100 && g->n_output <= 100);
    for (int i = 0; i < t->n_in; i++) {
        bool changes = t->in[i]->type == o->is;

        any = any || changes;
        other.in[i] = changes ? converted(t->in[i], o->other) : inlay_tensor_retain(t->in[i]);
    }
    snprintf(onnx_tried.now, sizeof onnx_tried.now, "%s: type %d for %d", t->name, o->other_number,
             o->is_number);
    declare(g->input, g->n_input, o->is_number, o->other_number, in);
    declare(g->output, g->n_output, o->is_number, o->other_number, out);
    if (any)
        onnx_tried_run(&other);
    declare(g->input, g->n_input, o->is_number, o->other_number, in);
    declare(g->output, g->n_output, o->is_number, o->other_number, out);
    for (int i = 0; i < t->n_in; i++)
        inlay_tensor_release(other.in[i]);
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
    for (int i = 0; i < onnx_tried.n_kinds; i++) {
        if (strcmp(onnx_tried.kinds[i], kind) == 0)
            return false;
    }
    assert_true(onnx_tried.n_kinds < MOST_KINDS);
    onnx_tried.kinds[onnx_tried.n_kinds++] = inlay_arena_strdup(onnx_tried.arena, kind);
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

/* Prints what T becomes; false: it is refused, or deferred with the number of its version. */
static bool print(const struct node_test *t, inlay_strbuf *out)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = onnx_tried_read(t, d);
    bool ok = g && inlay_print(g, true, &(inlay_sink){inlay_strbuf_sink, out}, d) &&
              !strstr(out->bytes, "Deferred-1@inlay");

    inlay_graph_free(g);
    inlay_diags_free(d);
    return ok;
}

static bool has_body(const Onnx__NodeProto *n)
{
    bool has = false;

    for (size_t i = 0; i < n->n_attribute; i++)
        has = has || n->attribute[i]->g;
    return has;
}

/* What OP makes of T is the same in all versions up to that of the next row: a deferred node is
 * written in another version if the row is the same. */
static void check_versions(struct node_test *t, const onnx_operator *op)
{
    Onnx__OperatorSetIdProto *set = set_of(t);
    int64_t version = set->version;
    inlay_strbuf is = {0};
    bool ok = !has_body(t->node) && print(t, &is);

    for (; ok && --set->version > 0 &&
           onnx_operator_find(domain_of(t->node), op->name, set->version) == op;) {
        inlay_strbuf was = {0};

        if (!print(t, &was) || strcmp(was.bytes, is.bytes) != 0)
            print_error("%s: %s-%lld is not %s-%lld\n", t->name, op->name, (long long)set->version,
                        op->name, (long long)version),
                onnx_tried.n_wrong++;
        inlay_strbuf_free(&was);
    }
    set->version = version;
    inlay_strbuf_free(&is);
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
    check_versions(t, op);
    for (a = attributes_of(t, op); a->name; a++) {
        for (int k = 0; k < N_ENDS && a->type == ATTR_INT; k++)
            try_number(t, a->name, ends[k]);
        if (a->type == ATTR_INTS)
            try_lists(t, a->name);
        try_word(t, op, a);
    }
    for (size_t i = 0; i < t->node->n_output && t->node->n_output > 1; i++)
        try_without(t, i);
    try_shapes(t);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        try_type(t, &types[i]);
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
    inlay_graph *g = onnx_tried_read(t, d);

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

static void try_own(const onnx_left_out *o)
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

/* Every operator has been onnx_tried. */
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

            for (int k = 0; k < onnx_tried.n_operators; k++)
                found |= onnx_tried.operators[k].op == op;
            if (!found)
                print_error("%s-%d has no test\n", op->name, op->since), onnx_tried.n_wrong++;
        }
    }
}

static void test_ends(void **state)
{
    char command[600];
    glob_t found;

    snprintf(command, sizeof command, "tar -xf '%s/conformance/onnx-node.tar.xz'", model_shared());
    assert_int_equal(system(command), 0);
    onnx_tried.arena = inlay_arena_new();
    onnx_tried_words();
    signal(SIGALRM, onnx_tried_late);
    assert_int_equal(glob("node/*", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *only = getenv("CASE");

        if (!only || strcmp(only, found.gl_pathv[i] + strlen("node/")) == 0)
            try_folder(found.gl_pathv[i]);
    }
    for (size_t i = 0; i < n_onnx_left_outs; i++)
        try_own(&onnx_left_outs[i]);
    alarm(0);
    check_all();
    print_message("# %d operators, %d kinds of nodes, %d cases, %d runs\n", onnx_tried.n_operators,
                  onnx_tried.n_kinds, onnx_tried.n_cases, onnx_tried.n_runs);
    globfree(&found);
    inlay_arena_free(onnx_tried.arena);
    assert_int_equal(system("rm -r node LICENSE NOTICE"), 0);
    assert_int_equal(onnx_tried.n_wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends)};

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
