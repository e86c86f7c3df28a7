/* Any row of the table of operations: operands by their types and roles, or by operands.def,
 * attributes by their kinds; if the shape rule refuses them, others are drawn. */
#include "generate/fit.h"
#include "generate/make.h"

#include <stdio.h>
#include <string.h>

enum { ATTEMPTS = 24, MAX_OPERANDS = 16, MAX_LIST = 8, LARGEST = 4096 };

/* A node that is being made. */
struct row {
    generator *g;
    const inlay_op *op;
    gen_fit fit;
    bool fits;                      /* operands.def has the row; FIT is its description */
    inlay_type types[MAX_OPERANDS]; /* of the type variables; INLAY_DYNAMIC: not drawn yet */
    gen_value data;                 /* the first operand of data */
    bool has_data;
    inlay_value *in[MAX_OPERANDS];
    int n_in;
};

/* ---- types ---- */

/* Draws the graph's own type if it is allowed, otherwise one that numbers can be converted to. */
static inlay_type draw_type(generator *g, inlay_type_set allowed)
{
    static const inlay_type types[] = {INLAY_F32, INLAY_I64, INLAY_I32, INLAY_BOOLEAN, INLAY_F16,
                                       INLAY_F64, INLAY_U8,  INLAY_I8,  INLAY_BF16};
    int n = (int)(sizeof types / sizeof *types), first = rng_one_in(&g->r, 4) ? 2 : 0;

    if (allowed >> g->type & 1)
        return g->type;
    for (int i = 0; i < n; i++) {
        if (allowed >> types[(first + i) % n] & 1)
            return types[(first + i) % n];
    }
    for (int t = 0; t < INLAY_N_TYPES; t++) {
        if (allowed >> t & 1 && t != INLAY_DYNAMIC && t != INLAY_ITEM)
            return (inlay_type)t;
    }
    return INLAY_DYNAMIC;
}

static inlay_type type_of(struct row *r, const inlay_operand_info *info)
{
    inlay_type t = info->var >= 0 && info->var < MAX_OPERANDS ? r->types[info->var] : INLAY_DYNAMIC;

    if (t == INLAY_DYNAMIC)
        t = draw_type(r->g, info->types);
    if (info->var >= 0 && info->var < MAX_OPERANDS)
        r->types[info->var] = t;
    return t;
}

/* Makes as many strings as V has elements. NULL: that number is not known. */
static inlay_value *strings_like(generator *g, const inlay_value *v)
{
    static const char *const words[] = {"", "a", "ab", "Ab", "a b", "b,a", "42", "\xc3\xa4"};
    int64_t dims[INLAY_MAX_RANK];
    inlay_tensor *t;
    inlay_value *strings = NULL;
    bool ok = true;

    if (!inlay_fact_dims(&v->fact, dims))
        return NULL;
    t = inlay_tensor_new(INLAY_STRING, v->fact.rank, dims);
    for (int64_t i = 0; t && ok && i < inlay_tensor_count(t); i++) {
        const char *word = words[rng_in(&g->r, 0, 7)];

        ok = inlay_tensor_set_string(t, i, word, strlen(word));
    }
    if (t && ok)
        strings = inlay_build_const(g->graph, "s", t, g->diags);
    inlay_tensor_release(t);
    g->failed = g->failed || !strings;
    return strings;
}

/* Converts V to TYPE. NULL: the options do not allow that. */
static inlay_value *as(generator *g, inlay_value *v, inlay_type type)
{
    if (v && v->fact.type != type && type == INLAY_STRING)
        return strings_like(g, v);
    if (v && v->fact.type != type)
        return gen_allows(g, "Convert") ? gen_convert(g, v, type) : NULL;
    return v;
}

/* ---- numbers that say where, or how much ---- */

static int64_t size_of(const struct row *r, int axis)
{
    return axis < r->data.rank ? r->data.dims[axis] : 1;
}

static int any_axis(struct row *r)
{
    return r->data.rank ? (int)rng_in(&r->g->r, 0, r->data.rank - 1) : 0;
}

/* Draws one number for each axis of data. */
static int each_axis(struct row *r, int64_t lo, int64_t hi, int64_t *x)
{
    int n = r->data.rank < MAX_LIST ? r->data.rank : MAX_LIST;

    for (int i = 0; i < n; i++)
        x[i] = rng_one_in(&r->g->r, 2) ? (lo > 0 ? lo : 0) : rng_in(&r->g->r, lo, hi);
    return n;
}

