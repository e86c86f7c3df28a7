/* Scopes: the names of a file, and the references to them. */
#include "parser/assemble.h"
#include "ir/shared.h"

#include <string.h>

/* An operand whose name is not defined yet. */
struct assemble_wait {
    inlay_node *node;
    int index;
    assemble_ref ref;
    struct assemble_wait *next;
};

/* A storage note; an order edge (value NULL); or, with STATES, something that a note relies on, or
 * with INLAY_NO_CONDITION the fact that the note lists what it relies on. */
struct assemble_note {
    assemble_scope *scope;
    inlay_value *value;
    inlay_note_kind kind;
    bool states;
    inlay_condition ground;
    assemble_ref target, after; /* of an order edge: TARGET runs before AFTER */
    struct assemble_note *next;
};

/* A name for a dim that inference finds. */
struct assemble_dim {
    inlay_value *value;
    int axis;
    const char *name;
    struct assemble_dim *next;
};

/* the run */

/* A limit for this graph alone is a budget that lives as long as the graph. */
static bool begin_graph(assembler *a)
{
    inlay_budget *limit = NULL;

    if (a->options.max_memory > 0) {
        limit = inlay_budget_within(a->options.budget, a->options.max_memory, a->d);
        if (!limit)
            return false;
        a->options.budget = limit;
    }
    a->graph = inlay_graph_new_in(a->options.budget, a->options.ops, "", a->d);
    if (!a->graph)
        inlay_budget_tell(a->options.budget, false, a->d);
    inlay_budget_free(limit);
    return a->graph != NULL;
}

bool assemble_begin(assembler *a, const char *name, const inlay_read_options *o, inlay_diags *d)
{
    a->d = d;
    a->file = name;
    a->notes_end = &a->notes;
    a->dims_end = &a->dims;
    if (o)
        a->options = *o;
    if (!begin_graph(a))
        return false;
    a->scratch = inlay_arena_of(a->options.budget);
    if (!a->scratch || !inlay_arena_charge(a->graph->arena, a->options.held_memory))
        return inlay_fail_memory(d);
    if (name && !(a->graph->file = inlay_arena_strdup(a->graph->arena, name)))
        return inlay_fail_memory(d);
    return true;
}

bool assemble_begin_as(assembler *a, const char *name, const inlay_read_options *o,
                       inlay_expand_fn *expand, inlay_diags *d)
{
    if (!assemble_begin(a, name, o, d))
        return false;
    inlay_graph_set_expand(a->graph, expand);
    return true;
}

bool assemble_resume(assembler *a, inlay_graph *g, const char *file, inlay_diags *d)
{
    a->d = d;
    a->file = file;
    a->notes_end = &a->notes;
    a->dims_end = &a->dims;
    a->options.ops = g->ops;
    a->graph = g;
    a->options.budget = inlay_graph_budget(g);
    a->scratch = inlay_arena_of(a->options.budget);
    return a->scratch || inlay_fail_memory(d);
}

void assemble_leave(assembler *a)
{
    inlay_arena_free(a->scratch);
}

/* Called after a failure: reports that the memory limit was the reason, if it was. The function
 * that reached the limit could only say "out of memory". */
static void say_over(const assembler *a)
{
    uint64_t limit = a->graph ? inlay_budget_refused(inlay_graph_budget(a->graph)) : 0;

    if (limit > 0)
        inlay_fail_limit(a->d, &(inlay_pos){a->file, 0},
                         "reading it takes more than the memory limit of %llu byte%s",
                         (unsigned long long)limit, inlay_plural((int64_t)limit, "", "s"));
}

inlay_graph *assemble_end(assembler *a, bool ok)
{
    inlay_graph *g = a->graph;

    ok = ok && inlay_drop_illegal_notes(g, a->d);
    inlay_arena_free(a->scratch);
    a->scratch = NULL;
    if (ok)
        return g;
    say_over(a);
    inlay_graph_free(g);
    return NULL;
}

static bool infer_nodes(assembler *a, const inlay_order_list *order,
                        bool (*inferred)(void *reader, const inlay_node *n))
{
    for (size_t i = 0; i < order->n; i++) {
        inlay_node *n = order->nodes[i];

        if (!inlay_check_node(n, a->d) || !inlay_infer_node(n, a->d) ||
            (inferred && !inferred(a->reader, n)))
            return false;
    }
    return true;
}

