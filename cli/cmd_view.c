/* `inlay view MODEL`: writes a page that shows the graph. `inlay view A B`, `--passes` and `--step`
 * show several, each beside the one before. */
#include "cli/view.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST = 2 << 20 }; /* bytes of a page, beside the size of the model */

/* What the passes said of nodes. */
struct remarks {
    inlay_view_remark *list;
    size_t n, cap;
};

/* A page while it is made. */
struct page {
    const struct view *options;
    cli_model_options passes; /* that run on the graph that is added now */
    inlay_view *view;
    struct remarks remarks;
    inlay_graph *before; /* --step: a clone of the graph that was added last */
    size_t left_out;     /* steps for which the page has no room */
    size_t most;         /* bytes of the page */
};

static void free_remarks(struct remarks *r)
{
    for (size_t i = 0; i < r->n; i++)
        free((char *)r->list[i].text);
    free(r->list);
    *r = (struct remarks){0};
}

static bool add_remark(struct remarks *r, const inlay_view_remark *what, inlay_diags *d)
{
    size_t cap = r->cap ? 2 * r->cap : 16;
    inlay_view_remark *grown = r->n < r->cap ? r->list : realloc(r->list, cap * sizeof *grown);

    if (!grown) {
        free((char *)what->text);
        return inlay_fail_memory(d);
    }
    r->cap = r->n < r->cap ? r->cap : cap;
    r->list = grown;
    r->list[r->n++] = *what;
    return true;
}

/* Ends a text that was written to memory. */
static bool close_text(cli_text *t, inlay_diags *d)
{
    bool failed = ferror(t->file) != 0;

    failed = fclose(t->file) != 0 || failed;
    if (!failed && t->bytes)
        return true;
    free(t->bytes);
    return inlay_fail_memory(d);
}

static bool refused(const inlay_decision *d)
{
    return d->asked && !d->made;
}

static bool keep_decision(struct remarks *r, const inlay_in_place *what, inlay_diags *d)
{
    const inlay_decision *all[] = {&what->overwrite, &what->view, &what->into};
    inlay_view_remark remark = {.node = what->scatter, .bytes = what->update_bytes};
    cli_text text;

    if (!cli_text_open(&text, d))
        return false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        remark.refused = remark.refused || refused(all[i]);
        remark.bytes += refused(all[i]) ? all[i]->bytes : 0;
    }
    cli_explain_text(text.file, what);
    if (!close_text(&text, d))
        return false;
    remark.text = text.bytes;
    return add_remark(r, &remark, d);
}

static bool keep_copy(struct remarks *r, const inlay_copy *what, inlay_diags *d)
{
    const inlay_decision *view = &what->view, *into = &what->into;
    inlay_view_remark remark = {
        .node = what->node, .refused = refused(view) || refused(into), .bytes = what->bytes};
    cli_text text;

    if (!cli_text_open(&text, d))
        return false;
    remark.bytes = refused(view) && view->bytes ? view->bytes : remark.bytes;
    remark.bytes = refused(into) && into->bytes ? into->bytes : remark.bytes;
    cli_copy_text(text.file, what);
    if (!close_text(&text, d))
        return false;
    remark.text = text.bytes;
    return add_remark(r, &remark, d);
}

/* The graph as it is now, and how it differs from the one before. */
static bool add_step(struct page *p, inlay_graph *g, const char *title, inlay_diags *d)
{
    inlay_view_graph shown = {.graph = g, .title = title, .before = p->before};
    inlay_diff diff = {0};
    bool ok = inlay_diff_graphs(p->before, g, &diff, d);

    shown.changes = &diff;
    if (ok && cli_count_changes(&diff, 0) < diff.n) {
        if (inlay_view_bytes(p->view) > p->most)
            p->left_out++;
        else {
            ok = inlay_view_add(p->view, &shown, d);
            inlay_graph_free(p->before);
            p->before = ok ? inlay_graph_clone(g, d) : NULL;
            inlay_diff_free(&diff);
            return ok && p->before;
        }
    }
    inlay_diff_free(&diff);
    return ok;
}

