/* Tensor: elements of the library's, for numpy and others without a copy. */
#include "dlpack.h"
#include "py.h"

#include <string.h>

PyObject *py_tensor_of(inlay_tensor *t, bool writable)
{
    py_tensor *self = t ? py_object_new(py_state_get()->tensor) : NULL;

    if (!t && !PyErr_Occurred())
        return PyErr_NoMemory();
    if (!self) {
        inlay_tensor_release(t);
        return NULL;
    }
    self->t = t;
    self->writable = writable;
    return (PyObject *)self;
}

static inlay_tensor *usable(const py_tensor *self, PyObject *error)
{
    if (!self->donated)
        return self->t;
    PyErr_Format(error,
                 "the tensor was donated as %R: its memory belongs to a run now, and it "
                 "cannot be used any more",
                 self->donated);
    return NULL;
}

inlay_tensor *py_tensor_in(PyObject *object)
{
    if (PyObject_TypeCheck(object, (PyTypeObject *)py_state_get()->tensor))
        return usable((py_tensor *)object, PyExc_ValueError);
    PyErr_Format(PyExc_TypeError, "an inlay.Tensor was expected, not %R", Py_TYPE(object));
    return NULL;
}

static PyObject *shape_of(const inlay_tensor *t)
{
    PyObject *shape = PyTuple_New(t->rank);

    for (int i = 0; shape && i < t->rank; i++) {
        PyObject *n = PyLong_FromLongLong(t->dims[i]);

        if (!n || PyTuple_SetItem(shape, i, n) < 0)
            Py_CLEAR(shape);
    }
    return shape;
}

PyObject *py_array_of(inlay_tensor *t, bool writable)
{
    py_state *state = py_state_get();
    PyObject *tensor = py_tensor_of(t, writable), *array = NULL, *shape, *dtype;

    if (!tensor)
        return NULL;
    dtype = py_format_of(t->type) && inlay_tensor_is_dense(t) ? state->dtypes[t->type] : NULL;
    if (!dtype)
        return py_hook("array", Py_BuildValue("(N)", tensor));
    shape = shape_of(t);
    if (shape)
        array = PyObject_CallFunctionObjArgs(state->ndarray, shape, dtype, tensor, NULL);
    Py_XDECREF(shape);
    Py_DECREF(tensor);
    return array;
}

/* ---- the buffer protocol ---- */

static bool may_lend(const py_tensor *self, int flags)
{
    const char *why = NULL;
    const inlay_tensor *t = usable(self, PyExc_BufferError);

    if (!t)
        return false;
    if (!py_format_of(t->type))
        why = "elements of this type are no bytes of their own; see numpy()";
    else if ((flags & PyBUF_FORMAT) && py_state_get()->foreign[t->type])
        why = "a buffer cannot tell elements of this type; see numpy()";
    else if ((flags & PyBUF_WRITABLE) && !self->writable)
        why = "the tensor is read-only: it may share its memory with a constant or an input";
    else if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !inlay_tensor_is_dense(t))
        why = "the tensor has strides, which were not asked for";
    if (why)
        PyErr_SetString(PyExc_BufferError, why);
    return !why;
}

static int lend(PyObject *object, Py_buffer *view, int flags)
{
    py_tensor *self = (py_tensor *)object;
    const inlay_tensor *t = self->t;
    Py_ssize_t size = inlay_type_info_of(t->type)->bits / 8, *numbers;

    view->obj = NULL;
    if (!may_lend(self, flags))
        return -1;
    numbers = PyMem_Malloc((size_t)(2 * t->rank + 1) * sizeof *numbers);
    if (!numbers) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < t->rank; i++) {
        numbers[i] = (Py_ssize_t)t->dims[i];
        numbers[t->rank + i] = (Py_ssize_t)t->strides[i] * size;
    }
    Py_INCREF(object);
    *view = (Py_buffer){.buf = (char *)t->data + t->offset * size,
                        .obj = object,
                        .len = (Py_ssize_t)inlay_tensor_bytes(t),
                        .itemsize = size,
                        .readonly = !self->writable,
                        .ndim = t->rank,
                        .format = flags & PyBUF_FORMAT ? (char *)py_format_of(t->type) : NULL,
                        .shape = flags & PyBUF_ND ? numbers : NULL,
                        .internal = numbers};
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES)
        view->strides = numbers + t->rank;
    return 0;
}

static void take_back(PyObject *object, Py_buffer *view)
{
    (void)object;
    PyMem_Free(view->internal);
}

/* ---- what else a Tensor can do ---- */

