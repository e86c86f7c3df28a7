/* Reads a model for a subcommand. */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RULES = 1 << 24 }; /* bytes of a file of rules */

/* Lists the names in the texts of -i, NAME=WHAT: everything before an =, for each =, since a name
 * may contain one. */
static bool list_names(const cli_list *given, cli_list *names)
{
    for (int i = 0; given && i < given->n; i++) {
        for (const char *p = strchr(given->items[i], '='); p; p = strchr(p + 1, '=')) {
            const char **grown = realloc(names->items, ((size_t)names->n + 1) * sizeof *grown);
            char *name = grown ? strndup(given->items[i], (size_t)(p - given->items[i])) : NULL;

            names->items = grown ? grown : names->items;
            if (!name)
                return false;
            names->items[names->n++] = name;
        }
    }
    return true;
}

static void free_names(cli_list *names)
{
    for (int i = 0; i < names->n; i++)
        free((char *)names->items[i]);
    cli_list_free(names);
}

/* Applies NAME=SIZE to G. OTHER: a name that no dim has is no error. */
static bool set_dim(inlay_graph *g, const char *text, bool other, inlay_diags *d)
{
    const char *eq = strrchr(text, '=');
    char *name = eq ? strndup(text, (size_t)(eq - text)) : NULL, *end = NULL;
    int64_t size;
    bool ok;

    if (eq && !name)
        return inlay_fail_memory(d);
    errno = 0;
    size = eq ? strtoll(eq + 1, &end, 10) : 0;
    if (!eq || !*name || end == eq + 1 || *end || errno || size < 0)
        ok = inlay_fail(d, NULL, "--dim %s: NAME=SIZE is expected, a whole number", text);
    else
        ok = (other && !inlay_graph_dim_id(g, name)) || inlay_graph_set_dim(g, name, size, d);
    free(name);
    return ok;
}

/* Whether WEIGHTS is "random" or "random:SEED"; a file of that name is given as ./random. */
static bool is_random(const char *weights, uint64_t *seed)
{
    static const char word[] = "random";
    const char *digits;
    char *end;

    *seed = 0;
    if (!weights || strncmp(weights, word, sizeof word - 1) != 0)
        return false;
    digits = weights + sizeof word - 1;
    if (!*digits)
        return true;
    if (digits[0] != ':' || digits[1] < '0' || digits[1] > '9')
        return false;
    errno = 0;
    *seed = strtoull(digits + 1, &end, 10);
    return !*end && !errno;
}

static inlay_graph *read_file(const char *path, const cli_model_options *o, inlay_diags *d)
{
    cli_list names = {0};
    uint64_t seed;
    bool random = is_random(o->weights, &seed);
    inlay_read_options options = {.ops = o->plugins.ops,
                                  .weights = random ? NULL : o->weights,
                                  .make_weights = random,
                                  .weights_seed = seed,
                                  .allow_unknown = o->allow_unknown,
                                  .follow_links = o->follow_links,
                                  .never_map = o->never_map,
                                  .max_called = o->max_memory ? UINT64_MAX : 0,
                                  .budget = o->budget};
    inlay_graph *g = NULL;
    double start;

    if (!list_names(o->given, &names)) {
        inlay_fail_memory(d);
    } else {
        options.overrides = names.items;
        options.n_overrides = names.n;
        start = cli_now_ms();
        g = inlay_read_file(path, &options, d);
        if (g)
            cli_log("read %s: %zu node%s, %.2f ms", path, (size_t)g->n_nodes,
                    inlay_plural(g->n_nodes, "", "s"), cli_now_ms() - start);
        if (!g && inlay_diags_status(d) == INLAY_INVALID)
            cli_name_unknown(path, &options, d);
    }
    free_names(&names);
    return g;
}

static inlay_graph *read_model(const char *path, const cli_model_options *o, bool other,
                               inlay_diags *d)
{
    inlay_graph *g = read_file(path, o, d);
    bool ok = g;

    for (int i = 0; ok && i < o->dims.n; i++)
        ok = set_dim(g, o->dims.items[i], other, d);
    if (ok && cli_carry(g, &o->carry, d) && cli_set_shapes(g, &o->shapes, other, d))
        return g;
    inlay_graph_free(g);
    return NULL;
}

