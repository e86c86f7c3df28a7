/* See formed.h. */
#include "formed.h"

#include "ir/shared.h"
#include "parser/parser.h"

#include <stdio.h>
#include <string.h>

/* A case on its way to another form. */
struct forming {
    const op_case *c;
    formed_kind kind;
    rng *r;
    formed *out;
    inlay_strbuf variables; /* what the graph says of its variables */
    inlay_strbuf defs;      /* what operands that are views are made of */
    int64_t from, to;       /* the size that changes, and what it becomes; 0, 0: none does */
    int viewed;             /* operands that are views */
    inlay_diags *d;
};

/* ---- operands ---- */

/* Returns a tensor that shows the element at OFFSET of T alone. */
static inlay_tensor *element(const inlay_tensor *t, int64_t offset)
{
    return inlay_tensor_window(t, 0, NULL, NULL, offset);
}

/* Fills T with elements of OLD: one after the other from place FIRST on, and again. */
static bool fill(inlay_tensor *t, const inlay_tensor *old, int64_t first)
{
    int64_t n = inlay_tensor_count(old);
    bool ok = true;

    for (int64_t i = 0; ok && n > 0 && i < inlay_tensor_count(t); i++) {
        inlay_tensor *to = element(t, i), *from = element(old, (first + i) % n);

        ok = to && from && inlay_tensor_assign(to, from);
        inlay_tensor_release(to);
        inlay_tensor_release(from);
    }
    return ok;
}

/* Returns an operand for OLD: with the size that changes, most of the time, wherever it stands; and
 * elements of data in another order, half of the time. */
static inlay_tensor *operand(struct forming *f, const inlay_tensor *old)
{
    int64_t dims[INLAY_MAX_RANK] = {0}, n = inlay_tensor_count(old), first = 0;
    inlay_tensor *t;

    for (int i = 0; i < old->rank; i++) {
        bool changes = f->from != f->to && old->dims[i] == f->from && !rng_one_in(f->r, 5);

        dims[i] = changes ? f->to : old->dims[i];
    }
    if (n > 0 && inlay_type_is_float(old->type) && rng_one_in(f->r, 2))
        first = rng_in(f->r, 0, n - 1);
    t = inlay_tensor_new(old->type, old->rank, dims);
    if (t && fill(t, old, first))
        return t;
    inlay_tensor_release(t);
    return NULL;
}

/* Draws which size changes: one that some operand has. */
static void draw_size(struct forming *f)
{
    int64_t sizes[OP_CASE_MAX * INLAY_MAX_RANK];
    int n = 0;

    if (f->kind != FORMED_EMPTY && rng_one_in(f->r, 2))
        return;
    for (int i = 0; i < f->c->n_operands; i++) {
        for (int k = 0; k < f->c->operand[i]->rank; k++)
            sizes[n++] = f->c->operand[i]->dims[k];
    }
    if (n == 0)
        return;
    f->from = sizes[rng_in(f->r, 0, n - 1)];
    f->to = f->kind == FORMED_EMPTY ? 0 : rng_in(f->r, 1, 5);
}

/* ---- their text ---- */

static void add_list(inlay_strbuf *b, int n, const int64_t *x)
{
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b, "%s%lld", i ? "," : "", (long long)x[i]);
}

/* Adds a Parameter for T; how much it says of the shape depends on OPEN: all, the rank, nothing. */
static void add_parameter(inlay_strbuf *b, const inlay_tensor *t, int open)
{
    inlay_strbuf_printf(b, "Parameter {element_type = %s, shape = [",
                        inlay_type_info_of(t->type)->name);
    if (open == 0)
        add_list(b, t->rank, t->dims);
    for (int i = 0; open == 1 && i < t->rank; i++)
        inlay_strbuf_puts(b, i ? ",?" : "?");
    inlay_strbuf_puts(b, open == 2 ? "...]}" : "]}");
}

