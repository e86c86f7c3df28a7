/* A run that fails leaves variables unchanged. Before a run overwrites elements in the buffer of a
 * state, these elements (never the whole tensor) are saved here. If the run fails they are
 * restored, the latest first. */
#include "interp/exec/run/run.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

enum { SPARE_MOST = 1 << 16 }; /* bytes of entries kept for the next run */

struct journal_entry {
    struct journal_entry *before;
    inlay_tensor *where;
    inlay_tensor *saved; /* dense: the elements that were saved */
    inlay_meter *meter;  /* counts the entry's memory */
    uint64_t bytes;      /* of what was saved */
    int64_t n, length;   /* number and length of runs of elements; n below 0: all of `where` */
    int64_t to[];        /* the row-major position in `where` of each run */
};

bool journal_new(exec_journal *j, inlay_budget *budget, int n)
{
    j->n_states = n;
    j->saved = inlay_take(budget, (size_t)n + 1, sizeof *j->saved);
    return j->saved != NULL;
}

void journal_begin(exec_journal *j, const inlay_tensor *const *states)
{
    j->states = states;
    for (int i = 0; i < j->n_states; i++)
        j->saved[i] = (exec_saved){0};
}

/* Returns the variable whose state has T's buffer, or -1. */
static int state_of(const exec_journal *j, const inlay_tensor *t)
{
    for (int i = 0; j && i < j->n_states; i++) {
        if (j->states[i] && j->states[i]->buffer == t->buffer)
            return i;
    }
    return -1;
}

exec_journal *journal_for(exec_journal *j, const inlay_tensor *const *in, int n)
{
    bool given = false;

    for (int i = 0; j && i < n && !given; i++)
        given = in[i] && state_of(j, in[i]) >= 0;
    return given ? j : NULL;
}

static uint64_t entry_size(int64_t n)
{
    return sizeof(struct journal_entry) + (n > 0 ? (uint64_t)n : 0) * sizeof(int64_t);
}

static void free_entry(struct journal_entry *e)
{
    meter_give(e->meter, entry_size(e->n));
    inlay_tensor_release(e->where);
    inlay_tensor_release(e->saved);
    inlay_give(e);
}

/* Takes an entry of the same form that an earlier run left, or returns NULL. */
static struct journal_entry *take_spare(exec_journal *j, inlay_type type, int64_t n, int rank,
                                        const int64_t *dims)
{
    struct journal_entry **at = &j->spare, *e;

    for (; (e = *at); at = &e->before) {
        const inlay_tensor *t = e->saved;

        if (t->type == type && t->rank == rank && (e->n == n || (e->n < 0 && n < 0)) &&
            memcmp(t->dims, dims, (size_t)rank * sizeof *dims) == 0)
            break;
    }
    if (e) {
        *at = e->before;
        j->spare_bytes -= e->bytes + entry_size(e->n);
    }
    return e;
}

/* Makes `where` of E a view of what T shows, reusing the tensor of an earlier run if it has the
 * form of T, so that warm runs allocate nothing. T itself may be released before the journal is
 * read. */
static bool show_where(struct journal_entry *e, const inlay_tensor *t)
{
    inlay_tensor *w = e->where;
    bool fits = w && tensor_same_form(w, t);

    for (int i = 0; fits && i < t->rank; i++)
        fits = w->strides[i] == t->strides[i];
    if (fits) {
        w->data = t->data;
        w->offset = t->offset;
        w->buffer = inlay_buffer_retain(t->buffer);
        return true;
    }
    inlay_tensor_release(w);
    e->where = inlay_tensor_window(t, t->rank, t->dims, t->strides, 0);
    return e->where != NULL;
}

/* Adds E, an entry for T, to the journal. */
static bool use_entry(inlay_call *c, struct journal_entry *e, const inlay_tensor *t)
{
    exec_journal *j = exec_run_of(c)->journal;

    if (!show_where(e, t)) {
        free_entry(e);
        return inlay_fail_memory(c->diags);
    }
    e->before = j->last;
    j->last = e;
    call_copied(c, e->bytes);
    return true;
}

/* Adds an entry with room for N positions and for a tensor of RANK and DIMS, the saved elements. */
static struct journal_entry *add_entry(inlay_call *c, const inlay_tensor *t, int64_t n, int rank,
                                       const int64_t *dims)
{
    exec_run *run = exec_run_of(c);
    struct journal_entry *e = take_spare(run->journal, t->type, n, rank, dims);

    if (e)
        return use_entry(c, e, t) ? e : NULL;
    if (!meter_take(run->run.env->meter, entry_size(n), c->node, c->diags))
        return NULL;
    e = inlay_take(meter_budget(run->run.env->meter), 1, entry_size(n));
    if (!e) {
        meter_give(run->run.env->meter, entry_size(n));
        inlay_fail_memory(c->diags);
        return NULL;
    }
    e->meter = run->run.env->meter;
    e->n = n;
    e->saved = call_tensor(c, t->type, rank, dims);
    if (!e->saved) {
        free_entry(e);
        return NULL;
    }
    e->bytes = inlay_tensor_bytes(e->saved);
    return use_entry(c, e, t) ? e : NULL;
}

