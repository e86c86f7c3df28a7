/* Node tests of ONNX whose last nodes are changed, and what came of it: for test_onnx_attributes.c. */
#ifndef TESTS_UNIT_ONNX_TRIED_H
#define TESTS_UNIT_ONNX_TRIED_H

#include "interp/interp.h"
#include "parser/onnx/import.h"
#include "parser/onnx/records.h"

enum { MOST_WORDS = 2000, MOST_OPERATORS = 600, MOST_KINDS = 4000, MOST_NUMBERS = 8, SECONDS = 60 };

/* An attribute that an operator has. */
struct known {
    const char *name;
    int type;
};

/* Returns the attributes of an operator, which have a name of NULL at their end. */
struct operator
{
    const onnx_operator *op;
    struct known *attrs;
};

struct onnx_tried {
    inlay_arena *arena;
    const char *words[MOST_WORDS];
    int n_words;
    struct operator operators[MOST_OPERATORS];
    int n_operators;
    const char *kinds[MOST_KINDS]; /* of nodes that were tried */
    int n_kinds, n_cases, n_runs, n_wrong, n_forms;
    char now[600];
};

extern struct onnx_tried onnx_tried;

/* A node test: its model, whose last node is changed, and its inputs. */
struct node_test {
    char name[400]; /* or the folder */
    inlay_arena *arena;
    Onnx__ModelProto *m;
    Onnx__NodeProto *node;
    inlay_tensor *in[64];
    int n_in;
    bool is_own; /* it may be one that is refused whatever its attributes are */
};

/* Finds the words that stand in the sources of the imports. */
void onnx_tried_words(void);

/* Reads the model of T as it is now; NULL and an error. */
inlay_graph *onnx_tried_read(const struct node_test *t, inlay_diags *d);

/* Reads and runs T: it works, also where less is known of it or where it was written, or there is one
 * error of a status that is the caller's fault. */
void onnx_tried_run(const struct node_test *t);

/* Returns how many errors D has. */
size_t onnx_tried_errors(const inlay_diags *d);

/* A handler of SIGALRM: says which case takes too long, and ends the program. */
void onnx_tried_late(int number);

#endif
