/* The planned executor: it calls the same kernels as the reference, but it obeys storage notes. An
 * output may be a view of an operand, or be written over the bytes of an operand, or in a window of
 * a tensor. Steps may be computed together, tile by tile. What a run wrote over before it failed is
 * put back.
 */
#ifndef INLAY_INTERP_EXEC_H
#define INLAY_INTERP_EXEC_H

#include "interp/call/bound.h"
#include "interp/exec/instance.h"
#include "interp/exec/workers.h"
#include "interp/library/module.h"

#include <pthread.h>

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
typedef bool exec_audit_fn(const exec_instance *x, inlay_diags *d);

/* The instances of a plan, which sessions of several threads share under one lock (cache.c). */
typedef struct exec_cache {
    pthread_mutex_t lock;
    struct exec_entry *list;
    void (*free_list)(struct exec_entry *list); /* set with the first entry */
    uint64_t clock;
} exec_cache;

/* plan.c: what the executor knows of a graph before it runs it. */
typedef struct exec_plan {
    const graph_steps *steps;
    exec_place *places;        /* by slot; NULL: every output is fresh */
    const inlay_node **writes; /* by variable: a ReadValue whose state a run writes over, or NULL */
    exec_growth *growth;       /* by slot */
    exec_pick *picks;          /* by slot */
    uint64_t most_room;        /* bytes of the buffers of such states, all together */
    int64_t tile;              /* bytes of a tile of a buffer that steps write to in place; then
                                  any buffer has tiles (tests); 0: as usual */
    int number;                /* of the plans of a graph and its bodies: 0 is the outermost one */
    int depth;                 /* how many bodies stand around it */
    int n_plans, max_depth;    /* of it and the plans below it: the next number; the deepest */
    struct exec_plan **bodies; /* of all nodes, in the order of the steps */
    size_t n_bodies;
    exec_cache *cache;            /* its instances */
    struct exec_aligned *aligned; /* constants that stand askew */
    struct exec_packed *packed;   /* constants as kernels of the library want them */
    inlay_kernels kernels;        /* that steps are made by */
    bool packs;                   /* constants may be packed */
    const module_table *module;   /* that makes steps, or NULL */
    int threads;                  /* that it computes with */
    double worth;                 /* exec_plan_worth */
    double part;                  /* exec_plan_part */
    exec_audit_fn *audit;         /* looks at each instance that is made; NULL: nobody does */
    size_t most_idle;             /* instances that are kept although no session holds them */
} exec_plan;

/* Reads the notes of the graph of S, which must outlive the plan. A note that is not right is
 * ignored with a warning, and its output gets fresh bytes. */
exec_plan *exec_plan_new(const graph_steps *s, inlay_diags *d);
/* Sets how many instances that no session holds are kept by P and by each plan of its bodies; 0: as
 * many as usual. */
void exec_plan_bound(exec_plan *p, int instances);
/* sliced.c: marks inputs of P's graph that are written over through one slice only. False: out of
 * memory. */
bool exec_plan_slices(exec_plan *p);
/* Is the value of SLOT such a slice, noted as a view of an input that X, an instance of P, must not
 * write over? Then it is copied. */
bool exec_slice_is_copied(const exec_plan *p, const exec_instance *x, size_t slot);
/* states.c: finds the values that are states with room. False: out of memory. */
bool exec_plan_states(exec_plan *p);
/* Gives room to those of them only that have BYTES with it, all together. */
void exec_plan_bound_room(exec_plan *p, uint64_t bytes);
void exec_plan_free(exec_plan *p);
/* AUDIT looks at every instance of P, and of the plans of its bodies, before it is used. */
void exec_plan_audit(exec_plan *p, exec_audit_fn *audit);
/* Returns the plan of BODY, the steps of a body of a node of P. */
const exec_plan *exec_plan_of_body(const exec_plan *p, const graph_steps *body);

/* What an invocation, or a segment of it, begins with. */
typedef struct exec_outside {
    const inlay_tensor *const *in;    /* by Parameter; NULL entries: not known, or not used */
    const bool *ours;                 /* by Parameter: its buffer may be written; or NULL: none */
    const inlay_tensor *const *state; /* by variable; NULL entries: reset */
    int n_states;
    bool any;      /* the instance is for any outside: nothing that comes from there has a place */
    bool segments; /* the instance may end before the steps do, where only the run can tell sizes */
    bool guessed;  /* no run is like this: what does not fit is not refused */
    const exec_instance *before; /* the segment that ended; NULL: this is the first one */
    inlay_tensor *const *values; /* by slot: the loose values of that segment */
} exec_outside;

