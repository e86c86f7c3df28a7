/* Value: a handle of what a node makes. */
#include "py.h"

PyObject *py_value_of(PyObject *graph, const inlay_value *v)
{
    py_value *self;

    if (!v)
        Py_RETURN_NONE;
    self = py_object_new(py_state_get()->value);
    if (!self)
        return NULL;
    Py_INCREF(graph);
    self->graph = graph;
    self->v = (inlay_value *)(uintptr_t)v;
    return (PyObject *)self;
}

inlay_value *py_value_in(PyObject *object, bool change)
{
    py_value *self = (py_value *)object;
    const inlay_node *n;

    if (!PyObject_TypeCheck(object, (PyTypeObject *)py_state_get()->value)) {
        PyErr_Format(PyExc_TypeError, "an inlay.Value was expected, not %R", Py_TYPE(object));
        return NULL;
    }
    n = self->v->node;
    if (inlay_graph_node(n->graph, n->name) != n) {
        PyErr_Format(PyExc_ValueError, "the node \"%s\" is not in its graph any more", n->name);
        return NULL;
    }
    return change && !py_graph_in(self->graph, true) ? NULL : self->v;
}

static PyObject *get_node(PyObject *object, void *closure)
{
    py_value *self = (py_value *)object;

    (void)closure;
    return py_node_of(self->graph, self->v->node);
}

static PyObject *get_index(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((py_value *)self)->v->index);
}

/* As messages call it: its first name, else that of its node. */
static PyObject *get_name(PyObject *self, void *closure)
{
    const inlay_value *v = ((py_value *)self)->v;

    (void)closure;
    if (v->n_names > 0)
        return PyUnicode_FromString(v->names[0]);
    return v->node->n_out > 1 ? PyUnicode_FromFormat("%s.%d", v->node->name, v->index)
                              : PyUnicode_FromString(v->node->name);
}

static PyObject *get_names(PyObject *self, void *closure)
{
    const inlay_value *v = ((py_value *)self)->v;
    PyObject *names = PyTuple_New(v->n_names);

    (void)closure;
    for (int i = 0; names && i < v->n_names; i++)
        PyTuple_SetItem(names, i, PyUnicode_FromString(v->names[i]));
    return names;
}

static PyObject *get_type(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(inlay_type_info_of(((py_value *)self)->v->fact.type)->name);
}

static PyObject *get_shape(PyObject *self, void *closure)
{
    const inlay_value *v = ((py_value *)self)->v;

    (void)closure;
    return py_shape_of(v->node->graph, v->fact.rank, v->fact.dims);
}

static PyObject *get_constant(PyObject *self, void *closure)
{
    const inlay_value *v = ((py_value *)self)->v;

    (void)closure;
    if (!v->fact.content)
        Py_RETURN_NONE;
    return py_tensor_of(inlay_tensor_retain(v->fact.content), false);
}

static PyObject *get_uses(PyObject *object, void *closure)
{
    py_value *self = (py_value *)object;
    PyObject *list = py_value_in(object, false) ? PyList_New(0) : NULL;

    (void)closure;
    for (const inlay_use *u = self->v->uses; list && u; u = u->next) {
        PyObject *pair = Py_BuildValue("(Ni)", py_node_of(self->graph, u->node), u->index);

        if (!pair || PyList_Append(list, pair) < 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

static PyObject *get_note(PyObject *self, void *closure)
{
    static const char *const words[] = {[INLAY_FRESH] = "fresh",
                                        [INLAY_VIEW_OF] = "view of",
                                        [INLAY_OVERWRITES] = "overwrites",
                                        [INLAY_INTO] = "into"};

    (void)closure;
    return PyUnicode_FromString(words[((py_value *)self)->v->note]);
}

static PyObject *get_target(PyObject *object, void *closure)
{
    py_value *self = (py_value *)object;

    (void)closure;
    return py_value_of(self->graph, self->v->note_target);
}

static PyObject *replace_by(PyObject *self, PyObject *other)
{
    inlay_value *old = py_value_in(self, true), *by = old ? py_value_in(other, true) : NULL;
    inlay_diags *d;

    if (!by)
        return NULL;
    d = inlay_diags_new();
    if (!inlay_value_replace(old, by, d))
        return py_raise(d);
    inlay_diags_free(d);
    Py_RETURN_NONE;
}

static PyObject *represent(PyObject *object)
{
    py_value *self = (py_value *)object;
    PyObject *name = get_name(object, NULL), *text;
    char shape[INLAY_MAX_RANK * 48];

    text = name ? PyUnicode_FromFormat("<inlay.Value %U: %s%s>", name,
                                       inlay_type_info_of(self->v->fact.type)->name,
                                       inlay_value_shape_text(self->v, shape, sizeof shape))
                : NULL;
    Py_XDECREF(name);
    return text;
}

static Py_hash_t hash(PyObject *self)
{
    return (Py_hash_t)((uintptr_t)((py_value *)self)->v >> 4);
}

static PyObject *compare(PyObject *a, PyObject *b, int op)
{
    if (!PyObject_TypeCheck(b, Py_TYPE(a)) || (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    return PyBool_FromLong((((py_value *)a)->v == ((py_value *)b)->v) == (op == Py_EQ));
}

static void destroy(PyObject *self)
{
    Py_XDECREF(((py_value *)self)->graph);
    py_object_free(self);
}

static PyGetSetDef properties[] = {
    {"node", get_node, NULL, "The node that makes it.", NULL},
    {"index", get_index, NULL, "Which output of that node it is.", NULL},
    {"name", get_name, NULL, "Its first tensor name, else the name of its node.", NULL},
    {"names", get_names, NULL, "Its tensor names.", NULL},
    {"type", get_type, NULL, "The type of its elements: \"f32\"; \"dynamic\": not known.", NULL},
    {"shape", get_shape, NULL, "Sizes; an open one is its name, \"?\" or \"1..8\".", NULL},
    {"constant", get_constant, NULL, "Its elements, where they are known; else None.", NULL},
    {"uses", get_uses, NULL, "(node, index of the input) of each reader.", NULL},
    {"note", get_note, NULL, "\"fresh\", \"view of\", \"overwrites\" or \"into\".", NULL},
    {"note_target", get_target, NULL, "The value in whose buffer it stands, or None.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"replace_by", replace_by, METH_O, "replace_by(value): that is read in its place."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, "A value of a graph: what a node makes."},
                              {Py_tp_dealloc, PY_SLOT(destroy)},
                              {Py_tp_repr, PY_SLOT(represent)},
                              {Py_tp_hash, PY_SLOT(hash)},
                              {Py_tp_richcompare, PY_SLOT(compare)},
                              {Py_tp_getset, properties},
                              {Py_tp_methods, methods},
                              {0, NULL}};

PyType_Spec py_value_spec = {"inlay.Value", sizeof(py_value), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
