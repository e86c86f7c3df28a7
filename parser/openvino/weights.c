/* Writes the weights file. It contains the bytes of constants, each once: equal bytes share a range
 * whatever their type and shape. A new range begins at a multiple of the size of its elements
 * (parser/openvino/README.md 8). */
#include "ir/shared.h"
#include "parser/openvino/write.h"

#include <stdlib.h>
#include <string.h>

struct ov_weight {
    uint64_t hash, offset;
    const char *bytes;
    size_t n;
    const inlay_tensor *copy; /* keeps the bytes alive, if they were made here */
    char *packed;             /* strings in the layout of the file */
};

/* Any function that mixes well is good enough, because ranges with equal hashes are compared. */
static uint64_t hash_bytes(const char *bytes, size_t n)
{
    uint64_t h = n * UINT64_C(0x9e3779b97f4a7c15), word;

    for (; n >= 8; n -= 8, bytes += 8) {
        memcpy(&word, bytes, 8);
        h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    word = 0;
    if (n > 0)
        memcpy(&word, bytes, n);
    h = (h ^ word) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 29;
}

static bool grow_table(ov_weights *w)
{
    size_t size = w->table_size ? w->table_size * 2 : 256;
    size_t *table = inlay_take(w->budget, size, sizeof *table);

    if (!table)
        return false;
    for (size_t i = 0; i < w->n; i++) {
        size_t at = w->list[i].hash & (size - 1);

        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = i + 1;
    }
    inlay_give(w->table);
    w->table = table;
    w->table_size = size;
    return true;
}

/* Finds the slot of the table for these bytes: the one with an equal range, or a free one. */
static size_t *find_slot(ov_weights *w, const struct ov_weight *new)
{
    size_t at = new->hash &(w->table_size - 1);

    while (w->table[at]) {
        const struct ov_weight *old = &w->list[w->table[at] - 1];

        if (old->hash == new->hash && old->n == new->n &&
            (old->bytes == new->bytes || memcmp(old->bytes, new->bytes, new->n) == 0))
            break;
        at = (at + 1) & (w->table_size - 1);
    }
    return &w->table[at];
}

static bool make_room(ov_weights *w)
{
    if (w->n == w->cap) {
        size_t cap = w->cap ? w->cap * 2 : 64;
        struct ov_weight *grown = inlay_retake(w->budget, w->list, cap * sizeof *grown);

        if (!grown)
            return false;
        w->list = grown;
        w->cap = cap;
    }
    return w->n * 2 < w->table_size || grow_table(w);
}

static void drop(struct ov_weight *x)
{
    inlay_tensor_release(x->copy);
    inlay_give(x->packed);
}

void ov_free_weights(ov_weights *w)
{
    for (size_t i = 0; i < w->n; i++)
        drop(&w->list[i]);
    inlay_give(w->list);
    inlay_give(w->table);
}

static bool emit(ov_writer *w, const char *bytes, size_t n)
{
    if (n > 0 && w->weights.to && !w->weights.to->write(w->weights.to->ctx, bytes, n))
        w->x.failed = true;
    checksum_add(&w->weights.sum, bytes, n);
    return !w->x.failed;
}

static bool append(ov_writer *w, struct ov_weight *x, size_t align)
{
    static const char zeros[16];
    size_t pad = x->n ? (size_t)((align - w->weights.sum.size % align) % align) : 0;

    x->offset = w->weights.sum.size + pad;
    return emit(w, zeros, pad) && emit(w, x->bytes, x->n);
}

static void store_i32(char *p, uint64_t x)
{
    for (int i = 0; i < 4; i++)
        p[i] = (char)(x >> (8 * i) & 0xff);
}

/* Packs strings in the layout of the file: count | offset[0..count] | bytes (4.3). */
static bool pack_strings(ov_writer *w, const inlay_tensor *t, struct ov_weight *x)
{
    uint64_t count = (uint64_t)inlay_tensor_count(t), text = 0, at = 0;
    char *p;

    for (uint64_t i = 0; i < count; i++)
        text += inlay_tensor_get_string(t, (int64_t)i).length;
    if (count > INT32_MAX || text > INT32_MAX)
        return xml_refuse(&w->x, "a string constant of more than 2 GiB does not fit the format");
    x->n = count == 0 ? 4 : (size_t)(4 * (count + 2) + text);
    p = x->packed = inlay_take_raw(w->weights.budget, x->n);
    if (!p)
        return xml_out_of_memory(&w->x);
    store_i32(p, count);
    for (uint64_t i = 0; i < count; i++) {
        inlay_string s = inlay_tensor_get_string(t, (int64_t)i);

        store_i32(p + 4 + 4 * i, at);
        if (s.length > 0)
            memcpy(p + 4 * (count + 2) + at, s.bytes, s.length);
        at += s.length;
    }
    if (count > 0)
        store_i32(p + 4 + 4 * count, at);
    x->bytes = p;
    return true;
}

static bool take_bytes(ov_writer *w, const inlay_tensor *t, struct ov_weight *x)
{
    if (t->type == INLAY_STRING)
        return pack_strings(w, t, x);
    if (!inlay_tensor_is_dense(t)) {
        t = x->copy = inlay_tensor_copy(t);
        if (!t)
            return xml_out_of_memory(&w->x);
    }
    x->n = inlay_tensor_bytes(t);
    x->bytes = t->data;
    return true;
}

bool ov_put_weights(ov_writer *w, const inlay_tensor *t, uint64_t *offset, uint64_t *size)
{
    int bits = t->type == INLAY_STRING ? 8 : inlay_type_info_of(t->type)->bits;
    struct ov_weight x = {0};
    size_t *slot;

    if (!take_bytes(w, t, &x))
        return false;
    x.hash = hash_bytes(x.bytes, x.n);
    if (w->x.node)
        inlay_count_hashed(w->x.node->graph, x.n);
    if (!make_room(&w->weights)) {
        drop(&x);
        return xml_out_of_memory(&w->x);
    }
    slot = find_slot(&w->weights, &x);
    *size = x.n;
    if (*slot) {
        *offset = w->weights.list[*slot - 1].offset;
        drop(&x);
        return true;
    }
    w->weights.list[w->weights.n++] = x;
    *slot = w->weights.n;
    append(w, &w->weights.list[w->weights.n - 1], bits > 8 ? (size_t)bits / 8 : 1);
    *offset = w->weights.list[w->weights.n - 1].offset;
    return !w->x.failed;
}
