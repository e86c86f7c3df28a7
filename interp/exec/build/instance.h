/* An instance of a plan: what the steps of a graph do for one exact set of outer tensors. Every
 * value has a type, dims, strides and a place, so a step can run without names, shape rules or
 * allocation. An instance never changes, and threads may share it. See README.md. */
#ifndef INLAY_EXEC_BUILD_INSTANCE_H
#define INLAY_EXEC_BUILD_INSTANCE_H

#include "interp/call/share.h"
#include "interp/exec/build/layout.h"
#include "interp/exec/loop/slots.h"
#include "interp/exec/plan/plan.h"

/* Whose bytes an allocation has. */
typedef enum exec_root {
    EXEC_ARENA, /* the session's: free again after the last step that reads them */
    EXEC_CONST, /* a constant's */
    EXEC_INPUT, /* those of a Parameter's tensor */
    EXEC_STATE, /* those of a variable at the begin of the invocation */
    EXEC_HEAP,  /* a fresh tensor in each run, because the value outlives it */
    EXEC_MADE   /* those of a tensor that a kernel returns; the arena has memory for it, or, if the
                   value outlives the run, it is allocated like a fresh tensor */
} exec_root;

/* How an allocation is related to the state of a variable. */
typedef struct exec_state {
    int variable;          /* the variable whose next state is all of the allocation; -1: none */
    int axis;              /* for a state with spare capacity: the axis along which it grows, */
    uint64_t period;       /* and the bytes of a period, that is, of one head (plan/states.c); 0: it
                              is dense */
    uint64_t grows;        /* how many bytes at its beginning (of each period) are the last bytes of
                              the variable's state, so that it can be made behind them; 0: none */
    uint64_t skips;        /* how many bytes of the state (of each period) precede them */
    size_t behind;         /* the allocation of that state, or of the rows that are picked from it,
                              */
    const exec_pick *pick; /* the rows that are picked; NULL: none */
} exec_state;

/* Bytes that several values share: those of one value, of its views, and of values that are made in
 * place of it. For %b = Relu(%a) in place and %c = Reshape(%b), the values a, b and c have one
 * allocation. Meta tensors and blocks of an instance address an allocation by fake addresses from
 * FAKE on, where there is no memory: a session replaces them by real ones. */
typedef struct exec_allocation {
    exec_root root;
    int number;             /* INPUT: the Parameter's number; STATE: the variable's */
    size_t slot;            /* the slot of the value that is all of it */
    const inlay_node *node; /* the node that makes that value */
    char *fake;
    uint64_t bytes;
    size_t first, last;  /* the time from which on it is used, and the last one; see exec_time */
    bool escapes;        /* a value in it is needed after the run */
    bool handed;         /* bodies may return it as it is: another value may have it, too */
    bool room;           /* MADE: the arena has memory for it */
    bool points;         /* MADE: it is a row of another allocation, which only the run can tell */
    bool ours;           /* INPUT: it may be overwritten */
    int result;          /* HEAP, MADE: the first Result whose value is all of it; -1: none */
    exec_state state;    /* HEAP */
    size_t same;         /* the allocation that it was merged with; its own number if none */
    size_t was;          /* its number in the segment before; SIZE_MAX: it is new */
    uint64_t offset;     /* in the arena, if it is there */
    size_t refs, n_refs; /* its entries in exec_instance.refs */
} exec_allocation;

/* The addresses of a block: to, x, y, z, one. */
enum { EXEC_LANES = 5, EXEC_ONE = 4 };

/* A block that a kernel recorded while the instance was made, with fake addresses. */
typedef struct exec_block {
    row_block k;
    size_t allocation[EXEC_LANES]; /* SIZE_MAX: the lane is missing */
} exec_block;

typedef enum exec_kind {
    EXEC_NOTHING, /* nothing to do: the value is in its place already */
    EXEC_COPY,    /* output 0 is a copy of tensor `from` */
    EXEC_ZEROS,   /* output 0 is zeros */
    EXEC_BLOCKS,  /* the recorded blocks */
    EXEC_FUSED,   /* it is computed together with other steps, tile by tile */
    EXEC_CHAIN,   /* it is computed together with other steps by a module */
    EXEC_MOVES,   /* the recorded copies */
    EXEC_KERNEL,  /* the kernel is called; every output has a place */
    EXEC_CHECK,   /* the kernel is called to check its operands, when the group of the step begins,
                     if it has one; the output has no memory */
    EXEC_ASSIGN,  /* a variable gets a new state */
    EXEC_POINT,   /* the output is a view of operand 0 whose position only the run knows */
    EXEC_WALK     /* the outputs are only known in the run */
} exec_kind;

