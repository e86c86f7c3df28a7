/* Records which pass and which rewrite made each node. */
#ifndef INLAY_IR_PROVENANCE_H
#define INLAY_IR_PROVENANCE_H

#include "ir/graph.h"

/* In all of these G stands for a whole graph: it may be the outermost one or any of its bodies. */

/* Returns the number of applications of rewrites so far, which is the number of the next one. */
uint64_t inlay_applications(const inlay_graph *g);
/* Sets the PASS (NULL: none) that makes nodes outside of applications from now on. */
bool inlay_provenance_pass(inlay_graph *g, const char *pass, inlay_diags *d);
/* Begins an application at AT, by RULE of PASS, or by PASS itself (NULL): nodes that are made from
 * now on get the origin of AT. */
bool inlay_provenance_begin(const inlay_node *at, const char *pass, const char *rule,
                            inlay_diags *d);
/* Ends it. If not KEPT, no node that it made is left, and the next application reuses its number.
 */
bool inlay_provenance_end(const inlay_graph *g, bool kept, inlay_diags *d);

/* Who is told of each node that an edit is about to change, and of each that was made just now. */
typedef struct inlay_watcher {
    void (*edits)(void *ctx, inlay_node *n, bool made);
    /* Where to keep the hash of T, which is printed more than once; 0: not yet. NULL: nowhere. */
    uint64_t *(*hash)(void *ctx, const inlay_tensor *t);
    void *ctx;
} inlay_watcher;

/* From now on W, which must outlive the edits, is told; NULL: nobody is. */
void inlay_graph_watch(inlay_graph *g, const inlay_watcher *w);
/* What HASH of the watcher says; NULL: there is none. */
uint64_t *inlay_watched_hash(const inlay_graph *g, const inlay_tensor *t);

#endif
