/* The lower bound on this machine: plain loops over memory that is already mapped. usage: limits
 * WORKLOAD, one of windows.c */
#include "bench/measure.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work {
    float *data, *row;
    int64_t length, step;
    float y;
};

static void window(float *x, int rows, int columns)
{
    for (int r = 0; r < rows; r++) {
        float *row = x + (size_t)r * COLUMNS;

        for (int c = 0; c < columns; c++)
            row[c] = row[c] * SCALE + SHIFT;
    }
}

static bool rows(void *ctx)
{
    struct work *w = ctx;

    for (int i = 0; i < WINDOWS; i++)
        window(w->data + (size_t)i * ROW_STEP * COLUMNS, ROW_COUNT, COLUMNS);
    return true;
}

static bool columns(void *ctx)
{
    struct work *w = ctx;

    for (int i = 0; i < WINDOWS; i++)
        window(w->data + (size_t)i * COLUMN_STEP, ROWS, COLUMN_COUNT);
    return true;
}

static bool cache_step(void *ctx)
{
    struct work *w = ctx;
    int64_t place = w->step++ % w->length;

    w->y = 0;
    for (int h = 0; h < HEADS; h++) {
        float *to = w->data + (h * w->length + place) * WIDTH;

        memcpy(to, w->row + (size_t)h * WIDTH, sizeof(float) * WIDTH);
        for (int k = 0; k < WIDTH; k++)
            w->y += to[k];
    }
    return true;
}

int main(int argc, char **argv)
{
    struct work w = {0};
    const char *name = argc == 2 ? argv[1] : "";
    measurement m = {"limit", name, "loops in C, in place", NULL, &w, 0, 0, ""};
    size_t n = (size_t)ROWS * COLUMNS;

    if (strncmp(name, "cache-", 6) == 0) {
        w.length = atol(name + 6);
        n = (size_t)(HEADS * w.length * WIDTH);
        m.run = cache_step;
    } else if (strcmp(name, "rows") == 0 || strcmp(name, "columns") == 0) {
        m.run = *name == 'r' ? rows : columns;
        m.memcpy_size = n * sizeof(float);
    } else {
        fprintf(stderr, "usage: limits rows|columns|cache-LENGTH\n");
        return 2;
    }
    w.data = touched(n * sizeof(float));
    w.row = touched(sizeof(float) * HEADS * WIDTH);
    fill(w.data, n);
    fill(w.row, (size_t)HEADS * WIDTH);
    m.run(&w);
    m.check = w.length ? (double)w.y : sum(w.data, n);
    measure(&m);
    free(w.data);
    free(w.row);
    return 0;
}
