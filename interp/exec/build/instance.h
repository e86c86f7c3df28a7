/* An instance of a plan: what the steps of a graph do for one exact set of outer tensors. Every
 * value has a type, dims, strides and a place; a step is ready to be made without names, shape
 * rules or allocation. An instance never changes, and threads may share it. See README.md.
 */
#ifndef INLAY_EXEC_BUILD_INSTANCE_H
#define INLAY_EXEC_BUILD_INSTANCE_H

#include "interp/call/share.h"
#include "interp/exec/build/layout.h"
#include "interp/exec/loop/slots.h"
#include "interp/exec/plan/plan.h"

/* Says whose bytes an allocation has. */
typedef enum exec_root {
    EXEC_ARENA, /* the session's: dead once the last step has read them */
    EXEC_CONST, /* a constant's */
    EXEC_INPUT, /* those of a Parameter's tensor */
    EXEC_STATE, /* those of a variable, as the invocation began */
    EXEC_HEAP,  /* a fresh tensor in each run, because the value outlives it */
    EXEC_MADE   /* those of a tensor that a step hands over; there is room for it in the arena, or,
                   if the value outlives the run, wherever a fresh tensor would be */
} exec_root;

/* What an allocation is to the state of a variable. */
typedef struct exec_state {
    int variable;          /* whose next state is all of the allocation; -1: none */
    int axis;              /* the value that is all of it has room behind this axis, */
    uint64_t period;       /* in each of as many bytes as these, which are all alike, outermost axes
                              before AXIS being the only ones that go on; 0: it is dense */
    uint64_t grows;        /* so many bytes at its begin (of each period) are the last ones of the
                              state of its variable, behind which it can be made; 0: none */
    uint64_t skips;        /* the bytes of the state (of each period) before them */
    size_t behind;         /* the allocation of that state, or of rows that are picked of it, */
    const exec_pick *pick; /* such rows; NULL: it is none */
} exec_state;

/* Bytes that values share by meaning: those of one value, and of its views and successors in place.
 * Of %b = Relu(%a) in place and %c = Reshape(%b), a, b and c are one unit. Meta tensors and blocks
 * of an instance address an allocation from FAKE on, where nothing lies: a session replaces these
 * addresses by real ones. */
typedef struct exec_allocation {
    exec_root root;
    int number;             /* INPUT: of the Parameter; STATE: of the variable */
    size_t slot;            /* of the value that is all of it */
    const inlay_node *node; /* that makes it */
    char *fake;
    uint64_t bytes;
    size_t first, last;  /* from which time on it holds something, until which; see exec_time */
    bool escapes;        /* some value in it is looked at when the run is over */
    bool handed;         /* bodies may hand it through: another value may stand in it, too */
    bool room;           /* MADE: the session has a place for it */
    bool points;         /* MADE: it is a row of another allocation; which one, the run finds out */
    bool ours;           /* INPUT: it may be written over */
    int result;          /* HEAP, MADE: the first Result that is all of it; -1: none */
    exec_state state;    /* HEAP */
    size_t same;         /* the allocation that it is one with; its own number */
    size_t was;          /* its number in the segment before; SIZE_MAX: it is new */
    uint64_t offset;     /* in the arena, if it is there */
    size_t refs, n_refs; /* its entries in exec_instance.refs */
} exec_allocation;

/* The addresses of a block: to, x, y, z, one. */
enum { EXEC_LANES = 5, EXEC_ONE = 4 };

/* A block that a kernel handed over while the instance was made, at fake addresses. */
typedef struct exec_block {
    row_block k;
    size_t allocation[EXEC_LANES]; /* SIZE_MAX: the lane is missing */
} exec_block;

typedef enum exec_kind {
    EXEC_NOTHING, /* the value stands where it belongs already */
    EXEC_COPY,    /* output 0 is a copy of tensor `from` */
    EXEC_ZEROS,   /* output 0 is zeros */
    EXEC_BLOCKS,  /* the recorded blocks */
    EXEC_FUSED,   /* it is computed together with other steps, tile by tile */
    EXEC_CHAIN,   /* it is computed together with other steps, by a module */
    EXEC_MOVES,   /* the recorded copies */
    EXEC_KERNEL,  /* the kernel is called; every output has a place */
    EXEC_CHECK,   /* the kernel is called to check its operands, when the group of the step begins,
                     if it has one; the output has no memory */
    EXEC_ASSIGN,  /* a variable gets a state */
    EXEC_POINT,   /* the output is shown where the run finds it, in operand 0 */
    EXEC_WALK     /* what the outputs will be is found out in the run */
} exec_kind;