static int draw_order(struct row *r, int64_t *x)
{
    int n = r->data.rank < MAX_LIST ? r->data.rank : MAX_LIST;

    for (int i = 0; i < n; i++) {
        int64_t k = rng_in(&r->g->r, 0, i);

        x[i] = x[k];
        x[k] = i;
    }
    return n;
}

static int draw_axes(struct row *r, int64_t *x)
{
    int n = 0;

    for (int i = 0; i < r->data.rank && n < MAX_LIST; i++) {
        if (rng_one_in(&r->g->r, 2))
            x[n++] = rng_one_in(&r->g->r, 4) ? i - r->data.rank : i;
    }
    return n;
}

/* Gives the sizes of data: as they are, as a single size, or with a new axis in front. */
static int draw_shape(struct row *r, int64_t *x)
{
    int more = rng_one_in(&r->g->r, 3), n = r->data.rank < MAX_LIST - 1 ? r->data.rank : 0;

    if (rng_one_in(&r->g->r, 3)) {
        x[0] = gen_count(&r->data);
        return 1;
    }
    x[0] = 1;
    for (int i = 0; i < n; i++)
        x[i + more] = r->data.dims[i] == 1 && rng_one_in(&r->g->r, 2) ? 3 : r->data.dims[i];
    return n + more;
}

/* Divides a size of data into a sum of two. */
static int draw_lengths(struct row *r, int64_t *x)
{
    int64_t size = size_of(r, any_axis(r));

    x[0] = rng_in(&r->g->r, 0, size);
    x[1] = size - x[0];
    return 2;
}

/* Draws indices of an axis, some twice, some negative, and in an unsafe graph out of range. */
static int draw_indices(struct row *r, int64_t *x)
{
    int64_t size = size_of(r, any_axis(r)), n = rng_in(&r->g->r, 1, 4);
    bool outside = !r->g->o->safe && rng_one_in(&r->g->r, 30);

    for (int i = 0; i < n; i++)
        x[i] = size ? rng_in(&r->g->r, rng_one_in(&r->g->r, 6) ? -size : 0, size - 1) : 0;
    if (outside)
        x[0] = size;
    return (int)n;
}

/* Draws the list that an operand or an attribute of ROLE consists of. Returns its length, or -1 if
 * such an operand is no list. */
static int draw_list(struct row *r, inlay_role role, int64_t *x)
{
    rng *random = &r->g->r;
    int64_t rank = r->data.rank;

    switch (role) {
    case INLAY_ROLE_START:
        return each_axis(r, -1, 2, x);
    case INLAY_ROLE_STOP:
        return each_axis(r, 1, 17, x);
    case INLAY_ROLE_STEP:
        return each_axis(r, 1, 2, x);
    case INLAY_ROLE_AXES:
        return draw_axes(r, x);
    case INLAY_ROLE_AXIS:
        x[0] = rank ? rng_in(random, rng_one_in(random, 3) ? -rank : 0, rank - 1) : 0;
        return 1;
    case INLAY_ROLE_INDICES:
    case INLAY_ROLE_TUPLES:
        return draw_indices(r, x);
    case INLAY_ROLE_SHAPE:
        return draw_shape(r, x);
    case INLAY_ROLE_LENGTHS:
        return draw_lengths(r, x);
    case INLAY_ROLE_REPEATS:
        return each_axis(r, 0, 3, x);
    case INLAY_ROLE_COUNT:
        x[0] = rng_in(random, 0, 3);
        return 1;
    case INLAY_ROLE_ORDER:
        return draw_order(r, x);
    case INLAY_ROLE_BATCH:
    case INLAY_ROLE_POSITION:
        x[0] = rng_in(random, 0, 1);
        return 1;
    case INLAY_ROLE_MARGINS:
        return each_axis(r, -1, 2, x);
    case INLAY_ROLE_PLACES:
        return draw_axes(r, x);
    default:
        return -1;
    }
}

/* Makes an operand of a list of N elements: flat, or as rows whose length is the rank of data, or
 * with one more axis; a single element may be a scalar. */
static inlay_value *list_operand(struct row *r, inlay_role role, int n, const int64_t *x)
{
    int64_t dims[2] = {n, 1};
    int rank = n == 1 && rng_one_in(&r->g->r, 2) ? 0 : 1;

    if (role == INLAY_ROLE_TUPLES || (role == INLAY_ROLE_INDICES && rng_one_in(&r->g->r, 4)))
        rank = 2;
    return gen_ints_of(r->g, rank, dims, x);
}

