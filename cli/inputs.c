/* Inputs of a model from the command line. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Reports that no input is called NAME, which FILE contains (NULL: the command line). */
static bool list_inputs(const inlay_graph *g, const char *file, const char *name, size_t len,
                        inlay_diags *d)
{
    char list[400] = "";

    for (int i = 0; i < g->n_params; i++) {
        size_t used = strlen(list);

        snprintf(list + used, sizeof list - used, "%s\"%s\"", i ? ", " : "", g->params[i]->name);
    }
    return inlay_fail(d, &(inlay_pos){file, 0}, "there is no input \"%.*s\"; the model has %s",
                      cli_quoted(len), name, g->n_params ? list : "none");
}

/* Splits TEXT, NAME=REST, at the longest NAME that is an input's. Returns the index of the input,
 * or -1 after an error. */
static int split_name(const inlay_graph *g, const char *text, const char *option,
                      const char *wanted, const char **rest, inlay_diags *d)
{
    for (const char *p = text + strlen(text); p > text; p--) {
        int i;

        if (*p != '=')
            continue;
        i = inlay_graph_find_input(g, text, (size_t)(p - text));
        *rest = p + 1;
        if (i >= 0)
            return i;
        if (i == INLAY_AMBIGUOUS) {
            inlay_fail(d, NULL,
                       "\"%.*s\" is the name of several inputs; name one by its number, #K",
                       cli_quoted((size_t)(p - text)), text);
            return -1;
        }
    }
    if (!strchr(text, '='))
        inlay_fail(d, NULL, "%s %s: %s is expected", option, text, wanted);
    else
        list_inputs(g, NULL, text, strcspn(text, "="), d);
    return -1;
}

static bool ends_with(const char *s, const char *ending)
{
    size_t n = strlen(s), m = strlen(ending);

    return n >= m && strcmp(s + n - m, ending) == 0;
}

uint64_t cli_memory_left(uint64_t max, uint64_t used)
{
    if (max == 0)
        return 0;
    return used < max ? max - used : 1;
}

/* What the command line gives, and the limit for its bytes. */
struct given {
    const inlay_graph *g;
    cli_inputs *in;
    const cli_picture *picture;
    inlay_diags *d;
};

/* Makes T (NULL after an error) input I. */
static bool put_input(const struct given *x, int i, inlay_tensor *t)
{
    cli_inputs *in = x->in;

    if (in->tensors[i])
        in->bytes -= inlay_tensor_bytes(in->tensors[i]);
    inlay_tensor_release(in->tensors[i]);
    in->tensors[i] = t;
    in->bytes += t ? inlay_tensor_bytes(t) : 0;
    return t != NULL;
}

/* Reads an archive each of whose members is an input. */
static bool take_npz(const struct given *x, const char *path)
{
    const inlay_graph *g = x->g;
    inlay_diags *d = x->d;
    inlay_npz *z = inlay_npz_open(path, inlay_graph_budget(g), d);
    bool ok = z != NULL;

    for (size_t k = 0; ok && k < inlay_npz_count(z); k++) {
        const char *name = inlay_npz_name(z, k);
        int i = inlay_graph_find_input(g, name, strlen(name));

        if (i < 0) {
            ok = i == INLAY_AMBIGUOUS
                     ? inlay_fail(d, &(inlay_pos){path, 0},
                                  "\"%s\" is the name of several inputs of the model", name)
                     : list_inputs(g, path, name, strlen(name), d);
            break;
        }
        ok = put_input(x, i, inlay_npz_read(z, k, inlay_graph_budget(g), d));
    }
    inlay_npz_close(z);
    return ok;
}

/* Returns WHAT without the ending ",donate", and sets *DONATED if it was there. */
static char *without_donate(const char *what, bool *donated)
{
    static const char word[] = ",donate";
    char *copy = strdup(what);

    *donated = copy && ends_with(copy, word);
    if (*donated)
        copy[strlen(copy) - (sizeof word - 1)] = '\0';
    return copy;
}

/* Reads "random:LO:HI". False if TEXT is not that; *BAD if it only begins so. */
static bool read_range(const char *text, inlay_range *range, bool *bad)
{
    static const char word[] = "random:";
    char *end;

    *bad = strncmp(text, word, sizeof word - 1) == 0;
    if (!*bad)
        return false;
    text += sizeof word - 1;
    range->lo = strtod(text, &end);
    if (end == text || *end != ':')
        return false;
    text = end + 1;
    range->hi = strtod(text, &end);
    range->given = end != text && *end == '\0' && range->lo <= range->hi;
    *bad = !range->given;
    return range->given;
}

