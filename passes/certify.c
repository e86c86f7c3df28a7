/* Certificates: each application as the nodes that went, came and read others by it
 * (check/README.md has the form). Edits tell which nodes they change, so an application costs what
 * it changes, whatever the size of the graph. */
#include "ir/base/table.h"
#include "ir/shared.h"
#include "passes/passes.h"

#include <inttypes.h>
#include <string.h>

/* An operand by what it was called. Names lie in the graph's arena and are never changed there. */
struct operand {
    const char *name; /* NULL: absent */
    int index;        /* -1: the only output */
};

/* A node as it was before the first edit since the last step. */
struct touched {
    const inlay_node *node;
    UT_hash_handle hh;
    bool made;        /* since then */
    bool follows;     /* a node before this step had the name that it has now */
    bool owner;       /* its body changed at its rim, and so did its port map */
    const char *name; /* what it was called */
    uint64_t says;    /* hash of operation and attributes */
    int n_in, n_out;
    struct operand in[];
};

/* A name whose node went without another one in its place. */
struct gone {
    UT_hash_handle hh;
    const char *name;
};

/* The texts of the graph before and after have the same large constants, which a graph keeps. */
struct hashed {
    const inlay_tensor *tensor;
    UT_hash_handle hh;
    uint64_t hash;
};

struct inlay_certificate {
    inlay_graph *graph;
    const inlay_sink *to;
    inlay_watcher watcher;
    struct touched *touched; /* by node, in the order of the first edits */
    struct gone *gone;
    struct hashed *hashed;
    uint64_t serial; /* of the last step */
    bool failed;     /* out of memory within an edit */
    bool full;       /* constants are written with all elements */
    inlay_strbuf edits, text;
};

/* What is remembered of N in this step; NULL: nothing. */
static struct touched *find(const inlay_certificate *c, const inlay_node *n)
{
    struct touched *t;

    HASH_FIND_PTR(c->touched, &n, t);
    return t;
}

static struct operand operand_of(const inlay_use *u)
{
    const inlay_value *v = u->value;

    if (!v)
        return (struct operand){NULL, -1};
    return (struct operand){v->node->name, v->node->n_out > 1 ? v->index : -1};
}

static uint64_t hash_of(const inlay_node *n)
{
    uint64_t h = inlay_hash_join((uintptr_t)n->op, (uintptr_t)n->extra);

    for (int i = 0; i < n->n_bodies; i++) {
        const inlay_body *b = &n->bodies[i];

        h = inlay_hash_join(h, inlay_hash(b->in, (size_t)b->n_in * sizeof *b->in));
        h = inlay_hash_join(h, inlay_hash(b->out, (size_t)b->n_out * sizeof *b->out));
        h = inlay_hash_join(h, inlay_hash(b->back, (size_t)b->n_back * sizeof *b->back));
    }
    return inlay_hash_join(h, inlay_hash(n->attrs, (size_t)n->op->n_attrs * sizeof *n->attrs));
}

static void remember(inlay_certificate *c, const inlay_node *n, bool made)
{
    bool table_oom = false;
    inlay_budget *table_budget = inlay_graph_budget(c->graph);
    size_t size = sizeof(struct touched) + (size_t)n->n_in * sizeof(struct operand);
    struct touched *t = find(c, n) ? NULL : inlay_take(table_budget, 1, size);

    if (!t) {
        c->failed = c->failed || !find(c, n);
        return;
    }
    *t = (struct touched){.node = n,
                          .made = made,
                          .name = n->name,
                          .says = hash_of(n),
                          .n_in = n->n_in,
                          .n_out = n->n_out};
    for (int i = 0; i < n->n_in; i++)
        t->in[i] = operand_of(&n->in[i]);
    HASH_ADD_PTR(c->touched, node, t);
    if (table_oom) {
        c->failed = true;
        inlay_give(t);
    }
}

