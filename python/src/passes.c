/* Passes: runs them, tells a function in Python what happens, and runs passes in Python. */
#include "py.h"

#include <string.h>

/* ---- one run of a pass in Python ---- */

typedef struct py_pass_run {
    PyObject_HEAD inlay_pass_run *run; /* NULL once the pass has returned */
} py_pass_run;

static inlay_pass_run *running(PyObject *self)
{
    inlay_pass_run *r = ((py_pass_run *)self)->run;

    if (!r)
        PyErr_SetString(PyExc_ValueError, "the pass has ended");
    return r;
}

static PyObject *begin(PyObject *self, PyObject *node)
{
    inlay_pass_run *r = running(self);
    const inlay_node *n = r ? py_node_in(node, true) : NULL;

    return n ? PyBool_FromLong(inlay_pass_begin(r, n)) : NULL;
}

static PyObject *end(PyObject *self, PyObject *args)
{
    inlay_pass_run *r = running(self);
    int done = 1;

    if (!r || !PyArg_ParseTuple(args, "|p", &done))
        return NULL;
    return PyBool_FromLong(inlay_pass_end(r, done));
}

static PyObject *changed(PyObject *self, PyObject *args)
{
    inlay_pass_run *r = running(self);
    unsigned long long n = 1;

    if (!r || !PyArg_ParseTuple(args, "|K", &n))
        return NULL;
    inlay_pass_changed(r, n);
    Py_RETURN_NONE;
}

static void destroy_run(PyObject *self)
{
    py_object_free(self);
}