enum {
    FUSED_WINDOWS = 128,   /* blocks that are computed together in one buffer */
    FUSED_LANES = 4,       /* the lanes of a step: the output, and operands */
    FUSED_MOST = 64,       /* the number of steps that are computed together, */
    FUSED_LISTS = 8,       /* of lists of rows that they read or write, */
    FUSED_REGISTERS = 8,   /* and of values between them that exist at one time */
    FUSED_TILE = 4 << 10,  /* the maximum size of a tile of such a value, */
    FUSED_ROOM = 16 << 10, /* and of all tiles together */
    FUSED_WIDE = 32 << 10  /* the maximum size of a tile if the group is one run: nothing is in a
                              register */
};

/* One step of several that are computed together: the row function of a block, over one tile after
 * the other. For a lane of the block (to, x, y, z) that is in memory, the first element is at the
 * block's address and the others follow by strides. A value that only these steps read is not in
 * memory: a tile of it is in a register. A run reads these structures one after the other, so they
 * are kept small. */
typedef struct exec_op {
    size_t step;  /* its number in exec_instance.list */
    size_t block; /* the number of a block with its row function and the addresses of elements in
                     memory */
    const ptrdiff_t *strides[FUSED_LANES]; /* by lane: in bytes, along the dims; NULL: not in memory
                                              */
    row_op computes;                       /* the operation of that function */
    int8_t reg[FUSED_LANES];   /* by lane: the register; -1: it is in memory, or missing */
    uint8_t size[FUSED_LANES]; /* by lane: the bytes of an element */
    bool narrow[FUSED_LANES];  /* by lane: it has one element per row */
    bool folds;                /* it reduces whole rows to its output, which is narrow */
    bool each;                 /* its number differs from row to row */
    bool flat;                 /* the rows of a tile are contiguous in all lanes */
    bool whole;                /* it needs whole rows */
    int8_t beside;  /* if it works on the result of the operation before: the lane of its other
                       operand, unless that is one number for all elements; else 0 */
    uint8_t listed; /* a bit by lane: its rows are those of a list, */
    int8_t list[FUSED_LANES]; /* the list's number; strides do not apply to dims that count rows */
    uint8_t parts;            /* a bit by lane: a kernel may hand it over part by part */
} exec_op;

/* Rows that a scatter writes, or that are picked, in the order of some dims of a group. Each row
 * begins somewhere in a larger value; the kernel of the step says in the run where. */
typedef struct exec_list {
    size_t step;
    int from, to; /* the dims i with FROM <= i < TO count the rows */
} exec_list;

/* Consecutive operations of a group that are computed in one pass: a single one, or several, each
 * of which works on the numbers that the one before has made (straight.c). Lane 0 is that of the
 * last one, and the others are those of the first one; of several, a list says which other lanes
 * they read. */
typedef struct exec_straight {
    exec_op op;
    int first, n;  /* the operations */
    bool straight; /* row_stages_f32 can compute them, also if it is one */
    bool gate;     /* they are row_gate_f32's: a sigmoid, and the product of it and its operand */
} exec_straight;

/* What a module makes of consecutive steps (library/module.h). A value that only these steps read
 * has no memory of its own; it is somewhere in the memory of the module. */
typedef struct exec_chain {
    struct module_chain *made;
    const struct module_table *module;
    size_t room;         /* the module's bytes in the arena, a value; SIZE_MAX: it needs none */
    const size_t *value; /* by value of the module: the slot of the value, or SIZE_MAX */
    const bool *enters;  /* by value: the chain reads but does not make it */
    int n_values;
    bool finite; /* the operands must be finite: some step would make a number of a NaN */
} exec_chain;

/* A block of a group whose tiles are parts of a buffer. If the block is a single row, each of its
 * elements counts as a row, and the size of an element is the distance from row to row. */
typedef struct exec_window {
    size_t block;      /* the number of a block with its row function and the addresses of its first
                          row */
    int64_t slot, end; /* in the buffer: the slot of its first row, and the one after the last row
                          */
    int64_t rows, at;  /* the number of rows; the first byte in the buffer of the first row */
    bool single_row;
} exec_window;