bool assemble_infer(assembler *a, bool (*inferred)(void *reader, const inlay_node *n))
{
    inlay_order_list order;
    bool ok = inlay_order(a->graph, true, &order, a->d) && infer_nodes(a, &order, inferred);

    inlay_order_free(&order);
    return ok && inlay_settle_variables(a->graph, a->d) && inlay_expand_graph(a->graph, NULL, a->d);
}

/* scopes and their names */

assemble_scope *assemble_scope_new(assembler *a, assemble_scope *outer, inlay_graph *g)
{
    assemble_scope *s = inlay_arena_alloc(a->scratch, sizeof *s);

    if (!s) {
        inlay_fail_memory(a->d);
        return NULL;
    }
    s->a = a;
    s->outer = outer;
    s->graph = g;
    s->waiting_end = &s->waiting;
    s->in_end = &s->in;
    s->out_end = &s->out;
    s->back_end = &s->back;
    return s;
}

/* Returns the slot of the name TEXT, or the free one where it belongs. */
static assemble_slot *find_slot(const assemble_scope *s, const char *text, size_t length,
                                uint32_t hash)
{
    for (size_t i = hash;; i++) {
        assemble_slot *slot = &s->table[i & (s->table_size - 1)];

        if (!slot->name || (slot->hash == hash && slot->name->length == length &&
                            memcmp(slot->name->text, text, length) == 0))
            return slot;
    }
}

/* Makes a table of SIZE slots, a power of two. The old one stays in the arena until reading ends.
 */
static bool remake_table(assemble_scope *s, size_t size)
{
    assemble_slot *table = inlay_arena_array(s->a->scratch, size, sizeof *table);
    size_t old_size = s->table_size;
    const assemble_slot *old = s->table;

    if (!table)
        return inlay_fail_memory(s->a->d);
    s->table = table;
    s->table_size = size;
    for (size_t i = 0; i < old_size; i++) {
        size_t to = old[i].hash;

        if (!old[i].name)
            continue;
        while (s->table[to & (size - 1)].name)
            to++;
        s->table[to & (size - 1)] = old[i];
    }
    return true;
}

/* Makes room for one more name. */
static bool grow_table(assemble_scope *s)
{
    return s->n_names < s->table_size / 2 ||
           remake_table(s, s->table_size ? 2 * s->table_size : 64);
}

bool assemble_expect(assemble_scope *s, size_t n)
{
    size_t size = 64;

    while (size / 2 < n && size <= SIZE_MAX / 2 / sizeof *s->table)
        size *= 2;
    return remake_table(s, size);
}

/* Puts the name TEXT, which must not exist yet, into SLOT, which is free. */
static assemble_name *add_name(assemble_scope *s, assemble_slot *slot, const char *text,
                               size_t length, uint32_t hash)
{
    assemble_name *name = inlay_arena_alloc(s->a->scratch, sizeof *name);

    if (!name) {
        inlay_fail_memory(s->a->d);
        return NULL;
    }
    name->text = text;
    name->length = length;
    name->output = -1;
    *slot = (assemble_slot){hash, name};
    s->n_names++;
    return name;
}

assemble_name *assemble_name_of(assemble_scope *s, const char *text, size_t length)
{
    uint32_t hash = (uint32_t)inlay_hash(text, length);
    assemble_slot *slot;
    const char *copy;

    if (!grow_table(s))
        return NULL;
    slot = find_slot(s, text, length, hash);
    if (slot->name)
        return slot->name;
    copy = inlay_arena_strndup(s->a->scratch, text, length);
    if (!copy)
        inlay_fail_memory(s->a->d);
    return copy ? add_name(s, slot, copy, length, hash) : NULL;
}

static assemble_recent *recent_of(assemble_scope *s, const char *text)
{
    assemble_recent *recent = &s->recent[(uintptr_t)text >> 4 & (ASSEMBLE_N_RECENT - 1)];
    size_t length;

    if (recent->text != text) {
        length = strlen(text);
        *recent = (assemble_recent){text, NULL, length, (uint32_t)inlay_hash(text, length)};
    }
    return recent;
}

