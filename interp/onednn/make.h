/* Makes chains: which operations are one call of oneDNN, and in which layouts values lie. */
#ifndef INLAY_ONEDNN_MAKE_H
#define INLAY_ONEDNN_MAKE_H

#include "interp/onednn/call.h"
#include "interp/onednn/store.h"

/* What is known while a chain is made. */
typedef struct maker {
    module_chain *c;
    module_store *store;
    const module_work *w;
    struct value_form *form; /* by value: where and how it lies; buffer below 0: it is not made */
    int *uses;               /* by value: by nodes that are not made yet */
    bool *done;              /* by node */
} maker;

typedef struct value_form {
    int buffer;
    api_layout layout;
    size_t offset; /* of a part of a value, in the buffer */
} value_form;

module_chain *make_chain(module_store *s, const module_work *w);

/* form.c: where values lie */

/* Has the chain free L; NULL stays NULL. */
api_layout form_own(maker *m, api_layout l);
/* Returns the row-major layout of value V; NULL: out of memory. */
api_layout form_plain(maker *m, int v);
/* Makes a buffer. */
int form_buffer(maker *m, call_root root, size_t bytes);
/* Sets *OUT to value V in layout L, which is copied where it lies otherwise. */
bool form_as(maker *m, int v, api_layout l, value_form *out);
/* The same of a constant, or a part of it, whose elements lie as FROM says from element FIRST on.
 */
bool form_constant(maker *m, int v, int64_t first, api_layout from, api_layout to, value_form *out);
/* Copies value V. */
bool form_copy(maker *m, int v, value_form from, value_form to);
/* Sets *OUT to where value V is to be made in layout L: outside, if it lies there so. */
bool form_result(maker *m, int v, api_layout l, value_form *out);
/* Value V is now F. If it leaves, and lies elsewhere, it is copied. */
bool form_made(maker *m, int v, value_form f);
/* Adds the step that PD, which is taken over, describes; NULL: there is none. */
call_step *form_step(maker *m, dnnl_primitive_desc_t pd);
void form_arg(call_step *s, int id, value_form f);

/* posts.c: what is done with each element of a result before it is stored */

/* What follows a product or convolution, and becomes one call with it. */
typedef struct make_posts {
    api_posts posts;
    int bias, other; /* values that are added; -1: none */
    int result;      /* the value that comes out */
} make_posts;

/* Finds what follows node I along AXIS of its result; those nodes are done then. */
void posts_find(maker *m, int i, int axis, make_posts *p);

/* make.c */

/* Sets *RESULT to where the result of P is to be made in layout L; what is added to it stands there
 * then. */
bool make_place(maker *m, const make_posts *p, api_layout l, value_form *result);
/* Adds the call that PD, which is taken over, describes, whose operands are IN, and what P says
 * comes behind it. JOINS: it may be computed at the same time as the call before. */
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
