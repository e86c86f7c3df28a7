/* Makes chains: selects the nodes for each call of oneDNN, and the layouts of values. */
#ifndef INLAY_ONEDNN_MAKE_H
#define INLAY_ONEDNN_MAKE_H

#include "interp/onednn/call.h"
#include "interp/onednn/store.h"

/* The state while a chain is made. */
typedef struct maker {
    module_chain *c;
    module_store *store;
    const module_work *w;
    struct value_form *form; /* by value: its buffer and layout; buffer < 0: not made yet */
    int *uses;               /* by value: uses by nodes that are not made yet */
    bool *done;              /* by node */
} maker;

typedef struct value_form {
    int buffer;
    api_layout layout;
    size_t offset; /* of a part of a value, in the buffer */
} value_form;

module_chain *make_chain(module_store *s, const module_work *w);

/* form.c: buffers and layouts of values */

/* Makes the chain own L, and free it; NULL stays NULL. */
api_layout form_own(maker *m, api_layout l);
/* Returns the row-major layout of value V; NULL: out of memory. */
api_layout form_plain(maker *m, int v);
/* Sets *OUT to value V in layout L; copies it if it has another. */
bool form_as(maker *m, int v, api_layout l, value_form *out);
/* The same for a constant, or a part of it, with layout FROM from element FIRST on. */
bool form_constant(maker *m, int v, int64_t first, api_layout from, api_layout to, value_form *out);
/* Copies value V. */
bool form_copy(maker *m, int v, value_form from, value_form to);
/* Sets *OUT to the buffer for value V in layout L: outside of the chain, if it has that layout
 * there. */
bool form_result(maker *m, int v, api_layout l, value_form *out);
/* Records F as the form of value V. If V leaves the chain in another form, copies it. */
bool form_made(maker *m, int v, value_form f);
/* Adds the step for PD, which it takes over; NULL: there is none. */
call_step *form_step(maker *m, dnnl_primitive_desc_t pd);
void form_arg(call_step *s, int id, value_form f);

/* posts.c: operations on each element of a result before it is stored */

/* The operations after a product or convolution that become part of its call. */
typedef struct make_posts {
    api_posts posts;
    int bias, other; /* values to add; -1: none */
    int result;      /* the resulting value */
} make_posts;

/* Finds the operations after node I along AXIS of its result, and marks their nodes as done. */
void posts_find(maker *m, int i, int axis, make_posts *p);

/* make.c */

/* Sets *RESULT to the buffer for the result of P in layout L, which already contains what is added
 * to it. */
bool make_place(maker *m, const make_posts *p, api_layout l, value_form *result);
/* Adds the call for PD, which it takes over, with operands IN and the operations of P. JOINS: it
 * may run at the same time as the call before. */
bool make_call(maker *m, dnnl_primitive_desc_t pd, const value_form *in, const make_posts *p,
               value_form result, bool joins);
/* Sets *OUT to the bias of P, if it has one, or N elements of it from number FIRST on: a vector
 * that has RANK dims; the last one, if there are two. */
bool make_bias(maker *m, const make_posts *p, int rank, int64_t first, int64_t n, value_form *out);

/* convolution.c and product.c */

/* Makes node I, which is one. */
bool make_convolution(maker *m, int i);
bool make_product(maker *m, int i);

/* cut.c: parts of calls, which threads compute at the same time */

enum { CUT_IMAGES, CUT_CHANNELS, CUT_ROWS, CUT_AXES };
enum { CUT_MOST = 64 };

/* Of axes behind these a part has all. */
typedef struct cut_part {
    int64_t from[CUT_AXES], n[CUT_AXES];
} cut_part;

typedef struct cut {
    int n;
    cut_part list[CUT_MOST];
} cut;

/* What a product, an element that a pooling reads, and one that is laid out anew cost, in tenths of
 * a nanosecond. */
#define CUT_PRODUCT 0.25
#define CUT_READ 1
#define CUT_ELEMENT 2.5

/* Returns how many parts of a call there are at most, if THREADS compute. */
int cut_most(int threads);
/* Finds parts of V, whose channels lie as BLOCK says (API_LAST, ...): ranges of whole UNITs of
 * channels or, where these are last, of rows. COST: of making V, in tenths of a nanosecond. One
 * part: it is not worth it, or cannot be. */
void cut_find(const maker *m, const module_value *v, int block, int64_t unit, double cost, cut *c);
/* Returns the layout of part P of V, and sets *OFFSET to its first byte; NULL: out of memory. */
api_layout cut_layout(maker *m, const module_value *v, int block, const cut_part *p,
                      size_t *offset);

#endif
