/* What all rows share. */
#include "passes/prove/rows.h"

#include <string.h>

void prove_must(prove_case *c, prove_node *n, const smt *t)
{
    n->valid = smt_and(&c->pool, n->valid, t);
}

const prove_row *prove_row_in(const prove_row *list, const char *type)
{
    while (list->type && strcmp(list->type, type) != 0)
        list++;
    return list->type ? list : NULL;
}

void prove_set_sizes(prove_case *c, prove_node *n, int out, int rank, const smt *const *sizes)
{
    prove_value *v = &n->out[out];

    prove_need(c, rank <= PROVE_RANK);
    v->rank = c->cut ? 0 : rank;
    memcpy(v->dim, sizes, (size_t)v->rank * sizeof *sizes);
}

const smt *prove_zero(prove_case *c)
{
    static const char zero[] = "zero";

    return smt_apply(&c->pool, zero, 0, NULL);
}

int prove_text_attr(prove_case *c, prove_node *n, const char *name, const char *const *texts,
                    int n_texts)
{
    prove_node *of = prove_attr_node(c, n, name);
    const rule_attr *a = prove_attr(of, name);
    prove_name *bound = a && a->var >= 0 ? &c->names[a->var] : NULL;

    if (!a && prove_is_open(of))
        return prove_open_attr(c, of, name, n_texts);
    for (int i = 0; a && !bound && i < n_texts; i++) {
        if (strcmp(a->literal.as.s, texts[i]) == 0)
            return i;
    }
    if (!bound)
        return 0;
    if (!bound->text)
        bound->text = texts[prove_choose(c, n_texts)];
    for (int i = 0; i < n_texts; i++) {
        if (strcmp(bound->text, texts[i]) == 0)
            return i;
    }
    return 0;
}

int prove_choose_batch(prove_case *c, prove_node *n, int ways)
{
    const rule_attr *a = prove_attr(n, "batch_dims");
    const prove_node *like = prove_attr_node(c, n, "batch_dims");

    if (a && (a->var >= 0 || a->literal.as.i != 0))
        prove_unknown(c, "batches of a gather are not encoded");
    if (a || !prove_is_open(n) || ways < 2)
        return 0;
    return like != n ? like->n_batch : prove_choose(c, ways);
}
