/* Operations whose shape rule and kernel are functions in Python. */
#include "py.h"

#include <string.h>

const inlay_op_set *py_operations_in(PyObject *object, bool *ok)
{
    *ok =
        object == Py_None || PyObject_TypeCheck(object, (PyTypeObject *)py_state_get()->operations);
    if (!*ok)
        PyErr_Format(PyExc_TypeError, "inlay.Operations were expected, not %R", Py_TYPE(object));
    return *ok && object != Py_None ? ((py_operations *)object)->set : NULL;
}

/* Function number WHICH of OP: 0 the shape rule, 1 the kernel. Borrowed. */
static PyObject *function_of(const inlay_op *op, int which)
{
    PyObject *key = PyLong_FromVoidPtr((void *)(uintptr_t)op);
    PyObject *pair = key ? PyDict_GetItemWithError(py_state_get()->functions, key) : NULL;

    Py_XDECREF(key);
    return pair ? PyTuple_GetItem(pair, which) : NULL;
}

static PyObject *attrs_of(const inlay_node *n)
{
    PyObject *attrs = PyDict_New();

    for (int i = 0; attrs && i < n->op->n_attrs; i++) {
        PyObject *value = py_attr_of(n, i);

        if (!value || PyDict_SetItemString(attrs, n->op->attrs[i].name, value) < 0)
            Py_CLEAR(attrs);
        Py_XDECREF(value);
    }
    return attrs;
}

/* ---- shape rules ---- */

static PyObject *facts_of(const inlay_infer *cx)
{
    PyObject *facts = PyList_New(cx->n_in);

    for (int i = 0; facts && i < cx->n_in; i++) {
        const inlay_fact *f = cx->in[i];
        PyObject *row = f ? Py_BuildValue("(sN)", inlay_type_info_of(f->type)->name,
                                          py_shape_of(cx->node->graph, f->rank, f->dims))
                          : Py_NewRef(Py_None);

        if (!row || PyList_SetItem(facts, i, row) < 0)
            Py_CLEAR(facts);
    }
    return facts;
}

/* ROWS: (type, shape) of each output. */
static bool set_outputs(inlay_infer *cx, PyObject *rows)
{
    bool ok = true;

    if (PyList_Size(rows) != cx->n_out) {
        PyErr_Format(PyExc_ValueError, "the shape rule gave %zd outputs, the node has %d",
                     PyList_Size(rows), cx->n_out);
        return false;
    }
    for (int i = 0; ok && i < cx->n_out; i++) {
        PyObject *name, *sizes;
        inlay_graph *g = cx->next_id ? cx->node->graph : NULL;
        inlay_shape s;
        inlay_type type;

        ok = PyArg_ParseTuple(PyList_GetItem(rows, i), "OO", &name, &sizes) &&
             py_type_named(name, &type) && py_shape_from(sizes, g, &s) &&
             inlay_infer_set_out(cx, i, type, &s);
    }
    return ok;
}

static bool infer(inlay_infer *cx)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *f = function_of(cx->node->op, 0), *rows = NULL;
    bool ok = false;

    if (f)
        rows = py_hook("infer", Py_BuildValue("(ONN)", f, facts_of(cx), attrs_of(cx->node)));
    if (rows)
        ok = set_outputs(cx, rows);
    Py_XDECREF(rows);
    if (!ok && PyErr_Occurred()) {
        char text[300];

        py_exception_text(text, sizeof text);
        py_keep_exception("the shape rule", NULL);
        inlay_infer_fail(cx, "the shape rule raised %s", text);
    }
    PyGILState_Release(gil);
    return ok;
}

/* ---- kernels ---- */