/* key.c */

/* Returns the address of T's first element. */
static inline uintptr_t exec_first_byte(const inlay_tensor *t)
{
    int64_t size = t->offset == 0 ? 0 : inlay_type_info_of(t->type)->bits / 8;

    return (uintptr_t)t->data + (uintptr_t)(t->offset * size);
}

/* query.c */

/* Returns whether the value of SLOT, which a kernel hands over, has a place in another value: in
 * what it is written over, or what it is made in. */
bool exec_is_placed(const exec_plan *p, const exec_instance *x, size_t slot);
/* Returns the same of a value that is made in another one. */
bool exec_is_made_in(const exec_plan *p, const exec_instance *x, size_t slot);
/* Returns the room for the key of any outside of graph S: for each tensor, 1 + INLAY_MAX_RANK * 2
 * numbers are enough. */
size_t exec_key_room(const graph_steps *s, const exec_outside *o);
/* Writes what O is, as far as an instance depends on it, to KEY. Returns how many numbers were
 * written. */
size_t exec_key(const graph_steps *s, const exec_outside *o, int64_t *key);
/* Returns whether exec_key would write KEY, N numbers, for O. */
bool exec_key_is(const graph_steps *s, const exec_outside *o, const int64_t *key, size_t n);

/* aligned.c: copies of constants whose elements stand where kernels cannot read them, such as the
 * raw data of an ONNX tensor. They are made when they are first used; all threads share them. */

struct exec_aligned *aligned_new(const graph_steps *s);
void aligned_free(struct exec_aligned *a);
/* Returns T, the value of the Const N, as kernels can read it. NULL: out of memory. */
const inlay_tensor *exec_plan_const(const exec_plan *p, const inlay_node *n, const inlay_tensor *t);
/* Returns the bytes of the copies that were made so far, those of bodies included. */
uint64_t exec_plan_aligned_bytes(const exec_plan *p);
/* Returns the bytes of all copies that there will be when every constant was used. */
uint64_t exec_plan_askew_bytes(const exec_plan *p);

/* packed.c: steps that are made by kernels of the library, and constants packed for these */

struct exec_packed *packed_new(const graph_steps *s);
void packed_free(struct exec_packed *p);
/* Says by which kernels P and the plans of its bodies make their steps, before the first instance
 * is made. PACKS: constants may be packed. */
void exec_plan_kernels(exec_plan *p, inlay_kernels kernels, bool packs);
/* Opens the module if P or a plan of its bodies has work for it: it makes steps of theirs then,
 * with so many threads. False, after recording an error: the module is not there. */
bool exec_plan_module(exec_plan *p, int threads, inlay_diags *d);
/* Sets how many products for each element at its border a chain must compute to be made by the
 * module. */
void exec_plan_worth(exec_plan *p, double products);
/* Sets the least cost (call/split.h) of a part of a chain, so that tests can part small ones; 0:
 * the usual one. */
void exec_plan_part(exec_plan *p, double least);
/* Makes no steps by the module after all. */
void exec_plan_no_module(exec_plan *p);
/* Returns whether the step at U reads a packed form of T, a constant, and not T. */
bool exec_reads_packed(const exec_plan *p, const inlay_use *u, const inlay_tensor *t);
/* Returns the bytes of all that was packed so far, and no less than the bytes of all that will
 * be. */
uint64_t exec_plan_packed_bytes(const exec_plan *p);
uint64_t exec_plan_packable_bytes(const exec_plan *p);
/* Has the module of P make the steps W; their constants are kept once for all of P. NULL: it cannot
 * do it. */
module_chain *exec_packed_chain(const exec_plan *p, const module_work *w);
/* Returns the kernel of the library that P's steps of N are made by, or NULL. */
const struct library_kernel *exec_plan_library(const exec_plan *p, const inlay_node *n);
/* Says that a step of N, made by KERNEL, wants the constant T of SLOT packed. */
typedef struct exec_want {
    const struct library_kernel *kernel;
    const inlay_node *node;
    size_t slot;
    const inlay_tensor *t;
    const void **packed; /* receives its form, or NULL: it wants none of this constant */
} exec_want;
/* Gives the N steps of LIST their forms, which are made if they are not there. False: out of
 * memory. */
