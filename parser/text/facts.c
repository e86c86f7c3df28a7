/* Claims of the text form about outputs (types, shapes, identities, names, notes), and their
 * comparison with inference. A type or shape that is written must agree with what the rules find:
 *
 *     %y = ReLU-1(%x) : f32[?#1,5]      wrong when inference finds f32[?,4]
 *
 * Only the facts of values without a shape rule (outputs of stand-ins, and parameters of bodies,
 * whose shapes come from outside) are taken from the text. */
#include "ir/shared.h"
#include "parser/text/text.h"

#include <stdlib.h>
#include <string.h>

/* Returns where the identity that the text calls #NUMBER is kept, or NULL. Numbers must be used in
 * order, so that a huge one cannot make the table huge. */
static uint32_t *id_slot(text_reader *r, text_scope *s, uint32_t number)
{
    if (number > s->n_ids + 1) {
        text_fail(r,
                  "found the identity #%u, expected at most #%zu: they are numbered in the order "
                  "in which they appear",
                  (unsigned)number, s->n_ids + 1);
        return NULL;
    }
    if (number > s->n_ids) {
        if (s->n_ids + 1 >= s->cap_ids) {
            size_t cap = s->cap_ids ? s->cap_ids * 2 : 64;
            uint32_t *grown =
                inlay_retake(inlay_graph_budget(r->a.graph), s->ids, cap * sizeof *grown);

            if (!grown) {
                inlay_fail_memory(r->a.d);
                return NULL;
            }
            s->ids = grown;
            s->cap_ids = cap;
        }
        s->ids[number] = 0;
        s->n_ids = number;
    }
    return &s->ids[number];
}

bool text_resolve_ids(text_reader *r, text_scope *s, int rank, inlay_dim *dims)
{
    for (int i = 0; i < rank; i++) {
        uint32_t *slot;

        if (dims[i].id == 0)
            continue;
        if (dims[i].id & TEXT_NAMED) {
            dims[i].id = inlay_graph_named_dim(s->g, text_dim_name(r, dims[i].id), r->a.d);
            if (dims[i].id == 0)
                return false;
            continue;
        }
        slot = id_slot(r, s, dims[i].id);
        if (!slot)
            return false;
        if (*slot == 0)
            *slot = s->g->next_dim_id++;
        dims[i].id = *slot;
    }
    return true;
}

static bool read_names(text_reader *r, inlay_value *v)
{
    bool there;

    if (!text_accept(r, "as", &there) || !there)
        return !there;
    r->list.n = 0;
    do {
        const char *name;

        if (!text_string(r, false, "a tensor name in quotes"))
            return false;
        name = inlay_arena_strdup(r->a.scratch, r->word.bytes);
        if (!name)
            return inlay_fail_memory(r->a.d);
        inlay_strbuf_add(&r->list, (const char *)&name, sizeof name);
    } while (r->lex.now.kind == INLAY_TOKEN_STRING);
    if (r->list.failed)
        return inlay_fail_memory(r->a.d);
    return inlay_value_set_names(v, (const char *const *)(void *)r->list.bytes,
                                 (int)(r->list.n / sizeof(char *)), r->a.d);
}

/* Reads `O3 %z`, which is part of what the note of V relies on. */
static bool read_ground(text_reader *r, text_scope *s, inlay_value *v)
{
    const inlay_token *t = &r->lex.now;
    inlay_condition condition = t->kind == INLAY_TOKEN_WORD
                                    ? inlay_condition_of_word(t->start, t->length)
                                    : INLAY_NO_CONDITION;
    assemble_ref node;
    text_ref ref;

    if (condition == INLAY_NO_CONDITION)
        return inlay_lexer_fail(&r->lex, "a condition on which a note can rely, as in `{O3 %z}`");
    return text_next(r) && text_ref_read(r, &ref) && text_ref_keep(r, s->names, &ref, &node) &&
           assemble_ground(s->names, v, condition, &node);
}

