/* Terms, in a table where equal ones are found by hash. */
#include "passes/symbolic/term.h"
#include "ir/shared.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_DEPTH = 3, SHOWN_PARTS = 4 };

struct term {
    term_kind kind;
    uint32_t n;
    size_t first; /* index of its first part */
    uint64_t hash;
};

/* Makes room in *LIST, with CAP items of SIZE bytes, for MORE items after N. */
static bool grow(inlay_budget *budget, void *list, size_t n, size_t *cap, size_t more, size_t size)
{
    size_t wanted = *cap ? *cap * 2 : 64;
    void *grown;

    if (n + more <= *cap)
        return true;
    while (wanted < n + more)
        wanted *= 2;
    grown = inlay_retake(budget, *(void **)list, wanted * size);
    if (!grown)
        return false;
    *(void **)list = grown;
    *cap = wanted;
    return true;
}

bool terms_begin(terms *t, inlay_budget *budget, uint64_t limit, inlay_diags *d)
{
    *t = (terms){.budget = budget, .limit = limit, .n_slots = 1024};
    t->slots = inlay_take(budget, t->n_slots, sizeof *t->slots);
    if (!t->slots || !grow(budget, &t->all, 0, &t->cap, 1, sizeof *t->all))
        return inlay_fail_memory(d);
    t->all[t->n++] = (struct term){.kind = TERM_CONSTANT};
    return true;
}

void terms_free(terms *t)
{
    inlay_give(t->all);
    inlay_give(t->parts);
    inlay_give(t->slots);
    inlay_give(t->kinds);
    *t = (terms){0};
}

static size_t free_slot(const int64_t *slots, size_t n_slots, uint64_t hash)
{
    size_t i = (size_t)hash & (n_slots - 1);

    while (slots[i])
        i = (i + 1) & (n_slots - 1);
    return i;
}

/* Keeps at least half of the slots free. */
static bool grow_slots(terms *t)
{
    size_t n = t->n_slots * 2;
    int64_t *slots;

    if (t->n * 2 < t->n_slots)
        return true;
    slots = inlay_take(t->budget, n, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 1; i < t->n; i++)
        slots[free_slot(slots, n, t->all[i].hash)] = (int64_t)i;
    inlay_give(t->slots);
    t->slots = slots;
    t->n_slots = n;
    return true;
}

static bool is_term(const terms *t, int64_t number, term_kind kind, uint64_t hash,
                    const int64_t *parts, size_t n)
{
    const struct term *x = &t->all[number];

    return x->hash == hash && x->kind == kind && x->n == n &&
           (n == 0 || memcmp(&t->parts[x->first], parts, n * sizeof *parts) == 0);
}

static int64_t add_term(terms *t, term_kind kind, uint64_t hash, const int64_t *parts, size_t n)
{
    t->full = t->full || t->n + t->n_parts + n > t->limit;
    if (t->full)
        return -1;
    t->lacked = !grow_slots(t) || !grow(t->budget, &t->all, t->n, &t->cap, 1, sizeof *t->all) ||
                !grow(t->budget, &t->parts, t->n_parts, &t->cap_parts, n, sizeof *t->parts) ||
                t->lacked;
    if (t->lacked)
        return -1;
    t->all[t->n] = (struct term){kind, (uint32_t)n, t->n_parts, hash};
    if (n > 0)
        memcpy(&t->parts[t->n_parts], parts, n * sizeof *parts);
    t->n_parts += n;
    t->slots[free_slot(t->slots, t->n_slots, hash)] = (int64_t)t->n;
    return (int64_t)t->n++;
}

int64_t term_of(terms *t, term_kind kind, const int64_t *parts, size_t n)
{
    uint64_t hash = inlay_hash_join((uint64_t)kind, inlay_hash(parts, n * sizeof *parts));
    size_t i = (size_t)hash & (t->n_slots - 1);

    for (; t->slots[i]; i = (i + 1) & (t->n_slots - 1)) {
        if (is_term(t, t->slots[i], kind, hash, parts, n))
            return t->slots[i];
    }
    return add_term(t, kind, hash, parts, n);
}

