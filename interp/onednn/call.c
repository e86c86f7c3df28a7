#include "interp/onednn/call.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { LINE = 64 };

/* Chains */

module_chain *call_chain_new(int steps, int buffers, int layouts)
{
    module_chain *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->steps = calloc((size_t)steps + 1, sizeof *c->steps);
    c->buffers = calloc((size_t)buffers + 1, sizeof *c->buffers);
    c->layouts = calloc((size_t)layouts + 1, sizeof *c->layouts);
    if (pthread_mutex_init(&c->lock, NULL) != 0) {
        free(c->steps);
        free(c->buffers);
        free(c->layouts);
        free(c);
        return NULL;
    }
    if (c->steps && c->buffers && c->layouts &&
        dnnl_engine_create(&c->engine, dnnl_cpu, 0) == dnnl_success)
        return c;
    call_chain_free(c);
    return NULL;
}

static void state_free(const module_chain *c, call_state *s)
{
    for (int i = 0; s->args && i < c->n_steps * CALL_ARGS; i++)
        dnnl_memory_destroy(s->args[i].memory);
    for (int i = 0; s->streams && i < c->n_steps; i++)
        dnnl_stream_destroy(s->streams[i]);
    free(s->streams);
    free(s->args);
    free(s->at);
    free(s);
}

void call_chain_free(module_chain *c)
{
    if (!c)
        return;
    for (call_state *s = c->idle, *next; s; s = next) {
        next = s->next;
        state_free(c, s);
    }
    for (int i = 0; i < c->n_steps; i++) {
        dnnl_primitive_destroy(c->steps[i].primitive);
        dnnl_primitive_desc_destroy(c->steps[i].pd);
    }
    for (int i = 0; i < c->n_layouts; i++)
        api_free(c->layouts[i]);
    if (c->engine)
        dnnl_engine_destroy(c->engine);
    pthread_mutex_destroy(&c->lock);
    free(c->steps);
    free(c->buffers);
    free(c->layouts);
    free(c);
}

size_t call_chain_room(const module_chain *c)
{
    return c->room;
}

/* Layout of buffers */

static void find_spans(module_chain *c)
{
    for (int i = 0; i < c->n_buffers; i++) {
        c->buffers[i].first = c->n_steps;
        c->buffers[i].last = -1;
    }
    for (int i = 0, stage = -1; i < c->n_steps; i++) {
        stage += !c->steps[i].joins;
        for (int k = 0; k < c->steps[i].n_args; k++) {
            call_buffer *b = &c->buffers[c->steps[i].args[k].buffer];

            b->first = b->first < stage ? b->first : stage;
            b->last = stage;
        }
    }
}

/* Returns the end of a placed buffer that overlaps B at its offset while both are in use; 0: none
 * does. */
static size_t end_in_the_way(const module_chain *c, const call_buffer *b)
{
    for (int i = 0; i < c->n_buffers; i++) {
        const call_buffer *o = &c->buffers[i];

        if (o->placed && o->first <= b->last && b->first <= o->last &&
            o->offset < b->offset + b->bytes && b->offset < o->offset + o->bytes)
            return o->offset + o->bytes;
    }
    return 0;
}

/* Returns the largest scratch buffer without an offset, or NULL. */
static call_buffer *largest(const module_chain *c)
{
    call_buffer *found = NULL;

    for (int i = 0; i < c->n_buffers; i++) {
        call_buffer *b = &c->buffers[i];

        if (b->root == CALL_ROOM && b->last >= 0 && !b->placed &&
            (!found || b->bytes > found->bytes))
            found = b;
    }
    return found;
}

/* Places the largest buffers first: small ones fit between them. */
void call_chain_layout(module_chain *c)
{
    find_spans(c);
    for (call_buffer *b; (b = largest(c)) != NULL; b->placed = true) {
        b->bytes = (b->bytes + LINE - 1) / LINE * LINE;
        for (size_t end; (end = end_in_the_way(c, b)) > 0;)
            b->offset = end;
        c->room = b->offset + b->bytes > c->room ? b->offset + b->bytes : c->room;
    }
}

/* Runs */

static bool make_args(const module_chain *c, call_state *s)
{
    bool ok = true;

    for (int i = 0; ok && i < c->n_steps; i++) {
        ok = dnnl_stream_create(&s->streams[i], c->engine, dnnl_stream_default_flags) ==
             dnnl_success;
        for (int k = 0; ok && k < c->steps[i].n_args; k++) {
            const call_arg *a = &c->steps[i].args[k];
            dnnl_exec_arg_t *to = &s->args[i * CALL_ARGS + k];

            to->arg = a->id;
            ok = api_memory(&to->memory, a->layout, c->engine) == dnnl_success;
        }
    }
    return ok;
}