static inlay_tensor *read_input(const struct given *x, const inlay_node *param, const char *what)
{
    if (cli_is_literal(what, param->out[0].fact.type))
        return cli_literal(param, what, x->d);
    if (cli_is_picture(what))
        return cli_picture_tensor(param, what, x->picture, inlay_graph_budget(x->g), x->d);
    return inlay_read_value(what, param->out[0].fact.type, param->out[0].fact.rank,
                            inlay_graph_budget(x->g), x->d);
}

/* Reads input I from WHAT, a description such as "zeros" or a file. */
static bool take_what(const struct given *x, int i, const char *what)
{
    cli_inputs *in = x->in;
    bool bad;

    if (inlay_fill_by_name(what, &in->fills[i]))
        return true;
    if (read_range(what, &in->ranges[i], &bad)) {
        in->fills[i] = INLAY_FILL_RANDOM;
        return true;
    }
    if (bad)
        return inlay_fail(x->d, NULL, "-i %s=%s: random:LOW:HIGH is expected, two numbers",
                          x->g->params[i]->name, what);
    return put_input(x, i, read_input(x, x->g->params[i], what));
}

static bool take_one(const struct given *x, const char *text)
{
    const inlay_graph *g = x->g;
    cli_inputs *in = x->in;
    inlay_diags *d = x->d;
    const char *what;
    char *file;
    int i = split_name(g, text, "-i", "NAME=FILE.npy or FILE.npz", &what, d);
    bool ok;

    if (i < 0)
        return false;
    if (in->tensors[i] || in->fills[i] != INLAY_FILL_NONE)
        return inlay_fail(d, NULL, "input \"%s\" is given twice", g->params[i]->name);
    if (!*what || strcmp(what, ",donate") == 0)
        return inlay_fail(d, NULL, "-i %s: NAME=FILE.npy or FILE.npz is expected", text);
    file = without_donate(what, &in->donated[i]);
    if (!file)
        return inlay_fail_memory(d);
    ok = take_what(x, i, file);
    free(file);
    return ok;
}

static bool take_given(const struct given *x, const cli_list *given)
{
    for (int k = 0; k < given->n; k++) {
        const char *text = given->items[k];
        bool ok =
            !strchr(text, '=') && ends_with(text, ".npz") ? take_npz(x, text) : take_one(x, text);
        if (!ok)
            return false;
    }
    return true;
}

/* Whether TEXT, NAME=DIMS, begins with the name of an input of G. */
static bool names_input(const inlay_graph *g, const char *text)
{
    bool names = false;

    for (const char *p = text; !names && (p = strchr(p, '=')) != NULL; p++)
        names = inlay_graph_find_input(g, text, (size_t)(p - text)) >= 0;
    return names;
}

bool cli_input_shapes(const inlay_graph *g, const cli_list *given, bool other, inlay_shape **shapes,
                      inlay_diags *d)
{
    inlay_shape *s = *shapes = calloc((size_t)g->n_params + 1, sizeof *s);

    if (!s)
        return inlay_fail_memory(d);
    for (int i = 0; i < g->n_params; i++)
        s[i].rank = -1;
    for (int k = 0; k < given->n; k++) {
        const char *text, *why;
        int i;

        if (other && !names_input(g, given->items[k]))
            continue;
        i = split_name(g, given->items[k], "--shape", "NAME=DIMS", &text, d);
        if (i < 0)
            return false;
        if (!inlay_shape_parse(text, &s[i], &why))
            return inlay_fail(d, NULL, "--shape %s: %s", given->items[k], why);
    }
    return true;
}

