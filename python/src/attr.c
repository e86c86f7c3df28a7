/* Attributes of nodes as objects, by the kind that the operation's row says. */
#include "py.h"

#include <string.h>

static PyObject *element_of(const inlay_attr *a, inlay_attr_kind kind, int i)
{
    switch (kind) {
    case INLAY_ATTR_INTS:
        return PyLong_FromLongLong(a->as.ints[i]);
    case INLAY_ATTR_FLOATS:
        return PyFloat_FromDouble(a->as.floats[i]);
    case INLAY_ATTR_STRINGS:
        return PyUnicode_FromString(a->as.strings[i]);
    default:
        return PyUnicode_FromString(inlay_type_info_of(a->as.types[i])->name);
    }
}

static PyObject *list_of(const inlay_attr *a, inlay_attr_kind kind)
{
    PyObject *list = PyList_New(a->n);

    for (int i = 0; list && i < a->n; i++) {
        PyObject *element = element_of(a, kind, i);

        if (!element || PyList_SetItem(list, i, element) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *scalar_of(const inlay_node *n, const inlay_attr *a, inlay_attr_kind kind)
{
    switch (kind) {
    case INLAY_ATTR_BOOL:
        return PyBool_FromLong(a->as.b);
    case INLAY_ATTR_INT:
        return PyLong_FromLongLong(a->as.i);
    case INLAY_ATTR_FLOAT:
        return PyFloat_FromDouble(a->as.f);
    case INLAY_ATTR_NUMBER:
        return a->as.number.integral ? PyLong_FromLongLong(a->as.number.i)
                                     : PyFloat_FromDouble(a->as.number.f);
    case INLAY_ATTR_TYPE:
        return PyUnicode_FromString(inlay_type_info_of(a->as.type)->name);
    case INLAY_ATTR_SHAPE:
        return py_shape_of(n->graph, a->as.shape->rank, a->as.shape->dim);
    case INLAY_ATTR_TENSOR:
        return py_tensor_of(inlay_tensor_retain(a->as.tensor), false);
    case INLAY_ATTR_VARIABLE:
        return PyUnicode_FromString(a->as.variable->name);
    default:
        return PyUnicode_FromString(a->as.s);
    }
}

PyObject *py_attr_of(const inlay_node *n, int i)
{
    const inlay_attr_info *info = &n->op->attrs[i];
    const inlay_attr *a = inlay_node_attr(n, info->name);

    if (!a)
        Py_RETURN_NONE;
    if (info->kind >= INLAY_ATTR_INTS && info->kind <= INLAY_ATTR_TYPES)
        return list_of(a, info->kind);
    return scalar_of(n, a, info->kind);
}

static bool read_element(PyObject *object, inlay_attr_kind kind, int64_t *ints, double *floats,
                         const char **strings, inlay_type *types)
{
    switch (kind) {
    case INLAY_ATTR_INTS:
        *ints = PyLong_AsLongLong(object);
        break;
    case INLAY_ATTR_FLOATS:
        *floats = PyFloat_AsDouble(object);
        break;
    case INLAY_ATTR_STRINGS:
        *strings = PyUnicode_AsUTF8AndSize(object, NULL);
        break;
    default:
        return py_type_named(object, types);
    }
    return !PyErr_Occurred();
}

/* LIST is a list, which keeps its elements alive. */
static bool set_list(inlay_node *n, const char *name, inlay_attr_kind kind, PyObject *list,
                     inlay_diags *d)
{
    Py_ssize_t count = PyList_Size(list);
    void *memory = PyMem_Calloc((size_t)count + 1, sizeof(int64_t));
    int64_t *ints = memory;
    double *floats = memory;
    const char **strings = memory;
    inlay_type *types = memory;
    bool ok = memory != NULL;

    for (Py_ssize_t i = 0; ok && i < count; i++)
        ok = read_element(PyList_GetItem(list, i), kind, &ints[i], &floats[i], &strings[i],
                          &types[i]);
    if (ok && kind == INLAY_ATTR_INTS)
        ok = inlay_node_set_ints(n, name, ints, (int)count, d);
    else if (ok && kind == INLAY_ATTR_FLOATS)
        ok = inlay_node_set_floats(n, name, floats, (int)count, d);
    else if (ok && kind == INLAY_ATTR_STRINGS)
        ok = inlay_node_set_strings(n, name, strings, (int)count, d);
    else if (ok)
        ok = inlay_node_set_types(n, name, types, (int)count, d);
    PyMem_Free(memory);
    return ok;
}

static bool set_number(inlay_node *n, const char *name, inlay_attr_kind kind, PyObject *value,
                       inlay_diags *d)
{
    bool whole = kind == INLAY_ATTR_INT || (kind == INLAY_ATTR_NUMBER && PyLong_Check(value));
    int64_t i = whole ? PyLong_AsLongLong(value) : 0;
    double f = whole || PyErr_Occurred() ? 0 : PyFloat_AsDouble(value);

    if (PyErr_Occurred())
        return false;
    return whole ? inlay_node_set_int(n, name, i, d) : inlay_node_set_float(n, name, f, d);
}

static bool set_tensor(inlay_node *n, const char *name, PyObject *value, inlay_diags *d)
{
    inlay_tensor *t = py_tensor_take(value, INLAY_DYNAMIC, PY_READ, NULL), *own;
    bool ok;

    if (!t)
        return false;
    own = inlay_tensor_copy(t); /* the array may be written to later */
    ok = own ? inlay_node_set_tensor(n, name, own, d) : inlay_fail_memory(d);
    inlay_tensor_release(own);
    inlay_tensor_release(t);
    return ok;
}

static bool set_scalar(inlay_node *n, const char *name, inlay_attr_kind kind, PyObject *value,
                       inlay_diags *d)
{
    inlay_shape shape;
    inlay_type type;
    const char *text;

    switch (kind) {
    case INLAY_ATTR_BOOL:
        return inlay_node_set_bool(n, name, PyObject_IsTrue(value) == 1, d);
    case INLAY_ATTR_TYPE:
        return py_type_named(value, &type) && inlay_node_set_type(n, name, type, d);
    case INLAY_ATTR_SHAPE:
        return py_shape_from(value, n->graph, &shape) && inlay_node_set_shape(n, name, &shape, d);
    case INLAY_ATTR_TENSOR:
        return set_tensor(n, name, value, d);
    case INLAY_ATTR_STRING:
    case INLAY_ATTR_ENUM:
    case INLAY_ATTR_VARIABLE:
        text = PyUnicode_AsUTF8AndSize(value, NULL);
        return text && inlay_node_set_string(n, name, text, d);
    default:
        return set_number(n, name, kind, value, d);
    }
}

bool py_attr_set(inlay_node *n, const char *name, PyObject *value, inlay_diags *d)
{
    int i = inlay_op_attr(n->op, name);
    inlay_attr_kind kind = i >= 0 ? n->op->attrs[i].kind : INLAY_ATTR_INT;
    PyObject *list;
    bool ok;

    if (i < 0) /* for the library's words */
        return inlay_node_set_int(n, name, 0, d);
    if (kind < INLAY_ATTR_INTS || kind > INLAY_ATTR_TYPES)
        return set_scalar(n, name, kind, value, d);
    list = PySequence_List(value);
    ok = list && set_list(n, name, kind, list, d);
    Py_XDECREF(list);
    return ok;
}
