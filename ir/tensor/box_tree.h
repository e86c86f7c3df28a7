/* An index over the boxes of a list that grows at its end: a binary tree that has the list's
 * entries as its leaves. A box of the tree is around all leaves below it, so that a search passes
 * by all of them at once when the box lies elsewhere.
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

/* All zero, it is empty. */
typedef struct inlay_box_tree {
    size_t n, cap;           /* entries, and room for them: a power of two */
    inlay_framed_box *boxes; /* [1] is of all, [i] of [2i] and [2i + 1], [cap + k] of entry k */
} inlay_box_tree;

/* The next entry of T has BOX. False: out of memory, of the arena A. */
bool inlay_box_tree_push(inlay_box_tree *t, inlay_arena *a, const inlay_framed_box *box);
/* Entry I of T has no box any more: it meets none. */
void inlay_box_tree_drop(inlay_box_tree *t, size_t i);
/* The first entry of T from number FROM on whose box meets BOX, or T->n. Adds to *PASSED how many
 * boxes did not meet it. */
size_t inlay_box_tree_next(const inlay_box_tree *t, size_t from, const inlay_framed_box *box,
                           size_t *passed);

#endif
