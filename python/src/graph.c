/* Graph: reading, looking, building and writing. */
#include "py.h"

#include <string.h>

PyObject *py_graph_of(inlay_graph *g, PyObject *owner)
{
    py_graph *self = g ? py_object_new(py_state_get()->graph) : NULL;

    if (!self) {
        if (!owner)
            inlay_graph_free(g);
        return NULL;
    }
    self->g = g;
    Py_XINCREF(owner);
    self->owner = owner;
    self->frozen = owner ? ((py_graph *)owner)->frozen : false;
    return (PyObject *)self;
}

inlay_graph *py_graph_in(PyObject *object, bool change)
{
    py_graph *self = (py_graph *)object;

    if (!PyObject_TypeCheck(object, (PyTypeObject *)py_state_get()->graph)) {
        PyErr_Format(PyExc_TypeError, "an inlay.Graph was expected, not %R", Py_TYPE(object));
        return NULL;
    }
    if (change && (self->frozen || (self->owner && ((py_graph *)self->owner)->frozen))) {
        PyErr_SetString(PyExc_ValueError,
                        "the graph belongs to a model, and cannot be changed; change a copy()");
        return NULL;
    }
    return self->g;
}

PyObject *py_text(inlay_strbuf *b, bool ok, inlay_diags *d)
{
    PyObject *text = NULL;

    if (!ok || b->failed)
        py_raise(d);
    else {
        text = PyUnicode_DecodeUTF8(b->bytes ? b->bytes : "", (Py_ssize_t)b->n, "replace");
        inlay_diags_free(d);
    }
    inlay_strbuf_free(b);
    return text;
}

/* ---- reading ---- */

/* Names in a list, which keeps them alive; NULL where LIST is None. */
static const char **names_in(PyObject *list, int *n)
{
    const char **names = NULL;

    *n = 0;
    if (list == Py_None)
        return NULL;
    names = PyMem_Calloc((size_t)PyList_Size(list) + 1, sizeof *names);
    for (; names && *n < PyList_Size(list); ++*n) {
        names[*n] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, *n), NULL);
        if (!names[*n])
            break;
    }
    return names;
}

/* Which of the readers takes BYTES, which have no name: as in a file, the content decides. */
static inlay_graph *read_bytes(const char *name, const char *bytes, Py_ssize_t n,
                               const inlay_read_options *o, inlay_diags *d)
{
    Py_ssize_t at = 0;

    while (at < n && strchr(" \t\r\n", bytes[at]) && bytes[at])
        at++;
    if (at < n && bytes[at] == '<')
        return inlay_read_xml(name, bytes, (size_t)n, NULL, o, d);
    if (at < n && bytes[at] == '{')
        return inlay_read_json(name, bytes, (size_t)n, o, d);
    if (n - at >= 2 && (strncmp(bytes + at, "//", 2) == 0 || strncmp(bytes + at, "graph", 5) == 0))
        return inlay_read_text(name, bytes, (size_t)n, o, d);
    return inlay_read_onnx(name, bytes, (size_t)n, NULL, o, d);
}

struct source {
    const char *path, *bytes;
    Py_ssize_t n;
};

static PyObject *read_source(const struct source *from, const inlay_read_options *o)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;
    PyObject *graph;

    Py_BEGIN_ALLOW_THREADS;
    g = from->bytes ? read_bytes(from->path, from->bytes, from->n, o, d)
                    : inlay_read_file(from->path, o, d);
    Py_END_ALLOW_THREADS;
    if (!g)
        return py_raise(d);
    graph = py_graph_of(g, NULL);
    if (!py_warn(d))
        Py_CLEAR(graph);
    return graph;
}

PyObject *py_read(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"path",       "bytes",     "weights",      "allow_unknown",
                            "max_memory", "overrides", "follow_links", "random_weights",
                            "operations", NULL};
    inlay_read_options o = {0};
    struct source from = {0};
    PyObject *overrides = Py_None, *seed = Py_None, *operations = Py_None, *graph = NULL;
    unsigned long long memory = 0;
    int unknown = 0, links = 0;
    bool ok;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "s|z#zpKOpOO", names, &from.path, &from.bytes,
                                     &from.n, &o.weights, &unknown, &memory, &overrides, &links,
                                     &seed, &operations))
        return NULL;
    o.allow_unknown = unknown;
    o.follow_links = links;
    o.max_memory = memory;
    o.make_weights = seed != Py_None;
    o.weights_seed = seed != Py_None ? PyLong_AsUnsignedLongLong(seed) : 0;
    o.ops = py_operations_in(operations, &ok);
    o.overrides = names_in(overrides, &o.n_overrides);
    if (ok && !PyErr_Occurred())
        graph = read_source(&from, &o);
    PyMem_Free((void *)(uintptr_t)o.overrides);
    return graph;
}

