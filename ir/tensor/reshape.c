/* The strides of a dense tensor, and of a reshape. */
#include "ir/tensor/window.h"

void inlay_strides_dense(int rank, const int64_t *dims, int64_t *strides)
{
    int64_t step = 1;

    for (int i = rank; i-- > 0; step *= dims[i])
        strides[i] = step;
}

bool inlay_strides_are_dense(int rank, const int64_t *dims, const int64_t *strides)
{
    int64_t step = 1;
    bool dense = true;

    for (int i = rank; i-- > 0; step *= dims[i])
        dense = dense && (dims[i] == 1 || strides[i] == step);
    return dense;
}

/* Lists the axes of DIMS whose size is not 1, with their strides; returns their number. */
static int long_axes(int rank, const int64_t *dims, const int64_t *strides, int64_t *long_dims,
                     int64_t *steps)
{
    int n = 0;

    for (int i = 0; i < rank; i++) {
        if (dims[i] != 1) {
            long_dims[n] = dims[i];
            steps[n++] = strides[i];
        }
    }
    return n;
}

/* The axes are divided into groups, from the left: the fewest axes of one shape that have as many
 * elements as some axes of the other shape. [4,6] as [2,2,6] splits the first axis. A group that is
 * split or merged must be contiguous. */
bool inlay_strides_reshaped(int rank, const int64_t *dims, const int64_t *strides, int new_rank,
                            const int64_t *new_dims, int64_t *new_strides)
{
    int64_t from[INLAY_MAX_RANK], steps[INLAY_MAX_RANK];
    int n = long_axes(rank, dims, strides, from, steps), i = 0, k = 0;

    while (k < new_rank) {
        int first = k, last = i;
        int64_t have = 1, want = new_dims[k++], step;

        new_strides[first] = 1;
        while (have != want) {
            if (want < have ? k == new_rank : i == n)
                return false;
            if (want < have)
                want *= new_dims[k++];
            else
                have *= from[i++];
        }
        for (; last + 1 < i; last++) {
            if (steps[last] != from[last + 1] * steps[last + 1])
                return false;
        }
        step = have > 1 ? steps[i - 1] : 1;
        for (int j = k; j-- > first; step *= new_dims[j])
            new_strides[j] = step;
    }
    return true;
}
