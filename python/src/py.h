/* What the files of the extension module share. Each type is made in its own file; the module keeps
 * it in its state. Functions that return a PyObject give a new reference, or NULL with an exception
 * set, as CPython's do. */
#ifndef INLAY_PY_H
#define INLAY_PY_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include "inlay.h"

/* A function for a PyType_Slot, whose field is a pointer to an object. */
#define PY_SLOT(function) ((void *)(uintptr_t)(function))

/* ---- module.c ---- */

typedef struct py_state {
    PyObject *tensor, *graph, *node, *value, *model, *session, *rules, *operations, *pass_run;
    PyObject *hooks; /* the functions in Python that this module calls, by name: see py_hook */
    PyObject *ndarray;
    PyObject *dtypes[INLAY_N_TYPES]; /* of numpy arrays with such elements; NULL: none has them */
    bool foreign[INLAY_N_TYPES];     /* the dtype is one that buffers have no letter for */
    PyObject *functions;             /* address of an added operation: (shape rule, kernel) */
    PyObject *given;  /* arrays of others that were donated: the input's name by address */
    PyObject *raised; /* what a function in Python raised inside of the library */
} py_state;

py_state *py_state_get(void);
/* Calls the function of inlay/_hooks.py that is called NAME; ARGS (stolen) is a tuple. */
PyObject *py_hook(const char *name, PyObject *args);
/* Makes a type of SPEC, adds it to MODULE under NAME, and returns it. */
PyObject *py_add_type(PyObject *module, const char *name, PyType_Spec *spec);
/* An object of TYPE, zeroed behind its head. */
void *py_object_new(PyObject *type);
void py_object_free(PyObject *self);
bool py_add_constants(PyObject *module);

/* ---- error.c ---- */

/* Raises the first error of D, with what a function in Python raised as its cause, frees D, and
 * returns NULL. */
PyObject *py_raise(inlay_diags *d);
/* Ends a change of a graph: None if it is OK and no function in Python has raised, else as py_raise;
 * frees D. */
PyObject *py_ended(bool ok, inlay_diags *d);
/* Forgets what a function in Python raised where the library got over it. True: it was no error but
 * an interrupt, which is set now. */
bool py_stopped(void);
/* After a success, which py_stopped may prevent: hands the warnings of D to Python's `warnings`,
 * and frees D. False: that raised. */
bool py_warn(inlay_diags *d);
/* For functions that the library calls: keeps the exception that is set for py_raise, and records
 * that WHAT failed in D. Always false. */
bool py_keep_exception(const char *what, inlay_diags *d);
/* Writes the type and text of the exception that is set. */
void py_exception_text(char *buf, size_t size);
/* Was there a Ctrl-C (or another signal whose handler raised)? May be called without the GIL. */
bool py_interrupted(inlay_diags *d);

/* ---- tensor.c ---- */

typedef struct py_tensor {
    PyObject_HEAD inlay_tensor *t;
    PyObject *donated; /* to what it was given away; NULL: it was not */
    bool writable;
} py_tensor;

extern PyType_Spec py_tensor_spec;
/* Makes a Tensor of T, whose reference it takes even when it fails. */
PyObject *py_tensor_of(inlay_tensor *t, bool writable);
/* The tensor in OBJECT (borrowed); NULL after raising when it is none, or was given away. */
inlay_tensor *py_tensor_in(PyObject *object);
/* A numpy array over T, whose reference it takes. */
PyObject *py_array_of(inlay_tensor *t, bool writable);
PyObject *py_tensor_from(PyObject *module, PyObject *args);
PyObject *py_tensor_empty(PyObject *module, PyObject *args);
PyObject *py_tensor_strings(PyObject *module, PyObject *args);
PyObject *py_tensor_items(PyObject *module, PyObject *args);
PyObject *py_tensor_pack(PyObject *module, PyObject *args);
PyObject *py_tensor_from_dlpack(PyObject *module, PyObject *object);
PyObject *py_tensor_compare(PyObject *module, PyObject *args, PyObject *keywords);

/* ---- element.c: element types and buffers ---- */

/* The format of the module `struct` for TYPE; NULL: elements of it are no bytes of their own. */
const char *py_format_of(inlay_type type);
/* The type of elements of FORMAT and SIZE that are wanted as WANTED; INLAY_DYNAMIC: there is none,
 * or the hook must adapt it. */
inlay_type py_type_of(const char *format, Py_ssize_t size, inlay_type wanted);
bool py_type_named(PyObject *name, inlay_type *type);

/* ---- input.c: an object of Python as a tensor, without a copy where it has a buffer ---- */

typedef enum py_use { PY_READ, PY_DONATE, PY_WRITE } py_use;

/* WANTED decides what lists become, and what unsigned integers stand for. The caller releases what
 * it gets. Of a result that is donated it gets the tensor without a reference (*BORROWED), because
 * a run writes into one that nobody else refers to; the object must live on then. */
inlay_tensor *py_tensor_take(PyObject *object, inlay_type wanted, py_use use, bool *borrowed);