static PyObject *get_type(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(inlay_type_info_of(((py_tensor *)self)->t->type)->name);
}

static PyObject *get_shape(PyObject *self, void *closure)
{
    (void)closure;
    return shape_of(((py_tensor *)self)->t);
}

static PyObject *get_readonly(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(!((py_tensor *)self)->writable);
}

static PyObject *get_donated(PyObject *self, void *closure)
{
    PyObject *donated = ((py_tensor *)self)->donated;

    (void)closure;
    donated = donated ? donated : Py_None;
    Py_INCREF(donated);
    return donated;
}

/* Elements that are less than a byte, each in one: integers as i8 or u8, floats as f32. */
static PyObject *unpacked(PyObject *self, PyObject *unused)
{
    const inlay_tensor *t = usable((py_tensor *)self, PyExc_ValueError);
    inlay_type_class cls = inlay_type_info_of(t ? t->type : INLAY_U8)->cls;
    inlay_type type = cls == INLAY_CLASS_SIGNED  ? INLAY_I8
                      : cls == INLAY_CLASS_FLOAT ? INLAY_F32
                                                 : INLAY_U8;
    inlay_tensor *to = t ? inlay_tensor_new(type, t->rank, t->dims) : NULL;

    (void)unused;
    if (!t)
        return NULL;
    for (int64_t i = 0; to && i < inlay_tensor_count(t); i++) {
        if (cls == INLAY_CLASS_FLOAT)
            inlay_tensor_set_f64(to, i, inlay_tensor_get_f64(t, i));
        else
            inlay_tensor_set_i64(to, i, inlay_tensor_get_i64(t, i));
    }
    return py_tensor_of(to, true);
}

/* Elements that numpy has no type of, as the unsigned integers that they are stored as. */
static PyObject *bits(PyObject *self, PyObject *unused)
{
    const inlay_tensor *t = usable((py_tensor *)self, PyExc_ValueError);
    inlay_tensor plain;

    (void)unused;
    if (!t)
        return NULL;
    plain = *t;
    plain.type = inlay_type_info_of(t->type)->bits == 16 ? INLAY_U16 : INLAY_U8;
    if (inlay_type_info_of(t->type)->bits != inlay_type_info_of(plain.type)->bits)
        return PyErr_Format(PyExc_ValueError, "elements of the type %s are not 8 or 16 bits",
                            inlay_type_info_of(t->type)->name);
    return py_tensor_of(inlay_tensor_window(&plain, t->rank, t->dims, t->strides, 0),
                        ((py_tensor *)self)->writable);
}

/* The elements of a tensor of strings, as bytes, in one list. */
static PyObject *strings(PyObject *self, PyObject *unused)
{
    const inlay_tensor *t = usable((py_tensor *)self, PyExc_ValueError);
    PyObject *list = t ? PyList_New(0) : NULL;

    (void)unused;
    for (int64_t i = 0; list && t->type == INLAY_STRING && i < inlay_tensor_count(t); i++) {
        inlay_string s = inlay_tensor_get_string(t, i);
        PyObject *bytes = PyBytes_FromStringAndSize(s.bytes, (Py_ssize_t)s.length);

        if (!bytes || PyList_Append(list, bytes) < 0)
            Py_CLEAR(list);
        Py_XDECREF(bytes);
    }
    return list;
}

/* The tensors that are its items, or None, in one list. */
static PyObject *items(PyObject *self, PyObject *unused)
{
    const inlay_tensor *t = usable((py_tensor *)self, PyExc_ValueError);
    PyObject *list = t ? PyList_New(0) : NULL;

    (void)unused;
    for (int64_t i = 0; list && t->type == INLAY_ITEM && i < inlay_tensor_count(t); i++) {
        const inlay_tensor *item = inlay_tensor_get_item(t, i);
        PyObject *made = item ? py_tensor_of(inlay_tensor_retain(item), false) : Py_None;

        if (!item)
            Py_INCREF(made);
        if (!made || PyList_Append(list, made) < 0)
            Py_CLEAR(list);
        Py_XDECREF(made);
    }
    return list;
}

static PyObject *to_numpy(PyObject *self, PyObject *unused)
{
    inlay_tensor *t = usable((py_tensor *)self, PyExc_ValueError);

    (void)unused;
    return t ? py_hook("array", PyTuple_Pack(1, self)) : NULL;
}

static PyObject *as_array(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"dtype", "copy", NULL};
    PyObject *dtype = Py_None, *copy = Py_None;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OO", names, &dtype, &copy))
        return NULL;
    return py_hook("array", PyTuple_Pack(3, self, dtype, copy));
}