enum {
    FUSED_WINDOWS = 128,  /* blocks that are computed together in one buffer */
    FUSED_LANES = 4,      /* of a step: the output, and operands */
    FUSED_MOST = 64,      /* steps that are computed together, */
    FUSED_LISTS = 8,      /* lists of rows that they read or write, */
    FUSED_REGISTERS = 8,  /* and values between them that are kept apart at one time */
    FUSED_TILE = 4 << 10, /* bytes of such a value, at most */
    FUSED_ROOM = 16 << 10 /* bytes of all of them */
};

/* One step of several that are computed together: the row function of a block over one tile after
 * the other. Where a lane of the block (to, x, y, z) is in memory, its first element is at the
 * block's address and the others at strides. A value that only these steps read has no memory: a
 * tile of it is in a register. A run reads one after the other, so that they are as short as they
 * can be. */
typedef struct exec_op {
    size_t step;  /* number of it in exec_instance.list */
    size_t block; /* its row function, and addresses of elements in memory */
    const ptrdiff_t *strides[FUSED_LANES]; /* by lane: bytes, along the dims; NULL: not in memory */
    row_op computes;                       /* what that function is */
    int8_t reg[FUSED_LANES];   /* by lane: the register; -1: it is in memory, or missing */
    uint8_t size[FUSED_LANES]; /* by lane: bytes of an element */
    bool narrow[FUSED_LANES];  /* by lane: it has one element for each row */
    bool folds;                /* it makes its output, which is narrow, of whole rows */
    bool each;                 /* its number is another one in each row */
    bool flat;                 /* rows of a tile follow each other in all lanes */
    bool whole;                /* it needs whole rows */
    int8_t beside;  /* if it works on what the operation before has made: the lane of its other
                       operand, unless that is one number for all; else 0 */
    uint8_t listed; /* a bit by lane: its rows are those of a list, */
    int8_t list[FUSED_LANES]; /* which one that is; strides are not along dims that count rows */
} exec_op;

/* Rows that a scatter names, or that are picked, in the order of some dims of a group. Each begins
 * somewhere in what they are rows of, which the kernel of the step says in the run. */
typedef struct exec_list {
    size_t step;
    int from, to; /* the dims FROM <= i < TO count the rows */
} exec_list;

/* Operations of a group that follow one another and are computed in one go: one alone, or several
 * that make each number of the one before (straight.c). Lane 0 is that of the last one, and the
 * others are those of the first one; a list says of several which lanes they read besides. */
typedef struct exec_straight {
    exec_op op;
    int first, n; /* the operations */
} exec_straight;

/* What a module makes of steps that follow one another (library/module.h). What only these steps
 * read has no memory of its own: it is somewhere in the room of the module. */
typedef struct exec_chain {
    struct module_chain *made;
    const struct module_table *module;
    size_t room;         /* a value: bytes of the arena for the module; SIZE_MAX: it needs none */
    const size_t *value; /* by value of the module: the slot that it is, or SIZE_MAX */
    const bool *enters;  /* by value: the chain reads it, and does not make it */
    int n_values;
    bool finite; /* what enters must be finite: some step would make a number of a NaN */
} exec_chain;

/* A block of a group whose tiles are those of a buffer. If it is a single row, each element of it
 * counts as a row, and the size of an element is the distance from row to row. */
typedef struct exec_window {
    size_t block;      /* its row function, and the addresses of its first row */
    int64_t slot, end; /* of the buffer: that of its first row, and the one behind the last row */
    int64_t rows, at;  /* the byte of the buffer where the first row begins */
    bool single_row;
} exec_window;

/* The tiles of a group whose steps write in place to one buffer, which is divided into slots: see
 * build/windows.c. */
typedef struct exec_windows {
    const exec_window *list; /* in the order of the steps */
    int n;
    size_t allocation; /* the buffer */
    int64_t pitch;     /* bytes of a slot */
    int64_t first;     /* the first slot of all, */
    int64_t slots;     /* and how many a tile has */
    double cost;
    size_t entry; /* number in exec_instance.entries: the first block makes that copy; SIZE_MAX:
                     there is none to be made */
} exec_windows;

/* What makes the steps of a group together. */
typedef enum exec_fused_kind {
    FUSED_ROWS,  /* row functions, on tiles of the dims of their outputs */
    FUSED_SLOTS, /* blocks, on tiles of the buffer that all of them write to */
    FUSED_MODULE /* a module; it makes tiles of its own */
} exec_fused_kind;

