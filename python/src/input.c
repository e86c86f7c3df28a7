/* Objects of Python as tensors: the memory of what has a buffer is borrowed. */
#include "dlpack.h"

/* May be called by a thread of a run, without the GIL. */
static void give_back(void *ctx, void *data, size_t size)
{
    Py_buffer *view = ctx;
    PyGILState_STATE gil = PyGILState_Ensure();

    (void)data;
    (void)size;
    PyBuffer_Release(view);
    PyMem_Free(view);
    PyGILState_Release(gil);
}

/* The bytes that the elements of VIEW lie in. */
static void span_of(const Py_buffer *view, char **from, size_t *size)
{
    char *low = view->buf, *high = low + view->itemsize;

    for (int i = 0; i < view->ndim; i++) {
        Py_ssize_t way = (view->shape[i] - 1) * view->strides[i];

        *(way < 0 ? &low : &high) += way;
    }
    *from = low;
    *size = (size_t)(high - low);
}

/* Whether the library can walk over VIEW: its strides are whole elements. */
static bool is_walkable(const Py_buffer *view)
{
    for (int i = 0; i < view->ndim; i++) {
        if (view->strides[i] % view->itemsize)
            return false;
    }
    return true;
}

static inlay_tensor *strided(inlay_buffer *b, const Py_buffer *view, inlay_type type, char *from,
                             size_t size)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    int64_t all = (int64_t)size / view->itemsize;
    inlay_tensor *line = inlay_tensor_over(b, from, type, 1, &all), *t;

    for (int i = 0; i < view->ndim; i++) {
        dims[i] = view->shape[i];
        strides[i] = view->strides[i] / view->itemsize;
    }
    t = inlay_tensor_window(line, view->ndim, dims, strides,
                            ((char *)view->buf - from) / view->itemsize);
    inlay_tensor_release(line);
    return t;
}

static inlay_access access_of(const Py_buffer *view, py_use use)
{
    return use == PY_READ || view->readonly ? INLAY_ACCESS_NONE : INLAY_ACCESS_GIVEN;
}

/* VIEW was allocated; the tensor's buffer releases it. An array without elements is dense. */
static inlay_tensor *over(Py_buffer *view, inlay_type type, py_use use)
{
    char *from = view->buf;
    size_t size = (size_t)view->len;
    bool dense = PyBuffer_IsContiguous(view, 'C');
    inlay_buffer *b = NULL;
    inlay_tensor *t = NULL;

    if (!dense)
        span_of(view, &from, &size);
    b = inlay_buffer_wrap(from, size, give_back, view);
    if (!b) {
        PyErr_NoMemory();
        PyBuffer_Release(view);
        PyMem_Free(view);
        return NULL;
    }
    inlay_buffer_set_access(b, access_of(view, use));
    if (!dense)
        t = strided(b, view, type, from, size);
    else if (sizeof(Py_ssize_t) == sizeof(int64_t))
        t = inlay_tensor_over(b, from, type, view->ndim, (const int64_t *)view->shape);
    inlay_buffer_release(b);
    if (!t)
        PyErr_NoMemory();
    return t;
}

/* Sets *AGAIN where the object must be adapted first. */
static inlay_tensor *from_buffer(PyObject *object, inlay_type wanted, py_use use, bool *again)
{
    Py_buffer *view = PyMem_Malloc(sizeof *view);
    inlay_type type;

    *again = false;
    if (!view) {
        PyErr_NoMemory();
        return NULL;
    }
    if (PyObject_GetBuffer(object, view, PyBUF_RECORDS_RO) < 0) {
        PyMem_Free(view);
        *again = PyErr_ExceptionMatches(PyExc_ValueError) ||
                 PyErr_ExceptionMatches(PyExc_BufferError) ||
                 PyErr_ExceptionMatches(PyExc_TypeError) ||
                 PyErr_ExceptionMatches(PyExc_NotImplementedError);
        if (*again)
            PyErr_Clear();
        return NULL;
    }
    type = view->ndim <= INLAY_MAX_RANK && is_walkable(view)
               ? py_type_of(view->format, view->itemsize, wanted)
               : INLAY_DYNAMIC;
    *again = !type;
    if (type && !(use != PY_READ && view->readonly))
        return over(view, type, use);
    if (type)
        PyErr_Format(PyExc_ValueError, "the array is read-only, and cannot be %s",
                     use == PY_DONATE ? "donated" : "written to");
    PyBuffer_Release(view);
    PyMem_Free(view);
    return NULL;
}

/* A Tensor itself, or the one that an array of numpy is of, if it covers all of it. The library
 * then sees who else refers to the memory. */
