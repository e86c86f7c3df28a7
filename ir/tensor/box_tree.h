/* An index over the boxes of a growing list: a binary tree with the list's entries as leaves. A box
 * of the tree contains those of all leaves below it, so a search skips all of them at once when the
 * box does not intersect.
 *
 *     rows 0..7 ─┬─ rows 0..3 ─┬─ entry 0: rows 0..1
 *                │             └─ entry 1: rows 2..3
 *                └─ rows 5..7 ─── entry 2: rows 5..7
 *
 * For the folders of this project, not installed. */
#ifndef INLAY_IR_TENSOR_BOX_TREE_H
#define INLAY_IR_TENSOR_BOX_TREE_H

#include "ir/base/arena.h"
#include "ir/tensor/box.h"

/* All zero: empty. */
typedef struct inlay_box_tree {
    size_t n, cap;           /* number of entries, and capacity: a power of two */
    inlay_framed_box *boxes; /* [1] is around all, [i] around [2i] and [2i + 1], [cap + k] of entry
                                k */
} inlay_box_tree;

/* Appends an entry with BOX. False: the arena A is out of memory. */
bool inlay_box_tree_push(inlay_box_tree *t, inlay_arena *a, const inlay_framed_box *box);
/* Removes the box of entry I, which then intersects nothing. */
void inlay_box_tree_drop(inlay_box_tree *t, size_t i);
/* Returns the first entry from FROM on whose box intersects BOX, or T->n. Adds the number of boxes
 * that it compared in vain to *PASSED. */
size_t inlay_box_tree_next(const inlay_box_tree *t, size_t from, const inlay_framed_box *box,
                           size_t *passed);

#endif