/* Returns a tensor of which every second element along AXIS, from the second on, is T's. */
static inlay_tensor *stretched(const inlay_tensor *t, int axis)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    inlay_tensor *whole, *view;

    memcpy(dims, t->dims, (size_t)t->rank * sizeof *dims);
    dims[axis] = 2 * dims[axis] + 1;
    whole = inlay_tensor_new(t->type, t->rank, dims);
    if (!whole || inlay_tensor_count(t) == 0)
        return whole;
    memcpy(strides, whole->strides, (size_t)t->rank * sizeof *strides);
    strides[axis] *= 2;
    view = inlay_tensor_window(whole, t->rank, t->dims, strides, whole->strides[axis]);
    if (view && inlay_tensor_assign(view, t)) {
        inlay_tensor_release(view);
        return whole;
    }
    inlay_tensor_release(view);
    inlay_tensor_release(whole);
    return NULL;
}

/* Returns a tensor that has T's axes in reverse. */
static inlay_tensor *turned(const inlay_tensor *t)
{
    int64_t dims[INLAY_MAX_RANK], strides[INLAY_MAX_RANK];
    inlay_tensor *view, *out;

    for (int i = 0; i < t->rank; i++) {
        dims[i] = t->dims[t->rank - 1 - i];
        strides[i] = t->strides[t->rank - 1 - i];
    }
    view = inlay_tensor_window(t, t->rank, dims, strides, 0);
    out = view ? inlay_tensor_copy(view) : NULL;
    inlay_tensor_release(view);
    return out;
}

/* Operand I becomes a window of a larger Parameter. */
static inlay_tensor *add_slice(struct forming *f, inlay_strbuf *b, int i, const inlay_tensor *t)
{
    int axis = (int)rng_in(f->r, 0, t->rank - 1);
    inlay_tensor *whole = stretched(t, axis);

    if (!whole)
        return NULL;
    inlay_strbuf_printf(&f->defs, "  %%whole%d = ", i);
    add_parameter(&f->defs, whole, 0);
    inlay_strbuf_printf(&f->defs,
                        "\n  %%from%d = Const {value = i64[1] [1]}\n  %%to%d = Const {value = "
                        "i64[1] [%lld]}\n  %%by%d = Const {value = i64[1] [2]}\n  %%along%d = "
                        "Const {value = i64[1] [%d]}\n",
                        i, i, (long long)whole->dims[axis], i, i, axis);
    inlay_strbuf_printf(b, "Slice-8(%%whole%d, %%from%d, %%to%d, %%by%d, %%along%d)", i, i, i, i,
                        i);
    return whole;
}

/* Operand I becomes a Parameter whose axes are turned round. */
static inlay_tensor *add_turned(struct forming *f, inlay_strbuf *b, int i, const inlay_tensor *t)
{
    inlay_tensor *whole = turned(t);

    if (!whole)
        return NULL;
    inlay_strbuf_printf(&f->defs, "  %%whole%d = ", i);
    add_parameter(&f->defs, whole, 0);
    inlay_strbuf_printf(&f->defs, "\n  %%order%d = Const {value = i64[%d] [", i, t->rank);
    for (int k = t->rank - 1; k >= 0; k--)
        inlay_strbuf_printf(&f->defs, "%d%s", k, k ? ", " : "]}\n");
    inlay_strbuf_printf(b, "Transpose-1(%%whole%d, %%order%d)", i, i);
    return whole;
}

/* Adds operand I, and takes the tensor for its Parameter. */
static bool add_operand(struct forming *f, inlay_strbuf *b, int i, inlay_tensor **in)
{
    inlay_tensor *t = operand(f, f->c->operand[i]), *whole = NULL;
    bool strided = f->kind == FORMED_STRIDED || (f->kind == FORMED_BODY && rng_one_in(f->r, 4));
    int open = f->kind == FORMED_DYNAMIC ? (int)rng_in(f->r, 1, 2)
               : f->kind == FORMED_PLAIN ? 0
                                         : (int)rng_in(f->r, 0, 2);

    if (!t)
        return false;
    if (strided && t->rank > 1 && rng_one_in(f->r, 3))
        whole = add_turned(f, b, i, t);
    else if (strided && t->rank > 0)
        whole = add_slice(f, b, i, t);
    else
        add_parameter(b, t, open);
    f->viewed += whole != NULL;
    *in = whole ? whole : t;
    if (whole)
        inlay_tensor_release(t);
    return true;
}

/* ---- the graph ---- */