/* The rim of a body is written together with the port map of its node. */
static bool is_rim(const inlay_node *n)
{
    return n->graph->owner &&
           (inlay_node_is(n, INLAY_OP_PARAMETER) || inlay_node_is(n, INLAY_OP_RESULT));
}

static void edits(void *ctx, inlay_node *n, bool made)
{
    inlay_certificate *c = ctx;
    inlay_node *owner = n->graph->owner;

    remember(c, n, made);
    if (!is_rim(n))
        return;
    remember(c, owner, false);
    if (!c->failed)
        find(c, owner)->owner = true;
}

static uint64_t *hash_kept(void *ctx, const inlay_tensor *t)
{
    inlay_certificate *c = ctx;
    bool table_oom = false;
    inlay_budget *table_budget = inlay_graph_budget(c->graph);
    struct hashed *h;

    HASH_FIND_PTR(c->hashed, &t, h);
    if (h)
        return &h->hash;
    h = inlay_take(table_budget, 1, sizeof *h);
    if (!h)
        return NULL;
    *h = (struct hashed){.tensor = t};
    HASH_ADD_PTR(c->hashed, tensor, h);
    if (!table_oom)
        return &h->hash;
    inlay_give(h);
    return NULL;
}

static bool is_in_graph(const inlay_node *n)
{
    return inlay_graph_node(n->graph, n->name) == n;
}

/* Does operand I of the node have another name now? */
static bool reads_other(const struct touched *t, int i)
{
    struct operand old = t->in[i], now = operand_of(&t->node->in[i]);

    return !old.name != !now.name || old.index != now.index ||
           (old.name && strcmp(old.name, now.name) != 0);
}

static bool is_redefined(const struct touched *t)
{
    const inlay_node *n = t->node;

    return t->owner || strcmp(t->name, n->name) != 0 || t->says != hash_of(n) ||
           t->n_in != n->n_in || t->n_out != n->n_out;
}

/* What stands in a body of a node that is written as a whole is written there. */
static bool is_written_within(const inlay_certificate *c, const inlay_graph *g)
{
    for (const inlay_node *n = g->owner; n; n = n->graph->owner) {
        const struct touched *t = find(c, n);

        if (!is_in_graph(n) || (t && (t->made || is_redefined(t))))
            return true;
    }
    return false;
}

static void write_path(inlay_strbuf *b, const inlay_graph *g)
{
    const inlay_node *owner = g->owner;

    if (!owner)
        return;
    write_path(b, owner->graph);
    inlay_strbuf_puts(b, " ");
    inlay_print_operand(b, owner->name, -1);
    for (int i = 0; i < owner->n_bodies; i++) {
        if (owner->bodies[i].graph == g)
            inlay_strbuf_printf(b, " %d", i);
    }
}

/* `@ %y 1 %b`: operand 1 is another one. */
static void write_reads(inlay_strbuf *b, const struct touched *t)
{
    const inlay_node *n = t->node;
    bool named = false;

    for (int i = 0; i < n->n_in; i++) {
        struct operand now = operand_of(&n->in[i]);

        if (!reads_other(t, i))
            continue;
        if (!named) {
            inlay_strbuf_puts(b, "@ ");
            inlay_print_operand(b, n->name, -1);
        }
        named = true;
        inlay_strbuf_printf(b, " %d ", i);
        if (now.name)
            inlay_print_operand(b, now.name, now.index);
        else
            inlay_strbuf_puts(b, "none");
    }
    inlay_strbuf_puts(b, named ? "\n" : "");
}

/* The node that is written under the name that T had; NULL: none is. */
static struct touched *successor_of(const inlay_certificate *c, const struct touched *t)
{
    const inlay_node *n = inlay_graph_node(t->node->graph, t->name);
    struct touched *now = n ? find(c, n) : NULL;

    return now && (now->made || is_redefined(now)) ? now : NULL;
}