/* ---- values ---- */

/* Makes a new value with these dims, constant or not. */
static gen_value fresh(generator *g, int rank, const int64_t *dims)
{
    gen_value v = {.rank = rank};
    bool input = gen_has_room(g) && !rng_one_in(&g->r, 3);

    memcpy(v.dims, dims, (size_t)rank * sizeof *dims);
    v.value =
        input ? gen_parameter(g, g->type, rank, dims, false, 0, 0) : gen_constant(g, rank, dims);
    return v;
}

/* Makes a new value with any dims, all small. */
static gen_value of_any_dims(generator *g)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 5, 8};
    int64_t dims[INLAY_MAX_RANK];
    int rank = (int)rng_in(&g->r, 0, 5);

    for (int i = 0; i < rank; i++)
        dims[i] = sizes[rng_in(&g->r, rng_one_in(&g->r, 8) ? 0 : 1, rank > 3 ? 3 : 5)];
    return fresh(g, rank, dims);
}

/* Makes a value whose dims are made from those of data: the same, some replaced by 1, the last few
 * of them, or only one. */
static gen_value like_data(struct row *r)
{
    generator *g = r->g;
    int64_t dims[INLAY_MAX_RANK];
    int how = (int)rng_in(&g->r, 0, 5), rank = r->data.rank, from = 0;
    gen_value same;

    memcpy(dims, r->data.dims, sizeof dims);
    if (how == 0) {
        for (int i = 0; i < rank; i++)
            dims[i] = rng_one_in(&g->r, 2) ? 1 : dims[i];
    } else if (how == 1 && rank > 0) {
        from = (int)rng_in(&g->r, 0, rank);
    } else if (how == 2 && rank > 0) {
        from = rank - 1;
        dims[from] = dims[any_axis(r)];
    }
    if (gen_same_dims(g, rank - from, dims + from, &same))
        return same;
    return fresh(g, rank - from, dims + from);
}

static gen_value draw_value(struct row *r)
{
    int how = (int)rng_in(&r->g->r, 0, 9);

    if (r->has_data && how < 6)
        return like_data(r);
    return how < 8 ? gen_any(r->g) : of_any_dims(r->g);
}

/* ---- the node ---- */

/* Returns false if no such operand can be made. */
static bool add_operand(struct row *r, const inlay_operand_info *info)
{
    inlay_type type = type_of(r, info);
    int64_t x[MAX_LIST];
    int n = draw_list(r, info->role, x);
    gen_value v;

    if (type == INLAY_DYNAMIC || r->n_in == MAX_OPERANDS)
        return false;
    if (n >= 0 && !inlay_type_is_float(type)) {
        r->in[r->n_in] = as(r->g, list_operand(r, info->role, n, x), type);
        return r->in[r->n_in++];
    }
    v = draw_value(r);
    if (!r->has_data)
        r->data = v;
    r->has_data = true;
    r->in[r->n_in] = as(r->g, v.value, type);
    return r->in[r->n_in++];
}

/* Makes a constant with elements that operands.def allows. */
static inlay_value *fitting_numbers(struct row *r, const gen_fit_operand *o, inlay_type type)
{
    generator *g = r->g;
    inlay_tensor *t = inlay_tensor_new(type, o->rank, o->dims);
    inlay_value *v = NULL;

    for (int64_t i = 0; t && i < inlay_tensor_count(t); i++)
        inlay_tensor_set_f64(t, i,
                             (double)(o->bounded ? rng_in(&g->r, o->lo, o->hi)
                                                 : o->listed[i < o->n_listed ? i : 0]));
    if (t)
        v = inlay_build_const(g->graph, "c", t, g->diags);
    inlay_tensor_release(t);
    g->failed = g->failed || !v;
    return v;
}

static bool add_fitting(struct row *r, const inlay_operand_info *info, const gen_fit_operand *o)
{
    const inlay_type type = type_of(r, info);
    gen_value v;

    if (type == INLAY_DYNAMIC || r->n_in == MAX_OPERANDS)
        return false;
    if (o->bounded || o->n_listed > 0) {
        r->in[r->n_in] = fitting_numbers(r, o, type);
        return r->in[r->n_in++];
    }
    if (!gen_same_dims(r->g, o->rank, o->dims, &v))
        v = fresh(r->g, o->rank, o->dims);
    r->in[r->n_in] = as(r->g, v.value, type);
    return r->in[r->n_in++];
}

