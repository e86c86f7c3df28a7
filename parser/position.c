#include "parser/internal.h"

int position_of(inlay_node *const *list, int n, const inlay_node *node)
{
    int lo = 0, hi = n;

    while (node && lo < hi) {
        int mid = lo + (hi - lo) / 2;

        if (list[mid]->id < node->id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return node && lo < n && list[lo] == node ? lo : -1;
}