/* Which names go, and which stay with another node. */
static void follow_names(inlay_certificate *c)
{
    bool table_oom = false;
    inlay_budget *table_budget = inlay_graph_budget(c->graph);

    for (const struct touched *t = c->touched; t; t = t->hh.next) {
        struct touched *now = successor_of(c, t);
        struct gone *g = NULL;

        if (t->made)
            continue;
        if (now)
            now->follows = true;
        else
            HASH_FIND_STR(c->gone, t->name, g);
        if (now || g || (is_in_graph(t->node) && strcmp(t->name, t->node->name) == 0))
            continue;
        g = inlay_take(table_budget, 1, sizeof *g);
        if (g) {
            g->name = t->name;
            HASH_ADD_KEYPTR(hh, c->gone, g->name, strlen(g->name), g);
        }
        if (!g || table_oom) {
            c->failed = true;
            inlay_give(g);
            return;
        }
    }
}

static bool write_node(inlay_certificate *c, const struct touched *t, inlay_diags *d)
{
    const inlay_node *n = t->node;
    bool there = is_in_graph(n);
    struct gone *g;

    if (there && (t->made || is_redefined(t))) {
        HASH_FIND_STR(c->gone, n->name, g);
        inlay_strbuf_puts(&c->edits, g && !t->follows ? "* " : "+ ");
        return inlay_print_bare(n, c->full, &c->edits, d);
    }
    if (there)
        write_reads(&c->edits, t);
    return true;
}

/* A node that has another name now is read by others under that name. */
static void touch_readers(inlay_certificate *c)
{
    for (const struct touched *t = c->touched; t; t = t->hh.next) {
        const inlay_node *node = t->node;

        if (t->made || !is_in_graph(node) || strcmp(t->name, node->name) == 0)
            continue;
        for (int k = 0; k < node->n_out; k++) {
            for (const inlay_use *u = node->out[k].uses; u; u = u->next)
                remember(c, u->node, false);
        }
    }
}

static bool write_edits(inlay_certificate *c, inlay_diags *d)
{
    const inlay_graph *now = c->graph;

    touch_readers(c);
    follow_names(c);
    if (c->failed)
        return inlay_fail_memory(d);
    c->edits.n = 0;
    for (const struct touched *t = c->touched; t; t = t->hh.next) {
        const inlay_graph *g = t->node->graph;
        size_t before = c->edits.n, had;

        if (is_written_within(c, g))
            continue;
        if (g != now) {
            inlay_strbuf_puts(&c->edits, "graph");
            write_path(&c->edits, g);
            inlay_strbuf_puts(&c->edits, "\n");
        }
        had = c->edits.n;
        if (!write_node(c, t, d))
            return false;
        if (c->edits.n == had)
            c->edits.n = before;
        else
            now = g;
    }
    return !c->edits.failed || inlay_fail_memory(d);
}

/* What goes without saying is not said: a number by one more than the last, the set of rules that
 * the pass applies, and of which node, if the edits are of it. */
static void write_head(inlay_certificate *c, const inlay_event *e)
{
    const inlay_application *a = e && e->kind == INLAY_EVENT_APPLIED ? e->as.application : NULL;
    const char *from = a ? inlay_node_provenance(a->at).name : NULL;
    const inlay_node *n = from ? inlay_graph_node(a->at->graph, from) : NULL;
    inlay_strbuf *b = &c->text;

    b->n = 0;
    inlay_strbuf_puts(b, "step ");
    if (a && a->serial != c->serial + 1)
        inlay_strbuf_printf(b, "%" PRIu64 " ", a->serial);
    c->serial = a ? a->serial : c->serial + 1;
    inlay_print_operand(b, e ? e->pass : "none", -1);
    if (a && a->rule) {
        inlay_strbuf_puts(b, " rule ");
        inlay_print_operand(b, a->rule->name, -1);
    }
    if (a && a->rule && strcmp(a->rule->set, e->pass) != 0) {
        inlay_strbuf_puts(b, " of ");
        inlay_print_operand(b, a->rule->set, -1);
    }
    if (from && a->rule && !(n && find(c, n))) {
        inlay_strbuf_puts(b, " from ");
        inlay_print_operand(b, from, -1);
    }
    inlay_strbuf_puts(b, "\n");
}

