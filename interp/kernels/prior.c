/* PriorBox-1 and -8, PriorBoxClustered-1: boxes of given sizes around each point of a grid, in
 * double precision. */
#include "interp/call/kernel.h"

#include <math.h>

typedef struct floats {
    int n;
    const double *x;
} floats;

static floats list(const inlay_call *c, const char *name)
{
    const inlay_attr *a = inlay_node_attr(c->node, name);

    return a ? (floats){a->n, a->as.floats} : (floats){0};
}

/* The grid, the image, and where the next box is written. */
typedef struct grid {
    int64_t rows, columns;
    double height, width;
    double *boxes, *next;
    int64_t room; /* numbers of all boxes */
} grid;

/* No size of the output depends on the image's size, so the shape rule may not have checked it. */
static bool are_sizes(inlay_call *c, int i, const int64_t *x)
{
    for (int k = 0; k < 2; k++) {
        if (x[k] < 0)
            return inlay_call_fail(c, "%s is %lld, it must not be negative",
                                   call_element_name(c, i, k), (long long)x[k]);
    }
    return true;
}

static bool read_grid(inlay_call *c, grid *g)
{
    const int64_t *size = load_i64(c, 0), *image = load_i64(c, 1);

    g->room = c->out[0]->dims[1];
    g->boxes = g->next = inlay_call_memory(c, 2 * g->room, sizeof *g->boxes);
    if (!size || !image || !g->boxes || !are_sizes(c, 0, size) || !are_sizes(c, 1, image))
        return false;
    g->rows = size[0];
    g->columns = size[1];
    g->height = (double)image[0];
    g->width = (double)image[1];
    return true;
}

/* Adds the box around (X, Y) whose sides are WIDTH and HEIGHT long. */
static void add_box(grid *g, double x, double y, double width, double height)
{
    const double box[] = {(x - width / 2) / g->width, (y - height / 2) / g->height,
                          (x + width / 2) / g->width, (y + height / 2) / g->height};

    for (int i = 0; i < 4 && g->next < g->boxes + g->room; i++)
        *g->next++ = box[i];
}

/* Clips both corners of the boxes from FROM on to the image, or each corner only on its own side.
 */
static void cut_boxes(const grid *g, double *from, bool own_side)
{
    for (double *x = from; x < g->next; x++) {
        bool begins = (x - g->boxes) % 4 < 2;

        if (*x < 0 && (begins || !own_side))
            *x = 0;
        if (*x > 1 && (!begins || !own_side))
            *x = 1;
    }
}

static bool write_grid(inlay_call *c, const grid *g)
{
    floats variance = list(c, "variance");

    if (inlay_node_bool(c->node, "clip"))
        cut_boxes(g, g->boxes, false);
    for (int64_t i = 0; i < g->room; i++)
        g->boxes[g->room + i] = variance.n == 0 ? 0.1 : variance.x[i % 4 % variance.n];
    return store_f64(c, 0, g->boxes);
}

/* PriorBox */

typedef struct prior {
    grid g;
    floats least, most, ratios, fixed, fixed_ratios, density;
    bool flip, each; /* each size has boxes of all ratios */
    double unit;     /* sizes are multiples of it */
} prior;

/* Adds the boxes of this SIZE whose ratio is not that of a square. */
static void add_ratios(prior *p, double x, double y, double size)
{
    for (int i = 0; i < p->ratios.n; i++) {
        double root = sqrt(p->ratios.x[i]);

        if (!inlay_prior_is_new(p->ratios.x, i, p->flip))
            continue;
        add_box(&p->g, x, y, size * root, size / root);
        if (p->flip)
            add_box(&p->g, x, y, size / root, size * root);
    }
}

static void add_between(prior *p, double x, double y, int i)
{
    double size = i < p->most.n ? sqrt(p->least.x[i] * p->unit * p->most.x[i]) : 0;

    if (i < p->most.n)
        add_box(&p->g, x, y, size, size);
}

static void add_sizes(prior *p, double x, double y, bool between_first)
{
    for (int i = 0; i < p->least.n; i++) {
        double size = p->least.x[i] * p->unit;

        add_box(&p->g, x, y, size, size);
        if (between_first)
            add_between(p, x, y, i);
        if (p->each || i == p->least.n - 1)
            add_ratios(p, x, y, p->each ? size : p->least.x[0] * p->unit);
        if (!between_first)
            add_between(p, x, y, i);
    }
}

/* Adds side * side boxes of WIDTH by HEIGHT whose centres fill a square of the fixed size, at whole
 * pixels. */