/* Makes *WISH the dims that satisfy both it and PARAM. */
static bool narrow_to(const inlay_node *param, inlay_shape *wish, inlay_diags *d)
{
    const inlay_fact *own = &param->out[0].fact;
    bool ok = own->rank < 0 || own->rank == wish->rank;
    char asked[1024], has[1024];

    for (int k = 0; ok && own->rank >= 0 && k < wish->rank; k++)
        ok = inlay_dim_compatible(wish->dim[k], own->dims[k]);
    if (!ok)
        return inlay_fail_node(d, param, "--shape asks for %s, which does not fit %s",
                               inlay_shape_text(wish->rank, wish->dim, asked, sizeof asked),
                               inlay_shape_text(own->rank, own->dims, has, sizeof has));
    for (int k = 0; own->rank >= 0 && k < wish->rank; k++)
        inlay_dim_merge(wish->dim[k], own->dims[k], &wish->dim[k]);
    return true;
}

bool cli_set_shapes(inlay_graph *g, const cli_list *given, bool other, inlay_diags *d)
{
    inlay_shape *shapes;
    bool ok = cli_input_shapes(g, given, other, &shapes, d);

    for (int i = 0; ok && i < g->n_params; i++) {
        if (shapes[i].rank >= 0)
            ok = narrow_to(g->params[i], &shapes[i], d) &&
                 inlay_node_set_shape(g->params[i], "shape", &shapes[i], d);
    }
    free(shapes);
    return ok && (given->n == 0 || inlay_infer_graph(g, d));
}

static bool all_given(const inlay_graph *g, const cli_inputs *in, inlay_diags *d)
{
    for (int i = 0; i < g->n_params; i++) {
        if (!in->tensors[i] && in->fills[i] == INLAY_FILL_NONE)
            return inlay_fail(
                d, NULL,
                "input \"%.200s\" is missing: give -i %.200s=FILE.npy, or --random for all",
                g->params[i]->name, g->params[i]->name);
    }
    return true;
}

static void fill_rest(const inlay_graph *g, cli_inputs *in)
{
    for (int i = 0; i < g->n_params; i++) {
        if (!in->tensors[i] && in->fills[i] == INLAY_FILL_NONE)
            in->fills[i] = INLAY_FILL_RANDOM;
    }
}

bool cli_take_inputs(const inlay_graph *g, const cli_list *list, const cli_picture *picture,
                     bool random, cli_inputs *in, inlay_diags *d)
{
    size_t n = (size_t)g->n_params + 1;
    struct given given = {g, in, picture, d};

    in->n = g->n_params;
    in->tensors = calloc(n, sizeof(inlay_tensor *));
    in->donated = calloc(n, sizeof(bool));
    in->fills = calloc(n, sizeof *in->fills);
    in->ranges = calloc(n, sizeof *in->ranges);
    if (!in->tensors || !in->donated || !in->fills || !in->ranges)
        return inlay_fail_memory(d);
    if (!take_given(&given, list))
        return false;
    if (random)
        fill_rest(g, in);
    return true;
}

static bool make(const cli_command *self, const inlay_graph *g, const cli_input_options *o,
                 uint64_t max_memory, cli_inputs *in, inlay_diags *d)
{
    inlay_make_options make = {.max_memory = max_memory};
    inlay_shape *shapes = NULL;
    int64_t seed = 0;
    bool ok;

    if (o->seed && !cli_number(self, "--seed", o->seed, 0, &seed))
        return false;
    make.seed = (uint64_t)seed;
    if (!cli_take_inputs(g, &o->given, &o->picture, o->random, in, d))
        return false;
    make.fills = in->fills;
    make.ranges = in->ranges;
    ok = all_given(g, in, d) && cli_input_shapes(g, &o->shapes, false, &shapes, d) &&
         cli_choose_sizes(g, in, shapes, d);
    make.shapes = shapes;
    ok = ok && inlay_make_inputs(g, &make, in->tensors, d);
    in->bytes = 0;
    for (int i = 0; i < g->n_params; i++)
        in->bytes += in->tensors[i] ? inlay_tensor_bytes(in->tensors[i]) : 0;
    free(shapes);
    return ok;
}

bool cli_make_inputs(const cli_command *self, const inlay_graph *g, const cli_input_options *o,
                     uint64_t max_memory, cli_inputs *in, inlay_diags *d)
{
    bool ok = make(self, g, o, max_memory, in, d);

    if (!ok)
        cli_free_inputs(in);
    return ok;
}

void cli_free_inputs(cli_inputs *in)
{
    for (int i = 0; in->tensors && i < in->n; i++)
        inlay_tensor_release(in->tensors[i]);
    free(in->tensors);
    free(in->donated);
    free(in->fills);
    free(in->ranges);
    *in = (cli_inputs){0};
}