static bool put(const inlay_certificate *c, const inlay_strbuf *b, inlay_diags *d)
{
    if (b->failed)
        return inlay_fail_memory(d);
    return b->n == 0 || inlay_sink_write(c->to, b->bytes, b->n, "the certificate", d);
}

static void forget(inlay_certificate *c)
{
    struct touched *list = c->touched;

    HASH_CLEAR(hh, c->touched);
    while (list) {
        struct touched *next = list->hh.next;

        inlay_give(list);
        list = next;
    }
}

/* Writes what was edited since the last step as one of the application, or pass, of E. */
static bool write_step(inlay_certificate *c, const inlay_event *e, inlay_diags *d)
{
    bool ok = !c->failed || inlay_fail_memory(d);

    if (ok && c->touched && (ok = write_edits(c, d)) && c->edits.n > 0) {
        write_head(c, e);
        ok = put(c, &c->text, d) && put(c, &c->edits, d);
    }
    forget(c);
    return ok;
}

/* Are the constants of G small enough to be written with all their elements? */
static bool is_small(const inlay_graph *g)
{
    enum { LARGE = 1 << 16 };
    size_t bytes = 0;

    for (const inlay_node *n = g->first; n; n = n->next) {
        const inlay_attr *a = inlay_node_is(n, INLAY_OP_CONST) ? inlay_node_attr(n, "value") : NULL;

        bytes += a ? inlay_tensor_bytes(a->as.tensor) : 0;
    }
    return bytes <= LARGE;
}

inlay_certificate *inlay_certificate_begin(inlay_graph *g, const inlay_sink *to, inlay_diags *d)
{
    static const char head[] = "certificate 1\n";
    inlay_certificate *c;
    inlay_budget *budget;

    if (!inlay_graph_is_whole(g, d) || !inlay_sink_is_sound(to, d))
        return NULL;
    budget = inlay_graph_budget(g);
    c = inlay_take(budget, 1, sizeof *c);
    if (!c) {
        inlay_fail_memory(d);
        return NULL;
    }
    *c = (inlay_certificate){.graph = g,
                             .to = to,
                             .full = is_small(g),
                             .edits = {.budget = budget},
                             .text = {.budget = budget}};
    c->watcher = (inlay_watcher){edits, hash_kept, c};
    if (!inlay_sink_write(to, head, sizeof head - 1, "the certificate", d)) {
        inlay_give(c);
        return NULL;
    }
    inlay_graph_watch(g, &c->watcher);
    return c;
}

bool inlay_certificate_is_full(const inlay_certificate *c)
{
    return c && c->full;
}

bool inlay_certificate_told(inlay_certificate *c, const inlay_event *e, inlay_diags *d)
{
    if (inlay_is_missing(c, "certificate", d) || inlay_is_missing(e, "event", d))
        return false;
    if (e->kind != INLAY_EVENT_APPLIED && e->kind != INLAY_EVENT_PASS_ENDS)
        return true;
    return write_step(c, e, d);
}

bool inlay_certificate_end(inlay_certificate *c, inlay_diags *d)
{
    struct hashed *h;
    struct gone *gone;
    bool ok;

    if (!c)
        return true;
    ok = write_step(c, NULL, d);
    inlay_graph_watch(c->graph, NULL);
    inlay_strbuf_free(&c->edits);
    inlay_strbuf_free(&c->text);
    while ((h = c->hashed)) {
        HASH_DEL(c->hashed, h);
        inlay_give(h);
    }
    while ((gone = c->gone)) {
        HASH_DEL(c->gone, gone);
        inlay_give(gone);
    }
    inlay_give(c);
    return ok;
}
