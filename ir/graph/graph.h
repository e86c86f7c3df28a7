/* What the files of ir/ share and nobody else sees. */
#ifndef INLAY_IR_GRAPH_GRAPH_H
#define INLAY_IR_GRAPH_GRAPH_H

#include "ir/graph.h"
#include "ir/graph/deferred.h"
#include "ir/graph/names.h"

/* Which storage this graph owns besides its arena. */
struct inlay_graph_private {
    struct name_table names;
    struct variable_entry *variables;            /* by name; of the outermost graph */
    struct dim_entry *dims_by_name, *dims_by_id; /* the same entries in two tables */
    struct sum_entry *sums_by_sum, *sums_by_id;  /* the same */
    size_t cap_params, cap_results, cap_variables, cap_order_edges;
    inlay_tensor **tensors; /* retained for Const attributes */
    size_t n_tensors, cap_tensors;
    inlay_graph *bodies; /* of an outermost graph: every body ever made below it, a list ... */
    inlay_graph
        *next_body; /* ... through this, so that none is lost with the node it was made for */
    inlay_expand_fn *expand;          /* for deferred nodes; NULL: nobody knows what they are */
    struct history *history;          /* shared by a graph and its bodies */
    unsigned flags;                   /* of the rows of all nodes that it has or ever had */
    struct kept_order *_Atomic order; /* the canonical order, until the next edit; NULL */
};

/* provenance.c: of an empty graph, which is the outermost one or a body of OUTER. False: out of
 * memory. */
bool history_begin(inlay_graph *g, const inlay_graph *outer);
/* N is made just now. */
bool history_stamp(inlay_node *n, inlay_diags *d);
/* The numbers of origins and applications mean in TO, which is outermost and has none, what they
 * mean in FROM. */
bool history_copy(const inlay_graph *from, inlay_graph *to, inlay_diags *d);

/* provenance.c: tells who watches the graph that N is about to change, or was MADE just now. */
void graph_tell_edit(inlay_node *n, bool made);
/* Every structural edit of G calls this: notes, order edges and the kept order of G and of the
 * graphs around it no longer hold. */
void graph_touch(inlay_graph *g);
/* The same for an edit of N, which must be inferred again. */
void graph_touch_node(inlay_node *n);
/* order.c: the next inlay_order of G walks. */
void graph_forget_order(inlay_graph *g);
/* keep.c: grows an array in the arena so that index N fits; *CAP entries are there now. */
bool graph_grow(inlay_graph *g, void *array, size_t n, size_t *cap, size_t size, inlay_diags *d);
/* Keeps T until the graph goes. */
bool graph_keep_tensor(inlay_graph *g, const inlay_tensor *t, inlay_diags *d);
/* A copy of N and its bodies in TO, an empty graph, with a Parameter for each operand. NULL: error
 * recorded. */
inlay_node *graph_clone_node(inlay_graph *to, const inlay_node *n, inlay_diags *d);
/* The names table. */
/* NAME, or NAME_2, NAME_3, ... when it is taken: a copy in the arena, NULL when out of memory.
 * *HASH: the hash of what is returned, which graph_names_add asks for. */
const char *graph_unique_name(inlay_graph *g, const char *name, uint32_t *hash);
bool graph_names_add(inlay_graph *g, inlay_node *n, uint32_t hash, inlay_diags *d);
void graph_names_remove(inlay_graph *g, inlay_node *n);
/* The name of A leads to B, and that of B to A; both are in the table. */
void graph_names_swap(inlay_graph *g, inlay_node *a, inlay_node *b);

/* dim_name.c: TO, a copy of FROM with the same identities, gets the names of its dims. */
bool graph_copy_dim_names(const inlay_graph *from, inlay_graph *to, inlay_diags *d);
void graph_dim_names_free(inlay_graph *g);
/* dim_sum.c: the same for the sums of dims. */
bool graph_copy_dim_sums(const inlay_graph *from, inlay_graph *to, inlay_diags *d);
void graph_dim_sums_free(inlay_graph *g);

/* order.c: as inlay_order. *N_LIVE: how many of the first nodes are those that it lists without
 * ALL. */
bool graph_order(const inlay_graph *g, bool all, inlay_order_list *out, size_t *n_live,
                 inlay_diags *d);
/* order.c: the order begins with N and what N needs: N is a Result or another sink, or has one in a
 * body. */
bool graph_is_root(const inlay_node *n);
/* infer.c: the nodes of G and its bodies, each by itself. */
bool infer_nodes(inlay_graph *g, inlay_diags *d);
/* variables.c: no variable is assigned twice in G and its bodies, nor is one of another graph used.
 */
bool variables_check_assigns(const inlay_graph *g, inlay_diags *d);

/* "an integer", "a list of strings": for messages. */
const char *attr_kind_text(inlay_attr_kind kind);

#endif