/* Steps that are computed together. Where tiles are those of the dims of their outputs, dims that
 * lie one behind the other in all lanes are one. A tile is some rows of the last dim, or a piece of
 * one:
 *
 *     dims 2, 3, 500      a tile: 2 rows of 500      tiles: 2 times 2 bands
 *     dims 4, 9000        a tile: 1000 of a row      tiles: 4 rows of 9 pieces
 */
typedef struct exec_fused {
    exec_fused_kind kind;
    int number;      /* of the group, from 1 */
    size_t first, n; /* the steps; some of them may be nothing */
    size_t counted;  /* of them: a constant is no step */
    int64_t tiles;
    union {
        const exec_windows *windows; /* FUSED_SLOTS */
        const exec_chain *chain;     /* FUSED_MODULE */
        struct {                     /* FUSED_ROWS, from here on */
            exec_op *ops;
            int n_ops;
            exec_straight *runs; /* what is computed: all operations, in their order */
            int n_runs;
            size_t size;  /* bytes of the largest element */
            bool numbers; /* some operation takes a number for all elements, which is read before */
            bool whole;   /* tiles are whole rows of the last dim of the outputs */
            int cost;     /* of an element */
            int rank, registers;
            const int64_t *dims;
            int64_t length, rows;          /* of a tile, at most */
            int64_t row_length, band_rows; /* the last dim; the one before it */
            int64_t pieces, bands;         /* of a row; of the dim before */
            size_t scatter; /* the last step, if its updates are computed where they belong: it
                               names the rows of the only list; 0: there is none */
            exec_list list[FUSED_LISTS];
            int n_lists;
        };
    };
} exec_fused;

/* One row of a value, which an index picks (dynamic_row.c). It is so many parts, each of so many
 * bytes, which begin PITCH bytes apart; without parts nothing of it is asked for ahead. */
typedef struct exec_row {
    int axis;       /* of the value */
    int index;      /* the operand that says which row */
    ptrdiff_t step; /* bytes from row to row */
    ptrdiff_t parts, pitch, bytes;
} exec_row;

/* How the kernel of a step is called. */
typedef struct exec_kernel_call {
    call_rest_fn *rest;                   /* what of it is called; NULL: all of it */
    const void *frame;                    /* what the kernel made for that */
    const struct library_kernel *library; /* that makes the step; NULL: the operation's own */
    const void *packed;                   /* an operand as that kernel wants it, or NULL */
} exec_kernel_call;

typedef struct exec_step {
    exec_kind kind;
    const graph_step *step;
    const size_t *in, *out; /* numbers of values; SIZE_MAX: absent */
    size_t block, n_blocks;
    union {
        size_t from;             /* COPY: a value, or SIZE_MAX: the constant */
        const exec_row *row;     /* POINT: which row is shown */
        exec_kernel_call kernel; /* KERNEL */
    };
    uint64_t moved;        /* bytes that are copied, as interp/README.md counts them */
    bool in_place;         /* output 0 stands in an allocation that existed before */
    bool saves;            /* what stood there is saved first, if it is a state's */
    bool zeroes;           /* fresh outputs are zeroed first */
    bool views;            /* some output is a view of operand 0 */
    bool refused;          /* its shapes do not fit: it fails, and no step behind it is made */
    bool asks;             /* KERNEL: when it fails, the shape rule is asked first what is wrong */
    bool keeps;            /* some output is kept, and written over later */
    bool quiet;            /* it begins a fused group, of whose steps there is nothing to do but to
                              compute them: none saves, keeps, drops or counts bytes */
    size_t copy, n_copies; /* entries in exec_instance.copies: MOVES: what is copied; KERNEL:
                              operands that must be dense */
    size_t drop, n_drops;  /* dynamic values that no later step reads: entries in `drops` */
    const exec_fused *fused;        /* the steps that it is computed with, or NULL */
    size_t group;                   /* so many steps from here on are only blocks, and nothing */
    size_t counted;                 /* how many steps of the group count */
    const struct exec_inner *inner; /* what its bodies will do; NULL: nobody knows */
} exec_step;

/* The instances of one body. */
typedef struct exec_body_plans {
    const struct exec_plan *plan;
    const struct exec_instance *list[8];
    int n;
} exec_body_plans;

/* Where a value of a loop stands, apart from the frame slots, which count from 0. */
enum { EXEC_ELSEWHERE = -1, EXEC_WINDOW = -2, EXEC_WANTED = -3 };