static PyObject *to_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
    PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
    inlay_tensor *t;

    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO", names, &stream, &version, &device,
                                     &copy))
        return NULL;
    t = usable((py_tensor *)self, PyExc_BufferError);
    if (!t)
        return NULL;
    t = copy == Py_True ? inlay_tensor_copy(t) : inlay_tensor_retain(t);
    return t ? py_dlpack_of(t) : PyErr_NoMemory();
}

/* Sets what it was donated as; from then on it cannot be used. */
static PyObject *give_away(PyObject *object, PyObject *name)
{
    py_tensor *self = (py_tensor *)object;

    Py_INCREF(name);
    Py_XDECREF(self->donated);
    self->donated = name;
    Py_RETURN_NONE;
}

static PyObject *dlpack_device(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return Py_BuildValue("(ii)", PY_DLPACK_CPU, 0);
}

static PyObject *represent(PyObject *object)
{
    const py_tensor *self = (py_tensor *)object;
    char shape[INLAY_MAX_RANK * 24];
    size_t n = 0;

    shape[0] = '\0';
    for (int i = 0; i < self->t->rank; i++)
        n += (size_t)PyOS_snprintf(shape + n, sizeof shape - n, "%s%lld", i ? "," : "",
                                   (long long)self->t->dims[i]);
    return PyUnicode_FromFormat("<inlay.Tensor %s[%s]%s>", inlay_type_info_of(self->t->type)->name,
                                shape, self->donated ? ", donated" : "");
}

static void destroy(PyObject *object)
{
    py_tensor *self = (py_tensor *)object;

    inlay_tensor_release(self->t);
    Py_XDECREF(self->donated);
    py_object_free(object);
}

/* ---- functions of the module ---- */

PyObject *py_tensor_from(PyObject *module, PyObject *args)
{
    PyObject *object, *type = Py_None;
    inlay_type wanted = INLAY_DYNAMIC;
    inlay_tensor *t;

    (void)module;
    if (!PyArg_ParseTuple(args, "O|O", &object, &type) ||
        (type != Py_None && !py_type_named(type, &wanted)))
        return NULL;
    t = py_tensor_take(object, wanted, PY_READ, NULL);
    return t ? py_tensor_of(t, false) : NULL;
}

/* Reads the sizes of a tensor; -1 after raising. */
static int sizes_from(PyObject *shape, int64_t *dims)
{
    inlay_shape s;

    if (!py_shape_from(shape, NULL, &s))
        return -1;
    for (int i = 0; i < s.rank; i++) {
        if (!inlay_dim_is_static(s.dim[i])) {
            PyErr_SetString(PyExc_ValueError, "the sizes of a tensor are numbers");
            return -1;
        }
        dims[i] = s.dim[i].lo;
    }
    if (s.rank < 0)
        PyErr_SetString(PyExc_ValueError, "a tensor has a rank");
    return s.rank;
}

PyObject *py_tensor_empty(PyObject *module, PyObject *args)
{
    PyObject *shape, *name;
    int64_t dims[INLAY_MAX_RANK];
    inlay_type type;
    int rank;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &shape, &name) || !py_type_named(name, &type) ||
        (rank = sizes_from(shape, dims)) < 0)
        return NULL;
    return py_tensor_of(inlay_tensor_new(type, rank, dims), true);
}

PyObject *py_tensor_strings(PyObject *module, PyObject *args)
{
    PyObject *shape, *list;
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *t;
    int rank;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO!", &shape, &PyList_Type, &list) ||
        (rank = sizes_from(shape, dims)) < 0)
        return NULL;
    t = inlay_tensor_new(INLAY_STRING, rank, dims);
    for (Py_ssize_t i = 0; t && i < PyList_Size(list) && i < inlay_tensor_count(t); i++) {
        char *bytes;
        Py_ssize_t n;

        if (PyBytes_AsStringAndSize(PyList_GetItem(list, i), &bytes, &n) < 0) {
            inlay_tensor_release(t);
            return NULL;
        }
        if (!inlay_tensor_set_string(t, i, bytes, (size_t)n)) {
            inlay_tensor_release(t);
            t = NULL;
        }
    }
    return py_tensor_of(t, false);
}