/* Reads `{O3 %z, N1 %d}`, if it follows. */
static bool read_grounds(text_reader *r, text_scope *s, inlay_value *v)
{
    bool there;

    if (!text_accept(r, "{", &there) || !there)
        return !there;
    if (!assemble_grounds(s->names, v) || !text_accept(r, "}", &there))
        return false;
    while (!there) {
        if (!read_ground(r, s, v) || !text_accept(r, "}", &there) ||
            (!there && !text_expect(r, ",")))
            return false;
    }
    return true;
}

static bool read_note(text_reader *r, text_scope *s, inlay_value *v)
{
    inlay_note_kind kind = INLAY_FRESH;
    assemble_ref target;
    text_ref ref;

    if (inlay_token_is(&r->lex.now, "overwrites"))
        kind = INLAY_OVERWRITES;
    else if (inlay_token_is(&r->lex.now, "into"))
        kind = INLAY_INTO;
    else if (inlay_token_is(&r->lex.now, "view"))
        kind = INLAY_VIEW_OF;
    if (kind == INLAY_FRESH)
        return true;
    return text_next(r) && (kind != INLAY_VIEW_OF || text_expect(r, "of")) &&
           text_ref_read(r, &ref) && text_ref_keep(r, s->names, &ref, &target) &&
           assemble_note(s->names, v, kind, &target) && read_grounds(r, s, v);
}

static bool read_output(text_reader *r, text_scope *s, inlay_value *v, text_claim *claim)
{
    inlay_shape shape;
    bool there;

    if (!text_type(r, &claim->type) || !text_shape(r, &shape))
        return false;
    claim->rank = shape.rank;
    claim->dims = inlay_arena_array(r->a.scratch, (size_t)(shape.rank > 0 ? shape.rank : 0),
                                    sizeof *claim->dims);
    if (!claim->dims)
        return inlay_fail_memory(r->a.d);
    for (int i = 0; i < shape.rank; i++) {
        if (shape.dim[i].id && !(shape.dim[i].id & TEXT_NAMED) && !id_slot(r, s, shape.dim[i].id))
            return false;
        claim->dims[i] = shape.dim[i];
    }
    if (!read_names(r, v) || !read_note(r, s, v) || !text_accept(r, "port_info", &there))
        return false;
    return !there || text_meta(r, s->g, &v->rt_info);
}

/* Makes the array of claims about the outputs of N. */
static text_claim *new_claims(text_reader *r, text_scope *s, const inlay_node *n)
{
    text_claim *claims = inlay_arena_array(r->a.scratch, (size_t)n->n_out, sizeof *claims);

    if (n->id >= s->cap_claims) {
        size_t cap = s->cap_claims ? s->cap_claims * 2 : 64;
        text_claim **grown;

        cap = cap > n->id ? cap : (size_t)n->id + 1;
        grown = inlay_retake(inlay_node_budget(n), s->claims, cap * sizeof *grown);
        if (!grown)
            claims = NULL;
        else {
            memset(grown + s->cap_claims, 0, (cap - s->cap_claims) * sizeof *grown);
            s->claims = grown;
            s->cap_claims = cap;
        }
    }
    if (!claims) {
        inlay_fail_memory(r->a.d);
        return NULL;
    }
    s->claims[n->id] = claims;
    return claims;
}

bool text_outputs(text_reader *r, text_scope *s, inlay_node *n)
{
    text_claim *claims;
    bool there;

    if (!text_accept(r, ":", &there) || !there)
        return !there;
    claims = new_claims(r, s, n);
    if (!claims)
        return false;
    for (int i = 0; i < n->n_out; i++) {
        if ((i > 0 && !text_expect(r, ",")) || !read_output(r, s, &n->out[i], &claims[i]))
            return false;
    }
    if (inlay_token_is(&r->lex.now, ","))
        return text_fail(
            r,
            "found more types than node \"%.200s\" has outputs, which is %d (`%%x:N =` gives it N)",
            n->name, n->n_out);
    return true;
}

static bool contradicts(text_reader *r, const inlay_value *v, const text_claim *claim)
{
    char said[256], found[256];

    inlay_shape_text(claim->rank, claim->dims, said, sizeof said);
    inlay_shape_text(v->fact.rank, v->fact.dims, found, sizeof found);
    return inlay_fail_node(r->a.d, v->node, "output %d is written as %s%s, but it is %s%s",
                           v->index, inlay_type_info_of(claim->type)->name, said,
                           inlay_type_info_of(v->fact.type)->name, found);
}