static bool tell_step(struct page *p, const inlay_event *e, inlay_diags *d)
{
    const inlay_application *a = e->as.application;
    char title[300];

    if (e->kind == INLAY_EVENT_APPLIED)
        snprintf(title, sizeof title, "after %llu: %s%s%s at %.150s", (unsigned long long)a->serial,
                 e->pass, a->rule ? " " : "", a->rule ? a->rule->name : "", a->at->name);
    else
        snprintf(title, sizeof title, "after pass %.150s", e->pass);
    return add_step(p, e->graph, title, d);
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    struct page *p = ctx;

    switch (e->kind) {
    case INLAY_EVENT_DECIDED:
        return keep_decision(&p->remarks, e->as.in_place, d);
    case INLAY_EVENT_COPIES:
        return keep_copy(&p->remarks, e->as.copy, d);
    case INLAY_EVENT_APPLIED:
    case INLAY_EVENT_PASS_ENDS:
        return !p->before || tell_step(p, e, d);
    default:
        return true;
    }
}

/* Runs PASSES on G, and keeps what they say of the graph that they leave. */
static bool run_passes(struct page *p, inlay_graph *g, const char *passes, inlay_diags *d)
{
    cli_pass_hook hook = {.events = {receive, p, false}, .explains = true};

    free_remarks(&p->remarks);
    p->passes = p->options->model;
    p->passes.passes = passes;
    return cli_run_passes(g, &p->passes, &hook, d);
}

/* Can G run? What cannot is shown without a plan. */
static bool is_complete(const inlay_graph *g, inlay_diags *d, bool *complete)
{
    cli_unknown *missing = NULL;
    size_t n = 0;
    bool ok = cli_find_unknown(g, &missing, &n, d);

    free(missing);
    *complete = ok && n == 0;
    return ok;
}

/* The plans of a run of G. A graph that cannot run is shown without them. */
struct plans {
    inlay_program_plan steps;
    inlay_memory_plan memory;
    bool made;
};

static bool make_plans(const inlay_graph *g, struct plans *p, inlay_diags *d)
{
    inlay_diags *said = inlay_diags_new();
    bool complete, ok = said ? is_complete(g, d, &complete) : inlay_fail_memory(d);

    if (ok && complete)
        p->made = inlay_program_plan_make(g, INLAY_KERNELS_PORTABLE, &p->steps, said) &&
                  inlay_memory_plan_make(g, &p->memory, said);
    for (size_t i = 0; ok && i < inlay_diags_count(said); i++) {
        if (inlay_diags_at(said, i)->status == INLAY_NO_RESOURCE) {
            cli_record_again(inlay_diags_at(said, i), d);
            ok = false;
        }
    }
    inlay_diags_free(said);
    return ok;
}

/* Adds G, on which the passes have run, beside BEFORE (NULL: it is the first). */
static bool add_graph(struct page *p, inlay_graph *g, const char *title, const inlay_graph *before,
                      inlay_diags *d)
{
    inlay_view_graph shown = {.graph = g,
                              .title = title,
                              .before = before,
                              .remarks = p->remarks.list,
                              .n_remarks = p->remarks.n};
    struct plans plans = {0};
    view_numbers numbers = {0};
    inlay_diff diff = {0};
    bool ok = make_plans(g, &plans, d);

    if (plans.made) {
        shown.plan = &plans.steps;
        shown.peak_bytes = plans.memory.peak_bytes;
    }
    ok = ok && view_measure(p->options, g, before, &numbers, d);
    shown.overlays = numbers.overlays;
    shown.n_overlays = numbers.n;
    if (ok && before) {
        ok = inlay_diff_graphs(before, g, &diff, d);
        shown.changes = &diff;
    }
    ok = ok && inlay_view_add(p->view, &shown, d);
    inlay_diff_free(&diff);
    view_free_numbers(&numbers);
    inlay_program_plan_free(&plans.steps);
    inlay_memory_plan_free(&plans.memory);
    return ok;
}

static const char in_place[] = "in-place-windows";

/* What is shown of a model by itself: the graph of the file, and what is in place in it. */
static bool add_plain(struct page *p, inlay_graph *g, const char *title, const inlay_graph *before,
                      inlay_diags *d)
{
    bool complete;

    return is_complete(g, d, &complete) && (!complete || run_passes(p, g, in_place, d)) &&
           add_graph(p, g, title, before, d);
}

/* G as it is, and after the passes; --step: and after each change on the way. */
static bool add_passes(struct page *p, inlay_graph *g, inlay_diags *d)
{
    const char *passes = p->options->model.passes ? p->options->model.passes : "default";
    inlay_graph *after = inlay_graph_clone(g, d);
    char title[200];
    bool ok = after && add_plain(p, g, "as the file has it", NULL, d);

    snprintf(title, sizeof title, "after %.150s", passes);
    if (ok && p->options->steps)
        ok = (p->before = inlay_graph_clone(g, d)) != NULL;
    ok = ok && run_passes(p, after, passes, d) &&
         add_graph(p, after, title, p->before ? p->before : g, d);
    if (ok && p->left_out > 0)
        fprintf(stderr, "inlay: the page has room for some of the steps: %zu are left out\n",
                p->left_out);
    inlay_graph_free(after);
    return ok;
}