void assemble_foresee(assemble_scope *s, const char *text)
{
    const assemble_recent *recent = recent_of(s, text);

    if (s->table_size > 0 && !recent->name)
        __builtin_prefetch(&s->table[recent->hash & (s->table_size - 1)]);
    inlay_graph_foresee(s->graph, recent->hash);
}

assemble_name *assemble_lasting_name(assemble_scope *s, const char *text)
{
    assemble_recent *recent = recent_of(s, text);
    assemble_slot *slot;

    if (recent->name)
        return recent->name;
    if (!grow_table(s))
        return NULL;
    slot = find_slot(s, text, recent->length, recent->hash);
    recent->name = slot->name ? slot->name : add_name(s, slot, text, recent->length, recent->hash);
    return recent->name;
}

void assemble_define(assemble_name *name, inlay_node *n, int output, unsigned line)
{
    name->node = n;
    name->output = output;
    name->line = line;
}

/* references */

/* Returns the value that REF refers to; otherwise *FAULT says why there is none. */
static inlay_value *find_value(const assemble_ref *ref, assemble_fault *fault)
{
    const inlay_node *n = ref->name ? ref->name->node : NULL;
    int64_t output = !n ? -1 : ref->name->output >= 0 ? ref->name->output : ref->output;

    *fault = !n ? ASSEMBLE_UNDEFINED : output < 0 ? ASSEMBLE_WHICH_OUTPUT : ASSEMBLE_NO_OUTPUT;
    if (n && output < 0 && n->n_out == 1)
        output = 0;
    return n && output >= 0 && output < n->n_out ? &n->out[output] : NULL;
}

inlay_value *assemble_value(assemble_scope *s, const assemble_ref *ref)
{
    assemble_fault fault;
    inlay_value *v = find_value(ref, &fault);

    if (!v)
        s->a->words->unresolved(s->a->reader, ref, fault);
    return v;
}

bool assemble_operand(assemble_scope *s, inlay_node *n, int i, const assemble_ref *ref)
{
    struct assemble_wait *wait;

    if (s->all_defined || ref->name->node) {
        inlay_value *v = assemble_value(s, ref);

        return v && inlay_node_set_input(n, i, v, s->a->d);
    }
    wait = inlay_arena_alloc(s->a->scratch, sizeof *wait);
    if (!wait)
        return inlay_fail_memory(s->a->d);
    *wait = (struct assemble_wait){n, i, *ref, NULL};
    *s->waiting_end = wait;
    s->waiting_end = &wait->next;
    return true;
}

bool assemble_all_defined(assemble_scope *s)
{
    s->all_defined = true;
    for (const struct assemble_wait *w = s->waiting; w; w = w->next) {
        if (!assemble_operand(s, w->node, w->index, &w->ref))
            return false;
    }
    s->waiting = NULL;
    s->waiting_end = &s->waiting;
    return true;
}

/* names of dims */

/* Gives the identity of dim AXIS in the declared shape of P the name NAME. */
static bool declare_dim(inlay_node *p, int axis, const char *name, inlay_diags *d)
{
    const inlay_attr *a = inlay_node_attr(p, "shape");
    inlay_shape s = {.rank = -1};

    if (a)
        s = *a->as.shape;
    if (axis < 0 || axis >= s.rank || inlay_dim_is_static(s.dim[axis]))
        return true;
    s.dim[axis].id = inlay_graph_named_dim(p->graph, name, d);
    return s.dim[axis].id && inlay_node_set_shape(p, "shape", &s, d);
}

bool assemble_dim_name(assemble_scope *s, inlay_value *v, int axis, const char *name)
{
    struct assemble_dim *dim;

    if (!*name)
        return true;
    if (inlay_node_is(v->node, INLAY_OP_PARAMETER) && !s->graph->owner)
        return declare_dim(v->node, axis, name, s->a->d);
    dim = inlay_arena_alloc(s->a->scratch, sizeof *dim);
    if (!dim)
        return inlay_fail_memory(s->a->d);
    *dim = (struct assemble_dim){v, axis, name, NULL};
    *s->a->dims_end = dim;
    s->a->dims_end = &dim->next;
    return true;
}

