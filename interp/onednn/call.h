/* Calls of oneDNN: the steps of a chain, and memory for them. Steps follow one another in stages.
 * The steps of a stage write different bytes, and threads share them. */
#ifndef INLAY_ONEDNN_CALL_H
#define INLAY_ONEDNN_CALL_H

#include "interp/onednn/api.h"

#include <pthread.h>

enum { CALL_ARGS = 6 };

/* Whose bytes a buffer has. */
typedef enum call_root {
    CALL_ROOM,  /* the run's, at OFFSET */
    CALL_OUTER, /* those of value VALUE, outside of the chain */
    CALL_STORE  /* a constant's, at DATA */
} call_root;

typedef struct call_buffer {
    call_root root;
    size_t bytes, offset;
    int first, last; /* ROOM: the stages between which it holds something */
    bool placed;     /* ROOM: OFFSET is known */
    int value;
    const void *data;
} call_buffer;

typedef struct call_arg {
    int id; /* DNNL_ARG_... */
    int buffer;
    api_layout layout; /* lives as long as the chain */
    size_t offset;     /* of its first byte in the buffer */
} call_arg;

typedef struct call_step {
    dnnl_primitive_desc_t pd; /* is kept because layouts are its own */
    dnnl_primitive_t primitive;
    call_arg args[CALL_ARGS];
    int n_args;
    bool joins; /* it belongs to the stage of the step before: both may be computed at a time */
} call_step;

/* What one run at a time uses. */
typedef struct call_state {
    dnnl_stream_t *streams; /* by step: threads share none */
    dnnl_exec_arg_t *args;  /* CALL_ARGS of each step */
    void **at;              /* by argument: the address that is set */
    struct call_state *next;
} call_state;

struct module_chain {
    dnnl_engine_t engine;
    call_step *steps;
    int n_steps;
    call_buffer *buffers;
    int n_buffers;
    api_layout *layouts; /* that are freed with the chain */
    int n_layouts;
    size_t room;
    pthread_mutex_t lock;
    call_state *idle;
};

/* Returns a chain with room for so many of each; NULL: out of memory. */
module_chain *call_chain_new(int steps, int buffers, int layouts);
void call_chain_free(module_chain *c);
/* Finds the place of each buffer of the run's: buffers that hold something at one time have no byte
 * in common. */
void call_chain_layout(module_chain *c);
size_t call_chain_room(const module_chain *c);
bool call_chain_run(module_chain *c, void *const *at, void *room, const module_threads *t);
/* Copies what lies at X to Y, now. */
bool call_reorder(dnnl_engine_t e, const void *x, api_layout from, void *y, api_layout to);

#endif
