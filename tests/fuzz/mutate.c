#include "mutate.h"

int64_t draw_number(uint64_t *state)
{
    static const int64_t small[] = {0, 1, -1, 2, -2, 3, 4, 5, 7, 8, 16, 17, 64, 127, 128, 255, 256};
    int64_t power = (int64_t)1 << draw(state, 63);

    switch (draw(state, 4)) {
    case 0:
        return power - 1;
    case 1:
        return -power;
    case 2:
        return draw(state, 16) == 0 ? INT64_MIN : power;
    default:
        return small[draw(state, sizeof small / sizeof *small)];
    }
}
