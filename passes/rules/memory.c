/* Memory that lives as long as a match. */
#include "passes/rules/rule.h"

void *rule_alloc(rule_match *m, size_t size)
{
    void *p = inlay_arena_alloc(m->scratch, size);

    m->no_memory = m->no_memory || !p;
    return p;
}

rule_ints *rule_new_ints(rule_match *m, inlay_type type, int rank, int n)
{
    rule_ints *ints = rule_alloc(m, sizeof *ints + (size_t)n * sizeof *ints->x);

    if (ints)
        *ints = (rule_ints){.type = type, .rank = rank, .n = n, .x = (int64_t *)(ints + 1)};
    return ints;
}