static void add_dense(prior *p, double x, double y, int i, double width, double height)
{
    int64_t side = (int64_t)p->density.x[i], size = (int64_t)p->fixed.x[i];
    double step = trunc(p->fixed.x[i] / (double)side);

    x += step / 2 - (double)(size / 2);
    y += step / 2 - (double)(size / 2);
    for (int64_t v = 0; v < side; v++) {
        for (int64_t u = 0; u < side; u++)
            add_box(&p->g, x + (double)u * step, y + (double)v * step, width, height);
    }
}

/* The sides of a square are whole pixels; other boxes have the size as given. */
static void add_fixed(prior *p, double x, double y, int i)
{
    double size = p->fixed.x[i], whole = trunc(size);
    const floats *r = p->fixed_ratios.n > 0 ? &p->fixed_ratios : &p->ratios;

    if (p->fixed_ratios.n == 0)
        add_dense(p, x, y, i, whole, whole);
    for (int k = 0; k < r->n; k++) {
        double root = sqrt(r->x[k]);

        if (r == &p->ratios && !inlay_prior_is_new(r->x, k, p->flip))
            continue;
        add_dense(p, x, y, i, size * root, size / root);
        if (r == &p->ratios && p->flip)
            add_dense(p, x, y, i, size / root, size * root);
    }
}

static void read_prior(const inlay_call *c, prior *p)
{
    p->least = list(c, "min_size");
    p->ratios = list(c, "aspect_ratio");
    p->fixed = list(c, "fixed_size");
    p->fixed_ratios = list(c, "fixed_ratio");
    p->density = list(c, "density");
    p->flip = inlay_node_bool(c->node, "flip");
    p->each = inlay_node_bool(c->node, "scale_all_sizes");
    p->most = p->each ? list(c, "max_size") : (floats){0};
    p->unit = p->each ? 1 : p->g.height;
}

/* Returns the distance between positions of the grid; 0: the grid fills the image. */
static double read_step(const inlay_call *c, const prior *p)
{
    double step = inlay_node_float(c->node, "step");

    if (!p->each && step == -1)
        return p->g.height / (double)p->g.rows;
    return step * p->unit;
}

bool eval_prior_box(inlay_call *c)
{
    const inlay_attr *order = inlay_node_attr(c->node, "min_max_aspect_ratios_order");
    double step, offset = inlay_node_float(c->node, "offset");
    prior p;

    if (!read_grid(c, &p.g))
        return false;
    read_prior(c, &p);
    step = read_step(c, &p);
    for (int64_t v = 0; v < p.g.rows; v++) {
        for (int64_t u = 0; u < p.g.columns; u++) {
            double x = step != 0 ? ((double)u + offset) * step
                                 : ((double)u + 0.5) * p.g.width / (double)p.g.columns;
            double y = step != 0 ? ((double)v + offset) * step
                                 : ((double)v + 0.5) * p.g.height / (double)p.g.rows;
            double *from = p.g.next;

            for (int i = 0; i < p.fixed.n; i++)
                add_fixed(&p, x, y, i);
            cut_boxes(&p.g, from, true);
            add_sizes(&p, x, y, !order || order->as.b);
        }
    }
    return write_grid(c, &p.g);
}

/* PriorBoxClustered */

/* Returns the distance between positions along an axis with N positions and SIZE pixels. BOTH: no
 * attribute gives it for either axis. */
static double cluster_step(const inlay_call *c, const char *name, bool both, double size, int64_t n)
{
    double step = inlay_node_float(c->node, name);

    if (both)
        return size / (double)n;
    return step != 0 ? step : inlay_node_float(c->node, "step");
}

bool eval_prior_box_clustered(inlay_call *c)
{
    static const double one[] = {1};
    floats widths = list(c, "width"), heights = list(c, "height");
    double offset = inlay_node_float(c->node, "offset"), step_x, step_y;
    bool both = inlay_node_float(c->node, "step") == 0 &&
                inlay_node_float(c->node, "step_w") == 0 &&
                inlay_node_float(c->node, "step_h") == 0;
    grid g;

    if (!read_grid(c, &g))
        return false;
    if (!widths.x && !heights.x)
        widths = heights = (floats){1, one};
    step_x = cluster_step(c, "step_w", both, g.width, g.columns);
    step_y = cluster_step(c, "step_h", both, g.height, g.rows);
    for (int64_t v = 0; v < g.rows; v++) {
        for (int64_t u = 0; u < g.columns; u++) {
            for (int i = 0; i < widths.n; i++)
                add_box(&g, ((double)u + offset) * step_x, ((double)v + offset) * step_y,
                        widths.x[i], heights.x[i]);
        }
    }
    return write_grid(c, &g);
}
