/* What tests that misuse functions share: a sound graph, and how a call is refused. */
#ifndef INLAY_TESTS_MISUSED_H
#define INLAY_TESTS_MISUSED_H

#include "ir/ir.h"

#define SOUND "%x = Parameter-1 {element_type = f32, shape = [2]}\n%b = ReLU(%x)\n%r = Result(%b)\n"

/* A sound graph to misuse functions on. */
typedef struct misused {
    inlay_graph *g;
    inlay_node *x, *b;
    inlay_diags *d;
} misused;

static const char no_graph[] = "error: no graph is given";
static const char no_node[] = "error: no node is given";
static const char no_value[] = "error: no value is given";
static const char no_tensor[] = "error: no tensor is given";
static const char no_name[] = "error: no name of an attribute is given";

/* From the graph of BODY, which has nodes "x" and "b" or not. */
misused misused_of(const char *body);
void misused_free(misused *s);
/* Expects that a call failed and said SAID, and nothing else. */
void misused_said(const misused *s, const char *said);

/* Expects that a function that returns a pointer or a bool refuses its arguments. */
#define REFUSED(call, said)                                                                        \
    do {                                                                                           \
        if (call)                                                                                  \
            fail_msg("%s went well", #call);                                                       \
        misused_said(&s, said);                                                                    \
    } while (0)
/* Expects that a function without a message refuses its arguments. */
#define REFUSED_QUIETLY(call)                                                                      \
    do {                                                                                           \
        if (call)                                                                                  \
            fail_msg("%s went well", #call);                                                       \
    } while (0)

#endif