static const char parameter[] = "Parameter {element_type = ", variable[] = "variable \"";

/* Adds the case in the text B, with its operands, in their order, in TENSORS. The Parameters of its
 * open form are replaced; those of bodies stand deeper. Variables are kept apart: they belong to
 * the outermost graph. */
static bool add_case(struct forming *f, inlay_strbuf *b, inlay_tensor **tensors)
{
    const char *p = strchr(f->c->form[OP_FORM_OPEN].bytes, '{') + 1;
    int depth = 1, i = 0;

    for (; *p; p++) {
        if (depth == 1 && strncmp(p, parameter, strlen(parameter)) == 0) {
            if (i == f->c->n_operands || !add_operand(f, b, i, &tensors[i]))
                return false;
            i++;
            p = strchr(p, '}');
            continue;
        }
        if (depth == 1 && strncmp(p, variable, strlen(variable)) == 0) {
            inlay_strbuf_add(&f->variables, p, strcspn(p, "\n") + 1);
            p += strcspn(p, "\n");
        }
        depth += (*p == '{') - (*p == '}');
        if (depth > 0)
            inlay_strbuf_add(b, p, 1);
    }
    return i == f->c->n_operands;
}

static const char *bytes_of(const inlay_strbuf *b)
{
    return b->n ? b->bytes : "";
}

/* Returns the graph of these statements. */
static inlay_graph *read(struct forming *f, const char *statements)
{
    inlay_strbuf b = {0};
    inlay_graph *g;

    inlay_strbuf_printf(&b, "graph \"formed\" {\n%s%s}\n", bytes_of(&f->variables), statements);
    g = b.failed ? NULL : inlay_read_text("formed", b.bytes, b.n, NULL, f->d);
    inlay_strbuf_free(&b);
    return g;
}

/* Takes the tensors in the order of G's Parameters: those of views stand before the others. */
static bool order_inputs(struct forming *f, const inlay_graph *g, inlay_tensor **tensors)
{
    int next = 0;

    if (g->n_params != f->c->n_operands)
        return false;
    for (int k = 0; k < g->n_params; k++) {
        int i;

        if (sscanf(g->params[k]->name, "whole%d", &i) != 1) {
            while (next < f->c->n_operands && !tensors[next])
                next++;
            i = next;
        }
        f->out->in[k] = tensors[i];
        tensors[i] = NULL;
    }
    return true;
}

/* Adds the inputs of a body, or its outputs, from number FIRST on. */
static void add_ports(inlay_strbuf *b, const inlay_graph *body, int first)
{
    for (int i = 0; i < body->n_params; i++)
        inlay_strbuf_printf(b, "    in %d -> %%%s\n", first + i, body->params[i]->name);
    for (int i = 0; i < body->n_results; i++)
        inlay_strbuf_printf(b, "    out %%%s -> %d\n", body->results[i]->name, i);
}

static void add_branches(inlay_strbuf *b, const char *text, const inlay_graph *body)
{
    static const char *const names[] = {"then", "else"};

    for (int i = 0; i < 2; i++) {
        inlay_strbuf_printf(b, "    %s_body \"%s\" {\n%s    }\n", names[i], names[i], text);
        add_ports(b, body, 1);
    }
}

static void add_loop(inlay_strbuf *b, const char *text, const inlay_graph *body)
{
    inlay_strbuf_printf(b,
                        "    body \"again\" {\n%s      %%formed_more = Const {value = boolean[] "
                        "[true]}\n      %%formed_again = Result(%%formed_more)\n    }\n",
                        text);
    add_ports(b, body, 2);
    inlay_strbuf_puts(b, "    out %formed_again -> none condition\n");
}

static inlay_tensor *number(inlay_type type, int64_t x)
{
    inlay_tensor *t = inlay_tensor_new(type, 0, NULL);

    if (t)
        inlay_tensor_set_i64(t, 0, x);
    return t;
}

/* Adds to B the graph with a body that is TEXT, and takes what it is called with. Returns how many
 * inputs stand before those of the body. */
