/* The interface to a kernel module outside of the library: a shared object beside it, which is
 * opened when a program has work for it. It is plain C, so neither depends on the other, nor the
 * library on what the module is built on.
 *
 * A module computes chains: operations on dense f32 values, in which one reads the results of
 * another. The layout of values inside a chain is up to the module; at its ends they are row-major.
 *
 *     x --Convolution--Sum(bias)--Clamp--MaxPool--> y        x and y are row-major */
#ifndef INLAY_LIBRARY_MODULE_H
#define INLAY_LIBRARY_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of this header: a module built with another one is not used. The file of a module
 * holds the mark, so that its version is known before its code runs. */
#define MODULE_NUMBER 3
#define MODULE_TEXT(number) #number
#define MODULE_MARK_OF(number) "module of kernels for inlay, version " MODULE_TEXT(number) "\n"
#define MODULE_MARK MODULE_MARK_OF(MODULE_NUMBER)

enum {
    MODULE_VERSION = MODULE_NUMBER,
    MODULE_RANK = 5,
    MODULE_AXES = 3,
    MODULE_ROOM = 12 /* limit on lists of numbers, from oneDNN's declarations */
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
    const void *constant; /* its elements, at any address; NULL: not a constant */
    bool leaves;          /* computed by the chain and read outside of it */
} module_value;

typedef struct module_node {
    module_kind kind;
    int in[2], out; /* numbers of values; in[1] < 0: none */
    int groups;     /* of a convolution */
    int axes;       /* number of spatial axes of a convolution or pooling */
    int64_t kernel[MODULE_ROOM], stride[MODULE_ROOM], dilation[MODULE_ROOM];
    int64_t before[MODULE_ROOM], behind[MODULE_ROOM]; /* padding, reduced to what is read */
    bool turned;                                      /* PRODUCT: operand 1 is [columns, depth] */
    bool pad_counts;                                  /* MEAN_POOL: padding counts as elements */
    int axis;        /* SUM: the axis of operand 1; -1: it has the dims of the output */
    float low, high; /* CLAMP */
} module_node;

/* Nodes are in topological order. */
typedef struct module_work {
    const module_value *values;
    int n_values;
    const module_node *nodes;
    int n_nodes;
    int threads;  /* most threads that share a chain */
    double least; /* work that is worth a thread, in tenths of a nanosecond */
} module_work;

/* How a chain runs in parallel: computes items 0 <= i < N by FN, which several threads call at once
 * with some items each, and returns when all are computed. The module creates no threads. */
typedef struct module_threads {
    void (*split)(void *ctx, int64_t n, void (*fn)(void *arg, int64_t from, int64_t to), void *arg);
    void *ctx;
} module_threads;

/* Constants in the layout of chains; chains that need the same one share it. */
typedef struct module_store module_store;
typedef struct module_chain module_chain;

/* What a module exports, by a function `const module_table *inlay_module(void)`. */
typedef struct module_table {
    int version;
    module_store *(*store_new)(void); /* NULL: out of memory */
    void (*store_free)(module_store *s);
    size_t (*store_bytes)(const module_store *s);
    /* Makes a chain that computes W; nobody else may use the store meanwhile. Constants are not
     * read later. S NULL: constants are not read at all; the chain reports the memory that it
     * needs, but cannot run. NULL: the module cannot compute W, or is out of memory. */
    module_chain *(*chain_new)(module_store *s, const module_work *w);
    void (*chain_free)(module_chain *c);
    size_t (*chain_room)(const module_chain *c); /* bytes that a run needs, aligned to a cache
                                                    line */
    /* Computes all values that leave the chain. AT, by value: the address of each that enters or
     * leaves. Several runs of one chain may be in progress. False: the module failed. */
    bool (*chain_run)(module_chain *c, void *const *at, void *room, const module_threads *t);
} module_table;

typedef const module_table *module_entry_fn(void);

#endif