static PyMethodDef run_methods[] = {
    {"begin", begin, METH_O, "begin(node): announces a change there; False: leave it alone."},
    {"end", end, METH_VARARGS, "end(done=True): ends the change that began."},
    {"changed", changed, METH_VARARGS, "changed(n=1): counts changes without a place."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot run_slots[] = {{Py_tp_doc, "One run of a pass, with which it counts changes."},
                                  {Py_tp_dealloc, PY_SLOT(destroy_run)},
                                  {Py_tp_methods, run_methods},
                                  {0, NULL}};

PyType_Spec py_pass_run_spec = {"inlay.PassRun", sizeof(py_pass_run), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, run_slots};

/* What passes in Python and events need. The GIL is released while passes run. */
struct job {
    PyObject *graph, *event;
};

struct pass {
    const struct job *job;
    const char *name;
    PyObject *function;
};

/* The registered function of all passes in Python. */
static bool run_python(inlay_graph *g, inlay_pass_run *r)
{
    const struct pass *p = inlay_pass_context(r);
    PyGILState_STATE gil = PyGILState_Ensure();
    py_pass_run *run = py_object_new(py_state_get()->pass_run);
    PyObject *result = NULL;
    bool ok;

    (void)g; /* the Graph of the job is of it */
    if (run) {
        run->run = r;
        result = py_hook("run_pass", Py_BuildValue("(OOO)", p->function, p->job->graph, run));
        run->run = NULL;
        Py_DECREF((PyObject *)run);
    }
    ok = result != NULL;
    Py_XDECREF(result);
    if (!ok)
        py_keep_exception(p->name, inlay_pass_diags(r));
    PyGILState_Release(gil);
    return ok;
}

/* ---- events ---- */

static PyObject *decision(PyObject *graph, const inlay_decision *d)
{
    if (!d->asked)
        Py_RETURN_NONE;
    return Py_BuildValue("{s:O,s:z,s:N,s:s,s:K,s:z}", "made", d->made ? Py_True : Py_False,
                         "condition", d->made ? NULL : d->condition, "node",
                         py_node_of(graph, d->made ? NULL : d->by), "why",
                         d->made ? "" : inlay_decision_text(d), "bytes",
                         (unsigned long long)(d->made ? 0 : d->bytes), "remark", d->remark);
}

static PyObject *decided(PyObject *graph, const inlay_in_place *x)
{
    return Py_BuildValue(
        "{s:N,s:i,s:N,s:N,s:N,s:N,s:i,s:O,s:K}", "scatter", py_node_of(graph, x->scatter), "input",
        x->input, "slice", py_node_of(graph, x->slice), "overwrite", decision(graph, &x->overwrite),
        "view", decision(graph, &x->view), "into", decision(graph, &x->into), "order_edges",
        x->order_edges, "copies_updates", x->copies_updates ? Py_True : Py_False, "update_bytes",
        (unsigned long long)x->update_bytes);
}

static PyObject *copies(PyObject *graph, const inlay_copy *x)
{
    return Py_BuildValue("{s:N,s:K,s:i,s:N,s:N}", "node", py_node_of(graph, x->node), "bytes",
                         (unsigned long long)x->bytes, "input", x->input, "view",
                         decision(graph, &x->view), "into", decision(graph, &x->into));
}

static PyObject *names_of(const inlay_node *const *nodes, size_t n)
{
    PyObject *names = PyList_New((Py_ssize_t)n);

    for (size_t i = 0; names && i < n; i++)
        PyList_SetItem(names, (Py_ssize_t)i, PyUnicode_FromString(nodes[i]->name));
    return names;
}

static PyObject *made_by(const inlay_application *a)
{
    PyObject *names = PyList_New(0);

    for (const inlay_node *n = a->made; names && n; n = n->next) {
        PyObject *name = PyUnicode_FromString(n->name);

        if (!name || PyList_Append(names, name) < 0)
            Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

static PyObject *application(const inlay_application *a, bool done)
{
    return Py_BuildValue("{s:K,s:z,s:s,s:N,s:N}", "serial", (unsigned long long)a->serial, "rule",
                         a->rule ? a->rule->name : NULL, "at", a->at->name, "replaced",
                         names_of(a->replaced, done ? a->n_replaced : 0), "made",
                         done ? made_by(a) : PyList_New(0));
}

static PyObject *content(PyObject *graph, const inlay_event *e)
{
    switch (e->kind) {
    case INLAY_EVENT_PASS_ENDS:
        return Py_BuildValue("{s:K,s:d,s:K}", "changes", (unsigned long long)e->as.stats->changes,
                             "ms", e->as.stats->ms, "steps",
                             (unsigned long long)e->as.stats->steps);
    case INLAY_EVENT_WILL_APPLY:
    case INLAY_EVENT_APPLIED:
        return application(e->as.application, e->kind == INLAY_EVENT_APPLIED);
    case INLAY_EVENT_DECIDED:
        return decided(graph, e->as.in_place);
    case INLAY_EVENT_COPIES:
        return copies(graph, e->as.copy);
    case INLAY_EVENT_MISSED:
        return Py_BuildValue("{s:s,s:z,s:z}", "rule", e->as.miss->rule->name, "at", e->as.miss->at,
                             "why", e->as.miss->why);
    case INLAY_EVENT_SAID:
        return Py_BuildValue("{s:i,s:s}", "status", (int)e->as.message->status, "text",
                             e->as.message->text);
    default:
        return PyDict_New();
    }
}

/* Calls event(kind, pass, content); what it returns answers INLAY_EVENT_WILL_APPLY. */
static bool tell(const struct job *job, const inlay_event *e, inlay_diags *d)
{
    static const char *const kinds[] = {
        [INLAY_EVENT_PASS_BEGINS] = "begins", [INLAY_EVENT_PASS_ENDS] = "ends",
        [INLAY_EVENT_WILL_APPLY] = "apply",   [INLAY_EVENT_APPLIED] = "applied",
        [INLAY_EVENT_DECIDED] = "decided",    [INLAY_EVENT_COPIES] = "copies",
        [INLAY_EVENT_MISSED] = "missed",      [INLAY_EVENT_SAID] = "said"};
    PyObject *what = content(job->graph, e);
    PyObject *answer =
        what ? PyObject_CallFunction(job->event, "szO", kinds[e->kind], e->pass, what) : NULL;
    bool ok = answer && (e->kind != INLAY_EVENT_WILL_APPLY || answer != Py_False);

    Py_XDECREF(what);
    Py_XDECREF(answer);
    if (!answer)
        py_keep_exception("the receiver of events", d);
    return ok;
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    const struct job *job = ctx;
    PyGILState_STATE gil;
    bool ok;

    if (py_interrupted(d))
        return e->kind == INLAY_EVENT_SAID;
    if (job->event == Py_None)
        return true;
    gil = PyGILState_Ensure();
    ok = tell(job, e, d);
    PyGILState_Release(gil);
    return ok;
}

/* ---- run_passes ---- */

struct options {
    inlay_pass_options o;
    inlay_pass_registry *registry;
    struct pass *passes;
    const inlay_rules **rules;
    const char **disable;
};

/* FUNCTIONS: a list of (name, summary, function). */
static bool register_passes(struct options *x, const struct job *job, PyObject *functions,
                            inlay_diags *d)
{
    Py_ssize_t n = PyList_Size(functions);

    if (n == 0)
        return true;
    x->registry = inlay_pass_registry_new(d);
    x->passes = PyMem_Calloc((size_t)n, sizeof *x->passes);
    for (Py_ssize_t i = 0; x->registry && x->passes && i < n; i++) {
        struct pass *p = &x->passes[i];
        inlay_pass_info info = {0};

        p->job = job;
        if (!PyArg_ParseTuple(PyList_GetItem(functions, i), "ssO", &info.name, &info.summary,
                              &p->function))
            return false;
        p->name = info.name;
        if (!inlay_pass_register(x->registry, &info, run_python, p, d))
            return false;
    }
    x->o.registry = x->registry;
    return x->registry && x->passes;
}

static bool take_rules(struct options *x, PyObject *list)
{
    x->o.n_rules = (int)PyList_Size(list);
    x->rules = PyMem_Calloc((size_t)x->o.n_rules + 1, sizeof *x->rules);
    for (int i = 0; x->rules && i < x->o.n_rules; i++) {
        PyObject *item = PyList_GetItem(list, i);

        if (!PyObject_TypeCheck(item, (PyTypeObject *)py_state_get()->rules)) {
            PyErr_Format(PyExc_TypeError, "inlay.Rules were expected, not %R", Py_TYPE(item));
            return false;
        }
        x->rules[i] = ((py_rules *)item)->rules;
    }
    x->o.rules = x->rules;
    return x->rules != NULL;
}

static bool take_disabled(struct options *x, PyObject *list)
{
    x->o.n_disable = (int)PyList_Size(list);
    x->disable = PyMem_Calloc((size_t)x->o.n_disable + 1, sizeof *x->disable);
    for (int i = 0; x->disable && i < x->o.n_disable; i++) {
        x->disable[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        if (!x->disable[i])
            return false;
    }
    x->o.disable = x->disable;
    return x->disable != NULL;
}

static PyObject *run(const struct job *job, struct options *x, inlay_diags *d)
{
    inlay_graph *g = ((py_graph *)job->graph)->g;
    const inlay_exec_options limits = {.max_memory = x->o.max_memory};
    const inlay_evaluator reference = inlay_reference_evaluator(&limits);
    bool ok;

    x->o.evaluator = &reference;
    x->o.events.receive = receive;
    x->o.events.ctx = (void *)(uintptr_t)job;
    Py_BEGIN_ALLOW_THREADS;
    ok = inlay_run_passes(g, &x->o, d);
    Py_END_ALLOW_THREADS;
    if (!ok)
        return py_raise(d);
    if (!py_warn(d))
        return NULL;
    Py_RETURN_NONE;
}

PyObject *py_run_passes(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"graph",   "passes",     "functions",  "rules",
                            "disable", "event",      "misses",     "prefer_copies",
                            "check",   "fold_bytes", "max_memory", NULL};
    struct job job = {.event = Py_None};
    struct options x = {0};
    PyObject *functions, *rules, *disable, *result = NULL;
    unsigned long long fold = 0, memory = 0;
    int misses = 0, prefer = 0, check = 0;
    inlay_diags *d;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OzO!O!O!|OpppKK", names, &job.graph,
                                     &x.o.passes, &PyList_Type, &functions, &PyList_Type, &rules,
                                     &PyList_Type, &disable, &job.event, &misses, &prefer, &check,
                                     &fold, &memory) ||
        !py_graph_in(job.graph, true))
        return NULL;
    x.o.events.misses = misses;
    x.o.prefer_copies = prefer;
    x.o.check = check;
    x.o.fold_bytes = fold;
    x.o.max_memory = memory;
    d = inlay_diags_new();
    if (register_passes(&x, &job, functions, d) && take_rules(&x, rules) &&
        take_disabled(&x, disable))
        result = run(&job, &x, d);
    else if (PyErr_Occurred())
        inlay_diags_free(d);
    else
        py_raise(d);
    inlay_pass_registry_free(x.registry);
    PyMem_Free(x.passes);
    PyMem_Free((void *)x.rules);
    PyMem_Free((void *)x.disable);
    return result;
}

PyObject *py_pass_list(PyObject *module, PyObject *unused)
{
    inlay_diags *d = inlay_diags_new();
    inlay_pass_registry *registry = inlay_pass_registry_new(d);
    PyObject *list = PyList_New(0);

    (void)module;
    (void)unused;
    for (size_t i = 0; list && i < inlay_pass_count(registry); i++) {
        inlay_pass_info info = inlay_pass_at(registry, i);
        PyObject *row = Py_BuildValue("(ss)", info.name, info.summary);

        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    inlay_pass_registry_free(registry);
    inlay_diags_free(d);
    return list;
}
