/* `inlay run --digest`: a hash of outputs, the same on every machine where the bytes are. */
#include "cli/cli.h"

#include <math.h>
#include <string.h>

/* FNV-1a of 64 bits, of what it got so far. */
static uint64_t add(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Adds X, whatever the order of bytes is here, with the lowest first. */
static uint64_t add_number(uint64_t hash, uint64_t x)
{
    unsigned char bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(x >> 8 * i);
    return add(hash, bytes, sizeof bytes);
}

static uint64_t add_strings(uint64_t hash, const inlay_tensor *t)
{
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        inlay_string s = inlay_tensor_get_string(t, i);

        hash = add(add_number(hash, s.length), s.bytes, s.length);
    }
    return hash;
}

static bool add_items(uint64_t *hash, const inlay_tensor *t, inlay_diags *d)
{
    bool ok = true;

    for (int64_t i = 0; ok && i < inlay_tensor_count(t); i++) {
        const inlay_tensor *item = inlay_tensor_get_item(t, i);

        if (item)
            ok = cli_digest(item, hash, d);
        else
            *hash = add(*hash, "none", sizeof "none");
    }
    return ok;
}

/* Makes all NaNs of T one: which sign and payload one has is left to the processor. */
static void unify_nans(inlay_tensor *t)
{
    if (!inlay_type_is_float(t->type))
        return;
    for (int64_t i = 0; i < inlay_tensor_count(t); i++) {
        if (isnan(inlay_tensor_get_f64(t, i)))
            inlay_tensor_set_f64(t, i, NAN);
    }
}

bool cli_digest(const inlay_tensor *t, uint64_t *hash, inlay_diags *d)
{
    const char *type = inlay_type_info_of(t->type)->name;
    inlay_tensor *dense = inlay_tensor_copy(t);
    bool ok = true;

    if (!dense)
        return inlay_fail_memory(d);
    unify_nans(dense);
    *hash = add(*hash, type, strlen(type) + 1);
    for (int k = 0; k < t->rank; k++)
        *hash = add_number(*hash, (uint64_t)t->dims[k]);
    if (t->type == INLAY_ITEM)
        ok = add_items(hash, dense, d);
    else
        *hash = t->type == INLAY_STRING ? add_strings(*hash, dense)
                                        : add(*hash, dense->data, inlay_tensor_bytes(dense));
    inlay_tensor_release(dense);
    return ok;
}
