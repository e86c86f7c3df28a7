/* The planned executor calls the same kernels as the reference, but it obeys storage notes: an
 * output may be a view of an operand, or be written over the bytes of an operand, or in a window
 * of a tensor. This is what it knows of a graph before it runs it. */
#ifndef INLAY_EXEC_PLAN_PLAN_H
#define INLAY_EXEC_PLAN_PLAN_H

#include "interp/call/steps.h"
#include "interp/interp.h"
#include "interp/library/module.h"

#include <pthread.h>

struct exec_instance;

/* Says that a value is rows of the state of a variable, picked by index: if a Parameter names all
 * of them in their order, it is the state itself (state_reorder.c). */
typedef struct exec_pick {
    bool picks;
    bool alone;          /* nobody else reads the state: few rows may be written over it */
    int variable, order; /* the number of the Parameter */
    int axis, grows;     /* of the rows; along which the state grows */
} exec_pick;

/* Says where the bytes of a value are, as its storage note says. There is one place for each
 * slot. */
typedef struct exec_place {
    inlay_note_kind kind;
    size_t target;             /* slot of the value whose bytes are used; its own when fresh */
    const inlay_node *scatter; /* INLAY_INTO: the SliceScatter whose window it is, or the node that
                                  holds the value, which is made in its part of `target` */
    bool spoiled;              /* some value is written over bytes of the same buffer */
    bool sliced; /* an input: that is done through one slice of it only; or the slice */
    bool listed; /* it is noted as rows of a list, which no strides show (listed.c); kind is that of
                    a fresh value then, because it gets bytes of its own where it is not computed in
                    these rows */
} exec_place;

/* Does the value of P take the place of another value? In a part of what is made only later it does
 * not. */
static inline bool exec_writes_over(const exec_place *p)
{
    return p->kind == INLAY_OVERWRITES ||
           (p->kind == INLAY_INTO && !(p->scatter->op->flags & INLAY_HOLDS));
}

/* Says that a value is the next state of a variable, which has room (states.c). */
typedef struct exec_growth {
    int variable, axis; /* the room is behind this axis; 0: the value is none of these */
    bool shows;         /* the value is a window of such a value and is assigned: it is shown */
} exec_growth;

/* Returns whether an instance is right; false after recording an error. */
typedef bool exec_audit_fn(const struct exec_instance *x, inlay_diags *d);

/* The instances of a plan, which sessions of several threads share under one lock (cache.c). */
typedef struct exec_cache {
    pthread_mutex_t lock;
    struct exec_entry *list;
    void (*free_list)(struct exec_entry *list); /* set with the first entry */
    uint64_t clock;
} exec_cache;

/* How the instances of a graph and of its bodies are made. It is set before the first of them. */
typedef struct exec_settings {
    inlay_kernels kernels;      /* that steps are made by */
    bool packs;                 /* constants may be packed */
    const module_table *module; /* that makes steps, or NULL */
    int threads;                /* that it computes with */
    double worth;               /* products for each element at its border that a chain must compute
                                   to be made by the module */
    double part;                /* the least cost (call/split.h) of a part of a chain */
    uint64_t most_room;         /* bytes of the buffers of states with room, all together */
    size_t most_idle;     /* instances of each plan that are kept though no session holds them */
    exec_audit_fn *audit; /* looks at each instance that is made; NULL: nobody does */
} exec_settings;

/* A part of a chain costs some microseconds, as long as a thread wakes. */
enum { EXEC_PART = 1 << 16 };

/* What the executor knows of a graph before it runs it. */
typedef struct exec_plan {
    const graph_steps *steps;
    exec_settings *set;        /* one for a graph and its bodies: */
    exec_settings own;         /* that of the outermost plan */
    exec_place *places;        /* by slot; NULL: every output is fresh */
    const inlay_node **writes; /* by variable: a ReadValue whose state a run writes over, or NULL */
    exec_growth *growth;       /* by slot */
    exec_pick *picks;          /* by slot */
    int64_t tile;              /* bytes of a tile of a buffer that steps write to in place; then
                                  any buffer has tiles (tests); 0: as usual */
    int number;                /* of the plans of a graph and its bodies: 0 is the outermost one */
    int depth;                 /* how many bodies stand around it */
    int n_plans, max_depth;    /* of it and the plans below it: the next number; the deepest */
    struct exec_plan **bodies; /* of all nodes, in the order of the steps */
    size_t n_bodies;
    exec_cache *cache;            /* its instances */
    struct exec_aligned *aligned; /* constants that stand misaligned */
    struct exec_packed *packed;   /* constants as kernels of the library want them */
} exec_plan;

/* Reads the notes of the graph of S, which must outlive the plan. A note that is not right is
 * ignored with a warning, and its output gets fresh bytes. */
exec_plan *exec_plan_new(const graph_steps *s, inlay_diags *d);
void exec_plan_free(exec_plan *p);
/* Returns the plan of BODY, the steps of a body of a node of P. */
const exec_plan *exec_plan_of_body(const exec_plan *p, const graph_steps *body);

#endif