static int add_outer(struct forming *f, inlay_strbuf *b, const char *text, const inlay_graph *body,
                     inlay_tensor *const *tensors)
{
    bool loops = rng_one_in(f->r, 2);
    int n = 0;

    if (loops) {
        inlay_strbuf_puts(b, "  %count = Parameter {element_type = i64, shape = []}\n");
        f->out->in[n++] = number(INLAY_I64, rng_in(f->r, 1, 3));
    }
    inlay_strbuf_puts(b, "  %go = Parameter {element_type = boolean, shape = []}\n");
    f->out->in[n++] = number(INLAY_BOOLEAN, loops || rng_one_in(f->r, 2));
    for (int i = 0; i < body->n_params; i++) {
        inlay_strbuf_printf(b, "  %%p%d = ", i);
        add_parameter(b, tensors[i], (int)rng_in(f->r, 0, 2));
        inlay_strbuf_puts(b, "\n");
    }
    inlay_strbuf_printf(b, "  %%r:%d = %s(%s%%go", body->n_results, loops ? "Loop-5" : "If-8",
                        loops ? "%count, " : "");
    for (int i = 0; i < body->n_params; i++)
        inlay_strbuf_printf(b, ", %%p%d", i);
    inlay_strbuf_puts(b, ")\n");
    (loops ? add_loop : add_branches)(b, text, body);
    for (int i = 0; i < body->n_results; i++)
        inlay_strbuf_printf(b, "  %%o%d = Result(%%r:%d)\n", i, i);
    return n;
}

/* The graph whose statements are TEXT becomes a body of another one. */
static bool wrap(struct forming *f, const inlay_strbuf *text, inlay_tensor **tensors)
{
    inlay_graph *body = f->out->graph;
    inlay_strbuf b = {0};
    int n;

    memcpy(tensors, f->out->in, (size_t)body->n_params * sizeof *tensors);
    memset(f->out->in, 0, sizeof f->out->in);
    n = add_outer(f, &b, text->bytes, body, tensors);
    memcpy(f->out->in + n, tensors, (size_t)body->n_params * sizeof *tensors);
    memset(tensors, 0, (size_t)body->n_params * sizeof *tensors);
    inlay_graph_free(body);
    f->out->graph = b.failed ? NULL : read(f, b.bytes);
    inlay_strbuf_free(&b);
    return f->out->graph != NULL;
}

/* Returns whether some operand has no elements though that of the case has some. */
static bool is_empty(const struct forming *f)
{
    bool empty = false;

    for (int i = 0; i < f->c->n_operands; i++)
        empty = empty || (f->out->in[i] && inlay_tensor_count(f->out->in[i]) == 0);
    return empty;
}

static bool make(struct forming *f, inlay_strbuf *statements, inlay_tensor **tensors)
{
    inlay_strbuf said = {0};
    bool ok;

    draw_size(f);
    ok = add_case(f, &said, tensors);
    inlay_strbuf_printf(statements, "%s%s", bytes_of(&f->defs), bytes_of(&said));
    f->out->graph = ok && !statements->failed ? read(f, statements->bytes) : NULL;
    ok = f->out->graph && order_inputs(f, f->out->graph, tensors);
    ok = ok && (f->kind != FORMED_EMPTY || is_empty(f));
    ok = ok && (f->kind != FORMED_STRIDED || f->viewed > 0);
    inlay_strbuf_free(&said);
    return ok;
}

bool formed_make(formed *out, const op_case *c, formed_kind kind, rng *r, inlay_diags *d)
{
    struct forming f = {.c = c, .kind = kind, .r = r, .out = out, .d = d};
    inlay_tensor *tensors[OP_CASE_MAX] = {NULL};
    inlay_strbuf statements = {0};
    bool ok;

    *out = (formed){.graph = NULL};
    ok = make(&f, &statements, tensors) && (kind != FORMED_BODY || wrap(&f, &statements, tensors));
    for (int i = 0; i < OP_CASE_MAX; i++)
        inlay_tensor_release(tensors[i]);
    inlay_strbuf_free(&statements);
    inlay_strbuf_free(&f.defs);
    inlay_strbuf_free(&f.variables);
    return ok;
}

void formed_free(formed *f)
{
    for (int i = 0; i < OP_CASE_MAX + 2; i++)
        inlay_tensor_release(f->in[i]);
    inlay_graph_free(f->graph);
}