/* Gives NAME to the dim whose identity is FOUND (0: it has none). Returns the identity that it has
 * now; 0 after an error. */
static uint32_t claim_name(text_reader *r, inlay_graph *g, const char *name, uint32_t found)
{
    if (found && !inlay_graph_name_dim(g, found, name, r->a.d))
        return 0;
    return inlay_graph_named_dim(g, name, r->a.d);
}

static uint32_t claim_number(text_scope *s, uint32_t number, uint32_t found)
{
    uint32_t *id = &s->ids[number];

    if (*id == 0)
        *id = found ? found : s->g->next_dim_id++;
    return *id;
}

/* Gives DIMS the identities that the text states; other dims keep those that inference found.
 * *CHANGED: any dim changed. */
static bool name_dims(text_reader *r, text_scope *s, const text_claim *claim, inlay_dim *dims,
                      bool *changed)
{
    *changed = false;
    for (int i = 0; i < claim->rank; i++) {
        const char *name = text_dim_name(r, claim->dims[i].id);

        if (claim->dims[i].id == 0 || inlay_dim_is_static(dims[i]))
            continue;
        dims[i].id = name ? claim_name(r, s->g, name, dims[i].id)
                          : claim_number(s, claim->dims[i].id, dims[i].id);
        if (dims[i].id == 0)
            return false;
        *changed = true;
    }
    return true;
}

static bool apply_claim(text_reader *r, text_scope *s, inlay_value *v, const text_claim *claim)
{
    inlay_dim dims[INLAY_MAX_RANK];
    bool changed;

    if (!inlay_fact_is_within(&v->fact, claim->type, claim->rank, claim->dims))
        return contradicts(r, v, claim);
    if (v->fact.rank > 0)
        memcpy(dims, v->fact.dims, (size_t)v->fact.rank * sizeof *dims);
    if (!name_dims(r, s, claim, dims, &changed))
        return false;
    return !changed || inlay_value_set_fact(v, v->fact.type, v->fact.rank, dims, r->a.d);
}

static bool apply_claims(text_reader *r, text_scope *s, const inlay_node *n)
{
    const text_claim *claims = n->id < s->cap_claims ? s->claims[n->id] : NULL;

    for (int i = 0; claims && i < n->n_out; i++) {
        if (!apply_claim(r, s, &n->out[i], &claims[i]))
            return false;
    }
    return true;
}

static bool take_claim(text_reader *r, text_scope *s, inlay_value *v, const text_claim *claim)
{
    inlay_dim dims[INLAY_MAX_RANK];
    bool changed;

    for (int i = 0; i < claim->rank; i++)
        dims[i] = (inlay_dim){claim->dims[i].lo, claim->dims[i].hi, 0};
    if (!name_dims(r, s, claim, dims, &changed))
        return false;
    for (int i = 0; i < claim->rank; i++) {
        if (dims[i].id == 0 && !inlay_dim_is_static(dims[i]))
            dims[i].id = s->g->next_dim_id++;
    }
    return inlay_value_set_fact(v, claim->type, claim->rank, dims, r->a.d);
}

bool text_take_claims(text_reader *r, text_scope *s)
{
    for (inlay_node *n = s->g->first; n; n = n->next) {
        const text_claim *claims = n->id < s->cap_claims ? s->claims[n->id] : NULL;
        bool outside = (n->op->flags & INLAY_STAND_IN) ||
                       (s->g->owner && inlay_node_is(n, INLAY_OP_PARAMETER));

        for (int i = 0; claims && outside && i < n->n_out; i++) {
            if (!take_claim(r, s, &n->out[i], &claims[i]))
                return false;
        }
    }
    return true;
}

bool text_inferred(void *reader, const inlay_node *n)
{
    text_reader *r = reader;

    return apply_claims(r, r->outermost, n);
}

bool text_check_claims(text_reader *r, text_scope *s)
{
    for (const inlay_node *n = s->g->first; n; n = n->next) {
        if (!apply_claims(r, s, n))
            return false;
    }
    return true;
}