inlay_graph *cli_read(const char *path, const cli_model_options *o, inlay_diags *d)
{
    return read_model(path, o, false, d);
}

inlay_graph *cli_read_other(const char *path, const cli_model_options *o, inlay_diags *d)
{
    return read_model(path, o, true, d);
}

bool cli_read_text(FILE *f, const char *path, size_t most, const char *what, inlay_strbuf *text,
                   inlay_diags *d)
{
    inlay_pos pos = {path, 0};
    char chunk[4096];
    bool ok = true;
    size_t n;

    if (!f)
        return errno == ENOMEM ? inlay_fail_memory(d)
                               : inlay_fail(d, &pos, "cannot open the file: %s", strerror(errno));
    while (text->n <= most && (n = fread(chunk, 1, sizeof chunk, f)) > 0)
        inlay_strbuf_add(text, chunk, n);
    if (ferror(f))
        ok = inlay_fail(d, &pos, "cannot read the file: %s", strerror(errno));
    else if (text->failed)
        ok = inlay_fail_memory(d);
    else if (text->n > most)
        ok = inlay_fail_resource(d, &pos, "%s has more than %zu bytes", what, most);
    if (f != stdin)
        fclose(f);
    return ok;
}

inlay_rules *cli_read_rules(const char *path, const cli_model_options *o, inlay_diags *d)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    inlay_strbuf b = {.budget = o->budget};
    inlay_rules *rules = NULL;

    if (cli_read_text(f, path, MAX_RULES, "a file of rules", &b, d))
        rules =
            inlay_rules_parse_in(o->budget, o->plugins.ops, path, b.bytes ? b.bytes : "", b.n, d);
    inlay_strbuf_free(&b);
    return rules;
}

static bool read_rules(const cli_model_options *o, inlay_rules **sets, inlay_diags *d)
{
    for (int i = 0; i < o->rules.n; i++) {
        sets[i] = cli_read_rules(o->rules.items[i], o, d);
        if (!sets[i])
            return false;
    }
    return true;
}

/* Who receives the events of passes. */
struct listener {
    cli_model_options *options;
    const cli_pass_hook *hook; /* or NULL */
};

static bool is_refused(const inlay_decision *d)
{
    return d->asked && !d->made;
}

/* Whether the reason why a copy remains is to be printed now. */
static bool tells_why(const struct listener *l)
{
    l->options->copies = true;
    if (!l->options->require_in_place || (l->hook && l->hook->explains))
        return false;
    cli_progress_clear();
    return true;
}

/* Reports a scatter that copies something in spite of its decision. */
static void note_scatter(const struct listener *l, const inlay_in_place *what)
{
    if ((!what->overwrite.made || is_refused(&what->view) || is_refused(&what->into)) &&
        tells_why(l))
        cli_explain_text(stderr, what);
}

/* Reports a part or view that was refused. A node whose purpose is to move elements is not
 * reported. */
static void note_copy(const struct listener *l, const inlay_copy *copy)
{
    if ((is_refused(&copy->view) || is_refused(&copy->into)) && tells_why(l))
        cli_copy_text(stderr, copy);
}

/* Moves the progress line on, keeps the reasons of copies, and passes the event to the hook. */
static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    const struct listener *l = ctx;

    if (e->kind == INLAY_EVENT_PASS_BEGINS)
        cli_progress_pass(e->pass);
    if (e->kind == INLAY_EVENT_PASS_ENDS)
        cli_log("pass %s: %llu change%s, %.2f ms", e->as.stats->name,
                (unsigned long long)e->as.stats->changes,
                inlay_plural(e->as.stats->changes, "", "s"), e->as.stats->ms);
    if (e->kind == INLAY_EVENT_SAID)
        cli_log("pass %s: %s", e->pass, e->as.message->text);
    if (e->kind == INLAY_EVENT_DECIDED)
        note_scatter(l, e->as.in_place);
    if (e->kind == INLAY_EVENT_COPIES)
        note_copy(l, e->as.copy);
    cli_keep_reasons(l->options, e);
    return !l->hook || l->hook->events.receive(l->hook->events.ctx, e, d);
}