size_t term_parts(const terms *t, int64_t number, term_kind kind, const int64_t **parts)
{
    const struct term *x = &t->all[number];

    *parts = &t->parts[x->first];
    return x->kind == kind ? x->n : 0;
}

static bool same_types(const inlay_node *a, const inlay_node *b)
{
    if (a->n_in != b->n_in || a->n_out != b->n_out)
        return false;
    for (int i = 0; i < a->n_in; i++) {
        const inlay_value *x = a->in[i].value, *y = b->in[i].value;

        if (!x != !y || (x && x->fact.type != y->fact.type))
            return false;
    }
    for (int i = 0; i < a->n_out; i++) {
        if (a->out[i].fact.type != b->out[i].fact.type)
            return false;
    }
    return true;
}

static bool same_operation(terms *t, const inlay_node *a, const inlay_node *b)
{
    bool same = a->op == b->op && same_types(a, b) && inlay_node_same_attrs(a, b, NULL);

    t->lacked |= same && !inlay_node_same_bodies(a, b, &same, NULL);
    return same;
}

int64_t term_operation(terms *t, const inlay_node *n)
{
    for (size_t i = 0; i < t->n_kinds; i++) {
        if (same_operation(t, t->kinds[i], n))
            return (int64_t)i;
    }
    if (!grow(t->budget, &t->kinds, t->n_kinds, &t->cap_kinds, 1, sizeof *t->kinds))
        return -1;
    t->kinds[t->n_kinds] = n;
    return (int64_t)t->n_kinds++;
}

static void put_term(const terms *t, const inlay_graph *a, int64_t number, int depth,
                     inlay_strbuf *out);

static void put_operands(const terms *t, const inlay_graph *a, const int64_t *parts, uint32_t n,
                         int depth, inlay_strbuf *out)
{
    inlay_strbuf_puts(out, "(");
    for (uint32_t i = 0; i < n && i < SHOWN_PARTS; i++) {
        if (i > 0)
            inlay_strbuf_puts(out, ", ");
        put_term(t, a, parts[i], depth + 1, out);
    }
    inlay_strbuf_puts(out, n > SHOWN_PARTS ? ", ...)" : ")");
}

/* A constant is its type and its bits. */
static void put_constant(const int64_t *parts, inlay_strbuf *out)
{
    char text[40];

    inlay_strbuf_puts(out,
                      inlay_element_text((inlay_type)parts[0], &parts[1], 0, text, sizeof text));
}

static const char *name_of(const terms *t, int64_t operation)
{
    static const char *const names[SIGNED_FORMS] = {"Add", "Multiply", "Negative"};

    return operation < 0 ? names[(-1 - operation) % SIGNED_FORMS] : t->kinds[operation]->op->name;
}

/* The recursion ends at SHOWN_DEPTH. */
static void put_term(const terms *t, const inlay_graph *a, int64_t number, int depth,
                     inlay_strbuf *out)
{
    const struct term *x = &t->all[number];
    const int64_t *parts = &t->parts[x->first];

    if (number == TERM_ZERO)
        inlay_strbuf_puts(out, "0");
    else if (x->kind == TERM_CONSTANT)
        put_constant(parts, out);
    else if (x->kind == TERM_INPUT)
        inlay_strbuf_printf(out, "%s[%" PRId64 "]", a->params[parts[0]]->name, parts[1]);
    else if (x->kind == TERM_ELEMENT)
        inlay_strbuf_printf(out, "%s(...)[%" PRId64 "]",
                            t->kinds[t->parts[t->all[parts[0]].first]]->op->name, parts[2]);
    else if (depth >= SHOWN_DEPTH)
        inlay_strbuf_puts(out, "...");
    else {
        inlay_strbuf_puts(out, name_of(t, parts[0]));
        put_operands(t, a, parts + 1, x->n - 1, depth, out);
    }
}

void term_text(const terms *t, const inlay_graph *a, int64_t number, inlay_strbuf *out)
{
    put_term(t, a, number, 0, out);
}