static inlay_tensor *own_tensor(PyObject *object, bool *is_own)
{
    py_state *state = py_state_get();
    PyObject *base;
    inlay_tensor *t;

    *is_own = PyObject_TypeCheck(object, (PyTypeObject *)state->tensor);
    if (*is_own)
        return inlay_tensor_retain(py_tensor_in(object));
    if (!PyObject_TypeCheck(object, (PyTypeObject *)state->ndarray))
        return NULL;
    base = PyObject_GetAttrString(object, "base");
    if (!base || !PyObject_TypeCheck(base, (PyTypeObject *)state->tensor)) {
        Py_XDECREF(base);
        PyErr_Clear();
        return NULL;
    }
    *is_own = true;
    t = inlay_tensor_retain(py_tensor_in(base));
    Py_DECREF(base);
    return t;
}

/* Does OBJECT have all elements of its Tensor T, in order? */
static bool covers(PyObject *object, const inlay_tensor *t)
{
    Py_buffer view;
    bool all;

    if (PyObject_GetBuffer(object, &view, PyBUF_STRIDES) < 0) {
        PyErr_Clear();
        return py_format_of(t->type) == NULL;
    }
    all = view.buf == (char *)t->data + t->offset * view.itemsize && view.ndim == t->rank &&
          PyBuffer_IsContiguous(&view, 'C') && inlay_tensor_is_dense(t);
    for (int i = 0; all && i < t->rank; i++)
        all = view.shape[i] == t->dims[i];
    PyBuffer_Release(&view);
    return all;
}

static inlay_tensor *adapted(PyObject *object, inlay_type wanted, py_use use)
{
    PyObject *name = PyUnicode_FromString(inlay_type_info_of(wanted)->name);
    PyObject *other =
        name ? py_hook("adapt", Py_BuildValue("(ONi)", object, name, (int)use)) : NULL;
    inlay_tensor *t = NULL;
    bool again = false;

    if (!other)
        return NULL;
    if (PyObject_TypeCheck(other, (PyTypeObject *)py_state_get()->tensor))
        t = inlay_tensor_retain(py_tensor_in(other));
    else if (PyObject_HasAttrString(other, "__dlpack__") && !PyObject_CheckBuffer(other))
        t = py_dlpack_take(other);
    else
        t = from_buffer(other, wanted, use, &again);
    if (!t && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%R cannot be a tensor", Py_TYPE(object));
    Py_DECREF(other);
    return t;
}

/* Was OBJECT, an array of others, donated before? */
static bool was_given(PyObject *object)
{
    PyObject *given = py_state_get()->given, *key, *found;

    if (!given || PyDict_Size(given) == 0)
        return false;
    key = PyLong_FromVoidPtr(object);
    found = key ? PyDict_GetItemWithError(given, key) : NULL;
    Py_XDECREF(key);
    if (found)
        PyErr_Format(PyExc_ValueError,
                     "the array was donated as %R: its memory belongs to a run now, and it cannot "
                     "be used any more",
                     found);
    return found != NULL;
}

/* An own tensor T (a reference) as USE wants it; *DONE: that is all there is to it. */
static inlay_tensor *own_as(PyObject *object, inlay_tensor *t, py_use use, bool *borrowed,
                            bool *done)
{
    bool itself = PyObject_TypeCheck(object, (PyTypeObject *)py_state_get()->tensor);

    *done = !t || use == PY_DONATE || itself;
    if (!*done || !t)
        return t;
    if (use == PY_WRITE && !((py_tensor *)object)->writable)
        PyErr_SetString(PyExc_ValueError, "the tensor is read-only, and cannot be written to");
    else if (use == PY_DONATE && !itself && !covers(object, t))
        PyErr_SetString(PyExc_ValueError,
                        "a part of a result cannot be donated, only all of it or a copy");
    else if (use == PY_DONATE)
        *borrowed = true;
    if (use == PY_DONATE || PyErr_Occurred())
        inlay_tensor_release(t);
    return PyErr_Occurred() ? NULL : t;
}

inlay_tensor *py_tensor_take(PyObject *object, inlay_type wanted, py_use use, bool *borrowed)
{
    bool is_own = false, again = true, done = false;
    inlay_tensor *t = own_tensor(object, &is_own);

    if (is_own) {
        t = own_as(object, t, use, borrowed, &done);
        if (done)
            return t;
        inlay_tensor_release(t);
    }
    if (was_given(object))
        return NULL;
    t = PyObject_CheckBuffer(object) ? from_buffer(object, wanted, use, &again) : NULL;
    return t || !again || PyErr_Occurred() ? t : adapted(object, wanted, use);
}