bool cli_run_passes(inlay_graph *g, cli_model_options *o, const cli_pass_hook *hook, inlay_diags *d)
{
    struct listener listener = {o, hook};
    inlay_exec_options limits = {.max_memory = o->memory};
    inlay_evaluator reference = inlay_reference_evaluator(&limits);
    inlay_rules **sets = calloc((size_t)o->rules.n + 1, sizeof(inlay_rules *));
    inlay_pass_options options = {.registry = o->plugins.passes,
                                  .passes = o->passes,
                                  .disable = o->disable.items,
                                  .n_disable = o->disable.n,
                                  .evaluator = &reference,
                                  .max_memory = o->memory,
                                  .prefer_copies = o->require_in_place ||
                                                   (o->prefer && strcmp(o->prefer, "copies") == 0),
                                  .rules = (const inlay_rules *const *)sets,
                                  .n_rules = o->rules.n};
    bool ok = sets ? read_rules(o, sets, d) : inlay_fail_memory(d);

    options.events.receive = receive;
    options.events.ctx = &listener;
    options.events.misses = hook && hook->events.misses;
    options.check = hook && hook->verify;
    ok = ok && inlay_run_passes(g, &options, d);
    for (int i = 0; sets && i < o->rules.n; i++)
        inlay_rules_free(sets[i]);
    free(sets);
    return ok;
}

/* Returns ranges for the Parameters of G in which nothing overflows, which the caller frees. */
static inlay_range *modest_ranges(const inlay_graph *g)
{
    inlay_range *ranges = calloc((size_t)g->n_params + 1, sizeof *ranges);

    for (int i = 0; ranges && i < g->n_params; i++) {
        if (inlay_type_is_float(g->params[i]->out[0].fact.type))
            ranges[i] = (inlay_range){true, -4, 4};
    }
    return ranges;
}

/* How far results may differ after an approximate rule. For f16 and bf16, 1e-4 is less than the
 * distance of neighbouring numbers, so that the limit in ulps counts there. A quotient and the
 * product with the reciprocal are at most one ulp apart, as trying all normal quotients of f16
 * showed. Rules that round four times, by half an ulp each, are at most four apart, because below a
 * power of two an ulp is half as large. */
static const inlay_compare_options approximate = {.rtol = 1e-4, .atol = 1e-5, .ulp = 4};

/* By how much results of TYPE may differ where nothing but rounding remains of numbers below 4, from
 * which others were subtracted: four times half a step of these numbers. For f32 and wider types it
 * is less than what is allowed anyway. */
static double cancelled(inlay_type type)
{
    return type == INLAY_F16 ? 2 * ldexp(1, 1 - 10) : type == INLAY_BF16 ? 2 * ldexp(1, 1 - 7) : 0;
}

/* Returns the largest such difference in G and its bodies. */
static double most_cancelled(const inlay_graph *g)
{
    double most = 0;

    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++)
            most = fmax(most, cancelled(n->out[i].fact.type));
        for (int i = 0; i < n->n_bodies; i++)
            most = fmax(most, most_cancelled(n->bodies[i].graph));
    }
    return most;
}

