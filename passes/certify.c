/* Certificates: each application as the nodes that went, came and read others by it
 * (check/README.md has the form). Edits tell which nodes they change, so an application costs what
 * it changes, whatever the size of the graph. */
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
    inlay_node *node;
    bool made;        /* since then */
    bool owner;       /* its body changed at its rim, and so did its port map */
    const char *name; /* what it was called; NULL: unknown */
    uint64_t says;    /* hash of operation and attributes */
    size_t first_in;  /* in the list of operands */
    int n_in, n_out;
};

struct inlay_certificate {
    inlay_graph *graph;
    const inlay_sink *to;
    inlay_watcher watcher;
    struct touched *touched;
    struct operand *operands;
    size_t n_touched, cap_touched, n_operands, cap_operands;
    uint32_t *slots; /* a hash table of touched nodes: their numbers from 1; 0: free */
    size_t n_slots;  /* a power of two, or 0 */
    bool failed;     /* out of memory within an edit */
    inlay_strbuf edits, text;
};

static bool grow(inlay_certificate *c, void *list, size_t n, size_t *cap, size_t size)
{
    void **at = list, *more;
    size_t want = *cap;

    while (want < n)
        want = want ? want * 2 : 64;
    if (want == *cap)
        return true;
    more = inlay_retake(inlay_graph_budget(c->graph), *at, want * size);
    if (!more) {
        c->failed = true;
        return false;
    }
    *at = more;
    *cap = want;
    return true;
}

/* The slot of N, or the free one where it belongs. */
static uint32_t *slot_of(const inlay_certificate *c, const inlay_node *n)
{
    size_t i = (size_t)((uintptr_t)n / sizeof(void *) * UINT64_C(0x9e3779b97f4a7c15) >> 20);

    while (c->slots[i &= c->n_slots - 1] && c->touched[c->slots[i] - 1].node != n)
        i++;
    return &c->slots[i];
}

/* What is remembered of N in this step; NULL: nothing. */
static struct touched *find(const inlay_certificate *c, const inlay_node *n)
{
    uint32_t at = c->n_slots ? *slot_of(c, n) : 0;

    return at ? &c->touched[at - 1] : NULL;
}