static bool add_files(struct page *p, const char *a_path, const char *b_path, inlay_diags *d)
{
    const struct view *o = p->options;
    inlay_graph *a = cli_read(a_path, &o->model, d), *b = NULL;
    bool ok = a != NULL, passes = o->model.passes || o->steps;

    if (ok && b_path)
        ok = (b = cli_read_other(b_path, &o->model, d)) != NULL;
    ok = ok && (passes ? add_passes(p, a, d) : add_plain(p, a, a_path, NULL, d));
    ok = ok && (!b || add_plain(p, b, b_path, a, d));
    inlay_graph_free(a);
    inlay_graph_free(b);
    return ok;
}

/* The page is made in memory first, so that it appears complete or not at all. */
static bool write_page(struct page *p, inlay_diags *d)
{
    inlay_strbuf text = {0};
    const inlay_sink to = {inlay_strbuf_sink, &text};
    inlay_files *fs = inlay_files_new(d);
    bool ok = fs && (inlay_view_write(p->view, &to, NULL) || inlay_fail_memory(d));

    fflush(stdout); /* the page may go there */
    ok = ok && inlay_files_bytes(fs, p->options->out, text.bytes, text.n, d) && cli_may_write(d) &&
         inlay_files_commit(fs, d);
    inlay_files_free(fs);
    inlay_strbuf_free(&text);
    return ok;
}

static size_t size_of(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size : 0;
}

static int view_files(const struct view *o, const char *a, const char *b)
{
    inlay_diags *d = inlay_diags_new();
    view_dot dot = {.left_ms = 2000, .d = d};
    const inlay_view_options options = {
        .title = a, .place = view_ask_dot, .ctx = &dot, .why = dot.why};
    struct page p = {.options = o, .most = MOST / 4 * 3 + size_of(a)};
    bool ok;

    if (!d)
        return cli_no_memory();
    cli_progress_begin("view");
    p.view = inlay_view_new(&options, d);
    ok = p.view && add_files(&p, a, b, d) && write_page(&p, d);
    cli_progress_end();
    free_remarks(&p.remarks);
    inlay_graph_free(p.before);
    inlay_view_free(p.view);
    return cli_finish(d, ok ? INLAY_OK : INLAY_INVALID);
}

static int check_options(struct view *o, int n)
{
    if (n == 2 && (o->model.passes || o->model.disable.n > 0 || o->model.rules.n > 0 || o->steps))
        return cli_usage(o->self, "options of passes are for one model, which is shown beside what "
                                  "the passes make of it; two are shown as they are");
    if (o->time && o->bench)
        return cli_usage(o->self, "--time measures, and --bench reads what was measured; one of "
                                  "them is enough");
    o->inputs.random = true;
    o->model.allow_unknown = true;
    o->model.given = &o->inputs.given;
    o->out = o->out ? o->out : "/dev/stdout";
    return cli_settle(o->self, &o->model) ? -1 : INLAY_INVALID;
}

int cmd_view(const cli_command *self, int argc, char **argv)
{
    struct view o = {.self = self};
    const cli_option options[] = {
        CLI_OUT_OPTION(o.out, "prints the page"),
        {"--time", NULL, "run the model, and colour each node by the time that it takes",
         .flag = &o.time},
        {"--bench", "FILE.json", "the same with the times that `inlay bench --json` printed",
         .text = &o.bench},
        {"--values", NULL,
         "run the model, and colour each node by the error of its values: against the reference, "
         "or of B against A",
         .flag = &o.values},
        {"--step", NULL, "show the graph after each change that the passes make", .flag = &o.steps},
        CLI_PASS_OPTIONS(o.model),
        CLI_GIVEN_OPTION(o.inputs.given, "random"),
        CLI_SEED_OPTION(o.inputs.seed, "0"),
        CLI_SHAPE_OPTION(o.model.shapes),
        CLI_LIMIT_OPTIONS(o.model),
        CLI_CARRY_OPTION(o.model),
        CLI_READ_OPTIONS(o.model),
        {0}};
    const char *files[2];
    int n, status = cli_parse(self, options, argc, argv, files, 1, 2, &n);

    if (status < 0)
        status = check_options(&o, n);
    if (status < 0)
        status = view_files(&o, files[0], n > 1 ? files[1] : NULL);
    cli_list_free(&o.inputs.given);
    cli_free_model_options(&o.model);
    return status;
}
