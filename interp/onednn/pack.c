/* Constants with a padded last block, such as 36 filters in blocks of 32:
 *
 *     | f0 ... f31 | f32 f33 f34 f35 0 0 ... 0 |
 *
 * We change their layout ourselves, because oneDNN 3.7 omits elements of such blocks on some
 * machines. Its reorders split a block that does not fit into the first-level cache, and split a
 * padded one wrongly; and if a virtual machine on an AMD processor does not report cache sizes
 * (leaf 8000001D of cpuid), they assume one byte. Blocks of 8 or 16 elements of one axis, which
 * values may have, are not split. */
#include "interp/onednn/pack.h"

#include <stdlib.h>
#include <string.h>

/* An axis: the offsets, in bytes, of position I along it in both layouts. */
typedef struct pack_axis {
    int64_t n;
    int64_t *from, *to;
} pack_axis;

bool pack_fills_up(api_layout l)
{
    api_blocks b;

    return api_read(l, &b) && memcmp(b.dims, b.filled, (size_t)b.rank * sizeof *b.dims) != 0;
}

/* The offset of position I along AXIS. */
static int64_t place_of(const api_blocks *b, int axis, int64_t i)
{
    int64_t place = 0, inner = 1;

    for (int k = b->n; k-- > 0; inner *= b->sizes[k]) {
        if (b->axes[k] == axis) {
            place += i % b->sizes[k] * inner;
            i /= b->sizes[k];
        }
    }
    return (place + i * b->strides[axis]) * (int64_t)sizeof(float);
}

static void copy(const pack_axis *a, int left, const char *x, char *y)
{
    for (int64_t i = 0; i < a->n; i++) {
        if (left > 1)
            copy(a + 1, left - 1, x + a->from[i], y + a->to[i]);
        else
            memcpy(y + a->to[i], x + a->from[i], sizeof(float));
    }
}

/* Sets A to the axes of TO, those with the widest steps in FROM first, so that FROM is read in the
 * order of addresses. */
static void find_axes(const api_blocks *from, const api_blocks *to, int64_t *room, pack_axis *a)
{
    for (int i = 0; i < to->rank; i++) {
        int64_t n = to->dims[i];
        pack_axis next = {n, room, room + n + 1};
        int k = i;

        room += 2 * (n + 1);
        for (; n >= 0; n--) {
            next.from[n] = place_of(from, i, n);
            next.to[n] = place_of(to, i, n);
        }
        for (; k > 0 && next.from[1] > a[k - 1].from[1]; k--)
            a[k] = a[k - 1];
        a[k] = next;
    }
}

bool pack(const void *x, api_layout from, void *y, api_layout to)
{
    pack_axis a[MODULE_ROOM];
    api_blocks f, t;
    size_t n = 0;
    int64_t *room;

    if (!api_read(from, &f) || !api_read(to, &t))
        return false;
    for (int i = 0; i < t.rank; i++)
        n += 2 * ((size_t)t.dims[i] + 1);
    room = malloc(n * sizeof *room);
    if (!room)
        return false;
    find_axes(&f, &t, room, a);
    memset(y, 0, api_bytes(to));
    copy(a, t.rank, x, y);
    free(room);
    return true;
}