/* Returns whether T was saved last. The links of a chain overwrite one window again and again; only
 * what it held before the first of them has to be restored. */
static bool is_saved(const exec_journal *j, const inlay_tensor *t)
{
    return j->last && j->last->n < 0 && inlay_tensor_same_place(j->last->where, t);
}

static bool save_all(inlay_call *c, const inlay_tensor *t)
{
    struct journal_entry *e;

    e = add_entry(c, t, -1, t->rank, t->dims);
    return e && (inlay_tensor_assign(e->saved, t) || inlay_fail_memory(c->diags));
}

static void move_runs(const struct journal_entry *e, bool back)
{
    int64_t size = tensor_runs_size(e->where, e->saved), n = e->length;
    const tensor_runs there = {e->saved, e->where, size}, here = {e->where, e->saved, size};

    for (int64_t i = 0; !back && i < e->n; i++)
        tensor_runs_copy(&there, i * n, e->to[i], n);
    for (int64_t i = 0; back && i < e->n; i++)
        tensor_runs_copy(&here, e->to[i], i * n, n);
}

static bool save_runs(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                      const int64_t *to)
{
    struct journal_entry *e = add_entry(c, t, n, 2, (const int64_t[]){n, length});

    if (!e)
        return false;
    e->length = length;
    memcpy(e->to, to, (size_t)n * sizeof *to);
    move_runs(e, false);
    return true;
}

/* A loop may overwrite the same elements in each iteration. When it would save more bytes than
 * STATE has, all of STATE is saved as it is by then, and nothing after that: what was saved before
 * is restored behind it. *DONE: nothing is left to save. ALL: it is all of STATE that is saved. */
static bool save_in_body(inlay_call *c, exec_saved *s, const inlay_tensor *state, uint64_t bytes,
                         bool all, bool *done)
{
    *done = s->whole;
    if (s->whole)
        return true;
    s->bytes += bytes;
    s->whole = all || s->bytes > inlay_tensor_bytes(state);
    if (all || !s->whole)
        return true;
    *done = true;
    return save_all(c, state);
}

bool journal_save(inlay_call *c, const inlay_tensor *t, int64_t n, int64_t length,
                  const int64_t *to)
{
    const exec_run *run = exec_run_of(c);
    exec_journal *j = run->journal;
    int i = state_of(j, t);
    bool done = i < 0 || n == 0 || (n < 0 && is_saved(j, t));

    if (!done && run->plan->depth > 0) {
        uint64_t size = (uint64_t)inlay_type_info_of(t->type)->bits / 8;
        uint64_t bytes = n < 0 ? inlay_tensor_bytes(t) : (uint64_t)(n * length) * size;

        if (!save_in_body(c, &j->saved[i], j->states[i], bytes,
                          n < 0 && inlay_tensor_count(t) == inlay_tensor_count(j->states[i]),
                          &done))
            return false;
    }
    if (done)
        return true;
    return n < 0 ? save_all(c, t) : save_runs(c, t, n, length, to);
}

const inlay_tensor *journal_saved_last(const exec_journal *j)
{
    return j->last ? j->last->saved : NULL;
}

void journal_undo(exec_journal *j)
{
    for (const struct journal_entry *e = j->last; e; e = e->before) {
        if (e->n < 0)
            inlay_tensor_assign(e->where, e->saved);
        else
            move_runs(e, true);
    }
}

void journal_forget(exec_journal *j)
{
    while (j->last) {
        struct journal_entry *e = j->last;
        uint64_t bytes = e->bytes + entry_size(e->n);

        j->last = e->before;
        if (inlay_type_refers(e->saved->type) || bytes > SPARE_MOST - j->spare_bytes) {
            free_entry(e);
            continue;
        }
        inlay_buffer_release(e->where->buffer);
        e->where->buffer = NULL;
        e->before = j->spare;
        j->spare = e;
        j->spare_bytes += bytes;
    }
}

void journal_free(exec_journal *j)
{
    inlay_give(j->saved);
    journal_forget(j);
    while (j->spare) {
        struct journal_entry *e = j->spare;

        j->spare = e->before;
        free_entry(e);
    }
}
