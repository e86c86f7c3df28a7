/* Items: elements that are whole tensors. An element is a leaf buffer that holds a reference to its
 * tensor, and that the buffer of the element keeps alive; NULL: no tensor. So elements are copied
 * like those of strings, and a buffer of items has only leaves to keep. */
#include "ir/tensor/buffer.h"
#include "ir/tensor/storage.h"

#include <string.h>

static void release_item(void *ctx, void *data, size_t size)
{
    (void)ctx, (void)size;
    inlay_tensor_release(data);
}

static inlay_buffer *load(const inlay_tensor *t, int64_t i)
{
    inlay_buffer *leaf;

    memcpy(&leaf, (const char *)t->data + inlay_tensor_index(t, i) * (int64_t)sizeof leaf,
           sizeof leaf);
    return leaf;
}

const inlay_tensor *inlay_tensor_get_item(const inlay_tensor *t, int64_t i)
{
    inlay_buffer *leaf = t != NULL && t->type == INLAY_ITEM && i >= 0 && i < inlay_tensor_count(t)
                             ? load(t, i)
                             : NULL;

    return inlay_buffer_data(leaf);
}

/* Are there items in T, and in these, LEFT deep at most? What is set is checked, so the recursion
 * ends. */
static bool is_shallow(const inlay_tensor *t, int left)
{
    bool ok = t->type != INLAY_ITEM || left > 0;

    for (int64_t i = 0; ok && t->type == INLAY_ITEM && i < inlay_tensor_count(t); i++) {
        const inlay_tensor *item = inlay_tensor_get_item(t, i);

        ok = !item || is_shallow(item, left - 1);
    }
    return ok;
}

bool inlay_tensor_set_item(inlay_tensor *t, int64_t i, const inlay_tensor *item)
{
    inlay_tensor *held = NULL;
    inlay_buffer *leaf = NULL;
    bool ok;

    if (t == NULL || t->type != INLAY_ITEM || t->buffer == NULL || i < 0 ||
        i >= inlay_tensor_count(t) || (item && !is_shallow(item, INLAY_MAX_ITEM_DEPTH - 1)))
        return false;
    if (item) {
        held = inlay_tensor_retain(item);
        leaf = held ? inlay_buffer_wrap(held, 0, release_item, NULL) : NULL;
        if (!leaf) {
            inlay_tensor_release(held);
            return false;
        }
    }
    ok = !leaf || inlay_buffer_keep_one(t->buffer, leaf);
    inlay_buffer_release(leaf);
    if (ok)
        memcpy((char *)t->data + inlay_tensor_index(t, i) * (int64_t)sizeof leaf, &leaf,
               sizeof leaf);
    return ok;
}

bool inlay_tensor_keep_items(inlay_tensor *t)
{
    int64_t n = t->type == INLAY_ITEM ? inlay_tensor_count(t) : 0;

    for (int64_t i = 0; i < n; i++) {
        inlay_buffer *leaf = load(t, i);

        if (leaf && !inlay_buffer_keep_one(t->buffer, leaf))
            return false;
    }
    return true;
}
