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
/* The same of a constant, whose elements lie as FROM says. */
bool form_constant(maker *m, int v, api_layout from, api_layout to, value_form *out);
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
 * comes behind it. */
bool make_call(maker *m, dnnl_primitive_desc_t pd, const value_form *in, const make_posts *p,
               value_form result);
/* Sets *OUT to the bias of P, if it has one: a vector of N elements that has RANK dims; the last
 * one, if there are two. */
bool make_bias(maker *m, const make_posts *p, int rank, int64_t n, value_form *out);

/* product.c */

/* Makes node I, a product. */
bool make_product(maker *m, int i);

#endif