static bool add_fitting_operands(struct row *r)
{
    const inlay_op *op = r->op;
    gen_fit_operand o;

    for (int i = 0; gen_fit_next(&r->fit, &o) && (i < op->n_in || op->variadic_in); i++) {
        const inlay_operand_info *info = inlay_op_operand_info(op, i);

        if (o.optional && r->n_in < MAX_OPERANDS && (info->optional || i >= op->min_in) &&
            rng_one_in(&r->g->r, 2))
            r->in[r->n_in++] = NULL;
        else if (!add_fitting(r, info, &o))
            return false;
    }
    return true;
}

static bool add_drawn_operands(struct row *r)
{
    const inlay_op *op = r->op;
    int more = op->variadic_in ? (int)rng_in(&r->g->r, 0, 2) : 0;

    for (int i = 0; i < op->n_in; i++) {
        if (op->in[i].optional && rng_one_in(&r->g->r, 2)) {
            if (r->n_in == MAX_OPERANDS)
                return false;
            r->in[r->n_in++] = NULL;
        } else if (!add_operand(r, &op->in[i])) {
            return false;
        }
    }
    for (; more > 0; more--) {
        if (!add_operand(r, &op->in[op->n_in - 1]))
            return false;
    }
    return true;
}

static bool add_operands(struct row *r)
{
    r->fits = gen_fit_begin(r->g, r->op, &r->fit);
    if (!(r->fits ? add_fitting_operands : add_drawn_operands)(r))
        return false;
    while (r->n_in > r->op->min_in && !r->in[r->n_in - 1])
        r->n_in--;
    return !r->g->failed;
}