/* One iteration of a loop. */
typedef struct exec_iteration {
    int64_t number;      /* of the iteration */
    int kind;            /* which of the instances makes it */
    const int *reads;    /* by parameter: where a carried value stands */
    const int *makes;    /* by result: where it is made */
    const int64_t *part; /* by output port: where its part begins in what is joined; or -1 */
    uint64_t copied;     /* bytes */
} exec_iteration;

/* What the bodies of a step will do, as far as that is known before the run. Their frame is a
 * region of the arena around them, which holds the frame slots, and behind these the arena of a
 * body. Of a loop only the first and the last iterations are listed, if there are many. */
typedef struct exec_inner {
    const graph_step *step;
    size_t value;            /* the frame; SIZE_MAX: it has no bytes */
    uint64_t base;           /* where in the frame the arena of a body begins */
    exec_body_plans *bodies; /* one for each body */
    exec_frame_slot *frame_slots;
    size_t n_frame_slots;
    exec_iteration *iterations; /* of a loop */
    size_t n_iterations;
    bool repeats;    /* it is a loop */
    int64_t known;   /* how many iterations there will be; 0: nobody knows */
    uint64_t copied; /* bytes in all; of an If, by the body that copies more */
    bool about;      /* what it copies depends on the run */
} exec_inner;

/* A copy of elements between two values, which may be parts of others. */
typedef struct exec_copy {
    int operand; /* KERNEL: which operand the copy replaces; MOVES: -1 */
    size_t to, from;
} exec_copy;

/* Says what an address in a session's tables stands for: tensor `index`, or a lane of block
 * `index`. */
typedef struct exec_ref {
    size_t index;
    int lane; /* below 0: a tensor */
} exec_ref;

enum { EXEC_SEGMENTS = 32 }; /* of one invocation, at most */

/* Which of the steps an instance makes, and what it leaves to the one that makes those behind. */
typedef struct exec_segment {
    const struct exec_instance *before; /* that ended where this one begins; or NULL */
    int number;                         /* from 0 */
    size_t begin, end;                  /* of the steps */
    uint64_t region[EXEC_SEGMENTS];     /* where in the arena the fresh bytes of each begin */
    size_t *over;                       /* dynamic values that the next one takes over */
    size_t n_over;
    const inlay_fact **facts; /* by slot: what is known of values that it takes over; or NULL */
    uintptr_t next_fake;      /* the first fake address that is not used */
} exec_segment;

/* A Parameter that is copied before the first step. */
typedef struct exec_entry_copy {
    size_t param;
    bool later; /* a group copies it, tile by tile (exec_windows.entry) */
} exec_entry_copy;

typedef struct exec_instance {
    const graph_steps *steps;
    inlay_arena *memory;
    exec_segment segment;
    const int64_t *key; /* what the outside was when it was made: exec_key */
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
    size_t n_blocks;
    exec_copy *copies;
    size_t n_copies;
    exec_inner *inner; /* of the steps with bodies of which it is known */
    size_t n_inner;
    size_t *drops;   /* what steps drop: exec_step */
    size_t *dynamic; /* all values that are dynamic */
    size_t n_dynamic;
    size_t *outer; /* allocations that are bound anew in each run */
    size_t n_outer;
    exec_ref *refs;
    size_t n_refs;
    layout arena;
} exec_instance;

/* Returns whether the bytes of U are in the arena; what a step hands over may stand there. */
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

/* Time runs in steps: 0 is before the first step, I + 1 is the step with number I, and the end is
 * behind the last step. What another segment takes over is alive at the end. */
static inline size_t exec_time(size_t step)
{
    return step + 1;
}

/* Returns when what step I reads has been read: steps that are fused read as long as the last of
 * them. */
static inline size_t exec_read_time(const exec_instance *x, size_t i)
{
    const exec_fused *f = x->list[i].fused;

    return exec_time(f ? f->first + f->n - 1 : i);
}

/* Returns whether other steps come behind those of X. */
static inline bool exec_goes_on(const exec_instance *x)
{
    return x->segment.end < x->steps->n;
}

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
    inlay_tensor *const *values; /* by slot: the dynamic values of that segment */
} exec_outside;

/* Returns the address of T's first element. */
static inline uintptr_t exec_first_byte(const inlay_tensor *t)
{
    int64_t size = t->offset == 0 ? 0 : inlay_type_info_of(t->type)->bits / 8;

    return (uintptr_t)t->data + (uintptr_t)(t->offset * size);
}

exec_instance *exec_instance_new(const exec_plan *p, const exec_outside *o, inlay_diags *d);
void exec_instance_free(exec_instance *x);

#endif
