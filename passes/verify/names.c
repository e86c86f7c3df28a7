#include "passes/verify/names.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

struct named {
    const char *name;
    int at;
};

bool verify_names_begin(verify_names *x, inlay_budget *budget, size_t n)
{
    x->n = 0;
    x->all = inlay_take(budget, n + 1, sizeof *x->all);
    return x->all != NULL;
}

void verify_names_add(verify_names *x, const char *name, int at)
{
    x->all[x->n++] = (struct named){name, at};
}

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->at > y->at) - (x->at < y->at);
}

void verify_names_sort(verify_names *x)
{
    qsort(x->all, x->n, sizeof *x->all, by_name);
}

int verify_names_find(const verify_names *x, const char *name)
{
    size_t lo = 0, hi = x->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (strcmp(x->all[mid].name, name) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < x->n && strcmp(x->all[lo].name, name) == 0 ? x->all[lo].at : -1;
}

void verify_names_free(verify_names *x)
{
    inlay_give(x->all);
}
