/* Searches integers for shapes, axes and indices among invented weights (made.h).
 *
 * Nodes are inferred in order. Each constant with several candidates begins with the first one.
 * When a rule refuses its operands, or its result contradicts the ports, the last such constant on
 * which the node depends takes its next candidate, the constants after it begin again, and
 * inference goes back to the first node that reads it (backtracking). */
#include "parser/openvino/made.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_CANDIDATES = 192,
    MAX_ASKED = 1 << 17 /* how often rules are asked at one level; the facts that each finds stay in
                           the graph's arena */
};

/* What a node must agree with, from the least to the most strict. A file may be wrong about a port,
 * so less strict levels are tried, too. */
typedef enum level {
    RULES, /* its shape rule accepts it */
    PORTS, /* no port contradicts the result */
    OPEN,  /* in addition, where a constant was chosen, a size that the port leaves open is unknown
              */
    N_LEVELS
} level;

/* A constant whose elements are searched, in the order in which nodes need them. */
struct chosen {
    ov_choice *choice;
    int64_t *candidates; /* several arrays of choice->count numbers */
    size_t n, now;
    size_t first; /* where inference begins again after a change */
};

struct search {
    ov_reader *r;
    const ov_net *net;
    inlay_order_list order;
    size_t *place; /* by node id: its position in the order */
    bool *direct;  /* by position: whether the node, or its body, reads such a constant */
    bool *touched; /* by position: whether the node depends on one */
    bool *past;    /* by position: whether the node that failed depends on it */
    struct chosen *chosen;
    size_t n_chosen, asked;
    level level;
    size_t furthest; /* the largest position that was reached */
    inlay_diags *said;
};

static size_t place_of(const struct search *s, const inlay_node *n)
{
    while (n->graph->owner)
        n = n->graph->owner;
    return s->place[n->id];
}

/* Candidates */

static bool fits_type(inlay_type type, int64_t x)
{
    const inlay_type_info *info = inlay_type_info_of(type);
    int bits = info->cls == INLAY_CLASS_SIGNED ? info->bits - 1 : info->bits;

    if (x < 0)
        return info->cls == INLAY_CLASS_SIGNED && (bits >= 63 || x >= -(INT64_C(1) << bits));
    return bits >= 63 || x < INT64_C(1) << bits;
}

static void add(struct chosen *c, const int64_t *values)
{
    size_t count = (size_t)c->choice->count, bytes = count * sizeof *values;

    for (size_t i = 0; i < count; i++) {
        if (!fits_type(c->choice->type, values[i]))
            return;
    }
    for (size_t k = 0; k < c->n; k++) {
        if (memcmp(c->candidates + k * count, values, bytes) == 0)
            return;
    }
    if (c->n < MAX_CANDIDATES)
        memcpy(c->candidates + c->n++ * count, values, bytes);
}

static void add_all_equal(struct chosen *c, int64_t x)
{
    int64_t values[16];

    for (int64_t i = 0; i < c->choice->count; i++)
        values[i] = x;
    add(c, values);
}

/* Adds the numbers X, X + 1, ... */
static void add_run(struct chosen *c, int64_t x)
{
    int64_t values[16];

    for (int64_t i = 0; i < c->choice->count; i++)
        values[i] = x + i;
    add(c, values);
}

/* Adds the sizes of a port as the operand of a Reshape: for open sizes, -1 for the last one and 0
 * (as in the data) for the others. */
static void add_shape(struct chosen *c, const ov_port *p)
{
    int64_t values[16];
    bool open = false;

    if (p->n_dims != c->choice->count)
        return;
    memcpy(values, p->dims, (size_t)p->n_dims * sizeof *values);
    add(c, values);
    for (int i = p->n_dims - 1; i >= 0; i--) {
        if (values[i] < 0 && open)
            values[i] = 0;
        open = open || p->dims[i] < 0;
    }
    add(c, values);
}

static void swap(int64_t *a, int i, int k)
{
    int64_t x = a[i];

    a[i] = a[k];
    a[k] = x;
}

/* Makes A, N numbers, the next permutation in lexicographic order; false after the last (Knuth, The
 * Art of Computer Programming, 7.2.1.2, algorithm L). */
static bool next_order(int64_t *a, int n)
{
    int j = n - 2, k = n - 1;

    while (j >= 0 && a[j] >= a[j + 1])
        j--;
    if (j < 0)
        return false;
    while (a[k] <= a[j])
        k--;
    swap(a, j, k);
    for (int low = j + 1, high = n - 1; low < high; low++, high--)
        swap(a, low, high);
    return true;
}

static void add_orders(struct chosen *c)
{
    int64_t a[16];
    int n = (int)c->choice->count;

    for (int i = 0; i < n; i++)
        a[i] = i;
    do {
        add(c, a);
    } while (c->n < MAX_CANDIDATES && next_order(a, n));
}

