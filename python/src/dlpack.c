/* DLPack: capsules that hold tensors of the CPU. */
#include "dlpack.h"

#include <stdlib.h>

/* As in dlpack.h of DLPack 0.8. */
typedef struct dl_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor tensor;
    void *ctx;
    void (*deleter)(struct dl_managed *self);
} dl_managed;

enum { DL_INT, DL_UINT, DL_FLOAT, DL_BFLOAT = 4, DL_COMPLEX = 5, DL_BOOL = 6 };

static int code_of(inlay_type type)
{
    switch (inlay_type_info_of(type)->cls) {
    case INLAY_CLASS_SIGNED:
        return DL_INT;
    case INLAY_CLASS_UNSIGNED:
        return DL_UINT;
    case INLAY_CLASS_BOOLEAN:
        return DL_BOOL;
    case INLAY_CLASS_COMPLEX:
        return DL_COMPLEX;
    case INLAY_CLASS_FLOAT:
        return type == INLAY_BF16                    ? DL_BFLOAT
               : inlay_type_info_of(type)->bits < 16 ? DL_UINT /* f8, as in numpy */
                                                     : DL_FLOAT;
    default:
        return -1;
    }
}

static void free_export(dl_managed *m)
{
    inlay_tensor_release(m->ctx);
    free(m);
}

static void drop_capsule(PyObject *capsule)
{
    dl_managed *m =
        PyCapsule_IsValid(capsule, "dltensor") ? PyCapsule_GetPointer(capsule, "dltensor") : NULL;

    if (m && m->deleter)
        m->deleter(m);
}

PyObject *py_dlpack_of(inlay_tensor *t)
{
    int bits = inlay_type_info_of(t->type)->bits, code = code_of(t->type);
    dl_managed *m = py_format_of(t->type) && code >= 0 ? malloc(sizeof *m) : NULL;
    PyObject *capsule;

    if (!m) {
        inlay_tensor_release(t);
        PyErr_SetString(PyExc_BufferError, "DLPack has no such elements");
        return NULL;
    }
    *m = (dl_managed){.tensor = {.data = (char *)t->data + t->offset * (bits / 8),
                                 .device_type = PY_DLPACK_CPU,
                                 .ndim = t->rank,
                                 .code = (uint8_t)code,
                                 .bits = (uint8_t)bits,
                                 .lanes = 1,
                                 .shape = (int64_t *)(uintptr_t)t->dims,
                                 .strides = (int64_t *)(uintptr_t)t->strides},
                      .ctx = t,
                      .deleter = free_export};
    capsule = PyCapsule_New(m, "dltensor", drop_capsule);
    if (!capsule)
        free_export(m);
    return capsule;
}

static inlay_type type_of(const dl_tensor *t)
{
    for (int i = INLAY_BOOLEAN; i < INLAY_N_TYPES; i++) {
        inlay_type type = (inlay_type)i;

        if (py_format_of(type) && code_of(type) == t->code &&
            inlay_type_info_of(type)->bits == t->bits &&
            (t->code != DL_UINT || !inlay_type_is_float(type)))
            return type;
    }
    return INLAY_DYNAMIC;
}

static void free_import(void *ctx, void *data, size_t size)
{
    dl_managed *m = ctx;
    PyGILState_STATE gil = PyGILState_Ensure();

    (void)data;
    (void)size;
    if (m->deleter)
        m->deleter(m);
    PyGILState_Release(gil);
}

static bool is_dense(const dl_tensor *t)
{
    int64_t step = 1;

    for (int i = t->ndim - 1; t->strides && i >= 0; i--) {
        if (t->shape[i] != 1 && t->strides[i] != step)
            return false;
        step *= t->shape[i];
    }
    return true;
}

static inlay_tensor *adopt(dl_managed *m)
{
    const dl_tensor *t = &m->tensor;
    inlay_type type = t->lanes == 1 ? type_of(t) : INLAY_DYNAMIC;
    size_t size = (size_t)t->bits / 8;
    inlay_buffer *b;
    inlay_tensor *made;

    if (t->device_type != PY_DLPACK_CPU || !type || !is_dense(t) || t->ndim > INLAY_MAX_RANK) {
        PyErr_SetString(PyExc_BufferError, "only dense tensors of the CPU can be taken by DLPack");
        return NULL;
    }
    for (int i = 0; i < t->ndim; i++)
        size *= (size_t)t->shape[i];
    b = inlay_buffer_wrap((char *)t->data + t->byte_offset, size, free_import, m);
    made =
        b ? inlay_tensor_over(b, (char *)t->data + t->byte_offset, type, t->ndim, t->shape) : NULL;
    if (!made)
        PyErr_NoMemory();
    inlay_buffer_release(b);
    return made;
}

inlay_tensor *py_dlpack_take(PyObject *object)
{
    PyObject *capsule = PyObject_CallMethod(object, "__dlpack__", NULL);
    dl_managed *m = capsule ? PyCapsule_GetPointer(capsule, "dltensor") : NULL;
    inlay_tensor *t = m ? adopt(m) : NULL;

    /* From now on the buffer has it; a capsule of this name is left alone. */
    if (t)
        PyCapsule_SetName(capsule, "used_dltensor");
    Py_XDECREF(capsule);
    return t;
}
