/* The planned executor calls the same kernels as the reference, but follows storage notes: an
 * output may be a view of an operand, overwrite an operand, or be made in a window of a larger
 * tensor. A plan is what it knows of a graph before it runs it. */
#ifndef INLAY_EXEC_PLAN_PLAN_H
#define INLAY_EXEC_PLAN_PLAN_H

#include "interp/call/meter.h"
#include "interp/call/steps.h"
#include "interp/interp.h"
#include "interp/library/module.h"

#include <pthread.h>

struct exec_instance;

/* Says that a value consists of rows of a variable's state, picked by index: if a Parameter lists
 * all of them in order, the value is the state itself (state_reorder.c). */
typedef struct exec_pick {
    bool picks;
    bool alone;          /* nothing else reads the state: if few rows differ, they may be written
                            over it */
    int variable, order; /* which Parameter lists the rows */
    int axis, grows;     /* the axis of the rows; the axis along which the state grows */
} exec_pick;

/* Where a value's bytes are according to its storage note. There is one place per slot. */
typedef struct exec_place {
    inlay_note_kind kind;
    size_t target;             /* the slot of the value whose bytes it uses; its own if it has fresh
                                  bytes */
    const inlay_node *scatter; /* INLAY_INTO: the SliceScatter whose window it is made in, or the
                                  node that holds the value, made in its part of `target` */
    bool spoiled;              /* another value overwrites bytes of the same buffer */
    bool sliced; /* of an input: it is only overwritten through one slice of it; of a value: it is
                    that slice */
    bool listed; /* by its note it consists of rows that a list names, which strides cannot express
                    (listed.c); KIND is that of a fresh value then, because it gets bytes of its own
                    unless it is computed in these rows */
} exec_place;

/* Whether the value of P overwrites another value. Not so if it is made in its part of a value that
 * is only made later. */
static inline bool exec_writes_over(const exec_place *p)
{
    return p->kind == INLAY_OVERWRITES ||
           (p->kind == INLAY_INTO && !(p->scatter->op->flags & INLAY_HOLDS));
}

/* Says that a value is the next state of a variable and has spare capacity (states.c). */
typedef struct exec_growth {
    int variable, axis; /* the capacity is along this axis; 0: the value is no such state */
    bool shows;         /* the value is a window of such a value and is assigned as a view of it */
} exec_growth;

/* Returns whether an instance is correct; false after recording an error. */
typedef bool exec_audit_fn(const struct exec_instance *x, inlay_diags *d);

/* The memory of instances that were dropped, with which the next ones are made: where sizes are new
 * in each run, as the length of a cache is, an instance is made for each, of the same steps. */
typedef struct exec_scrap {
    struct exec_instance *x; /* a list of some empty instances */
    inlay_arena *scratch;    /* for what is needed only while an instance is made; or NULL */
    inlay_meter *meter;      /* of the kernels that are recorded; or NULL */
    size_t room;             /* how many bytes of memory the last instance has */
} exec_scrap;

/* The instances of a plan. Sessions of several threads share them under one lock (cache.c). */
typedef struct exec_cache {
    pthread_mutex_t lock;
    struct exec_entry *list;
    exec_scrap scrap;
    void (*free_all)(struct exec_cache *c); /* set with the first entry */
    uint64_t clock;
} exec_cache;

/* How instances of a graph and of its bodies are made. Set before the first of them is made. */
typedef struct exec_settings {
    inlay_kernels kernels;      /* which kernels compute the steps */
    bool packs;                 /* constants may be packed */
    const module_table *module; /* the module that computes steps, or NULL */
    int threads;                /* the number of the module's threads */
    double worth;               /* how many products per element at its borders a chain must compute
                                   to be worth the module */
    double part;                /* the least cost (call/split.h) of a part of a chain */
    uint64_t most_room;         /* the maximum number of bytes in all buffers of states with spare
                                   capacity */
    size_t most_idle;           /* how many instances of each plan are kept that no session uses */
    exec_audit_fn *audit;       /* checks each instance that is made; NULL: none is checked */
} exec_settings;

/* Computing such a part takes some microseconds, about as long as waking a thread. */
enum { EXEC_PART = 1 << 16 };

/* What the executor knows of a graph before it runs it. */
typedef struct exec_plan {
    const graph_steps *steps;
    exec_settings *set;        /* shared by the plans of a graph and its bodies: */
    exec_settings own;         /* the settings themselves, in the outermost plan */
    exec_place *places;        /* by slot; NULL: every output has fresh bytes */
    const inlay_node **writes; /* by variable: a ReadValue whose state a run overwrites, or NULL */
    exec_growth *growth;       /* by slot */
    exec_pick *picks;          /* by slot */
    int64_t tile;              /* the bytes of a tile of a buffer that steps write to in place, and
                                  then any buffer has tiles (for tests); 0: the default */
    int number;                /* the plans of a graph and its bodies are numbered; 0 is the
                                  outermost one */
    int depth;                 /* the number of bodies around it */
    int n_plans, max_depth;    /* of it and the plans of its bodies: the next free number; the
                                  largest depth */
    struct exec_plan **bodies; /* of all nodes, in the order of the steps */
    size_t n_bodies;
    exec_cache *cache;            /* its instances */
    struct exec_aligned *aligned; /* constants at misaligned addresses */
    struct exec_packed *packed;   /* constants in the forms that kernels of the library need */
} exec_plan;

/* Reads the notes of the graph of S, which must outlive the plan. An invalid note is ignored with a
 * warning, and its output gets fresh bytes. */
exec_plan *exec_plan_new(const graph_steps *s, inlay_diags *d);
void exec_plan_free(exec_plan *p);
/* Returns the plan for BODY, the steps of a body of a node of P. */
const exec_plan *exec_plan_of_body(const exec_plan *p, const graph_steps *body);

#endif