bool exec_packed_forms(const exec_plan *p, const exec_want *list, size_t n);

/* instance.c */

exec_instance *exec_instance_new(const exec_plan *p, const exec_outside *o, inlay_diags *d);
void exec_instance_free(exec_instance *x);
/* rooms.c: returns what the value of Result R will be, if it can be made wherever it is wanted; or
 * NULL. */
const inlay_tensor *exec_result_form(const exec_instance *x, int r);
/* copied.c: what steps copy, as interp/README.md counts it */

uint64_t exec_step_copies(const exec_instance *x, const exec_step *s);
/* Returns the bytes of inputs that are copied before the first step, because they are written. */
uint64_t exec_entry_copies(const exec_instance *x);
/* Returns what all of X copies. *ABOUT is set where some of it is found out in the run. */
uint64_t exec_instance_copies(const exec_instance *x, bool *about);

/* static.c: makes the instance for what is known of the shapes when the graph is compiled.
 * SEGMENTS: if all inputs are known, it may end before the steps do. */
exec_instance *exec_static_instance(const exec_plan *p, bool segments, inlay_diags *d);
/* Makes the segment behind BEFORE for values of the largest sizes that they may have. NULL without
 * an error: there is no largest size. */
exec_instance *exec_largest_instance(const exec_plan *p, const exec_instance *before,
                                     inlay_diags *d);

/* cache.c: the instances of a plan, which sessions share */

/* Returns the instance for the outside O, whose key is KEY. The caller gives it back. */
const exec_instance *exec_cache_take(const exec_plan *p, const exec_outside *o, const int64_t *key,
                                     size_t n_key, inlay_diags *d);
void exec_cache_give(const exec_plan *p, const exec_instance *x);

/* session.c: what a session holds for the planned executor from run to run */

typedef struct exec_session exec_session;
exec_session *exec_session_new(const exec_plan *p, inlay_meter *meter, exec_workers *workers,
                               bool poison);
void exec_session_free(exec_session *s);

/* spare.c: the memory of states that were given up, by variable, in which the next states can be
 * made. Two buffers are enough for a variable that is not written in place: a run reads one and
 * makes the other. */
typedef struct exec_spares {
    inlay_tensor **list; /* NULL entries: none */
    int n;
} exec_spares;

bool spares_begin(exec_spares *s, int n);
void spares_end(exec_spares *s);
/* Keeps the memory of T, whose reference is taken over: T was the state of variable V before the
 * last run, and NOW is the state after it. The memory is freed if somebody else holds it, or if the
 * next state is not expected to have its form. */
void spares_put(exec_spares *s, int v, const inlay_tensor *t, const inlay_tensor *now);
/* Returns the spare memory for the next state of V, if it has the type and dims of FORM; the caller
 * releases it. NULL: there is none. */
inlay_tensor *spares_take(exec_spares *s, int v, const inlay_tensor *form);
exec_spares *exec_session_spares(exec_session *s);

/* journal.c: what the buffers of variables held where a run wrote over them. */
typedef struct exec_journal {
    struct journal_entry *last;
    struct journal_entry *spare; /* of runs before, for the same again; the last one first */
    uint64_t spare_bytes;
} exec_journal;
/* Returns the elements that were saved last, as long as the run goes on; NULL: none were. */
const inlay_tensor *journal_saved_last(const exec_journal *j);

/* One invocation of one graph. */
typedef struct exec_run {
    struct inlay_run run; /* comes first, because kernels have a pointer to it */
    const graph_steps *steps;
    const exec_plan *plan;
    exec_session *session;
    const exec_instance *x;
    const exec_step *now;    /* the step that is made, if it is planned; else NULL */
    const exec_step *walked; /* the same, if it is not */
    inlay_tensor **values;   /* by slot; NULL: not made yet, or not needed any more */
    exec_journal *journal;   /* NULL: states are only read */
    exec_workers *workers;
    int64_t worth; /* exec_workers_worth */
    bool in_place; /* an output of the node being run stands in a buffer that existed before */
} exec_run;

