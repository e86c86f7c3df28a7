/* The lists of a scene: its groups, and the numbers of its nodes. */
#include "front/view/view.h"
#include "ir/shared.h"

#include <stdlib.h>

int view_new_group(view_scene *s, size_t name, int parent, const char *kind, int owner,
                   inlay_diags *d)
{
    int cap = s->cap_groups ? 2 * s->cap_groups : 16;
    view_group *grown = s->n_groups < s->cap_groups
                            ? s->groups
                            : inlay_retake(s->budget, s->groups, (size_t)cap * sizeof *grown);

    if (!grown) {
        inlay_fail_memory(d);
        return -1;
    }
    s->cap_groups = s->n_groups < s->cap_groups ? s->cap_groups : cap;
    s->groups = grown;
    s->groups[s->n_groups] = (view_group){name, parent, kind, owner, NULL, 0};
    return s->n_groups++;
}

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct view_number *)a)->node,
              y = (uintptr_t)((const struct view_number *)b)->node;

    return (x > y) - (x < y);
}

bool view_number_nodes(view_scene *s, inlay_diags *d)
{
    s->numbers = inlay_take_raw(s->budget, (s->n + 1) * sizeof *s->numbers);
    if (!s->numbers)
        return inlay_fail_memory(d);
    for (size_t i = 0; i < s->n; i++)
        s->numbers[i] = (struct view_number){s->nodes[i].node, (int)i};
    qsort(s->numbers, s->n, sizeof *s->numbers, by_address);
    return true;
}

int view_number_of(const view_scene *s, const inlay_node *n)
{
    const struct view_number key = {n, 0}, *found = s->n == 0
                                                        ? NULL
                                                        : bsearch(&key, s->numbers, s->n,
                                                                  sizeof *s->numbers, by_address);

    return found ? found->number : -1;
}

void view_scene_free(view_scene *s)
{
    for (int i = 0; i < s->n_groups; i++)
        inlay_give(s->groups[i].places);
    inlay_give(s->nodes);
    inlay_give(s->groups);
    inlay_give(s->numbers);
    *s = (view_scene){0};
}