static void add_list(struct row *r, inlay_role role, char *text, size_t size)
{
    int64_t x[MAX_LIST];
    int n = draw_list(r, role, x);

    if (n < 0) { /* mostly for the axes after those of batch and channels */
        n = r->data.rank > 2 && !rng_one_in(&r->g->r, 4) ? r->data.rank - 2
                                                         : (int)rng_in(&r->g->r, 1, 3);
        for (int i = 0; i < n; i++)
            x[i] = rng_in(&r->g->r, rng_one_in(&r->g->r, 4) ? 0 : 1, 2);
    }
    for (int i = 0; i < n; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s%lld", i ? "," : "", (long long)x[i]);
}

static const char *any_name(generator *g, const char *const *allowed)
{
    int n = 0;

    while (allowed[n])
        n++;
    return allowed[rng_in(&g->r, 0, n - 1)];
}

static inlay_role role_of(const inlay_op *op, int attr)
{
    for (int role = 1; op->attr_of && role < INLAY_N_ROLES; role++) {
        if (op->attr_of[role] == attr)
            return (inlay_role)role;
    }
    return INLAY_ROLE_NONE;
}

/* Writes attribute I as text; "" if it is left out. */
static void attr_text(struct row *r, int i, char *text, size_t size)
{
    static const inlay_type types[] = {INLAY_I64, INLAY_I32, INLAY_F32, INLAY_F16, INLAY_BOOLEAN};
    static const char *const floats[] = {"0.5", "1", "2", "0", "-1"};
    const inlay_attr_info *a = &r->op->attrs[i];
    rng *random = &r->g->r;
    int64_t x[MAX_LIST];

    *text = '\0';
    switch (a->kind) {
    case INLAY_ATTR_BOOL:
        snprintf(text, size, "%s", rng_one_in(random, 2) ? "true" : "false");
        return;
    case INLAY_ATTR_INT:
        x[0] = rng_in(random, 0, 3);
        draw_list(r, role_of(r->op, i), x);
        snprintf(text, size, "%lld", (long long)x[0]);
        return;
    case INLAY_ATTR_FLOAT:
    case INLAY_ATTR_NUMBER:
        snprintf(text, size, "%s", floats[rng_in(random, 0, 4)]);
        return;
    case INLAY_ATTR_ENUM:
        snprintf(text, size, "%s", any_name(r->g, a->allowed));
        return;
    case INLAY_ATTR_TYPE:
        snprintf(text, size, "%s", inlay_type_info_of(types[rng_in(random, 0, 4)])->name);
        return;
    case INLAY_ATTR_INTS:
        add_list(r, role_of(r->op, i), text, size);
        return;
    default:
        return;
    }
}

/* Sets the attributes of N. All are drawn even after one was refused, because the numbers drawn
 * later must not depend on that. */
static bool set_attrs(struct row *r, inlay_node *n)
{
    char value[200];
    bool ok = true;

    for (int i = 0; i < r->op->n_attrs; i++) {
        if (!r->fits || !gen_fit_attribute(&r->fit, r->op->attrs[i].name, value, sizeof value)) {
            if (!r->op->attrs[i].required && !rng_one_in(&r->g->r, 3))
                continue;
            attr_text(r, i, value, sizeof value);
        }
        ok = (!*value || inlay_node_set_attr_text(n, i, value, NULL)) && ok;
    }
    return ok;
}

/* Whether an operand or a result of OP is items, which no number can be made to. */
static bool has_items(const inlay_op *op)
{
    bool has = false;

    for (int i = 0; i < op->n_in; i++)
        has = has || op->in[i].types == (inlay_type_set)1 << INLAY_ITEM;
    for (int i = 0; i < op->n_out; i++)
        has = has || op->out[i].types == (inlay_type_set)1 << INLAY_ITEM;
    return has;
}

/* Whether OP can be used in any graph, with operands made from numbers. */
static bool suits(const generator *g, const inlay_op *op, int n_in)
{
    const unsigned never = INLAY_SINK | INLAY_EFFECT | INLAY_STAND_IN | INLAY_HAS_BODY;

    return (n_in < 0 || op->n_in == n_in) && op->min_in > 0 && op->n_in <= MAX_OPERANDS &&
           op->eval && !(op->flags & never) && !has_items(op) && gen_allows_row(g, op);
}

/* Removes the nodes made after LAST. */
static void undo(generator *g, const inlay_node *last)
{
    while (g->graph->last != last && inlay_node_remove(g->graph->last, NULL))
        ;
}

/* Adds V to the pool if the other values can be combined with it: it has their type and a known,
 * moderate size. */
static void keep(generator *g, inlay_value *v)
{
    int64_t dims[INLAY_MAX_RANK], n = 1;
    bool number = v->fact.type != INLAY_STRING && v->fact.type != INLAY_C64 &&
                  v->fact.type != INLAY_C128 && v->fact.type != INLAY_DYNAMIC;

    if (!number || !inlay_fact_dims(&v->fact, dims)) {
        if (g->graph->n_results < 4 && !g->inner)
            g->failed = !inlay_build_result(g->graph, "r", v, g->diags);
        return;
    }
    for (int i = 0; i < v->fact.rank && n <= LARGEST; i++)
        n *= dims[i];
    if (n <= LARGEST && (v->fact.type == g->type || gen_allows(g, "Convert")))
        gen_add(g, as(g, v, g->type), v->fact.rank, dims);
}

/* Adds the node with R's operands and new attributes. */
static bool add_node(struct row *r)
{
    generator *g = r->g;
    inlay_node *n = inlay_build_row(g->graph, r->op->name, r->op, r->in, r->n_in, NULL);

    n = n ? inlay_build_end(n, set_attrs(r, n), NULL) : NULL;
    for (int i = 0; n && i < n->n_out && !g->failed; i++)
        keep(g, &n->out[i]);
    return n;
}

/* Adds nearly the same node again: with other attributes, or with two operands exchanged. */
static void add_twin(struct row *r)
{
    inlay_value *first = r->in[0];

    if (r->n_in > 1 && r->in[1] && rng_one_in(&r->g->r, 2)) {
        r->in[0] = r->in[1];
        r->in[1] = first;
    }
    add_node(r);
}

/* Attempts to build a node of OP. */
static bool build(generator *g, const inlay_op *op)
{
    struct row r = {.g = g, .op = op};
    const inlay_node *last = g->graph->last;
    bool done = add_operands(&r) && add_node(&r);

    if (!done)
        undo(g, last);
    else if (!g->failed && rng_one_in(&g->r, 4))
        add_twin(&r);
    return done;
}

void gen_row(generator *g)
{
    const inlay_op *op = gen_draw_row(g, suits, -1);
    bool done = !op;

    for (int i = 0; i < ATTEMPTS && !done && !g->failed; i++)
        done = build(g, op);
}