static call_state *state_new(const module_chain *c)
{
    size_t n = (size_t)c->n_steps * CALL_ARGS + 1;
    call_state *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->streams = calloc((size_t)c->n_steps + 1, sizeof *s->streams);
    s->args = calloc(n, sizeof *s->args);
    s->at = calloc(n, sizeof *s->at);
    if (s->streams && s->args && s->at && make_args(c, s))
        return s;
    state_free(c, s);
    return NULL;
}

static call_state *take_state(module_chain *c)
{
    call_state *s;

    pthread_mutex_lock(&c->lock);
    s = c->idle;
    if (s)
        c->idle = s->next;
    pthread_mutex_unlock(&c->lock);
    return s ? s : state_new(c);
}

static void give_state(module_chain *c, call_state *s)
{
    pthread_mutex_lock(&c->lock);
    s->next = c->idle;
    c->idle = s;
    pthread_mutex_unlock(&c->lock);
}

static void *address_of(const call_buffer *b, void *const *at, void *room)
{
    return b->root == CALL_ROOM    ? (char *)room + b->offset
           : b->root == CALL_OUTER ? at[b->value]
                                   : (void *)b->data;
}

static bool run_step(const module_chain *c, call_state *s, int i, void *const *at, void *room)
{
    const call_step *step = &c->steps[i];
    bool ok = true;

    for (int k = 0; ok && k < step->n_args; k++) {
        int n = i * CALL_ARGS + k;
        const call_arg *a = &step->args[k];
        char *here = (char *)address_of(&c->buffers[a->buffer], at, room) + a->offset;

        if (here == s->at[n])
            continue;
        ok = dnnl_memory_set_data_handle(s->args[n].memory, here) == dnnl_success;
        s->at[n] = here;
    }
    return ok &&
           dnnl_primitive_execute(step->primitive, s->streams[i], step->n_args,
                                  s->args + (size_t)i * CALL_ARGS) == dnnl_success &&
           dnnl_stream_wait(s->streams[i]) == dnnl_success;
}

/* A stage that is running; its first step is FIRST. */
struct stage {
    const module_chain *c;
    call_state *s;
    void *const *at;
    void *room;
    int first;
    atomic_bool failed;
};

static void run_steps(void *ctx, int64_t from, int64_t to)
{
    struct stage *g = ctx;
    int was = api_alone();

    for (int64_t i = from; i < to; i++) {
        if (!run_step(g->c, g->s, g->first + (int)i, g->at, g->room))
            atomic_store(&g->failed, true);
    }
    api_not_alone(was);
}

static int end_of_stage(const module_chain *c, int first)
{
    int end = first + 1;

    while (end < c->n_steps && c->steps[end].joins)
        end++;
    return end;
}

bool call_chain_run(module_chain *c, void *const *at, void *room, const module_threads *t)
{
    struct stage g = {.c = c, .s = take_state(c), .at = at, .room = room};

    if (!g.s)
        return false;
    for (int end; g.first < c->n_steps && !atomic_load(&g.failed); g.first = end) {
        end = end_of_stage(c, g.first);
        if (end - g.first == 1)
            run_steps(&g, 0, 1);
        else
            t->split(t->ctx, end - g.first, run_steps, &g);
    }
    give_state(c, g.s);
    return !atomic_load(&g.failed);
}

bool call_reorder(dnnl_engine_t e, const void *x, api_layout from, void *y, api_layout to)
{
    dnnl_primitive_desc_t pd = api_reorder(e, from, to);
    dnnl_primitive_t p = NULL;
    dnnl_stream_t stream = NULL;
    dnnl_exec_arg_t a[3] = {
        {.arg = DNNL_ARG_FROM}, {.arg = DNNL_ARG_TO}, {.arg = DNNL_ARG_SCRATCHPAD}};
    api_layout scratch = pd ? api_of(pd, dnnl_query_scratchpad_md, 0) : NULL;
    void *room = scratch && api_bytes(scratch) > 0
                     ? aligned_alloc(LINE, (api_bytes(scratch) / LINE + 1) * LINE)
                     : NULL;
    bool ok = pd && api_memory(&a[0].memory, from, e) == dnnl_success &&
              api_memory(&a[1].memory, to, e) == dnnl_success &&
              api_memory(&a[2].memory, scratch, e) == dnnl_success &&
              dnnl_memory_set_data_handle(a[0].memory, (void *)x) == dnnl_success &&
              dnnl_memory_set_data_handle(a[1].memory, y) == dnnl_success &&
              dnnl_memory_set_data_handle(a[2].memory, room) == dnnl_success &&
              dnnl_primitive_create(&p, pd) == dnnl_success &&
              dnnl_stream_create(&stream, e, dnnl_stream_default_flags) == dnnl_success &&
              dnnl_primitive_execute(p, stream, 3, a) == dnnl_success &&
              dnnl_stream_wait(stream) == dnnl_success;

    for (int i = 0; i < 3; i++)
        dnnl_memory_destroy(a[i].memory);
    dnnl_stream_destroy(stream);
    dnnl_primitive_destroy(p);
    dnnl_primitive_desc_destroy(pd);
    free(room);
    return ok;
}
