/* The seam to a module of kernels that is no part of the library: a shared object beside it, which
 * is opened when a program has work for it. What passes here is plain C, so a module needs nothing
 * of the library, and the library nothing of what the module stands on.
 *
 * A module computes chains: operations on dense f32 values, one reading what others made. How
 * values lie between them is its own affair; at the borders of a chain they are row-major.
 *
 *     x --Convolution--Sum(bias)--Clamp--MaxPool--> y        x and y are row-major
 */
#ifndef INLAY_LIBRARY_MODULE_H
#define INLAY_LIBRARY_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MODULE_VERSION = 3, /* of this header: a module that was built with another one is not used */
    MODULE_RANK = 5,
    MODULE_AXES = 3,
    MODULE_ROOM = 12 /* of lists of numbers: that many oneDNN declares to read */
};

typedef enum module_kind {
    MODULE_CONVOLUTION, /* operand 1, a constant: filters [out, in, spatial], or, with groups above
                           1, [groups, out, in, spatial] */
    MODULE_PRODUCT,     /* operand 1, a constant, is one matrix for all rows of operand 0 */
    MODULE_MAX_POOL,
    MODULE_MEAN_POOL,
    MODULE_SUM, /* of two values of the same dims; or operand 1 is a constant vector along AXIS */
    MODULE_CLAMP
} module_kind;

typedef struct module_value {
    int rank;
    int64_t dims[MODULE_ROOM];
    const void *constant; /* its elements, at any address; NULL: it is none */
    bool leaves;          /* the chain makes it, and somebody else reads it */
} module_value;

typedef struct module_node {
    module_kind kind;
    int in[2], out; /* numbers of values; in[1] below 0: there is none */
    int groups;     /* of a convolution */
    int axes;       /* spatial ones of a convolution or pooling */
    int64_t kernel[MODULE_ROOM], stride[MODULE_ROOM], dilation[MODULE_ROOM];
    int64_t before[MODULE_ROOM], behind[MODULE_ROOM]; /* padding, which is as much as is read */
    bool turned;                                      /* PRODUCT: operand 1 is [columns, depth] */
    bool pad_counts;                                  /* MEAN_POOL: padding counts as elements */
    int axis;        /* SUM: -1: operand 1 has the dims of the output */
    float low, high; /* CLAMP */
} module_node;

/* Nodes come in an order in which they can be computed. */
typedef struct module_work {
    const module_value *values;
    int n_values;
    const module_node *nodes;
    int n_nodes;
    int threads;  /* that share a chain at most */
    double least; /* tenths of a nanosecond that are worth a thread */
} module_work;

/* How a chain has parts of itself computed: computes items 0 <= i < N by FN, which threads call at
 * the same time with some of them each, and returns when all are computed. The module makes no
 * threads of its own. */
typedef struct module_threads {
    void (*split)(void *ctx, int64_t n, void (*fn)(void *arg, int64_t from, int64_t to), void *arg);
    void *ctx;
} module_threads;

/* Constants as chains want them; chains that want the same form of one share it. */
typedef struct module_store module_store;
typedef struct module_chain module_chain;

/* What a module exports, by a function `const module_table *inlay_module(void)`. */
typedef struct module_table {
    int version;
    module_store *(*store_new)(void); /* NULL: out of memory */
    void (*store_free)(module_store *s);
    size_t (*store_bytes)(const module_store *s);
    /* Makes what computes W; nobody else uses the store meanwhile. Constants are not read later.
     * S NULL: constants are not read at all, and the chain can tell its room, but not run. NULL:
     * the module cannot compute W, or is out of memory. */
    module_chain *(*chain_new)(module_store *s, const module_work *w);
    void (*chain_free)(module_chain *c);
    size_t (*chain_room)(const module_chain *c); /* bytes that a run needs, from a cache line on */
    /* Computes all values that leave. AT: by value, where it is or will be; only of values that
     * enter or leave. Several runs of one chain may be on their way. False: the module failed. */
    bool (*chain_run)(module_chain *c, void *const *at, void *room, const module_threads *t);
} module_table;

typedef const module_table *module_entry_fn(void);

#endif
