/* Calls of oneDNN: the steps of a chain, and memory for them. Steps are grouped in stages, which
 * run one after another. The steps of a stage write different bytes, and threads share them. */
#ifndef INLAY_ONEDNN_CALL_H
#define INLAY_ONEDNN_CALL_H

#include "interp/onednn/api.h"

#include <pthread.h>

enum { CALL_ARGS = 6 };

/* The memory of a buffer. */
typedef enum call_root {
    CALL_ROOM,  /* in the run's scratch memory, at OFFSET */
    CALL_OUTER, /* that of value VALUE, outside of the chain */
    CALL_STORE  /* a constant's, at DATA */
} call_root;

typedef struct call_buffer {
    call_root root;
    size_t bytes, offset;
    int first, last; /* ROOM: the first and last stage that use it */
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
    dnnl_primitive_desc_t pd; /* kept because it owns the layouts */
    dnnl_primitive_t primitive;
    call_arg args[CALL_ARGS];
    int n_args;
    bool joins; /* it belongs to the stage of the step before: both may run at the same time */
} call_step;

/* The state of one run. */
typedef struct call_state {
    dnnl_stream_t *streams; /* by step, because threads share none */
    dnnl_exec_arg_t *args;  /* CALL_ARGS of each step */
    void **at;              /* by argument: the address to be set */
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

/* Returns a chain with capacity for so many of each; NULL: out of memory. */
module_chain *call_chain_new(int steps, int buffers, int layouts);
void call_chain_free(module_chain *c);
/* Lays out the buffers in scratch memory: buffers that are used at the same time share no byte. */
void call_chain_layout(module_chain *c);
size_t call_chain_room(const module_chain *c);
bool call_chain_run(module_chain *c, void *const *at, void *room, const module_threads *t);
/* Copies the elements at X to Y, at once. */
bool call_reorder(dnnl_engine_t e, const void *x, api_layout from, void *y, api_layout to);

#endif