/* Returns the invocation behind C, a call of this executor. */
static inline exec_run *exec_run_of(const inlay_call *c)
{
    return (exec_run *)c->run;
}

/* deferred.c: does what call_deferred asks for. */
bool exec_run_deferred(inlay_call *c);

/* executor.c */
extern const call_executor exec_executor;

/* walk.c */

/* Runs the outermost graph once. IN has a tensor for each Parameter; OURS, which exec_prepare found
 * out, says which of these tensors may be written. OUT receives a tensor for each Result, or all
 * NULL when the run fails. Variables, and the contents of their buffers, change only when the run
 * succeeds. */
bool exec_run_plan(const exec_plan *p, exec_session *s, run_env *env, const inlay_tensor *const *in,
                   const bool *ours, inlay_tensor **out, inlay_diags *d);

/* outside.c: buffers from outside of the run */

/* Is called before a run of S. OURS receives which of the inputs may really be written. A state in
 * STATES, one for each variable, that the run writes over although others could see this is
 * replaced by a copy. */
bool exec_prepare(exec_session *s, run_env *env, const inlay_tensor *const *in, const bool *donated,
                  const inlay_tensor **states, bool *ours, inlay_diags *d);
/* OUT receives which of the N tensors IN, one for each Parameter, may really be written: those that
 * are donated, are dense, and whose bytes nobody else holds. STATES are those of variables; entries
 * may be NULL. False: out of memory. */
bool exec_donations(const inlay_tensor *const *in, const bool *donated, int n,
                    const inlay_tensor *const *states, int n_states, bool *out);
/* Replaces *T, the value of SLOT, by a copy when something will write over it and its buffer is not
 * OURS, the run's own. Such a value comes from outside: it is a Parameter, a constant, or the first
 * value of a variable. */
bool exec_protect(exec_run *run, size_t slot, inlay_tensor **t, bool ours, const inlay_node *node,
                  inlay_diags *d);
/* Copies T, the value of SLOT, if the caller wants it kept and something will write over it. */
bool exec_keep(exec_run *run, size_t slot, const inlay_tensor *t, const inlay_node *node,
               inlay_diags *d);

/* outputs.c */

/* Makes those outputs of C that do not get a buffer of their own. PROMISE is what is known of these
 * outputs. The tensor of a view has no bytes until the kernel shows what it is a view of
 * (exec_show). */
bool exec_outputs(inlay_call *c, const inlay_fact *promise);
/* Does what call_show asks for. */
bool exec_show(inlay_call *c, int o, const inlay_tensor *t, bool *done);

/* split.c */

/* Does what call_split asks for. */
void exec_split(inlay_call *c, int64_t n, double cost, call_part_fn *fn, void *ctx);
/* Does what call_rounds asks for. */
void exec_rounds(inlay_call *c, int64_t rounds, int64_t n, double cost, call_round_fn *fn,
                 void *ctx);
/* Computes K, whose number was read, in parts; W NULL: at once. */
void exec_split_block(exec_workers *w, const row_block *k);
/* Computes K, whose number was read. */
static inline void exec_run_block(const exec_run *run, const row_block *k)
{
    if (k->rows * k->length < run->worth)
        k->run(k);
    else
        exec_split_block(run->workers, k);
}
/* Copies the elements of SRC over those of DST, as inlay_tensor_assign. */
bool exec_assign(const exec_run *run, inlay_tensor *dst, const inlay_tensor *src);

/* Do what call_block and call_copy_part ask for. */
bool exec_call_block(inlay_call *c, row_block *k);
bool exec_assign_part(inlay_call *c, const inlay_tensor *to, inlay_tensor *dst,
                      const inlay_tensor *from, const inlay_tensor *src);

/* listed.c: does what call_computes asks for. */
bool exec_computes(inlay_call *c, int64_t n, int64_t length, const int64_t *to);

/* journal.c */

/* Saves elements that are about to be written over, if T stands in the buffer of a variable's
 * state: all of T when N is below 0, else N runs of LENGTH elements at the row-major positions TO
 * of T. */
bool journal_save(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                  const int64_t *to);
/* Puts back what was saved. */
void journal_undo(exec_journal *j);
/* Forgets what was saved, when the run is over. Small entries stay as room for the next run. */
void journal_forget(exec_journal *j);
void journal_free(exec_journal *j);

#endif
