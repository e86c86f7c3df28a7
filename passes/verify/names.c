#include "passes/verify/names.h"

#include <stdlib.h>
#include <string.h>

struct named {
    const char *name;
    int at;
};

bool names_begin(name_index *x, size_t n)
{
    x->n = 0;
    x->all = calloc(n + 1, sizeof *x->all);
    return x->all != NULL;
}

void names_add(name_index *x, const char *name, int at)
{
    x->all[x->n++] = (struct named){name, at};
}

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->at > y->at) - (x->at < y->at);
}

void names_sort(name_index *x)
{
    qsort(x->all, x->n, sizeof *x->all, by_name);
}

int names_find(const name_index *x, const char *name)
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

void names_free(name_index *x)
{
    free(x->all);
}