/* The tiles of a group whose steps write in place to one buffer, which is divided into slots; see
 * build/windows.c. */
typedef struct exec_windows {
    const exec_window *list; /* in the order of the steps */
    int n;
    size_t allocation; /* the buffer */
    int64_t pitch;     /* the bytes of a slot */
    int64_t first;     /* the first slot that is used, */
    int64_t slots;     /* and the number of slots per tile */
    double cost;
    size_t entry; /* the number in exec_instance.entries of the copy that the first block makes;
                     SIZE_MAX: there is none */
} exec_windows;

/* How the steps of a group are computed together. */
typedef enum exec_fused_kind {
    FUSED_ROWS,  /* row functions, on tiles of the dims of their outputs */
    FUSED_SLOTS, /* blocks, on tiles of the buffer that all of them write to */
    FUSED_MODULE /* by a module, which makes tiles of its own */
} exec_fused_kind;

/* Steps that are computed together. If tiles are of the dims of their outputs, dims that are
 * contiguous in all lanes are treated as one. A tile is some rows of the last dim, or a piece of
 * one:
 *
 *     dims 2, 3, 500      a tile: 2 rows of 500      tiles: 2 times 2 bands
 *     dims 4, 9000        a tile: 1000 of a row      tiles: 4 rows of 9 pieces
 */
typedef struct exec_fused {
    exec_fused_kind kind;
    int number;      /* of the group, from 1 */
    size_t first, n; /* the steps; some of them may have nothing to do */
    size_t counted;  /* how many of them count as steps: a constant does not */
    int64_t tiles;
    union {
        const exec_windows *windows; /* FUSED_SLOTS */
        const exec_chain *chain;     /* FUSED_MODULE */
        struct {                     /* FUSED_ROWS, from here on */
            exec_op *ops;
            int n_ops;
            exec_straight *runs; /* what is computed: all operations, in their order */
            int n_runs;
            size_t size;  /* the bytes of the largest element */
            bool numbers; /* some operation takes one number for all elements, which is read first
                             */
            bool whole;   /* tiles are whole rows of the last dim of the outputs */
            int cost;     /* the cost of an element */
            int rank, registers;
            const int64_t *dims;
            int64_t length, rows;          /* the maximum size of a tile */
            int64_t row_length, band_rows; /* the last dim; the one before it */
            int64_t pieces, bands;         /* the number of pieces of a row, and of bands of the dim
                                              before */
            size_t scatter; /* the last step, if its updates are computed where they belong: the
                               only list has the rows that it writes; 0: there is none */
            exec_list list[FUSED_LISTS];
            int n_lists;
            size_t follows; /* 1 + the number of the step whose output the group may read part by
                               part; 0: there is none */
            int part_dims;  /* the last dims that are rows of these parts */
            int begun;      /* how many of the operations that kernel may do itself */
            const struct exec_fused *rest; /* the others, on what it hands over then; NULL: none */
        };
    };
} exec_fused;

/* One row of a value, which an index picks (dynamic_row.c). It consists of some parts with as many
 * bytes each, which begin PITCH bytes apart; without parts it is not prefetched. */
typedef struct exec_row {
    int axis;       /* of the value */
    int index;      /* the operand with the row's index */
    ptrdiff_t step; /* the bytes from row to row */
    ptrdiff_t parts, pitch, bytes;
} exec_row;

/* How the kernel of a step is called. */
typedef struct exec_kernel_call {
    call_rest_fn *rest;                   /* the part of the kernel to call; NULL: all of it */
    const void *frame;                    /* what the kernel prepared for that part */
    const struct library_kernel *library; /* the library's kernel for the step; NULL: the
                                             operation's own */
    bool found;                           /* the run finds out whether that one takes the operands,
                                             whose forms are not known before */
    const void *packed;                   /* an operand packed for that kernel, or NULL */
    const struct exec_fused *follower; /* the group that may read its output part by part, or NULL
                                        */
} exec_kernel_call;