/* Adds the candidates that follow from the role of operand U of its node. */
static void add_by_role(struct chosen *c, const inlay_use *u, const ov_layer *reader)
{
    const inlay_op *op = u->node->op;
    int last = op->n_in - 1, i = u->index < last ? u->index : last;
    inlay_role role = i < 0 ? INLAY_ROLE_NONE : op->in[i].role;

    if (role == INLAY_ROLE_SHAPE) {
        for (const ov_port *p = reader->out.first; p; p = p->next)
            add_shape(c, p);
    } else if (role == INLAY_ROLE_ORDER) {
        add_orders(c);
    } else if (role == INLAY_ROLE_AXES && c->choice->count > 1) {
        for (int64_t x = 0; x < 5; x++)
            add_run(c, x);
        add_run(c, -c->choice->count);
    } else if (u->index == op->faults) {
        add_all_equal(c, 1); /* for a divisor */
    }
}

static void add_sizes(struct chosen *c, const ov_layer *l)
{
    for (const ov_port *p = l->out.first; p; p = p->next) {
        add_shape(c, p);
        for (int k = 0; k < p->n_dims; k++)
            add_all_equal(c, p->dims[k]);
    }
}

/* Adds the sizes of the node's ports: the constant may be a bound, a count or a part of a shape. */
static void add_by_sizes(struct chosen *c, const ov_layer *reader, const inlay_node *n)
{
    add_sizes(c, reader);
    for (int i = 0; i < n->n_in; i++) {
        if (n->in[i].value)
            add_sizes(c, ov_find_layer(reader->net, n->in[i].value->node->place));
    }
}

static void add_for_readers(struct chosen *c, bool by_role)
{
    for (const ov_choice_use *u = c->choice->uses; u; u = u->next) {
        for (const inlay_use *x = u->layer->made.node->out[0].uses; x; x = x->next) {
            const ov_layer *reader = ov_find_layer(u->layer->net, x->node->place);

            if (by_role)
                add_by_role(c, x, reader);
            else
                add_by_sizes(c, reader, x->node);
        }
    }
}

static void list_candidates(struct chosen *c)
{
    static const int64_t likely[] = {0, 1, -1, 2, 3, 4, 5, 6, 7, -2, -3, -4, INT32_MAX};

    if (c->choice->type == INLAY_BOOLEAN) {
        add_all_equal(c, 1); /* a loop's condition to continue */
        add_all_equal(c, 0);
        return;
    }
    add_for_readers(c, true);
    for (size_t i = 0; i < sizeof likely / sizeof likely[0]; i++)
        add_all_equal(c, likely[i]);
    add_for_readers(c, false);
    for (const ov_layer *l = c->choice->uses->layer->net->first; l; l = l->next)
        add_sizes(c, l);
}

/* The search */

static void put(const struct chosen *c)
{
    const int64_t *values = c->candidates + c->now * (size_t)c->choice->count;

    for (const ov_choice_use *u = c->choice->uses; u; u = u->next) {
        for (int64_t i = 0; i < c->choice->count; i++)
            inlay_tensor_set_i64(u->tensor, i, values[i]);
    }
}

static bool is_accepted(struct search *s, size_t i)
{
    inlay_node *n = s->order.nodes[i];
    const ov_layer *l = ov_find_layer(s->net, n->place);

    s->asked++;
    inlay_diags_clear(s->said);
    if (!inlay_check_node(n, s->said) || !inlay_infer_node(n, s->said))
        return false;
    return s->level == RULES || !s->touched[i] ||
           ov_ports_agree(l, s->level == OPEN && s->direct[i]);
}

/* Marks the positions on which the one at I depends. */
static void find_past(struct search *s, size_t i)
{
    memset(s->past, 0, s->order.n * sizeof *s->past);
    s->past[i] = true;
    for (size_t k = i + 1; k-- > 0;) {
        const inlay_node *n = s->order.nodes[k];

        for (int j = 0; s->past[k] && j < n->n_in; j++) {
            if (n->in[j].value)
                s->past[s->place[n->in[j].value->node->id]] = true;
        }
    }
}

static bool is_in_past(const struct search *s, const struct chosen *c)
{
    for (const ov_choice_use *u = c->choice->uses; u; u = u->next) {
        if (s->past[place_of(s, u->layer->made.node)])
            return true;
    }
    return false;
}

/* Takes another candidate for a constant on which the node at *I depends; *I becomes the position
 * to continue from. */
static bool change(struct search *s, size_t *i)
{
    size_t k = s->n_chosen;

    find_past(s, *i);
    while (k-- > 0) {
        struct chosen *c = &s->chosen[k];

        if (is_in_past(s, c) && c->first <= *i && c->now + 1 < c->n) {
            c->now++;
            put(c);
            *i = c->first;
            return true;
        }
        if (c->now > 0) {
            c->now = 0;
            put(c);
        }
    }
    return false;
}

static bool search_level(struct search *s, level at)
{
    s->level = at;
    s->asked = 0;
    s->furthest = 0;
    for (size_t k = 0; k < s->n_chosen; k++) {
        s->chosen[k].now = 0;
        put(&s->chosen[k]);
    }
    for (size_t i = 0; i < s->order.n && s->asked < MAX_ASKED;) {
        if (is_accepted(s, i)) {
            if (++i == s->order.n)
                return true;
            continue;
        }
        s->furthest = i > s->furthest ? i : s->furthest;
        if (inlay_diags_status(s->said) == INLAY_NO_RESOURCE || !change(s, &i))
            return false;
    }
    return s->order.n == 0;
}

