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

/* view/: a page of HTML that shows graphs (front/view/README.md) */

/* A remark about a node, such as a decision on writing in place. */
typedef struct inlay_view_remark {
    const inlay_node *node;
    const char *text; /* lines */
    uint64_t bytes;   /* copied because of it; 0: none, or not known */
    bool refused;
} inlay_view_remark;

/* A number for each of some nodes, such as its time, which colours them. */
typedef struct inlay_view_number {
    const inlay_node *node;
    double number;
} inlay_view_number;

typedef struct inlay_view_overlay {
    const char *name, *unit; /* "time", "us" */
    const inlay_view_number *list;
    size_t n;
} inlay_view_overlay;

/* A graph of the page. All members but GRAPH are optional, and zero if absent. */
typedef struct inlay_view_graph {
    const inlay_graph *graph;
    const char *title;              /* "after default" */
    const inlay_program_plan *plan; /* of GRAPH */
    uint64_t peak_bytes;
    const inlay_view_remark *remarks;
    size_t n_remarks;
    const inlay_view_overlay *overlays;
    size_t n_overlays;
    const inlay_diff *changes; /* from the graph that was added before to GRAPH */
    const inlay_graph *before; /* that graph, or a clone of it, whose nodes CHANGES names */
} inlay_view_graph;

typedef struct inlay_view_options {
    const char *title; /* NULL: the name of the first graph */
    /* Places boxes by Graphviz: appends to PLAIN what `dot -Tplain` prints for DOT, several graphs
     * with at most 500 nodes together. False: it cannot, and is not called again. NULL: the page
     * places all boxes itself. */
    bool (*place)(void *ctx, const char *dot, size_t n, inlay_strbuf *plain);
    void *ctx;
    const char *why; /* a sentence for the page, if it places the boxes itself: why; or NULL */
} inlay_view_options;

typedef struct inlay_view inlay_view;

INLAY_API inlay_view *inlay_view_new(const inlay_view_options *o, inlay_diags *d);
/* Adds another graph to the page. Nothing of G is kept. */
INLAY_API bool inlay_view_add(inlay_view *v, const inlay_view_graph *g, inlay_diags *d);
/* An upper bound of the page's size in bytes, so far. */
INLAY_API size_t inlay_view_bytes(const inlay_view *v);
/* Writes the page, which needs no other file and no network. */
INLAY_API bool inlay_view_write(inlay_view *v, const inlay_sink *to, inlay_diags *d);
INLAY_API void inlay_view_free(inlay_view *v); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