typedef struct exec_step {
    exec_kind kind;
    const graph_step *step;
    const size_t *in, *out; /* the numbers of values; SIZE_MAX: absent */
    size_t block, n_blocks;
    union {
        size_t from;             /* COPY: a value; SIZE_MAX: the constant */
        const exec_row *row;     /* POINT: which row it is */
        exec_kernel_call kernel; /* KERNEL, WALK */
    };
    uint64_t moved;        /* the number of bytes that it copies, as interp/README.md counts them */
    bool in_place;         /* output 0 is in an allocation that existed before */
    bool saves;            /* earlier contents are saved first, if they are those of a state */
    bool zeroes;           /* fresh outputs are zeroed first */
    bool views;            /* some output is a view of operand 0 */
    bool refused;          /* its shapes do not fit: it fails, and no later step is made */
    bool asks;             /* KERNEL: if it fails, the shape rule is asked first for the reason */
    bool keeps;            /* some output is kept for the caller, and overwritten later */
    bool quiet;            /* it begins a fused group whose steps only have to be computed: none
                              saves, keeps, drops or counts bytes */
    size_t copy, n_copies; /* entries in exec_instance.copies. MOVES: the copies; KERNEL: operands
                              that must be dense */
    size_t drop, n_drops;  /* entries in `drops`: dynamic values that no later step reads */
    const exec_fused *fused;        /* the steps that it is computed with, or NULL */
    size_t group;                   /* how many steps from here on consist of blocks and nothing
                                       else */
    size_t counted;                 /* how many of these count as steps */
    const struct exec_inner *inner; /* what its bodies will do; NULL: that is not known */
} exec_step;

/* The instances of one body. */
typedef struct exec_body_plans {
    const struct exec_plan *plan;
    const struct exec_instance *list[8];
    int n;
} exec_body_plans;

/* Where a value of a loop is, if it is not in a frame slot; those count from 0. */
enum { EXEC_ELSEWHERE = -1, EXEC_WINDOW = -2, EXEC_WANTED = -3 };

/* One iteration of a loop. */
typedef struct exec_iteration {
    int64_t number;      /* of the iteration */
    int kind;            /* which of the instances is run */
    const int *reads;    /* by parameter: where a carried value is */
    const int *makes;    /* by result: where it is made */
    const int64_t *part; /* by output port: where its part of the joined output begins; or -1 */
    uint64_t copied;     /* bytes */
} exec_iteration;

/* What the bodies of a step will do, as far as that is known before the run. Their frame is a
 * region of the outer arena; it holds the frame slots and, after these, the arena of a body. Of a
 * loop with many iterations only the first and the last ones are listed. */
typedef struct exec_inner {
    const graph_step *step;
    size_t value;            /* the frame, a value; SIZE_MAX: it has no bytes */
    uint64_t base;           /* where the arena of a body begins in the frame */
    exec_body_plans *bodies; /* one for each body */
    exec_frame_slot *frame_slots;
    size_t n_frame_slots;
    exec_iteration *iterations; /* of a loop */
    size_t n_iterations;
    bool repeats;    /* it is a loop */
    int64_t known;   /* how many iterations there will be; 0: that is not known */
    uint64_t copied; /* the number of bytes that it copies; for an If, that of the body that copies
                        more */
    bool about;      /* what it copies depends on the run */
} exec_inner;

/* A copy of elements between two values, which may be parts of others. */
typedef struct exec_copy {
    int operand; /* KERNEL: the operand that the copy replaces; MOVES: -1 */
    size_t to, from;
} exec_copy;

/* What an address in a session's tables is for: tensor `index`, or a lane of block `index`. */
typedef struct exec_ref {
    size_t index;
    int lane; /* below 0: a tensor */
} exec_ref;

enum { EXEC_SEGMENTS = 128 }; /* the maximum number for one invocation */

/* Which of the steps an instance makes, and what it leaves to the next segment. */
typedef struct exec_segment {
    const struct exec_instance *before; /* the segment before, which ended where this one begins; or
                                           NULL */
    int number;                         /* from 0 */
    size_t begin, end;                  /* of the steps */
    uint64_t region[EXEC_SEGMENTS];     /* by segment: where its fresh bytes begin in the arena */
    size_t *over;                       /* dynamic values that the next segment takes over */
    size_t n_over;
    const inlay_fact **facts; /* by slot: what is known of values that it takes over; or NULL */
    uintptr_t next_fake;      /* the first unused fake address */
} exec_segment;

/* A Parameter that is copied before the first step, because it is overwritten. */
typedef struct exec_entry_copy {
    size_t param;
    bool later; /* a group copies it tile by tile (exec_windows.entry) */
} exec_entry_copy;