/* Copies of the operands: what a kernel keeps must not change with the run's memory. */
static PyObject *operands_of(const inlay_call *c)
{
    PyObject *list = PyList_New(c->n_in);

    for (int i = 0; list && i < c->n_in; i++) {
        PyObject *array =
            c->in[i] ? py_array_of(inlay_tensor_copy(c->in[i]), true) : Py_NewRef(Py_None);

        if (!array || PyList_SetItem(list, i, array) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static bool same_dims(const inlay_tensor *a, const inlay_tensor *b)
{
    return a->rank == b->rank &&
           (a->rank == 0 || memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) == 0);
}

static bool take_result(inlay_call *c, int i, PyObject *array)
{
    inlay_type type = c->node->out[i].fact.type;
    inlay_tensor *from = py_tensor_take(array, type, PY_READ, NULL), *to = c->out[i];
    bool ok;

    if (!from)
        return false;
    if (!to)
        to = inlay_call_output(c, i, from->type, from->rank, from->dims);
    ok = to && to->type == from->type && same_dims(to, from) && inlay_tensor_assign(to, from);
    if (!ok && to)
        PyErr_Format(PyExc_ValueError,
                     "output %d of the kernel is %s of rank %d, which is not "
                     "the type and shape that the shape rule gave (%s of rank %d)",
                     i, inlay_type_info_of(from->type)->name, from->rank,
                     inlay_type_info_of(to->type)->name, to->rank);
    inlay_tensor_release(from);
    return ok;
}

static bool take_results(inlay_call *c, PyObject *arrays)
{
    if (PyList_Size(arrays) != c->n_out) {
        PyErr_Format(PyExc_ValueError, "the kernel gave %zd outputs, the node has %d",
                     PyList_Size(arrays), c->n_out);
        return false;
    }
    for (int i = 0; i < c->n_out; i++) {
        if (!take_result(c, i, PyList_GetItem(arrays, i)))
            return false;
    }
    return true;
}

static bool eval(inlay_call *c)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *f = function_of(c->node->op, 1), *arrays = NULL;
    bool ok = false;

    if (f)
        arrays = py_hook("kernel", Py_BuildValue("(ONN)", f, operands_of(c), attrs_of(c->node)));
    if (arrays)
        ok = take_results(c, arrays);
    Py_XDECREF(arrays);
    if (!ok && PyErr_Occurred()) {
        char text[300];

        py_exception_text(text, sizeof text);
        py_keep_exception("the kernel", NULL);
        inlay_call_fail(c, "the kernel raised %s", text);
    }
    PyGILState_Release(gil);
    return ok;
}

/* ---- sets ---- */

/* Row I of the list: (type, version, opsets, inputs, outputs, attributes, flags, infer, kernel). */
static bool read_row(PyObject *row, inlay_op_def *def)
{
    PyObject *shape_rule, *kernel;

    if (!PyArg_ParseTuple(row, "sisssssOO", &def->type, &def->version, &def->opsets, &def->inputs,
                          &def->outputs, &def->attributes, &def->flags, &shape_rule, &kernel))
        return false;
    def->infer = infer;
    def->eval = kernel == Py_None ? NULL : eval;
    return true;
}

/* A graph may outlive the Operations, so the functions stay as long as the module does. */
static bool keep_functions(const inlay_op_set *set, PyObject *rows)
{
    for (Py_ssize_t i = 0; i < PyList_Size(rows); i++) {
        PyObject *row = PyList_GetItem(rows, i), *key, *pair;
        const inlay_op *op =
            inlay_op_find(set, PyUnicode_AsUTF8AndSize(PyTuple_GetItem(row, 0), NULL),
                          PyUnicode_AsUTF8AndSize(PyTuple_GetItem(row, 2), NULL), NULL, NULL);
        int failed = 1;

        key = op ? PyLong_FromVoidPtr((void *)(uintptr_t)op) : NULL;
        pair = PyTuple_GetSlice(row, 7, 9);
        if (key && pair)
            failed = PyDict_SetItem(py_state_get()->functions, key, pair);
        Py_XDECREF(key);
        Py_XDECREF(pair);
        if (failed) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_SystemError, "an added operation is not found");
            return false;
        }
    }
    return true;
}

PyObject *py_operations_new(PyObject *module, PyObject *args)
{
    py_operations *self;
    PyObject *rows;
    inlay_op_def *defs;
    inlay_diags *d;
    Py_ssize_t n;
    bool ok = true;

    (void)module;
    if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &rows))
        return NULL;
    n = PyList_Size(rows);
    defs = PyMem_Calloc((size_t)n + 1, sizeof *defs);
    self = defs ? py_object_new(py_state_get()->operations) : NULL;
    for (Py_ssize_t i = 0; self && ok && i < n; i++)
        ok = read_row(PyList_GetItem(rows, i), &defs[i]);
    d = inlay_diags_new();
    if (self && ok)
        self->set = inlay_op_set_new(NULL, defs, (size_t)n, d);
    PyMem_Free(defs);
    if (self && self->set && keep_functions(self->set, rows)) {
        inlay_diags_free(d);
        return (PyObject *)self;
    }
    Py_XDECREF((PyObject *)self);
    if (!PyErr_Occurred())
        return py_raise(d);
    inlay_diags_free(d);
    return NULL;
}

static void destroy(PyObject *self)
{
    inlay_op_set_release(((py_operations *)self)->set);
    py_object_free(self);
}

static PyType_Slot slots[] = {{Py_tp_doc, "Operations that graphs may have beside the built-in."},
                              {Py_tp_dealloc, PY_SLOT(destroy)},
                              {0, NULL}};

PyType_Spec py_operations_spec = {"inlay.Operations", sizeof(py_operations), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