/* ---- graph.c ---- */

typedef struct py_graph {
    PyObject_HEAD inlay_graph *g;
    PyObject *owner; /* keeps G alive; NULL: this does */
    bool frozen;     /* a program refers to G, which must not change any more */
} py_graph;

extern PyType_Spec py_graph_spec;
/* Makes a Graph of G. OWNER NULL: it takes G, even when it fails. */
PyObject *py_graph_of(inlay_graph *g, PyObject *owner);
/* The graph in OBJECT; NULL after raising when it is none. CHANGE: it must not be frozen. */
inlay_graph *py_graph_in(PyObject *object, bool change);
PyObject *py_read(PyObject *module, PyObject *args, PyObject *keywords);
/* Text of a graph or a node as a str. */
PyObject *py_text(inlay_strbuf *b, bool ok, inlay_diags *d);

/* ---- node.c, value.c ---- */

/* A node or a value. The graph keeps the memory of what is removed, so that a stale handle can be
 * told. */
typedef struct py_node {
    PyObject_HEAD PyObject *graph;
    inlay_node *n;
} py_node;

typedef struct py_value {
    PyObject_HEAD PyObject *graph;
    inlay_value *v;
} py_value;

extern PyType_Spec py_node_spec, py_value_spec;
/* GRAPH: the Graph that the node is of, or one that holds that. NULL gives None. */
PyObject *py_node_of(PyObject *graph, const inlay_node *n);
PyObject *py_value_of(PyObject *graph, const inlay_value *v);
inlay_node *py_node_in(PyObject *object, bool change);
inlay_value *py_value_in(PyObject *object, bool change);

/* ---- shape.c ---- */

/* A tuple; None if the rank is unknown. A size is an int, its name, "?" or "1..8". */
PyObject *py_shape_of(const inlay_graph *g, int rank, const inlay_dim *dims);
/* G: where names get identities; NULL: names are refused. */
bool py_shape_from(PyObject *object, inlay_graph *g, inlay_shape *out);
/* Shapes by name of input, for options that take one per Parameter. *OUT is to be freed by
 * PyMem_Free; NULL where OBJECT is None. */
bool py_shapes_from(PyObject *object, const inlay_graph *g, inlay_shape **out);

/* ---- attr.c ---- */

PyObject *py_attr_of(const inlay_node *n, int i);
bool py_attr_set(inlay_node *n, const char *name, PyObject *value, inlay_diags *d);

/* ---- model.c, run.c ---- */

extern PyType_Spec py_model_spec, py_session_spec;

typedef struct py_slot {
    inlay_session *session;
    inlay_diags *diags;
    const inlay_tensor **in;
    bool *donated, *borrowed; /* of inputs: they may be written over; they are not released */
    inlay_tensor **out;
    struct py_slot *next;
} py_slot;

typedef struct py_model {
    PyObject_HEAD PyObject *graph;
    const inlay_graph *g;
    inlay_program *program;
    const char *const *result_names;
    PyObject *keep; /* a tuple of names */
    py_slot *idle;  /* sessions for calls of the model itself */
} py_model;

typedef struct py_session {
    PyObject_HEAD py_model *model;
    py_slot *slot;
    bool busy;
} py_session;

py_slot *py_slot_new(const py_model *m);
void py_slot_free(py_slot *s);
PyObject *py_slot_stats(const py_slot *s);
/* m(x) */
PyObject *py_run_call(const py_model *m, py_slot *s, PyObject *args, PyObject *keywords);
/* m.run(inputs, donate=, out=, tensors=) */
PyObject *py_run_full(const py_model *m, py_slot *s, PyObject *args, PyObject *keywords);
bool py_run_watch(PyObject *module);

/* ---- passes.c, rules.c ---- */

extern PyType_Spec py_pass_run_spec, py_rules_spec, py_operations_spec;

typedef struct py_rules {
    PyObject_HEAD inlay_rules *rules;
} py_rules;

PyObject *py_run_passes(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *py_pass_list(PyObject *module, PyObject *unused);
PyObject *py_rules_parse(PyObject *module, PyObject *args, PyObject *keywords);

/* ---- ops.c ---- */

typedef struct py_operations {
    PyObject_HEAD const inlay_op_set *set;
} py_operations;

PyObject *py_operations_new(PyObject *module, PyObject *args);
/* The set in OBJECT, NULL for None; *OK is false after raising. */
const inlay_op_set *py_operations_in(PyObject *object, bool *ok);

/* ---- tools.c, plan.c, page.c ---- */

PyObject *py_page(PyObject *module, PyObject *args);
PyObject *py_verify(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *py_find_difference(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *py_make_inputs(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *py_diff(PyObject *module, PyObject *args);
PyObject *py_reduce(PyObject *module, PyObject *args);
PyObject *py_plan(PyObject *module, PyObject *args);
/* The words of options: "planned", "reference"; "portable", "onednn", ... */
bool py_mode_named(const char *name, inlay_exec_mode *mode);
bool py_kernels_named(const char *name, inlay_kernels *kernels);

#endif