typedef struct exec_instance {
    const graph_steps *steps;
    inlay_arena *memory;
    exec_segment segment;
    const int64_t *key; /* describes the outside that it was made for: exec_key */
    size_t n_key;
    const bool *left_out; /* by slot: the value is not computed (graph_steps.initial) */
    size_t n_values;      /* slots, and then dense copies */
    inlay_tensor **meta;  /* by value; NULL: dynamic, it gets its tensor in the run */
    size_t *allocation;   /* by value; SIZE_MAX: dynamic */
    exec_allocation *allocations;
    size_t n_allocations;
    exec_entry_copy *entries;
    size_t n_entries;
    exec_step *list;
    size_t n;
    exec_block *blocks;
    size_t n_blocks, cap_blocks;
    exec_copy *copies;
    size_t n_copies;
    exec_inner *inner; /* by step with bodies of which it is known */
    size_t n_inner;
    size_t *drops;   /* the values that steps drop: exec_step */
    size_t *dynamic; /* all dynamic values that it may have */
    size_t n_dynamic;
    size_t *outer; /* allocations whose address may be another one in each run */
    size_t n_outer;
    exec_ref *refs;
    size_t n_refs;
    layout arena;
    struct exec_instance *next; /* in exec_scrap */
} exec_instance;

/* Returns whether the bytes of U are in the arena, or may be: a tensor that a step returns may be
 * there. */
static inline bool exec_in_arena(const exec_allocation *u)
{
    return u->root == EXEC_ARENA || (u->root == EXEC_MADE && u->room && !u->escapes);
}

/* Returns whether VALUE has no memory: only steps that are fused with its own read it. */
static inline bool exec_in_register(const exec_instance *x, size_t value)
{
    return x->meta[value] && x->allocation[value] != SIZE_MAX &&
           x->allocations[x->allocation[value]].root == EXEC_ARENA &&
           x->allocations[x->allocation[value]].bytes == 0 &&
           inlay_tensor_count(x->meta[value]) > 0;
}

/* Times: 0 is before the first step, I + 1 is the step with number I, and the last time is after
 * all steps. What another segment takes over is alive at the last time. */
static inline size_t exec_time(size_t step)
{
    return step + 1;
}

/* Returns the time at which the operands of step I have been read: fused steps read until the last
 * of them has run. */
static inline size_t exec_read_time(const exec_instance *x, size_t i)
{
    const exec_fused *f = x->list[i].fused;

    return exec_time(f ? f->first + f->n - 1 : i);
}

/* Returns whether steps follow after those of X. */
static inline bool exec_goes_on(const exec_instance *x)
{
    return x->segment.end < x->steps->n;
}

/* The tensors and variables with which an invocation, or a segment of it, begins. */
typedef struct exec_outside {
    const inlay_tensor *const *in;    /* by Parameter; NULL: not known, or not used */
    const bool *ours;                 /* by Parameter: its buffer may be overwritten; or NULL: none
                                         */
    const inlay_tensor *const *state; /* by variable; NULL: reset */
    int n_states;
    bool any;      /* the instance is for any outside: nothing that comes from there has a place */
    bool segments; /* the instance may end at a step whose sizes only the run can tell */
    bool guessed;  /* no run is like this: shapes that do not fit are not refused */
    bool told;     /* the instance is reported, not run: it is an error, too, if memory is missing
                      for what a run can do without */
    const exec_instance *before; /* the segment that ended; NULL: this is the first one */
    inlay_tensor *const *values; /* by slot: the dynamic values of that segment */
} exec_outside;

/* Returns the address of T's first element. */
static inline uintptr_t exec_first_byte(const inlay_tensor *t)
{
    int64_t size = t->offset == 0 ? 0 : inlay_type_info_of(t->type)->bits / 8;

    return (uintptr_t)t->data + (uintptr_t)(t->offset * size);
}

exec_instance *exec_instance_new(const exec_plan *p, const exec_outside *o, inlay_diags *d);
/* The same in the memory of SCRAP, as far as it has some; memory that is needed only meanwhile goes
 * there. */
exec_instance *exec_instance_from(exec_scrap *scrap, const exec_plan *p, const exec_outside *o,
                                  inlay_diags *d);
/* Leaves of X nothing but its memory. */
void exec_instance_empty(exec_instance *x);
void exec_instance_free(exec_instance *x);
void exec_scrap_free(exec_scrap *scrap);

#endif
