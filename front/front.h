/* Loads a model in one call: from a file, or a graph, to a program that runs. The parts that it
 * connects are in the headers that it includes, whose conventions (ir/ir.h) hold here too. */
#ifndef INLAY_FRONT_H
#define INLAY_FRONT_H

#include "interp/interp.h"
#include "parser/parser.h"
#include "passes/passes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* load.c */

typedef struct inlay_load_options {
    inlay_read_options read;
    inlay_pass_options passes; /* evaluator NULL: the reference, with the limits of exec */
    inlay_exec_options exec;
} inlay_load_options;

/* A loaded model: the graph after the passes, and the program that runs it. */
typedef struct inlay_model {
    inlay_graph *graph;
    inlay_program *program;
} inlay_model;

/* Reads the file PATH ("-": standard input), optimises the graph and compiles it. O may be NULL.
 * NULL and an error when one of the three fails. The caller frees the model. */
INLAY_API inlay_model *inlay_load(const char *path, const inlay_load_options *o, inlay_diags *d);
/* The same for an existing graph; o->read is ignored. The model owns G from now on, which is freed
 * when this fails. */
INLAY_API inlay_model *inlay_load_graph(inlay_graph *g, const inlay_load_options *o,
                                        inlay_diags *d);
/* To be freed after its sessions; NULL is fine. */
INLAY_API void inlay_model_free(inlay_model *m);

#ifdef __cplusplus
}
#endif

#endif
