/* Asks dot for the positions of the children of each group. The page draws the boxes, and arranges
 * a group itself if their positions are not known. */
#include "front/view/view.h"
#include "ir/shared.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 500,  /* boxes a call */
    HEIGHT = 60, /* of a box, in hundredths of an inch */
};

/* The child of a group that is, or contains, a certain node. */
struct place {
    int parent, child; /* its number among the children */
};

struct placer {
    inlay_view *view;
    view_scene *scene;
    struct place *of_group, *of_node;
    inlay_strbuf dot;
    int *asked; /* groups of the present call */
    int n_asked, boxes;
    bool refused;
};

/* An arrow between children of one group. */
struct arrow {
    int group, from, to;
};

/* Numbers the children of each group: groups in their order, then nodes. */
static void number_children(struct placer *p)
{
    view_scene *s = p->scene;

    p->of_group[0] = (struct place){-1, 0};
    for (int i = 1; i < s->n_groups; i++)
        p->of_group[i] =
            (struct place){s->groups[i].parent, s->groups[s->groups[i].parent].n_children++};
    for (size_t i = 0; i < s->n; i++) {
        if (!s->nodes[i].owns && !s->nodes[i].row)
            p->of_node[i] =
                (struct place){s->nodes[i].group, s->groups[s->nodes[i].group].n_children++};
        else
            p->of_node[i] = p->of_group[s->nodes[i].group < 0 ? 0 : s->nodes[i].group];
    }
}

static int depth_of(const struct placer *p, struct place at)
{
    int depth = 0;

    for (; at.parent >= 0; at = p->of_group[at.parent])
        depth++;
    return depth;
}

/* The group in which A and B lie in different children. False: there is none, since one of them
 * contains the other. */
static bool meet(const struct placer *p, struct place a, struct place b, struct arrow *arrow)
{
    int above_a = depth_of(p, a), above_b = depth_of(p, b);

    for (; above_a > above_b; above_a--)
        a = p->of_group[a.parent];
    for (; above_b > above_a; above_b--)
        b = p->of_group[b.parent];
    while (a.parent != b.parent) {
        a = p->of_group[a.parent];
        b = p->of_group[b.parent];
    }
    *arrow = (struct arrow){a.parent, a.child, b.child};
    return a.parent >= 0 && a.child != b.child;
}

static int by_group(const void *a, const void *b)
{
    const struct arrow *x = a, *y = b;

    return x->group != y->group ? x->group - y->group
           : x->from != y->from ? x->from - y->from
                                : x->to - y->to;
}

static size_t list_arrows(const struct placer *p, struct arrow *list)
{
    size_t n = 0;

    for (size_t i = 0; i < p->scene->n; i++) {
        const inlay_node *node = p->scene->nodes[i].node;

        for (int k = 0; k < node->n_in; k++) {
            const inlay_value *x = node->in[k].value;
            int from = x ? view_number_of(p->scene, x->node) : -1;

            if (from >= 0 && !p->scene->nodes[from].row &&
                meet(p, p->of_node[from], p->of_node[i], &list[n]))
                n++;
        }
    }
    qsort(list, n, sizeof *list, by_group);
    return n;
}

/* Reads a number that dot wrote, in hundredths. */
static const char *read_number(const char *s, int *out)
{
    int x = 0, digits = -1;
    bool minus;

    s += strspn(s, " ");
    minus = *s == '-';
    for (s += minus; (*s >= '0' && *s <= '9') || *s == '.'; s++) {
        if (*s == '.')
            digits = 0;
        else if (digits < 2 && x < 10000000) {
            x = 10 * x + (*s - '0');
            digits += digits >= 0;
        }
    }
    for (digits = digits < 0 ? 0 : digits; digits < 2; digits++)
        x *= 10;
    s += strcspn(s, " \n"); /* an exponent: the number is nearly 0 */
    *out = minus ? -x : x;
    return s;
}