/* Marks the nodes that read such constants. */
static void mark_readers(struct search *s)
{
    for (size_t k = 0; k < s->n_chosen; k++) {
        for (const ov_choice_use *u = s->chosen[k].choice->uses; u; u = u->next) {
            for (const inlay_use *x = u->layer->made.node->out[0].uses; x; x = x->next)
                s->direct[place_of(s, x->node)] = true;
        }
    }
    for (size_t i = 0; i < s->order.n; i++) {
        const inlay_node *n = s->order.nodes[i];

        s->touched[i] = s->direct[i];
        for (int j = 0; j < n->n_in; j++) {
            if (n->in[j].value && s->touched[s->place[n->in[j].value->node->id]])
                s->touched[i] = true;
        }
    }
}

static size_t first_place(const struct search *s, const ov_choice *c)
{
    size_t first = SIZE_MAX;

    for (const ov_choice_use *u = c->uses; u; u = u->next) {
        size_t at = place_of(s, u->layer->made.node);

        first = at < first ? at : first;
    }
    return first;
}

/* Inserts C into the list, which is sorted by the first position that reads it. */
static bool insert_choice(struct search *s, ov_choice *c)
{
    size_t k = s->n_chosen++, bytes = (size_t)c->count * sizeof(int64_t);
    struct chosen new = {.choice = c, .first = first_place(s, c)};

    new.candidates = inlay_arena_array(s->r->a.scratch, MAX_CANDIDATES, bytes);
    if (!new.candidates)
        return inlay_fail_memory(s->r->a.d);
    list_candidates(&new);
    for (; k > 0 && s->chosen[k - 1].first > new.first; k--)
        s->chosen[k] = s->chosen[k - 1];
    s->chosen[k] = new;
    return true;
}

static bool begin(struct search *s)
{
    inlay_arena *scratch = s->r->a.scratch;
    size_t n = s->order.n, choices = 0;

    for (const ov_choice *c = s->r->choices; c; c = c->next)
        choices++;
    s->place = inlay_arena_array(scratch, s->r->a.graph->next_id, sizeof *s->place);
    s->direct = inlay_arena_array(scratch, n, sizeof *s->direct);
    s->touched = inlay_arena_array(scratch, n, sizeof *s->touched);
    s->past = inlay_arena_array(scratch, n, sizeof *s->past);
    s->chosen = inlay_arena_array(scratch, choices, sizeof *s->chosen);
    if (!s->place || !s->direct || !s->touched || !s->past || !s->chosen)
        return inlay_fail_memory(s->r->a.d);
    for (size_t i = 0; i < n; i++)
        s->place[s->order.nodes[i]->id] = i;
    for (ov_choice *c = s->r->choices; c; c = c->next) {
        if (!insert_choice(s, c))
            return false;
    }
    mark_readers(s);
    return true;
}

static bool fail_search(const struct search *s)
{
    const inlay_node *n = s->order.nodes[s->furthest];
    const inlay_diag *why = inlay_diags_error(s->said);

    if (inlay_diags_status(s->said) == INLAY_NO_RESOURCE)
        return inlay_fail_resource(s->r->a.d, NULL, "%s", why->text);
    return inlay_fail_node(s->r->a.d, n,
                           "weights cannot be made up: it depends on integers that say a shape, an "
                           "axis or a place, and none were found that the shape rules accept");
}

/* Warns which weights are not random but chosen. */
static void warn_chosen(const struct search *s)
{
    char others[48] = "";

    if (s->n_chosen == 0)
        return;
    if (s->n_chosen > 1)
        snprintf(others, sizeof others, " and %zu others", s->n_chosen - 1);
    inlay_warn_node(s->r->a.d, s->chosen[0].choice->uses->layer->made.node,
                    "the weights are made up; integers may be shapes, axes or places: so this "
                    "constant%s %s chosen so that shapes are those of the ports%s",
                    others, s->n_chosen > 1 ? "were" : "was",
                    s->level == OPEN ? "" : ", as far as that was possible");
}

static bool search_all(struct search *s)
{
    int at = N_LEVELS;

    if (!begin(s))
        return false;
    while (at-- > 0) {
        if (search_level(s, (level)at)) {
            warn_chosen(s);
            return true;
        }
        find_past(s, s->furthest);
        if (!s->touched[s->furthest])
            return true; /* no choice helps: inference reports what is wrong */
    }
    return fail_search(s);
}

bool ov_choose(ov_reader *r, const ov_net *net)
{
    struct search s = {.r = r, .net = net};
    bool ok = inlay_order(r->a.graph, true, &s.order, r->a.d);

    s.said = inlay_diags_new();
    if (ok && !s.said)
        ok = inlay_fail_memory(r->a.d);
    ok = ok && search_all(&s);
    inlay_order_free(&s.order);
    inlay_diags_free(s.said);
    return ok;
}