bool cli_compare(const cli_model_options *o, const inlay_graph *before, const inlay_graph *after,
                 const cli_comparison *how, inlay_verify_result *result, inlay_diags *d)
{
    inlay_exec_options limits = {.max_memory = o->memory,
                                 .max_iterations = o->iterations,
                                 .poison = true,
                                 .progress = cli_progress_step};
    inlay_evaluator reference = inlay_reference_evaluator(&limits);
    inlay_evaluator planned = after->has_notes ? inlay_planned_evaluator(&limits) : reference;
    cli_recorder first, second;
    const inlay_evaluator recorded[] = {cli_record(&first, &reference),
                                        cli_record(&second, &planned)};
    inlay_verify_options options = {.trials = how->trials,
                                    .seed = how->seed,
                                    .max_memory = o->memory,
                                    .may_mend = how->rewritten,
                                    .progress = cli_progress_trial};
    inlay_range *ranges = NULL;
    bool ok;

    if (how->approximate) {
        if (!(ranges = modest_ranges(before)))
            return inlay_fail_memory(d);
        options.ranges = ranges;
        options.tolerance = approximate;
        options.tolerance.atol = fmax(approximate.atol, most_cancelled(before));
    }
    if (how->tell && !(options.kept = calloc((size_t)before->n_params + 1, sizeof(inlay_tensor *))))
        ok = inlay_fail_memory(d);
    else
        ok = inlay_verify(before, &recorded[0], after, &recorded[1], &options, result, d);
    if (ok && how->tell && result->verdict == INLAY_NOT_SAME && result->counted > 0)
        cli_print_refutation(how->tell, before, &first, after, &second,
                             (const inlay_tensor *const *)options.kept);
    for (int i = 0; options.kept && i < before->n_params; i++)
        inlay_tensor_release(options.kept[i]);
    free(options.kept);
    cli_free_recorder(&first);
    cli_free_recorder(&second);
    free(ranges);
    return ok;
}

void cli_tell_difference(const cli_model_options *o, const inlay_graph *before,
                         const inlay_graph *after, const cli_comparison *how,
                         const inlay_verify_result *result, const cli_printer *p)
{
    cli_comparison again = *how;
    inlay_diags *said = inlay_diags_new();
    inlay_verify_result same;

    again.trials = 1;
    again.seed = result->seed;
    again.tell = p;
    if (said && result->counted > 0)
        cli_compare(o, before, after, &again, &same, said);
    inlay_diags_free(said);
}

/* Whether a note of the file was dropped, so that a value is copied. */
static bool dropped_notes(const inlay_diags *d)
{
    bool dropped = false;

    for (size_t i = 0; !dropped && i < inlay_diags_count(d); i++)
        dropped = inlay_diags_at(d, i)->severity == INLAY_WARNING &&
                  inlay_diags_at(d, i)->status == INLAY_DIFFERENT;
    return dropped;
}

bool cli_check_places(cli_model_options *o, const inlay_diags *d)
{
    bool dropped = dropped_notes(d);

    if (!o->require_in_place || (!o->copies && !dropped))
        return true;
    o->broken = true;
    cli_progress_clear();
    fprintf(stderr, "inlay: --require-in-place: %s\n",
            o->copies ? "a copy remains" : "a storage note is dropped");
    return false;
}

int cli_failed(const cli_model_options *o)
{
    return o->broken ? INLAY_DIFFERENT : INLAY_INVALID;
}

void cli_free_model_options(cli_model_options *o)
{
    cli_list_free(&o->dims);
    cli_list_free(&o->shapes);
    cli_list_free(&o->carry);
    cli_list_free(&o->disable);
    cli_list_free(&o->rules);
    cli_list_free(&o->load);
    cli_list_free(&o->extensions);
    cli_free_plugins(&o->plugins);
    cli_free_reasons(o);
    inlay_budget_free(o->budget);
}

bool cli_settle(const cli_command *self, cli_model_options *o)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    int64_t iterations = 0;

    if (o->max_iterations &&
        !cli_number(self, "--max-iterations", o->max_iterations, 1, &iterations))
        return false;
    o->iterations = (uint64_t)iterations;
    o->memory = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 4 * 3 : 0;
    if (o->max_memory && !cli_bytes(self, "--max-memory", o->max_memory, &o->memory))
        return false;
    o->budget = inlay_budget_new(o->memory, NULL);
    if (o->max_memory)
        cli_hold_memory(o->memory);
    return cli_settle_budgets(self, o) && cli_load_plugins(&o->load, &o->extensions, &o->plugins);
}
