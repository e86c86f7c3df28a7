/* What the files of this room share. */
#ifndef INLAY_FRONT_VIEW_H
#define INLAY_FRONT_VIEW_H

#include "front/front.h"

/* texts.c: interned texts, numbered in the order in which they were added */

typedef struct view_texts {
    inlay_strbuf bytes;
    struct view_text {
        size_t at, n;
        uint64_t hash;
    } * list;
    size_t n, cap;
    uint32_t *slots; /* number + 1 by hash; 0: free */
    size_t n_slots;
    bool failed; /* out of memory */
} view_texts;

/* The number of the text. */
size_t view_texts_add(view_texts *t, const char *bytes, size_t n);
uint64_t view_hash(uint64_t hash, const char *bytes, size_t n);
void view_texts_free(view_texts *t);

/* A node of the graph or of a body in it. Its number is its index in the list. */
typedef struct view_node {
    const inlay_node *node;
    int group; /* the group in which it is shown */
    bool owns; /* it has bodies, and is shown as a group */
    bool row;  /* a constant that is shown in the boxes of its readers */
} view_node;

typedef struct view_group {
    size_t name;      /* number of a text */
    int parent;       /* -1: the group of the whole graph */
    const char *kind; /* "graph", "scope", "block", "part", "node" (with bodies), "body" */
    int owner;        /* "node": the number of the node; -1 */
    int *places;      /* x and y of each child; NULL: not known */
    int n_children;
} view_group;

/* A graph while it is added. */
typedef struct view_scene {
    view_node *nodes;
    size_t n, cap;
    view_group *groups;
    int n_groups, cap_groups;
    struct view_number {
        const inlay_node *node;
        int number;
    } * numbers; /* sorted by address */
    inlay_budget *budget;
} view_scene;

struct inlay_view {
    inlay_view_options options;
    view_texts texts, records;
    inlay_strbuf ops, graphs;
    view_texts op_names;
    size_t n_graphs;
    inlay_budget *budget; /* of the first graph, where the page counts; or NULL */
    bool placed;          /* dot placed a group */
};

/* json.c */

/* Appends the N BYTES as a JSON string that may stand in a script of a page. */
void view_quote(inlay_strbuf *b, const char *bytes, size_t n);
/* Appends S as text of a page. */
void view_escape(inlay_strbuf *b, const char *s);
/* Interns S; returns its number. */
size_t view_text(inlay_view *v, const char *s);

/* scene.c: lists the nodes of a graph and of its bodies. The caller frees S, also after an error.
 */
bool view_scene_make(inlay_view *v, const inlay_graph *g, view_scene *s, inlay_diags *d);

/* lists.c */

void view_scene_free(view_scene *s);
/* Prepares view_number_of. */
bool view_number_nodes(view_scene *s, inlay_diags *d);
/* The number of N; -1: it is not in the scene. */
int view_number_of(const view_scene *s, const inlay_node *n);
/* The number of a new group; -1: an error was recorded. */
int view_new_group(view_scene *s, size_t name, int parent, const char *kind, int owner,
                   inlay_diags *d);

/* groups.c */

/* What a group holds: a node, or a group in it. */
typedef struct view_item {
    int node, group; /* one of them; the other is -1 */
    const char *name;
    uint64_t like; /* equal for items that repeat each other */
} view_item;

/* Groups the N ITEMS, in their order, below group PARENT, by the scopes in their names and by what
 * repeats. */
bool view_arrange(inlay_view *v, view_scene *s, view_item *items, size_t n, int parent,
                  inlay_diags *d);

/* place.c: asks dot for the positions of boxes */

bool view_place(inlay_view *v, view_scene *s, inlay_diags *d);

/* record.c: the number of the record of N */
bool view_record(inlay_view *v, const view_node *n, size_t *number, inlay_diags *d);

/* plan.c */
void view_put_plan(inlay_strbuf *b, inlay_view *v, const view_scene *s, const inlay_view_graph *g);

/* template.c: the parts that are the same in each page */

typedef struct view_part {
    const char *bytes;
    size_t n;
} view_part;

view_part view_style(void);
view_part view_body(void);
view_part view_script(void);

#endif