static const char *next_line(const char *s)
{
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

/* Reads dot's output for one graph, up to its line "stop"; NULL: it has another form. */
static const char *read_graph(const char *s, view_group *g)
{
    if (strncmp(s, "graph ", 6) != 0)
        return NULL;
    for (s = next_line(s); *s && strncmp(s, "stop", 4) != 0; s = next_line(s)) {
        long child;
        char *end;

        if (strncmp(s, "node n", 6) != 0)
            continue;
        child = strtol(s + 6, &end, 10);
        if (child < 0 || child >= g->n_children)
            return NULL;
        read_number(read_number(end, &g->places[2 * child]), &g->places[2 * child + 1]);
    }
    return *s ? next_line(s) : NULL;
}

static void forget(view_group *g)
{
    inlay_give(g->places);
    g->places = NULL;
}

/* Asks for the positions in the graphs that are written so far. */
static bool ask(struct placer *p)
{
    const inlay_view_options *o = &p->view->options;
    inlay_strbuf plain = {0};
    bool ok = true;
    const char *s;

    if (p->n_asked > 0 && !p->dot.failed)
        p->refused = p->refused || !o->place(o->ctx, p->dot.bytes, p->dot.n, &plain);
    s = p->refused || !plain.bytes ? NULL : plain.bytes;
    for (int i = 0; i < p->n_asked; i++) {
        view_group *g = &p->scene->groups[p->asked[i]];

        s = s ? read_graph(s, g) : NULL;
        if (!s)
            forget(g);
        p->view->placed = p->view->placed || s;
    }
    ok = !p->dot.failed;
    inlay_strbuf_free(&plain);
    inlay_strbuf_free(&p->dot);
    p->dot = (inlay_strbuf){0};
    p->n_asked = p->boxes = 0;
    return ok;
}

static int width_of(const char *name)
{
    size_t n = strlen(name);

    return 40 + 9 * (int)(n < 10 ? 10 : n > 28 ? 28 : n);
}

/* Writes group I, whose arrows are LIST, for dot. */
static void put_group(struct placer *p, int i, const struct arrow *list, size_t n)
{
    const view_scene *s = p->scene;

    inlay_strbuf_puts(&p->dot, "digraph {\nnslimit=2; nslimit1=2; mclimit=1;\n"
                               "node [shape=box, fixedsize=true, label=\"\"];\n");
    for (int k = 1; k < s->n_groups; k++) {
        if (s->groups[k].parent == i)
            inlay_strbuf_printf(&p->dot, "n%d [width=2.4, height=.%d];\n", p->of_group[k].child,
                                HEIGHT);
    }
    for (size_t k = 0; k < s->n; k++) {
        int width = width_of(s->nodes[k].node->name);

        if (p->of_node[k].parent == i && !s->nodes[k].owns && !s->nodes[k].row)
            inlay_strbuf_printf(&p->dot, "n%d [width=%d.%02d, height=.%d];\n", p->of_node[k].child,
                                width / 100, width % 100, HEIGHT);
    }
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || by_group(&list[k], &list[k - 1]) != 0)
            inlay_strbuf_printf(&p->dot, "n%d -> n%d;\n", list[k].from, list[k].to);
    }
    inlay_strbuf_puts(&p->dot, "}\n");
}

/* Skips groups of one child, and those of more than MOST, for which dot would take too long. */
static bool place_groups(struct placer *p, const struct arrow *list, size_t n, inlay_diags *d)
{
    bool ok = true;

    for (int i = 0; ok && i < p->scene->n_groups && !p->refused; i++) {
        view_group *g = &p->scene->groups[i];
        size_t end = 0;

        for (; n > 0 && list->group < i; list++)
            n--;
        while (end < n && list[end].group == i)
            end++;
        if (g->n_children < 2 || g->n_children > MOST)
            continue;
        if (p->boxes + g->n_children > MOST)
            ok = ask(p);
        g->places = inlay_take(p->view->budget, (size_t)g->n_children, 2 * sizeof *g->places);
        ok = ok && g->places;
        if (ok) {
            put_group(p, i, list, end);
            p->asked[p->n_asked++] = i;
            p->boxes += g->n_children;
        }
    }
    ok = ask(p) && ok;
    return ok || inlay_fail_memory(d);
}

bool view_place(inlay_view *v, view_scene *s, inlay_diags *d)
{
    struct placer p = {.view = v, .scene = s};
    size_t n_in = 0;
    struct arrow *list;
    bool ok;

    if (!v->options.place)
        return true;
    for (size_t i = 0; i < s->n; i++)
        n_in += (size_t)s->nodes[i].node->n_in;
    list = inlay_take_raw(v->budget, (n_in + 1) * sizeof *list);
    p.of_group = inlay_take(v->budget, (size_t)s->n_groups + 1, sizeof *p.of_group);
    p.of_node = inlay_take(v->budget, s->n + 1, sizeof *p.of_node);
    p.asked = inlay_take(v->budget, (size_t)s->n_groups + 1, sizeof *p.asked);
    ok = list && p.of_group && p.of_node && p.asked;
    if (!ok)
        inlay_fail_memory(d);
    if (ok) {
        number_children(&p);
        ok = place_groups(&p, list, list_arrows(&p, list), d);
    }
    inlay_strbuf_free(&p.dot);
    inlay_give(list);
    inlay_give(p.of_group);
    inlay_give(p.of_node);
    inlay_give(p.asked);
    return ok;
}
