/* Decodes the masks of a StridedSlice. */
#include "ir/graph.h"
#include "ir/graph/node.h"

#include <stdio.h>

/* Element I of a mask. A mask may be shorter than the lists, and longer. */
static bool mask_at(const inlay_node *node, const char *name, int i)
{
    int n;
    const int64_t *mask = inlay_node_ints(node, name, &n);

    return i < n && mask[i] != 0;
}

bool inlay_strided_entries(const inlay_node *node, int n, int rank, inlay_strided_entry *out,
                           char *why, size_t size)
{
    int axes = 0, ellipsis = -1;

    if (!node) {
        snprintf(why, size, "no node is given");
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (mask_at(node, "ellipsis_mask", i)) {
            if (ellipsis >= 0) {
                snprintf(why, size, "ellipsis_mask has more than one bit set: %d and %d", ellipsis,
                         i);
                return false;
            }
            ellipsis = i;
        } else if (!mask_at(node, "new_axis_mask", i)) {
            axes++;
        }
    }
    if (axes > rank) {
        snprintf(why, size, "begin has entries for %d ax%s, data has %d dimension%s", axes,
                 inlay_plural(axes, "is", "es"), rank, inlay_plural(rank, "", "s"));
        return false;
    }
    for (int i = 0, axis = 0; i < n; i++) {
        out[i] = (inlay_strided_entry){.shrinks = mask_at(node, "shrink_axis_mask", i),
                                       .from_first = mask_at(node, "begin_mask", i),
                                       .to_last = mask_at(node, "end_mask", i)};
        if (i == ellipsis) {
            out[i].axis = -2;
            axis += rank - axes;
        } else {
            out[i].axis = mask_at(node, "new_axis_mask", i) ? -1 : axis++;
        }
    }
    return true;
}