/* ---- looking ---- */

static PyObject *list_nodes(PyObject *self, inlay_node *const *nodes, size_t n)
{
    PyObject *list = PyList_New((Py_ssize_t)n);

    for (size_t i = 0; list && i < n; i++) {
        PyObject *node = py_node_of(self, nodes[i]);

        if (!node || PyList_SetItem(list, (Py_ssize_t)i, node) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *get_nodes(PyObject *self, void *closure)
{
    inlay_diags *d = inlay_diags_new();
    inlay_order_list order;
    PyObject *list;

    (void)closure;
    if (!inlay_order(((py_graph *)self)->g, true, &order, d))
        return py_raise(d);
    inlay_diags_free(d);
    list = list_nodes(self, order.nodes, order.n);
    inlay_order_free(&order);
    return list;
}

static PyObject *get_parameters(PyObject *self, void *closure)
{
    const inlay_graph *g = ((py_graph *)self)->g;

    (void)closure;
    return list_nodes(self, g->params, (size_t)g->n_params);
}

static PyObject *get_results(PyObject *self, void *closure)
{
    const inlay_graph *g = ((py_graph *)self)->g;

    (void)closure;
    return list_nodes(self, g->results, (size_t)g->n_results);
}

static PyObject *get_result_names(PyObject *self, void *closure)
{
    const inlay_graph *g = ((py_graph *)self)->g;
    inlay_diags *d = inlay_diags_new();
    const char *const *names = inlay_result_names(g, d);
    PyObject *list = NULL;

    (void)closure;
    if (!names && g->n_results > 0)
        return py_raise(d);
    inlay_diags_free(d);
    list = PyList_New(g->n_results);
    for (int i = 0; list && i < g->n_results; i++)
        PyList_SetItem(list, i, PyUnicode_FromString(names[i]));
    return list;
}

static PyObject *get_variables(PyObject *self, void *closure)
{
    const inlay_graph *g = ((py_graph *)self)->g;
    PyObject *list = PyList_New(0);

    (void)closure;
    for (int i = 0; list && i < g->n_variables; i++) {
        const inlay_variable *v = g->variables[i];
        PyObject *row = Py_BuildValue("(ssN)", v->name, inlay_type_info_of(v->type)->name,
                                      py_shape_of(g, v->rank, v->dims));

        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *get_name(PyObject *self, void *closure)
{
    const inlay_graph *g = ((py_graph *)self)->g;

    (void)closure;
    return Py_BuildValue("z", g->name);
}

static PyObject *get_file(PyObject *self, void *closure)
{
    const inlay_graph *g = ((py_graph *)self)->g;

    (void)closure;
    return Py_BuildValue("z", g->file);
}

static PyObject *get_frozen(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((py_graph *)self)->frozen);
}

static Py_ssize_t count_nodes(PyObject *self)
{
    return (Py_ssize_t)((py_graph *)self)->g->n_nodes;
}

static PyObject *find(PyObject *self, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    inlay_node *n = text ? inlay_graph_node(((py_graph *)self)->g, text) : NULL;

    if (!text)
        return NULL;
    if (!n)
        PyErr_SetObject(PyExc_KeyError, name);
    return n ? py_node_of(self, n) : NULL;
}

static PyObject *text(PyObject *self, PyObject *args)
{
    const inlay_graph *g = ((py_graph *)self)->g;
    const char *form = "short";
    inlay_strbuf b = {0};
    const inlay_sink to = {inlay_strbuf_sink, &b};
    inlay_diags *d;
    bool ok;

    if (!PyArg_ParseTuple(args, "|s", &form))
        return NULL;
    d = inlay_diags_new();
    if (strcmp(form, "dot") == 0)
        ok = inlay_print_dot(g, &to, d);
    else if (strcmp(form, "provenance") == 0)
        ok = inlay_print_provenance(g, &to, d);
    else
        ok = inlay_print(g, strcmp(form, "full") == 0, &to, d);
    return py_text(&b, ok, d);
}

static PyObject *save(PyObject *self, PyObject *args)
{
    const char *path;
    inlay_write_options o = {0};
    inlay_diags *d;

    if (!PyArg_ParseTuple(args, "s|zi", &path, &o.weights, &o.ir_version))
        return NULL;
    d = inlay_diags_new();
    if (!inlay_write_file(((py_graph *)self)->g, path, &o, d))
        return py_raise(d);
    if (!py_warn(d))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *copy(PyObject *self, PyObject *unused)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_graph_clone(((py_graph *)self)->g, d);

    (void)unused;
    if (!g)
        return py_raise(d);
    inlay_diags_free(d);
    return py_graph_of(g, NULL);
}

static PyObject *equal(PyObject *self, PyObject *other)
{
    const inlay_graph *b = py_graph_in(other, false);
    inlay_diags *d;
    char why[400] = "";
    bool same;

    if (!b)
        return NULL;
    d = inlay_diags_new();
    if (!inlay_graph_compare(((py_graph *)self)->g, b, &same, why, sizeof why, d))
        return py_raise(d);
    inlay_diags_free(d);
    return Py_BuildValue("(Os)", same ? Py_True : Py_False, why);
}

/* ---- changing ---- */

static PyObject *infer(PyObject *self, PyObject *unused)
{
    inlay_graph *g = py_graph_in(self, true);
    inlay_diags *d;

    (void)unused;
    if (!g)
        return NULL;
    d = inlay_diags_new();
    return py_ended(inlay_infer_graph(g, d), d);
}

static PyObject *check(PyObject *self, PyObject *unused)
{
    inlay_graph *g = py_graph_in(self, false);
    inlay_diags *d = inlay_diags_new();

    (void)unused;
    return py_ended(inlay_check_graph(g, d), d);
}

static PyObject *set_dim(PyObject *self, PyObject *args)
{
    inlay_graph *g = py_graph_in(self, true);
    const char *name;
    long long size;
    inlay_diags *d;

    if (!g || !PyArg_ParseTuple(args, "sL", &name, &size))
        return NULL;
    d = inlay_diags_new();
    return py_ended(inlay_graph_set_dim(g, name, size, d), d);
}

static PyObject *carry(PyObject *self, PyObject *args)
{
    inlay_graph *g = py_graph_in(self, true);
    inlay_carried pair;
    inlay_diags *d;

    if (!g || !PyArg_ParseTuple(args, "ii", &pair.output, &pair.input))
        return NULL;
    d = inlay_diags_new();
    return py_ended(inlay_graph_carry(g, &pair, 1, d), d);
}

static PyObject *parameter(PyObject *self, PyObject *args)
{
    inlay_graph *g = py_graph_in(self, true);
    PyObject *type_name, *sizes;
    const char *name;
    inlay_shape shape;
    inlay_type type;
    inlay_diags *d;
    inlay_value *v;

    if (!g || !PyArg_ParseTuple(args, "sOO", &name, &type_name, &sizes) ||
        !py_type_named(type_name, &type) || !py_shape_from(sizes, g, &shape))
        return NULL;
    d = inlay_diags_new();
    v = inlay_build_parameter(g, name, type, &shape, d);
    if (!v)
        return py_raise(d);
    inlay_diags_free(d);
    return py_value_of(self, v);
}

static PyObject *constant(PyObject *self, PyObject *args)
{
    inlay_graph *g = py_graph_in(self, true);
    PyObject *object;
    const char *name;
    const inlay_tensor *t;
    inlay_tensor *own;
    inlay_value *v;
    inlay_diags *d;

    if (!g || !PyArg_ParseTuple(args, "sO", &name, &object) || !(t = py_tensor_in(object)))
        return NULL;
    d = inlay_diags_new();
    own = inlay_tensor_copy(t);
    v = own ? inlay_build_const(g, name, own, d) : NULL;
    inlay_tensor_release(own);
    if (!v)
        return py_raise(d);
    inlay_diags_free(d);
    return py_value_of(self, v);
}

static PyObject *result(PyObject *self, PyObject *args)
{
    inlay_graph *g = py_graph_in(self, true);
    PyObject *value;
    const char *name;
    inlay_value *v;
    inlay_diags *d;
    inlay_node *n;
    bool ok;

    if (!g || !PyArg_ParseTuple(args, "sO", &name, &value) || !(v = py_value_in(value, true)))
        return NULL;
    d = inlay_diags_new();
    n = inlay_build_result(g, name, v, d);
    /* What users call an output is a name of the value. */
    ok = n && (v->n_names > 0 || inlay_value_set_names(v, &name, 1, d));
    if (!ok)
        return py_raise(d);
    inlay_diags_free(d);
    return py_node_of(self, n);
}

static bool set_attrs(inlay_node *n, PyObject *attrs, inlay_diags *d)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    bool ok = true;

    while (ok && PyDict_Next(attrs, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);

        ok = name && py_attr_set(n, name, value, d);
    }
    return ok;
}

/* build(operation, name, [value or None], {attribute: value}) */
static PyObject *build(PyObject *self, PyObject *args)
{
    inlay_graph *g = py_graph_in(self, true);
    const char *operation, *name;
    PyObject *inputs, *attrs;
    inlay_value **in;
    inlay_diags *d;
    inlay_node *n = NULL;
    bool ok = true;
    int n_in;

    if (!g || !PyArg_ParseTuple(args, "ssO!O!", &operation, &name, &PyList_Type, &inputs,
                                &PyDict_Type, &attrs))
        return NULL;
    n_in = (int)PyList_Size(inputs);
    in = PyMem_Calloc((size_t)n_in + 1, sizeof *in);
    for (int i = 0; in && i < n_in; i++) {
        PyObject *x = PyList_GetItem(inputs, i);

        ok = ok && (x == Py_None || (in[i] = py_value_in(x, true)));
    }
    d = inlay_diags_new();
    if (in && ok)
        n = inlay_build_begin(g, name, operation, in, n_in, d);
    ok = n && set_attrs(n, attrs, d);
    n = n ? inlay_build_end(n, ok, d) : NULL;
    PyMem_Free(in);
    if (PyErr_Occurred() || !n)
        return py_ended(false, d);
    inlay_diags_free(d);
    return py_node_of(self, n);
}

static PyObject *new_graph(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"name", "operations", NULL};
    const char *name = "graph";
    PyObject *operations = Py_None;
    const inlay_op_set *ops;
    inlay_diags *d;
    inlay_graph *g;
    bool ok;

    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|sO", names, &name, &operations))
        return NULL;
    ops = py_operations_in(operations, &ok);
    if (!ok)
        return NULL;
    d = inlay_diags_new();
    g = inlay_graph_new_of(ops, name, d);
    if (!g)
        return py_raise(d);
    inlay_diags_free(d);
    return py_graph_of(g, NULL);
}

static void destroy(PyObject *object)
{
    py_graph *self = (py_graph *)object;

    if (!self->owner)
        inlay_graph_free(self->g);
    Py_XDECREF(self->owner);
    py_object_free(object);
}

static PyGetSetDef properties[] = {
    {"nodes", get_nodes, NULL, "The nodes in an order in which they can run.", NULL},
    {"parameters", get_parameters, NULL, "The Parameter nodes, in the order of inputs.", NULL},
    {"results", get_results, NULL, "The Result nodes, in the order of outputs.", NULL},
    {"result_names", get_result_names, NULL, "The names of the outputs.", NULL},
    {"variable_list", get_variables, NULL, "(name, type, shape) of each variable.", NULL},
    {"name", get_name, NULL, "The name of the graph.", NULL},
    {"file", get_file, NULL, "The file that it was read from, or None.", NULL},
    {"frozen", get_frozen, NULL, "Whether it belongs to a model, and cannot be changed.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"text", text, METH_VARARGS, "text(form=\"short\"): also \"full\", \"provenance\", \"dot\"."},
    {"write", save, METH_VARARGS, "write(path, weights=None, ir_version=0)."},
    {"copy", copy, METH_NOARGS, "A deep copy; constants are shared."},
    {"compare", equal, METH_O, "compare(other): (equal in structure, where they differ)."},
    {"infer", infer, METH_NOARGS, "Infers types and shapes anew."},
    {"check", check, METH_NOARGS, "Raises where the structure, a type or a shape is wrong."},
    {"set_dim", set_dim, METH_VARARGS, "set_dim(name, size): gives sizes of that name a number."},
    {"carry_one", carry, METH_VARARGS, "carry_one(output, input): makes a variable of both."},
    {"build_parameter", parameter, METH_VARARGS, "build_parameter(name, type, shape)."},
    {"build_constant", constant, METH_VARARGS, "build_constant(name, tensor)."},
    {"build_result", result, METH_VARARGS, "build_result(name, value)."},
    {"build", build, METH_VARARGS, "build(operation, name, inputs, attributes)."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, "A tensor program: nodes, values, bodies, variables."},
                              {Py_tp_new, PY_SLOT(new_graph)},
                              {Py_tp_dealloc, PY_SLOT(destroy)},
                              {Py_tp_getset, properties},
                              {Py_tp_methods, methods},
                              {Py_mp_length, PY_SLOT(count_nodes)},
                              {Py_mp_subscript, PY_SLOT(find)},
                              {0, NULL}};

PyType_Spec py_graph_spec = {"inlay.Graph", sizeof(py_graph), 0, Py_TPFLAGS_DEFAULT, slots};