/* Half of the slots stay free. */
static bool add_slots(inlay_certificate *c)
{
    size_t want = c->n_slots ? c->n_slots : 128;
    uint32_t *more;

    while (want < 2 * (c->n_touched + 2))
        want *= 2;
    if (want == c->n_slots)
        return true;
    more = inlay_take(inlay_graph_budget(c->graph), want, sizeof *more);
    if (!more) {
        c->failed = true;
        return false;
    }
    inlay_give(c->slots);
    c->slots = more;
    c->n_slots = want;
    for (size_t i = 0; i < c->n_touched; i++)
        *slot_of(c, c->touched[i].node) = (uint32_t)i + 1;
    return true;
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

static void remember(inlay_certificate *c, inlay_node *n, bool made)
{
    struct touched t = {.node = n,
                        .made = made,
                        .name = n->name,
                        .says = hash_of(n),
                        .first_in = c->n_operands,
                        .n_in = n->n_in,
                        .n_out = n->n_out};

    if (find(c, n) || !add_slots(c) ||
        !grow(c, &c->touched, c->n_touched + 1, &c->cap_touched, sizeof *c->touched) ||
        !grow(c, &c->operands, c->n_operands + (size_t)n->n_in, &c->cap_operands,
              sizeof *c->operands))
        return;
    for (int i = 0; i < n->n_in; i++)
        c->operands[c->n_operands++] = operand_of(&n->in[i]);
    *slot_of(c, n) = (uint32_t)c->n_touched + 1;
    c->touched[c->n_touched++] = t;
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

static bool is_in_graph(const inlay_node *n)
{
    return inlay_graph_node(n->graph, n->name) == n;
}

static bool reads_others(const inlay_certificate *c, const struct touched *t)
{
    for (int i = 0; i < t->n_in; i++) {
        struct operand old = c->operands[t->first_in + (size_t)i],
                       now = operand_of(&t->node->in[i]);

        if (!old.name != !now.name || old.index != now.index ||
            (old.name && strcmp(old.name, now.name) != 0))
            return true;
    }
    return false;
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

static void write_reads(inlay_strbuf *b, const inlay_node *n)
{
    inlay_strbuf_puts(b, "@ ");
    inlay_print_operand(b, n->name, -1);
    for (int i = 0; i < n->n_in; i++) {
        struct operand now = operand_of(&n->in[i]);

        inlay_strbuf_puts(b, i ? ", " : " (");
        if (now.name)
            inlay_print_operand(b, now.name, now.index);
        else
            inlay_strbuf_puts(b, "none");
    }
    inlay_strbuf_puts(b, ")\n");
}

static void write_removed(inlay_strbuf *b, const char *name)
{
    inlay_strbuf_puts(b, "- ");
    inlay_print_operand(b, name, -1);
    inlay_strbuf_puts(b, "\n");
}

static bool write_node(inlay_certificate *c, const struct touched *t, inlay_diags *d)
{
    const inlay_node *n = t->node;
    bool there = is_in_graph(n), redefined = there && !t->made && is_redefined(t);

    if (!t->made && (!there || redefined))
        write_removed(&c->edits, t->name);
    if (there && (t->made || redefined)) {
        inlay_strbuf_puts(&c->edits, "+ ");
        return inlay_print_bare(n, &c->edits, d);
    }
    if (there && !t->made && reads_others(c, t))
        write_reads(&c->edits, n);
    return true;
}

/* A node that has another name now is read by others under that name. */
static void touch_readers(inlay_certificate *c)
{
    size_t n = c->n_touched;

    for (size_t i = 0; i < n; i++) {
        const inlay_node *node = c->touched[i].node;

        if (c->touched[i].made || !is_in_graph(node) || strcmp(c->touched[i].name, node->name) == 0)
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
    if (c->failed)
        return inlay_fail_memory(d);
    c->edits.n = 0;
    for (size_t i = 0; i < c->n_touched; i++) {
        const inlay_graph *g = c->touched[i].node->graph;
        size_t before = c->edits.n, had;

        if (is_written_within(c, g))
            continue;
        if (g != now) {
            inlay_strbuf_puts(&c->edits, "graph");
            write_path(&c->edits, g);
            inlay_strbuf_puts(&c->edits, "\n");
        }
        had = c->edits.n;
        if (!write_node(c, &c->touched[i], d))
            return false;
        if (c->edits.n == had)
            c->edits.n = before;
        else
            now = g;
    }
    return !c->edits.failed || inlay_fail_memory(d);
}

static void write_head(inlay_certificate *c, const inlay_event *e)
{
    const inlay_application *a = e && e->kind == INLAY_EVENT_APPLIED ? e->as.application : NULL;
    inlay_provenance from = a ? inlay_node_provenance(a->at) : (inlay_provenance){0};
    inlay_strbuf *b = &c->text;

    b->n = 0;
    inlay_strbuf_printf(b, "step %" PRIu64 " ", a ? a->serial : 0);
    inlay_print_operand(b, e ? e->pass : "none", -1);
    if (a && a->rule) {
        inlay_strbuf_puts(b, " rule ");
        inlay_print_operand(b, a->rule->name, -1);
        inlay_strbuf_printf(b, " %s of ", inlay_exactness_text(a->rule->exactness));
        inlay_print_operand(b, a->rule->set, -1);
    }
    if (from.name) {
        inlay_strbuf_puts(b, " from ");
        inlay_print_operand(b, from.name, -1);
        inlay_strbuf_printf(b, " line %u", from.line);
    }
    inlay_strbuf_puts(b, "\n");
}

static bool put(const inlay_certificate *c, const inlay_strbuf *b, inlay_diags *d)
{
    if (b->failed)
        return inlay_fail_memory(d);
    return b->n == 0 || c->to->write(c->to->ctx, b->bytes, b->n) ||
           inlay_fail_resource(d, NULL, "the certificate could not be written");
}

static void forget(inlay_certificate *c)
{
    if (c->n_slots > 4096) { /* many at once are rare */
        inlay_give(c->slots);
        c->slots = NULL;
        c->n_slots = 0;
    } else if (c->n_touched > 0) {
        memset(c->slots, 0, c->n_slots * sizeof *c->slots);
    }
    c->n_touched = c->n_operands = 0;
}

/* Writes what was edited since the last step as one of the application, or pass, of E. */
static bool write_step(inlay_certificate *c, const inlay_event *e, inlay_diags *d)
{
    bool ok = !c->failed || inlay_fail_memory(d);

    if (ok && c->n_touched > 0 && (ok = write_edits(c, d)) && c->edits.n > 0) {
        write_head(c, e);
        ok = put(c, &c->text, d) && put(c, &c->edits, d);
    }
    forget(c);
    return ok;
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
    *c = (inlay_certificate){
        .graph = g, .to = to, .edits = {.budget = budget}, .text = {.budget = budget}};
    c->watcher = (inlay_watcher){edits, c};
    if (!to->write(to->ctx, head, sizeof head - 1)) {
        inlay_fail_resource(d, NULL, "the certificate could not be written");
        inlay_give(c);
        return NULL;
    }
    inlay_graph_watch(g, &c->watcher);
    return c;
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
    bool ok;

    if (!c)
        return true;
    ok = write_step(c, NULL, d);
    inlay_graph_watch(c->graph, NULL);
    inlay_give(c->touched);
    inlay_give(c->operands);
    inlay_give(c->slots);
    inlay_strbuf_free(&c->edits);
    inlay_strbuf_free(&c->text);
    inlay_give(c);
    return ok;
}