static bool name_dim(const struct assemble_dim *dim, inlay_diags *d)
{
    const inlay_fact *f = &dim->value->fact;

    if (dim->axis < 0 || dim->axis >= f->rank || inlay_dim_is_static(f->dims[dim->axis]) ||
        f->dims[dim->axis].id == 0)
        return true;
    return inlay_graph_name_dim(dim->value->node->graph, f->dims[dim->axis].id, dim->name, d);
}

/* notes */

bool assemble_note_kind(const char *word, inlay_note_kind *kind)
{
    for (int k = INLAY_VIEW_OF; k <= INLAY_INTO; k++) {
        if (strcmp(inlay_note_text((inlay_note_kind)k), word) == 0) {
            *kind = (inlay_note_kind)k;
            return true;
        }
    }
    return false;
}

static bool add_note(assemble_scope *s, struct assemble_note note)
{
    struct assemble_note *kept = inlay_arena_alloc(s->a->scratch, sizeof *kept);

    if (!kept)
        return inlay_fail_memory(s->a->d);
    note.scope = s;
    *kept = note;
    *s->a->notes_end = kept;
    s->a->notes_end = &kept->next;
    return true;
}

bool assemble_note(assemble_scope *s, inlay_value *v, inlay_note_kind kind, const assemble_ref *ref)
{
    return add_note(s, (struct assemble_note){.value = v, .kind = kind, .target = *ref});
}

bool assemble_grounds(assemble_scope *s, inlay_value *v)
{
    return add_note(s, (struct assemble_note){.value = v, .states = true});
}

bool assemble_ground(assemble_scope *s, inlay_value *v, inlay_condition condition,
                     const assemble_ref *ref)
{
    return add_note(
        s, (struct assemble_note){.value = v, .states = true, .ground = condition, .target = *ref});
}

bool assemble_order(assemble_scope *s, const assemble_ref *before, const assemble_ref *after)
{
    return add_note(s, (struct assemble_note){.target = *before, .after = *after});
}

/* Whether N is in its graph: what a deferred node stood for may have taken its place. */
static bool is_there(const inlay_node *n)
{
    return n && inlay_graph_node(n->graph, n->name) == n;
}

static bool set_note(assembler *a, const struct assemble_note *note)
{
    assemble_fault fault;
    inlay_value *target = find_value(&note->target, &fault);

    if (!is_there(note->value->node))
        return true;
    target = target && is_there(target->node) ? target : NULL;
    return target ? inlay_value_set_note(note->value, note->kind, target, a->d)
                  : a->words->unresolved(a->reader, &note->target, fault);
}

/* A note that was dropped needs no grounds. */
static bool set_ground(assembler *a, const struct assemble_note *note)
{
    const assemble_name *name = note->target.name;

    if (note->value->note == INLAY_FRESH)
        return true;
    if (note->ground == INLAY_NO_CONDITION)
        return inlay_value_state_grounds(note->value, a->d);
    if (name && is_there(name->node))
        return inlay_value_add_ground(note->value, note->ground, name->node, a->d);
    return a->words->unresolved(a->reader, &note->target, ASSEMBLE_UNDEFINED);
}

static bool set_order_edge(assembler *a, const struct assemble_note *note)
{
    const assemble_name *before = note->target.name, *after = note->after.name;

    if (before && is_there(before->node) && after && is_there(after->node))
        return inlay_graph_add_order_edge(note->scope->graph, before->node, after->node, a->d);
    return a->words->unresolved(a->reader,
                                before && is_there(before->node) ? &note->after : &note->target,
                                ASSEMBLE_UNDEFINED);
}

bool assemble_notes(assembler *a)
{
    for (const struct assemble_dim *dim = a->dims; dim; dim = dim->next) {
        if (!name_dim(dim, a->d))
            return false;
    }
    for (const struct assemble_note *note = a->notes; note; note = note->next) {
        bool ok = !note->value   ? set_order_edge(a, note)
                  : note->states ? set_ground(a, note)
                                 : set_note(a, note);

        if (!ok)
            return false;
    }
    return true;
}
