/* Tensors for other frameworks: the C structs of DLPack 0.8, which its capsules point to. */
#ifndef INLAY_PY_DLPACK_H
#define INLAY_PY_DLPACK_H

#include "py.h"

enum { PY_DLPACK_CPU = 1 };

/* Makes a capsule of T, whose reference it takes even when it fails. */
PyObject *py_dlpack_of(inlay_tensor *t);
/* The tensor in the capsule of OBJECT.__dlpack__(), which keeps it alive; NULL after raising. */
inlay_tensor *py_dlpack_take(PyObject *object);

#endif