/* items(list of tensors or None, whether it is a sequence): one item, or a list of them. */
PyObject *py_tensor_items(PyObject *module, PyObject *args)
{
    PyObject *list;
    inlay_tensor *t;
    int sequence;
    int64_t n;
    bool ok = true;

    (void)module;
    if (!PyArg_ParseTuple(args, "O!p", &PyList_Type, &list, &sequence))
        return NULL;
    n = PyList_Size(list);
    t = inlay_tensor_new(INLAY_ITEM, sequence ? 1 : 0, &n);
    for (int64_t i = 0; t && ok && i < n && i < inlay_tensor_count(t); i++) {
        PyObject *object = PyList_GetItem(list, (Py_ssize_t)i);
        const inlay_tensor *item = object == Py_None ? NULL : py_tensor_in(object);

        ok = !PyErr_Occurred() && inlay_tensor_set_item(t, i, item);
        if (!ok && !PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "items are nested more than %d deep",
                         INLAY_MAX_ITEM_DEPTH);
    }
    if (!ok) {
        inlay_tensor_release(t);
        return NULL;
    }
    return py_tensor_of(t, false);
}

/* pack(dense array of f64 or i64, type): elements that are less than a byte. */
PyObject *py_tensor_pack(PyObject *module, PyObject *args)
{
    inlay_tensor *from, *to;
    PyObject *object, *name;
    inlay_type type;

    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &object, &name) || !py_type_named(name, &type) ||
        !(from = py_tensor_take(object, INLAY_DYNAMIC, PY_READ, NULL)))
        return NULL;
    to = inlay_tensor_new(type, from->rank, from->dims);
    for (int64_t i = 0; to && i < inlay_tensor_count(from); i++) {
        if (inlay_type_is_float(type))
            inlay_tensor_set_f64(to, i, inlay_tensor_get_f64(from, i));
        else
            inlay_tensor_set_i64(to, i, inlay_tensor_get_i64(from, i));
    }
    inlay_tensor_release(from);
    return py_tensor_of(to, false);
}

PyObject *py_tensor_from_dlpack(PyObject *module, PyObject *object)
{
    inlay_tensor *t = py_dlpack_take(object);

    (void)module;
    return t ? py_tensor_of(t, false) : NULL;
}

PyObject *py_tensor_compare(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"a", "b", "rtol", "atol", "ulp", NULL};
    PyObject *a, *b;
    inlay_compare_options o = {0};
    unsigned long long ulp = 0;
    const inlay_tensor *x, *y;
    char why[1024];
    bool same;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|ddK", names, &a, &b, &o.rtol, &o.atol,
                                     &ulp) ||
        !(x = py_tensor_in(a)) || !(y = py_tensor_in(b)))
        return NULL;
    o.ulp = ulp;
    same = inlay_compare_tensors(x, y, &o, why, sizeof why);
    return Py_BuildValue("(Os)", same ? Py_True : Py_False, why);
}

static PyGetSetDef properties[] = {
    {"type", get_type, NULL, "The type of the elements: \"f32\".", NULL},
    {"shape", get_shape, NULL, "The sizes, a tuple.", NULL},
    {"readonly", get_readonly, NULL, "Whether its memory must not be written to.", NULL},
    {"donated", get_donated, NULL, "The input that it was given away as, or None.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

#define WITH_KEYWORDS(f) (PyCFunction)(void (*)(void))(f), METH_VARARGS | METH_KEYWORDS

static PyMethodDef methods[] = {
    {"numpy", to_numpy, METH_NOARGS, "A numpy array of the same memory."},
    {"unpacked", unpacked, METH_NOARGS, "A copy in which each element has its own bytes."},
    {"bits", bits, METH_NOARGS, "The same memory, elements of 8 or 16 bits as unsigned integers."},
    {"strings", strings, METH_NOARGS, "The strings in one list of bytes."},
    {"items", items, METH_NOARGS, "The tensors in a sequence or an optional, or None, in a list."},
    {"give_away", give_away, METH_O, "give_away(name): it cannot be used from now on."},
    {"__array__", WITH_KEYWORDS(as_array), "A numpy array of the same memory."},
    {"__dlpack__", WITH_KEYWORDS(to_dlpack), "A DLPack capsule of the same memory."},
    {"__dlpack_device__", dlpack_device, METH_NOARGS, "The CPU."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Elements in memory of the library, or in memory that it borrows."},
    {Py_tp_dealloc, PY_SLOT(destroy)},
    {Py_tp_repr, PY_SLOT(represent)},
    {Py_tp_getset, properties},
    {Py_tp_methods, methods},
    {Py_bf_getbuffer, PY_SLOT(lend)},
    {Py_bf_releasebuffer, PY_SLOT(take_back)},
    {0, NULL}};

PyType_Spec py_tensor_spec = {"inlay.Tensor", sizeof(py_tensor), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
