/* What the programs of this folder share: timing repeated runs, the load by other processes
 * meanwhile, and a JSON line with both. */
#ifndef INLAY_BENCH_MEASURE_H
#define INLAY_BENCH_MEASURE_H

#include "ir/ir.h"

/* The sizes of the workloads. numpy_peer.py and onnx_models.py have the same numbers. */
enum {
    ROWS = 16384, /* of the tensor of the chains, f32, 64 MiB */
    COLUMNS = 1024,
    WINDOWS = 32,
    ROW_STEP = 512, /* window i of "rows" is the rows from i * ROW_STEP, 1 MiB */
    ROW_COUNT = 256,
    COLUMN_STEP = 32, /* window i of "columns" is the columns from i * COLUMN_STEP, 1 MiB */
    COLUMN_COUNT = 16,
    HEADS = 8, /* of the cache, f32 [1, HEADS, length, WIDTH] */
    WIDTH = 64
};
#define SCALE 0.5f
#define SHIFT 0.25f

typedef struct measurement {
    const char *peer, *workload, *variant;
    bool (*run)(void *ctx); /* one run; false ends the measurement */
    void *ctx;
    double check;       /* the sum of the first run's result, equal for all peers */
    size_t memcpy_size; /* the bytes of a memcpy that is timed between runs; 0: none */
    const char *more;   /* JSON members to add, or "" */
} measurement;

/* Seconds to spend on one line: $BENCH_SECONDS, else 1. Prints one JSON line. */
bool measure(const measurement *m);

/* Seconds of a monotonic clock. */
double now(void);
/* The median of N numbers, which are sorted. */
double median(double *x, int n);
/* Ends the program with the first message in D or, if D is NULL, with "WHAT failed". */
_Noreturn void die(const char *what, const inlay_diags *d);

/* N numbers in [-0.5, 0.5), each a function of its index. */
void fill(float *x, size_t n);
double sum(const float *x, size_t n);
/* Memory, aligned to a page and already written; ends the program if there is none. */
void *touched(size_t bytes);

#endif
